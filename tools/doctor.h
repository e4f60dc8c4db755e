/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What respin needs on this machine, and whether it is there and works.
 *
 * To add a tool: add a line to doctor_tools in doctor-tools.c, and the package
 * to ci/setup.
 */
#ifndef RESPIN_DOCTOR_H
#define RESPIN_DOCTOR_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include "config.h"

/* Where tools are looked for: what the sandbox has as PATH. */
#define DOCTOR_PATH "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

struct tool {
	const char *name;	/* as it is shown: "flex", "libelf headers" */
	const char *args[9];	/* the trial run, argv[0] first; NULL ends it */
	const char *must_say;	/* in its output, or it is another program of
				   that name; NULL: anything */
	const char *package;	/* of Debian that brings it */
	const char *purpose;
	const char *needed_by;	/* part of respin, or of the kernel's build */
};

extern const struct tool doctor_tools[];	/* ends with a NULL name */

enum doctor_state {
	DOCTOR_OK,
	DOCTOR_MISSING,		/* @package brings it */
	DOCTOR_BROKEN,		/* is there, but does not work: see @hint */
};

struct doctor_row {
	enum doctor_state state;
	char *name;
	char *version;		/* "" where there is none */
	char *path;		/* "" where there is none */
	char *purpose;
	char *package;		/* NULL: no package helps */
	char *hint;		/* what is wrong, what to do; NULL: nothing */
};

/* Rows are collected in an array made by this; unref it. */
GPtrArray *doctor_rows_new(void);

/* One row for each of @tools, looked for in @path (colons) and run. */
void doctor_check_tools(GPtrArray *rows, const struct tool *tools,
			const char *path);

/*
 * One row for the compiler of each arch in @archs (names that arch_find()
 * knows), as variant_new() finds it; crossCompile of @c counts.
 */
int doctor_check_compilers(GPtrArray *rows, char *const *archs,
			   struct config *c, GError **error);

/* Runs bubblewrap. */
void doctor_check_sandbox(GPtrArray *rows);

/* Space in @cache_dir (which need not exist), and memory. */
void doctor_check_machine(GPtrArray *rows, const char *cache_dir);

/* The full name of @program, where the sandbox looks for it; g_free(). */
char *doctor_find(const char *program);

/* The version in what a tool printed: "12.2.0"; "" when there is none. */
char *doctor_version(const char *output);

/* "apt-get install flex bison" for what is missing; NULL: nothing is. */
char *doctor_install_line(const GPtrArray *rows);

/* The table, what is wrong, the apt line.  Returns true when all is there. */
bool doctor_print(const GPtrArray *rows, FILE *out);

/* For the doctor-*.c files: adds a row, takes nothing over. */
struct doctor_row *doctor_add(GPtrArray *rows, enum doctor_state state,
			      const char *name, const char *version,
			      const char *path, const char *purpose);
#endif
