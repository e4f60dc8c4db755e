// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the command and runs it.
 */
#include <errno.h>
#include <locale.h>
#include "command.h"

static const struct command commands[] = {
	{ "check",	cmd_check,	"check a series or a range of commits" },
	{ "show",	cmd_show,	"print the report of an earlier check" },
	{ "repro",	cmd_repro,	"run the compile behind a finding again" },
	{ "checks",	cmd_checks,	"list the checks and their tools" },
	{ "audit",	cmd_audit,	"compile what a check leaves out, too" },
	{ "messages",	cmd_messages,	"say what is wrong with mails and trailers" },
	{ "doctor",	cmd_doctor,	"say what respin needs and what is missing" },
	/* not listed: single stages, for tests and for a closer look */
	{ "apply",	cmd_apply,	NULL },
	{ "impact",	cmd_impact,	NULL },
	{ NULL }
};

static int unknown_command(const char *name)
{
	const struct command *near = command_nearest(commands, name);

	fprintf(stderr, "respin: '%s' is not a command", name);
	if (near)
		fprintf(stderr, "; did you mean '%s'?\n", near->name);
	else
		fputs("; see 'respin -h'\n", stderr);
	return EXIT_NOT_VERIFIED;
}

static int help(int argc, char **argv)
{
	const struct command *c;
	char h[] = "-h";

	if (argc < 2 || !strcmp(argv[1], "help")) {
		command_print_help(commands, stdout);
		return 0;
	}
	c = command_find(commands, argv[1]);
	if (!c)
		return unknown_command(argv[1]);
	return c->run(2, (char *[]){ argv[1], h, NULL });
}

static int dispatch(int argc, char **argv)
{
	const struct command *c;
	int status = command_global_options(commands, &argc, &argv);

	if (status >= 0)
		return status;
	if (!argc) {
		command_print_help(commands, stderr);
		return EXIT_NOT_VERIFIED;
	}
	if (!strcmp(argv[0], "help"))
		return help(argc, argv);
	c = command_find(commands, argv[0]);
	return c ? c->run(argc, argv) : unknown_command(argv[0]);
}

int main(int argc, char **argv)
{
	int status;

	/* Only what characters are and how wide: messages stay as written. */
	setlocale(LC_CTYPE, "");
	status = dispatch(argc ? argc - 1 : 0, argv + !!argc);

	/* A report that did not get out whole is no report: "> /dev/full". */
	if (ferror(stdout) | fclose(stdout)) {
		fprintf(stderr, "respin: cannot write to standard output: %s\n",
			g_strerror(errno));
		return EXIT_NOT_VERIFIED;
	}
	return status;
}
