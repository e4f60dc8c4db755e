/* SPDX-License-Identifier: GPL-2.0 */
/* The F: and X: lines of MAINTAINERS, as scripts/get_maintainer.pl reads them. */
#ifndef RESPIN_FPATTERN_H
#define RESPIN_FPATTERN_H

#include <glib.h>
#include <stdbool.h>

struct fpattern {
	unsigned int line;	/* in MAINTAINERS, from 1 */
	char *text;		/* "F:\tdrivers/foo/" */
};

/*
 * The lines of @text (MAINTAINERS) whose pattern matches none of @files (char *,
 * sorted by strcmp(), all files of the tree): what --self-test=patterns
 * says, in a second instead of minutes.  Array of struct fpattern,
 * g_ptr_array_unref().  Pure.
 */
GPtrArray *fpattern_unmatched(const char *text, const GPtrArray *files);
/*
 * The pattern as an expression that matches from the start of a path, not to
 * its end; NULL: it is none.
 */
GRegex *fpattern_regex(const char *value);
/*
 * With how many characters of @value each path that matches begins; all of
 * them when *@whole: it is no expression.
 */
gsize fpattern_literal(const char *value, bool *whole);
/* The regular files and links below @dir, sorted; g_ptr_array_unref(). */
GPtrArray *fpattern_files(const char *dir);
#endif
