/* SPDX-License-Identifier: GPL-2.0 */
/* Where a line of the parent is in the child; for ledger.c only. */
#ifndef RESPIN_LEDGER_MAP_H
#define RESPIN_LEDGER_MAP_H

#include <glib.h>
#include <stdbool.h>
#include "diff.h"

/* How two lines are the same, the surest first; the phases of ledger.h. */
enum same { SAME_LINE = 1, SAME_TEXT, SAME_CHANGED, SAME_NOT };

struct line_at {
	const char *file;	/* as the parent, or the child, calls it */
	unsigned int line;	/* from 1; 0: not known */
	const char *text;	/* "": not known, looked up in the diff */
};

struct line_map;

struct line_map *line_map_new(const struct diff *change);	/* or NULL */
void line_map_free(struct line_map *m);

/* What the child calls the parent's @file; borrowed, or @file itself. */
const char *line_map_file(const struct line_map *m, const char *file);
enum same line_map_compare(const struct line_map *m, const struct line_at *old,
			   const struct line_at *new);
/* Is the parent's line still there, unchanged? */
bool line_map_kept(const struct line_map *m, const struct line_at *old);
#endif
