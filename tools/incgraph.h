/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who includes whom, by the text of #include lines, blind to #if: what can
 * reach a header.  And who mentions an identifier.
 */
#ifndef RESPIN_INCGRAPH_H
#define RESPIN_INCGRAPH_H

#include <glib.h>
#include "repo.h"

struct incgraph;

/*
 * The graph over all .c .h .S .lds.S (and included .inc, .tbl) files of @tree; the
 * #include lines of a blob are cached in @cachefile by blob id, so that a
 * second tree costs only what differs.
 */
struct incgraph *incgraph_load(struct repo *r, const char *tree,
			       const char *cachefile, GError **error);
void incgraph_free(struct incgraph *g);

/*
 * The files that can reach @header (a path in the tree), as a set of char *
 * (owned by the graph; g_hash_table_unref() the set).  An #include <x> is
 * resolved against include/, arch/@srcarch/include/, the uapi directories,
 * generated asm-generic wrappers (<asm/x> may be asm-generic/x), and the file's
 * own directory for "x"; other unresolved names match by suffix.
 */
GHashTable *incgraph_reaching(struct incgraph *g, const char *header,
			      const char *srcarch);

/*
 * The files of the graph that mention an identifier of @names (char * ->
 * anything), as whole words outside of comments not needed: char * path ->
 * GPtrArray of struct mention (borrowed path).  Reads files from @checkout.
 */
struct mention {
	const char *name;	/* borrowed from @names */
	unsigned int line;	/* from 1 */
};
GHashTable *incgraph_mentions(struct incgraph *g, const char *checkout,
			      GHashTable *names);
#endif
