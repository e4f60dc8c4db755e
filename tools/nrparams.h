/* SPDX-License-Identifier: GPL-2.0 */
/* Which parameters of a tree's functions are numbers of pages. */
#ifndef RESPIN_NRPARAMS_H
#define RESPIN_NRPARAMS_H

#include <glib.h>

/*
 * Reads the prototypes and definitions in @text into @table: char * (owned)
 * name -> GArray (owned) of the indexes (guint, from 0) of its integer
 * parameters that are named like a number of pages.  A function that takes
 * none is left out.
 */
void nrparams_scan(GHashTable *table, const char *text, gsize len);
GHashTable *nrparams_new(void);
/* {"set_ptes": [4], ...}, sorted by name; g_free() */
char *nrparams_json(GHashTable *table);
/* Adds the headers of memory management below @srcdir. */
void nrparams_tree(GHashTable *table, const char *srcdir);
#endif
