/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The entities (functions, macros, types, ...) of a C file and where they
 * stand, by universal-ctags; and the preprocessor conditions around a line.
 */
#ifndef RESPIN_ENTITY_H
#define RESPIN_ENTITY_H

#include <glib.h>
#include <stdbool.h>

enum entity_kind {
	ENTITY_FUNCTION, ENTITY_PROTOTYPE, ENTITY_MACRO, ENTITY_STRUCT,
	ENTITY_UNION, ENTITY_ENUM, ENTITY_ENUMERATOR, ENTITY_TYPEDEF,
	ENTITY_VARIABLE, ENTITY_MEMBER, ENTITY_OTHER,
};

struct entity {
	char *name;
	enum entity_kind kind;
	unsigned int line, end;	/* first and last line, from 1; a comment that
				   stands before it is no part */
	char *scope;		/* enclosing struct/enum name; "" */
};

/*
 * The entities of @path, a file on disk, sorted by line.  An "entity" whose
 * name is a macro call at top level (TRACE_EVENT, DEFINE_*) is ENTITY_OTHER.
 * Runs ctags (through proc.c); NULL with RESPIN_ERROR_TOOL.
 */
GPtrArray *entity_scan(const char *path, GError **error);

/* The innermost entity that holds @line, functions first; NULL: none. */
const struct entity *entity_at(const GPtrArray *entities, unsigned int line);
/* The entity that defines @name (no prototype), NULL: none. */
const struct entity *entity_find(const GPtrArray *entities, const char *name);

struct condition {
	unsigned int start, end;	/* lines of the branch, the directives
					   themselves excluded */
	unsigned int line;		/* of the directive that opens the branch */
	char *text;			/* "!defined(X)", "defined(CONFIG_MMU)"; an
					   #else is "!(...)" */
};

/* All branches of all #if groups of @text (comments and continuation lines
 * honoured), in order of their opening; of struct condition. */
GPtrArray *condition_scan(const char *text, gsize len);
/* The conditions that hold at @line, outermost first (borrowed members). */
GPtrArray *condition_at(const GPtrArray *conditions, unsigned int line);
#endif
