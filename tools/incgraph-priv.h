/* SPDX-License-Identifier: GPL-2.0 */
/* What the incgraph*.c files share; nobody else includes this. */
#ifndef RESPIN_INCGRAPH_PRIV_H
#define RESPIN_INCGRAPH_PRIV_H

#include "incgraph.h"

#define BLOB_RAW (OID_HEX / 2)

/*
 * The #include lines of blobs.  A line is a "spec": its delimiter and name,
 * <linux/mm.h or "internal.h (the closing one left out).  A Makefile's
 * -include $(srctree)/x is "-x", its $(src)/x is "-./x".  A macro that pastes
 * is "#macro pattern".  Specs are numbered.
 */
struct inccache {
	GMappedFile *map;	/* NULL: there was no usable file */
	const char *records;	/* in @map: sorted by blob id */
	guint32 record_count;
	const guint32 *ids;	/* in @map: the records' spec numbers */
	guint32 id_count;
	GPtrArray *specs;	/* number -> const char *, in @map or @chunk */
	GHashTable *by_spec;	/* made when the first blob is read */
	GStringChunk *chunk;
	GHashTable *added;	/* raw blob id (GBytes) -> GArray of guint32 */
};

struct inccache *inccache_open(const char *path);
void inccache_free(struct inccache *c);
/* The spec numbers of blob @raw; NULL: not known (@count untouched). */
const guint32 *inccache_find(const struct inccache *c, const guint8 *raw,
			     guint32 *count);
/* Reads the #include lines of @text as those of @raw. */
void inccache_add(struct inccache *c, const guint8 *raw, const char *text,
		  gsize len);
/* The same for a symbolic link: it includes what it points to. */
void inccache_add_link(struct inccache *c, const guint8 *raw, const char *text,
		       gsize len);
/* The -include options in a Makefile's flags. */
void inccache_add_makefile(struct inccache *c, const guint8 *raw,
			   const char *text, gsize len);
/* Writes old and new records to @path; false when that failed. */
bool inccache_save(const struct inccache *c, const char *path);

struct inc_file {
	const char *path;	/* in the graph's chunk */
	guint8 raw[BLOB_RAW];
	bool link;		/* a symbolic link */
	bool make;		/* a Makefile or Kbuild */
	const guint32 *specs;	/* in the cache */
	guint32 count;
};

/* Who includes whom on one arch: the includers of file f are
 * from[start[f]] .. from[start[f + 1] - 1]. */
struct inc_edges {
	guint32 *start;
	guint32 *from;
};

struct incgraph {
	struct inccache *cache;
	GArray *files;		/* of struct inc_file, sorted by path */
	GStringChunk *paths;
	GHashTable *by_path;	/* path -> index + 1 */
	GHashTable *by_base;	/* base name -> GArray of guint32 */
	GHashTable *arches;	/* srcarch -> struct inc_edges */
};

/* Calls @fn for what the #define lines of @text can paste together. */
typedef void (*paste_fn)(const char *macro, const char *pattern, void *data);
void pastes_find(const char *text, gsize len, paste_fn fn, void *data);

/* Index of @path in g->files, -1: none. */
int incgraph_index(const struct incgraph *g, const char *path);
struct inc_edges *inc_edges_new(struct incgraph *g, const char *srcarch);
void inc_edges_free(struct inc_edges *e);

static inline const struct inc_file *incgraph_file(const struct incgraph *g,
						   guint32 i)
{
	return &g_array_index(g->files, struct inc_file, i);
}
#endif
