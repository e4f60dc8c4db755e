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
	char *object;		/* relative to O=, "mm/mprotect.o"; what is made
				   with -S counts: "kernel/bounds.s" */
	char *source;		/* relative to the source tree, "mm/mprotect.c";
				   or "O/..." for one that the build generates */
	unsigned int template;	/* index into compdb->templates */
	unsigned int class;	/* flag class, index into compdb->classes */
	char **values;		/* what fills the template's marks: [0] the
				   source as in the command, then %1, %2 ... */
	/* A patch may change the command: see compdb_at(). */
	unsigned int since;	/* the first step that makes it like this */
	bool gone;		/* since then it is not made */
	struct tu *before;	/* how it was made until then; NULL: not at all */
};

/*
 * A template and a class are words separated by one space.  Marks in them:
 * %S source tree, %D directory of the object, %o object, %d dependency list,
 * %s source, %1 to %9 values; %20 and the like are characters of a word.
 */
struct compdb {
	GPtrArray *tus;		/* of struct tu, sorted by object */
	GPtrArray *gone;	/* of struct tu: no longer made at the step that
				   the database stands at */
	GPtrArray *templates;	/* of char *: a command line with marks */
	GPtrArray *classes;	/* of char *: all flags but -I, paths, -DKBUILD_*;
				   -include files count */
	GHashTable *by_source;	/* char * -> GPtrArray of struct tu, borrowed */
	GHashTable *template_ids; /* borrowed char * -> index + 1, for parsing */
	GHashTable *class_ids;
};

struct compdb *compdb_new(void);
void compdb_free(struct compdb *db);

/*
 * Adds the entries in @text, the output of `make -n -k V=1`, of a build whose
 * source tree is @srcdir (absolute, without symbolic links, as make prints
 * it).  Assembler sources count; link and archive commands, host programs
 * and what is no C or assembler compile do not.
 * Returns the number of entries added.
 */
unsigned int compdb_parse(struct compdb *db, const char *text, gsize len,
			  const char *srcdir);
/*
 * Adds the entry in @text, a .cmd file of kbuild ("savedcmd_OBJ := COMMAND").
 * False: it is none for the database.
 */
bool compdb_parse_cmd(struct compdb *db, const char *text, gsize len,
		      const char *srcdir);
/* Sorts, dedupes and indexes after the last compdb_parse(). */
void compdb_finish(struct compdb *db);
int compdb_save(const struct compdb *db, const char *path, GError **error);
struct compdb *compdb_load(const char *path, GError **error);

/*
 * The second source: what the archive, link and module lists in @text name
 * must have been printed with a compile or another known command of its own.
 * The objects, archives and lists that were not, sorted (char *, free it with
 * g_ptr_array_unref); empty: the dry run is complete.  After compdb_finish().
 */
GPtrArray *compdb_missing(const struct compdb *db, const char *text, gsize len);
/*
 * The same of a dry run of some directories (@dirs, a set of char *), of which
 * @db has the rest: @printed are the objects that it has a command for.
 */
GPtrArray *compdb_missing_in(const struct compdb *db, GHashTable *printed,
			     GHashTable *dirs, const char *text, gsize len);

struct tu *compdb_find_object(const struct compdb *db, const char *object);
/* The TUs whose main source is @path; NULL: none.  Borrowed. */
const GPtrArray *compdb_by_source(const struct compdb *db, const char *path);

/*
 * The full command of @tu as an argument vector (g_strfreev()), to be run in
 * O=: sources under @srcdir instead of the one it was made with, the object
 * to @object and the dependency list to @depfile (no comma in it: it goes
 * through -Wp).  @source replaces the main source when not NULL (the probe
 * that includes a header alone).
 */
char **compdb_argv(const struct compdb *db, const struct tu *tu,
		   const char *srcdir, const char *object, const char *depfile,
		   const char *source);

/*
 * How @tu is made at @step; NULL: it is not.  The pointers in db->tus name an
 * object for the whole run, whatever becomes of its command.
 */
const struct tu *compdb_at(const struct tu *tu, unsigned int step);

/* Is @a of @db made by the command that makes @b of @now? */
bool compdb_same(const struct compdb *db, const struct tu *a,
		 const struct compdb *now, const struct tu *b);

/* Does @tu stay although a dry run does not print it? */
typedef bool (*compdb_stays_fn)(const struct tu *tu, void *data);

struct compdb_delta {
	GPtrArray *added;	/* of struct tu, borrowed from the database */
	GPtrArray *changed;
	GPtrArray *gone;
};

/*
 * Moves @db on to @step: @now is what a dry run at @step printed for directory
 * @dir ("mm"), the objects below it and no others are compared.  What it does
 * not print is gone unless @stays.  @delta is added to.
 */
void compdb_update(struct compdb *db, const struct compdb *now,
		   const char *dir, unsigned int step, compdb_stays_fn stays,
		   void *data, struct compdb_delta *delta);
/*
 * Makes a database that was moved on one of its own: no step, nothing that is
 * gone, templates and classes numbered as the objects use them.  Two
 * databases with the same commands are then saved as the same text.
 */
void compdb_flatten(struct compdb *db);
void compdb_delta_init(struct compdb_delta *delta);
void compdb_delta_clear(struct compdb_delta *delta);

/* Between compdb*.c only.  compdb_add() takes over the strings of @tu. */
bool compdb_is_kernel_command(const char *text, gsize len);
void compdb_add(struct compdb *db, const struct tu *tu);
unsigned int compdb_template_id(struct compdb *db, const char *text);
unsigned int compdb_class_id(struct compdb *db, const char *text);
void compdb_tu_free(void *tu);
#endif
