/* SPDX-License-Identifier: GPL-2.0 */
/* Which checks a run has, and which of their tools are there. */
#ifndef RESPIN_CHECKSET_H
#define RESPIN_CHECKSET_H

#include <glib.h>
#include <stdbool.h>
#include "diag.h"

struct check;
struct checkset;

/*
 * @only, @skip: comma-separated names of checks, NULL: all, none.  @least:
 * "certain", "likely" or "hint": findings of less are not reported, and checks
 * that have no others do not run, unless @only names them; NULL: "likely", or
 * all with @only.
 * RESPIN_ERROR_USAGE for what is no name.
 */
struct checkset *checkset_new(const char *only, const char *skip,
			      const char *least, GError **error);
void checkset_free(struct checkset *cs);
/* Does the check run?  A NULL @cs has all. */
bool checkset_has(const struct checkset *cs, const char *name);
/* Are findings of this confidence reported? */
bool checkset_shows(const struct checkset *cs, enum confidence c);
/* "sparse, checkpatch": those that do not run because the user said so;
 * NULL: none.  g_free() */
char *checkset_left_out(const struct checkset *cs);

/*
 * What is wrong with the tool of @check, and what to do; NULL: it is there.
 * Looked for once, where the sandbox looks for it.  Borrowed.
 */
const char *check_tool_missing(const struct check *check);
/* What `TOOL --version` prints, "" without a tool; borrowed. */
const char *check_tool_version(const struct check *check);

/*
 * The tool called @tool is the program @path (absolute) instead of what is
 * found; before any check runs.
 */
void check_tool_set(const char *tool, const char *path);
/* How to call the tool of @check; borrowed. */
const char *check_tool_program(const struct check *check);
/* The directory that the sandbox must show for it; NULL: none.  Borrowed. */
const char *check_tool_dir(const struct check *check);

const char *confidence_name(enum confidence c);
#endif
