/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands of respin and what they share on the command line.
 *
 * To add a command:
 *  1. write tools/cmd-NAME.c with `int cmd_NAME(int argc, char **argv)`;
 *     argv[0] is NAME; it returns an exit status from below;
 *  2. declare it at the end of this header;
 *  3. add a line to the table in main.c;
 *  4. describe it in tools/respin.1.
 */
#ifndef RESPIN_COMMAND_H
#define RESPIN_COMMAND_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#define RESPIN_VERSION "0.1"

enum {
	EXIT_NOTHING_NEW = 0,	/* and everything in scope was verified */
	EXIT_FINDINGS = 1,	/* there are new findings */
	EXIT_NOT_VERIFIED = 2,	/* not (fully) verified, or an error */
};

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;	/* one line for `respin -h`; NULL: not listed */
};

/*
 * Takes the options in @entries (NULL: none) and -h/--help out of @argv;
 * @args is the synopsis of the rest ("[-o FILE] SERIES..."), @summary a
 * sentence or more for the help, either may be NULL.
 * true: go on, argv[0] and the arguments are left in @argv ("--" is gone).
 * false: help or a message was printed, return *@status.
 */
bool command_parse(const GOptionEntry *entries, const char *args,
		   const char *summary, int *argc, char ***argv, int *status);

/*
 * Prints "respin NAME: message" for @error on stderr; @status is returned,
 * so that a command can `return command_fail(...)`.
 */
int command_fail(const char *name, const GError *error, int status);

/* For a wrong use of a command: adds "; see 'respin NAME -h'". */
int command_usage(const char *name, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The entry of @table (ends with a NULL name) called @name, or NULL. */
const struct command *command_find(const struct command *table,
				   const char *name);
/* The listed command whose name is nearest to @name; NULL: none is near. */
const struct command *command_nearest(const struct command *table,
				      const char *name);

/* The `-c name=value` of the global options, for config_open(). */
const char *const *command_overrides(void);

/*
 * What respin was told before the command: takes -C, -c, -h, --help and
 * --version off @argv.  -1: go on with the command in (*argv)[0], if any;
 * else the exit status.
 */
int command_global_options(const struct command *table, int *argc,
			   char ***argv);

/* The list of commands, as `respin -h` prints it. */
void command_print_help(const struct command *table, FILE *out);

int cmd_apply(int argc, char **argv);
int cmd_checks(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_audit(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_impact(int argc, char **argv);
int cmd_messages(int argc, char **argv);
int cmd_repro(int argc, char **argv);
int cmd_show(int argc, char **argv);

#endif
