/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who includes whom, by the text of #include lines, blind to #if: what can
 * reach a header.  And who mentions an identifier.
 */
#ifndef RESPIN_INCGRAPH_H
#define RESPIN_INCGRAPH_H

#include <glib.h>
#include <stdbool.h>
#include "repo.h"

struct incgraph;

/*
 * The graph over all .c .h .S (and included .inc, .inl, .lds, ...) files of
 * @tree; the #include lines of a blob are cached in @cachefile by blob id, so
 * that a second tree costs only what differs.  NULL @cachefile: no cache.  A
 * damaged cache is read as an empty one; that it cannot be written is no
 * error.  NULL with @error when the tree cannot be read.  When much must be read
 * a second handle on the repository is opened for a second thread.
 */
struct incgraph *incgraph_load(struct repo *r, const char *tree,
			       const char *cachefile, GError **error);
void incgraph_free(struct incgraph *g);

/*
 * The files that can reach @header (a path in the tree), as a set of char *
 * (owned by the graph; g_hash_table_unref() the set); @header itself is not in
 * it.  Empty when @header is not in the graph.
 *
 * "x" is the file in the includer's own directory when there is one.  Else,
 * and for <x>, every one that exists of include/, arch/@srcarch/include/ and
 * their uapi/ (asm/x: also asm-generic/x unless the arch has its own); names
 * that none of these has match by suffix among all files.  Files of other
 * arches and of tools/ count only where a relative path names them.  A
 * computed include (#include NAME) is taken from the #define of a "file.h".
 * The three headers that kbuild passes by -include, and those that any
 * Makefile does, are included by every source file; a .c that a Makefile passes
 * so, by those of its directory.
 */
GHashTable *incgraph_reaching(struct incgraph *g, const char *header,
			      const char *srcarch);

/* Is @path in the graph, and does some file of the graph include it? */
bool incgraph_has(const struct incgraph *g, const char *path);
bool incgraph_is_included(struct incgraph *g, const char *path,
			  const char *srcarch);
unsigned int incgraph_count(const struct incgraph *g);

/*
 * The files of the graph (char *, borrowed) with an #include line whose name
 * can mean the generated file @path ("include/generated/bounds.h"): the name
 * is the end of the path.  None of another arch than @srcarch, nor of tools/.
 */
GPtrArray *incgraph_naming(const struct incgraph *g, const char *path,
			   const char *srcarch);

/* A .c or .S file: what an object is made of. */
bool path_is_source(const char *path);
/* Does @path belong to an arch other than @srcarch, or to tools/? */
bool path_is_foreign(const char *path, const char *srcarch);

/*
 * The files of the graph that mention an identifier of @names (char * ->
 * anything), as whole words, in comments too: char * path -> GPtrArray of
 * struct mention in order of line (path and name borrowed).  Reads files from
 * @checkout, which holds the graph's tree.  tools/ and Documentation/ are left
 * out unless included.  NULL with RESPIN_ERROR_IO when a file cannot be read.
 */
struct mention {
	const char *name;	/* borrowed from @names */
	unsigned int line;	/* from 1 */
};
GHashTable *incgraph_mentions(struct incgraph *g, const char *checkout,
			      GHashTable *names, GError **error);

/*
 * The macros of the graph's files that paste (##) a name out of pieces: calls
 * @fn with the file, the macro and what it makes, a '*' for each piece that
 * its user passes ("PCI_VENDOR_ID_*").  Borrowed strings.
 */
typedef void (*incgraph_paste_fn)(const char *path, const char *macro,
				  const char *pattern, void *data);
void incgraph_pastes(const struct incgraph *g, incgraph_paste_fn fn,
		     void *data);
/*
 * Can @pattern make @name?  NULL: no.  Else the readings, each a GPtrArray of
 * char *, the pieces for the stars; one reading without a piece when there is no
 * star or when there are too many readings.  Owned by the caller.
 */
GPtrArray *paste_match(const char *pattern, const char *name);
#endif
