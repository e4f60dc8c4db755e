/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which CONFIG_ symbols the code that a patch touches hangs on: those are tried
 * the other way round (toggle-run.c), the nearest to a changed line first.
 * Pure.
 */
#ifndef RESPIN_TOGGLE_H
#define RESPIN_TOGGLE_H

#include <glib.h>
#include <stdbool.h>
#include "condexpr.h"
#include "condition.h"
#include "entity.h"

/* The nearer first. */
enum toggle_rank {
	TOGGLE_LINE,		/* decides on an added line, or stands on it */
	TOGGLE_DECLARED,	/* without it a name on an added line is not
				   declared */
	TOGGLE_CHANGED,		/* decides which of the definitions is taken
				   of a name whose own is changed */
	TOGGLE_INSIDE,		/* in a function, macro or type with a change */
	TOGGLE_OTHER,		/* with it a name on an added line has another
				   definition */
};

struct toggle {
	char *symbol;		/* without CONFIG_ */
	enum toggle_rank rank;
	unsigned int distance;	/* lines from a changed one */
	unsigned int n;		/* the first patch that it matters to */
	char *path;		/* the touched file */
	unsigned int line;	/* of the change there */
	char *name;		/* what is declared; NULL: no declaration */
	char *where;		/* "include/linux/pgtable.h:634"; NULL with name */
};

/* A file of one patch, as it is after it. */
struct toggle_file {
	const char *path;
	unsigned int n;
	const struct ctext *t;
	const GPtrArray *conditions, *entities;
	const GArray *added;	/* of guint: lines */
	const GArray *removed;	/* of guint: the lines that follow removed ones */
};

/* A declaration or definition of a name that is used on an added line. */
struct toggle_decl {
	char *name, *path;
	unsigned int line;
	GPtrArray *guards;	/* of char *: the conditions around it */
};

GPtrArray *toggle_list_new(void);		/* of struct toggle */
void toggle_free(struct toggle *t);
/* Takes @t over; of two of one symbol the nearer stays. */
void toggle_add(GPtrArray *list, struct toggle *t);
void toggle_sort(GPtrArray *list);
/* Does the patch hang on it: is it a gap when it was not tried? */
bool toggle_decides(const struct toggle *t);
/* "it decides on mm/x.c:12"; g_free() */
char *toggle_reason(const struct toggle *t);

/* Conditions around the changed lines, and symbols in what they change. */
void toggle_near(GPtrArray *list, const struct toggle_file *f);

/* name -> GArray of guint: the added lines of @f that it stands on. */
GHashTable *toggle_names(const struct toggle_file *f);
/* The names (char *) of @names that @t mentions, conditional ones also to
 * @conditional (a set of char *, borrowed from @names). */
bool toggle_mentions(const struct ctext *t, GHashTable *names,
		     GHashTable *conditional);
GPtrArray *toggle_decls_new(void);		/* of struct toggle_decl */
/* Adds what @entities of @path declare of the names in the set @names. */
void toggle_decls(GPtrArray *decls, GHashTable *names, const char *path,
		  const GPtrArray *conditions, const GPtrArray *entities);
/*
 * The symbols that decide on how the @names of @f are declared, where @value
 * tells the configuration that it was compiled with.
 */
void toggle_declared(GPtrArray *list, const struct toggle_file *f,
		     GHashTable *names, const GPtrArray *decls,
		     condexpr_value_fn value, void *data);
#endif
