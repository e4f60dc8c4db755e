// SPDX-License-Identifier: GPL-2.0
/* `respin checks`: what a run looks at, with which tool, and how sure it is. */
#include "check.h"
#include "checkset.h"
#include "command.h"
#include "doctor.h"
#include "report.h"

static void print_check(const struct check *c)
{
	const char *missing = check_tool_missing(c);
	/* "spatch version 1.1.1 compiled with OCaml version 4.13.1" */
	g_auto(GStrv) said = g_strsplit(check_tool_version(c), " compiled", 2);
	g_autofree char *version = doctor_version(*said ?: "");
	g_autofree char *tool = !c->tool ? g_strdup("") :
		missing ? g_strdup_printf("; %s", missing) :
		g_strdup_printf("; by %s %s", c->tool, version);
	g_autofree char *first = g_strdup_printf("%-16s%-9s", c->name,
					confidence_name(c->confidence));
	g_autofree char *text = g_strconcat(c->what, tool, NULL);

	report_wrap(stdout, first, 25, text);
}

int cmd_checks(int argc, char **argv)
{
	int status;

	if (!command_parse(NULL, NULL, "Lists the checks: name, how sure it is at "
		"best, what it looks at, and its tool.  --check, --skip and "
		"--min-confidence of `respin check` choose among them.", &argc,
		&argv, &status))
		return status;
	if (argc > 1)
		return command_usage("checks", "it takes no arguments");
	for (const struct check *const *c = check_list(); *c; c++)
		print_check(*c);
	return EXIT_NOTHING_NEW;
}
