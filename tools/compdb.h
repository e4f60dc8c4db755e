/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compile database of one variant: one entry per object that a dry run of
 * kbuild prints ("fixdep DEP OBJ 'COMMAND' > CMD"), deduplicated: what
 * differs between two objects of the same directory are a few words.
 */
#ifndef RESPIN_COMPDB_H
#define RESPIN_COMPDB_H

#include <glib.h>
#include <stdbool.h>

struct tu {
	char *object;		/* relative to O=, "mm/mprotect.o" */
	char *source;		/* relative to the source tree, "mm/mprotect.c";
				   or "O/..." for one that the build generates */
	unsigned int template;	/* index into compdb->templates */
	unsigned int class;	/* flag class, index into compdb->classes */
	char **values;		/* what fills the template's marks */
};

struct compdb {
	GPtrArray *tus;		/* of struct tu, sorted by object */
	GPtrArray *templates;	/* of char *: a command line with marks */
	GPtrArray *classes;	/* of char *: all flags but -I, paths, -DKBUILD_*;
				   -include files count */
	GHashTable *by_source;	/* char * -> GPtrArray of struct tu, borrowed */
};

struct compdb *compdb_new(void);
void compdb_free(struct compdb *db);

/*
 * Adds the entries in @text, the output of `make -n -k V=1`, of a build whose
 * source tree is @srcdir.  Assembler sources count; link and archive commands,
 * host programs and what is no C or assembler compile do not.
 * Returns the number of entries added.
 */
unsigned int compdb_parse(struct compdb *db, const char *text, gsize len,
			  const char *srcdir);
/* Sorts, dedupes and indexes after the last compdb_parse(). */
void compdb_finish(struct compdb *db);
int compdb_save(const struct compdb *db, const char *path, GError **error);
struct compdb *compdb_load(const char *path, GError **error);

struct tu *compdb_find_object(const struct compdb *db, const char *object);
/* The TUs whose main source is @path; NULL: none.  Borrowed. */
const GPtrArray *compdb_by_source(const struct compdb *db, const char *path);

/*
 * The full command of @tu as an argument vector (g_strfreev()), to be run in
 * O=: sources under @srcdir instead of the one it was made with, the object
 * to @object and the dependency list to @depfile.  @source replaces the main
 * source when not NULL (the probe that includes a header alone).
 */
char **compdb_argv(const struct compdb *db, const struct tu *tu,
		   const char *srcdir, const char *object, const char *depfile,
		   const char *source);
#endif
