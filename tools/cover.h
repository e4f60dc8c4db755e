/* SPDX-License-Identifier: GPL-2.0 */
/* Was a line compiled at all?  The pure part of cover.c, for its test. */
#ifndef RESPIN_COVER_H
#define RESPIN_COVER_H

#include <glib.h>
#include "condition.h"
#include "diff.h"
#include "job.h"

/* Lines of the post-image that @fd adds, blank ones left out: guint, sorted. */
GArray *cover_added(const struct file_diff *fd);

/* The lines of @path (relative to @srcdir) that the output @text of -E -dD
 * still holds: a set of GUINT_TO_POINTER(line). */
GHashTable *cover_emitted(const char *text, const char *srcdir,
			  const char *path);

/*
 * Takes out of @lines (guint) those that are compiled where the lines
 * @emitted are: a line is when its innermost #if branch still holds anything.
 * @conditions: condition_scan() of the file.
 */
void cover_remove(GArray *lines, const GPtrArray *conditions,
		  GHashTable *emitted);
/* The innermost branch that holds @line; NULL: it is under no #if. */
const struct condition *cover_branch(const GPtrArray *conditions, guint line);
/* Takes those out of @lines that hold only comments. */
void cover_drop_comments(GArray *lines, const struct ctext *t);
/* Where line @line of the pre-image of @fd is now; 0: it is gone. */
guint cover_map(const struct file_diff *fd, guint line);

/* A job of @jobs on @v that compiles @path: as its source, alone, or by
 * including it; NULL: none. */
const struct job *cover_reader(const GPtrArray *jobs, const struct variant *v,
			       const char *path);
#endif
