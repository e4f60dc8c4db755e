/* SPDX-License-Identifier: GPL-2.0 */
/* Between symindex*.c only: the texts that no patch of the series touches. */
#ifndef RESPIN_SYMINDEX_KEEP_H
#define RESPIN_SYMINDEX_KEEP_H

#include "run.h"
#include "symtext.h"

/* Adds to @texts (path -> struct symtext) what an earlier run read of the base. */
void symindex_recall(GHashTable *texts, const struct run *run);
/* Keeps @texts for the next run; none of them is of a file that is touched. */
void symindex_remember(GHashTable *texts, const struct run *run);
/*
 * Reads those of @paths (char *) that are not in @texts below @srcdir, several
 * at a time.  Returns how many.
 */
guint symindex_read(GHashTable *texts, const GPtrArray *paths,
		    const char *srcdir);
#endif
