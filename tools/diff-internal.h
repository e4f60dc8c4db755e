/* SPDX-License-Identifier: GPL-2.0 */
/* Between diff.c, diff-header.c and diff-name.c only. */
#ifndef RESPIN_DIFF_INTERNAL_H
#define RESPIN_DIFF_INTERNAL_H

#include "diff.h"

/* A place in the bytes of a diff, at the start of a line. */
struct cursor {
	const char *p, *end;
	unsigned int line;	/* number of the line at p, from 1 */
};

/* Bytes of the line at @c with its '\n'; 0 at the end. */
gsize cursor_len(const struct cursor *c);
void cursor_step(struct cursor *c);
/* Does the line at @c begin with @prefix? */
bool cursor_at(const struct cursor *c, const char *prefix);

/* diff-name.c: paths; each result is g_free()d, NULL when there is none. */
char *name_of_line(const char *text, gsize len, bool tab_ends);
char *name_strip(const char *name);
char *name_default(const char *text, gsize len);
bool name_is_dev_null(const char *text, gsize len);
bool name_is_epoch(const char *text, gsize len);
/* NULL, or why @path must not be used. */
const char *name_unsafe(const char *path);

/*
 * diff-header.c: reads the header at @c ("diff --git" or "--- "), leaves @c
 * at the first line after it.  1: a header, 0: none here, -1: @error.
 */
int header_parse(struct cursor *c, struct file_diff *fd, GError **error);
bool hunk_header_parse(struct cursor *c, struct hunk *h);

#endif
