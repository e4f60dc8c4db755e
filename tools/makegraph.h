/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is made of what, as make sees it: read from what `make -n --debug=v`
 * prints ("Considering target file", "Pruning file", "Finished prerequisites
 * of target file").  The output of sub-makes may be nested in it.  Pure.
 *
 * Names are relative to the source tree or to O=; what make names relative to
 * another directory ("../x") is kept as it stands.
 */
#ifndef RESPIN_MAKEGRAPH_H
#define RESPIN_MAKEGRAPH_H

#include <glib.h>
#include <stdbool.h>

struct makegraph {
	GStringChunk *names;
	GHashTable *users;	/* name -> GPtrArray of the targets that have it
				   for a prerequisite */
};

/* Is @name the end of the way up (an object, an archive, a phony target)? */
typedef bool (*makegraph_end_fn)(const char *name, void *data);

struct makegraph *makegraph_new(void);
void makegraph_free(struct makegraph *g);
/* Adds what @text says of a build of @srcdir in @odir (both absolute). */
void makegraph_parse(struct makegraph *g, const char *text, gsize len,
		     const char *srcdir, const char *odir);
/* Is @path the prerequisite of anything? */
bool makegraph_knows(const struct makegraph *g, const char *path);
/* All that has a prerequisite so far: a set of char *, borrowed from @g. */
GHashTable *makegraph_targets(const struct makegraph *g);
/*
 * All that is made of @path, directly or through others: what @is_end says is
 * in it, what is made of that is not.  char *, borrowed; in order of distance.
 */
GPtrArray *makegraph_made_of(const struct makegraph *g, const char *path,
			     makegraph_end_fn is_end, void *data);
typedef struct makegraph makegraph_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(makegraph_t, makegraph_free)
#endif
