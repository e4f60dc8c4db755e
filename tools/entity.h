/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The entities (functions, macros, types, ...) of a C file and where they
 * stand.  Macros are read from the #define lines, the rest by universal-ctags
 * and then checked against the text: what does not look like what ctags says
 * becomes ENTITY_OTHER, so that a doubt never narrows what a change touches.
 */
#ifndef RESPIN_ENTITY_H
#define RESPIN_ENTITY_H

#include <glib.h>
#include <stdbool.h>
#include "condition.h"

enum entity_kind {
	ENTITY_FUNCTION, ENTITY_PROTOTYPE, ENTITY_MACRO, ENTITY_STRUCT,
	ENTITY_UNION, ENTITY_ENUM, ENTITY_ENUMERATOR, ENTITY_TYPEDEF,
	ENTITY_VARIABLE, ENTITY_MEMBER, ENTITY_OTHER,
};

struct entity {
	char *name;
	enum entity_kind kind;
	unsigned int line, end;	/* first and last line, from 1; a comment that
				   stands before it is no part; a return type on
				   the lines before the name is */
	char *scope;		/* enclosing struct/enum name; "" */
};

/*
 * The entities of @path, a file on disk, sorted by line.  An "entity" whose
 * name is a macro call at top level (TRACE_EVENT, DEFINE_*) is ENTITY_OTHER.
 * Runs ctags (through proc.c); NULL with RESPIN_ERROR_TOOL, or with
 * RESPIN_ERROR_IO when the file cannot be read.
 */
GPtrArray *entity_scan(const char *path, GError **error);
/*
 * The same for many files by few runs: @paths are relative to @dir (NULL:
 * the working directory).  char * path (owned) -> GPtrArray of struct entity.
 */
GHashTable *entity_scan_many(const char *dir, const GPtrArray *paths,
			     GError **error);

/* The innermost entity that holds @line, functions first; NULL: none. */
const struct entity *entity_at(const GPtrArray *entities, unsigned int line);
/* The entity that defines @name (no prototype), NULL: none. */
const struct entity *entity_find(const GPtrArray *entities, const char *name);

/* For entity.c and tests: the parts that need no ctags. */
struct entity *entity_new(const char *name, enum entity_kind kind,
			  unsigned int line, unsigned int end,
			  const char *scope);
GPtrArray *entity_array_new(void);	/* frees its struct entity */
/* Appends the #define lines of @t as ENTITY_MACRO. */
void entity_add_macros(GPtrArray *entities, const struct ctext *t);
/* Holds functions and prototypes against the text; see entity-check.c. */
void entity_check(struct entity *e, const struct ctext *t);
#endif
