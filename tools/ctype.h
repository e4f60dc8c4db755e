/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types that a C file defines outside of functions, member by member, read
 * from its text: what two versions of a type differ in, and what embeds what.
 * Branches of an #if are read one after the other.
 */
#ifndef RESPIN_CTYPE_H
#define RESPIN_CTYPE_H

#include <glib.h>
#include <stdbool.h>
#include "condition.h"

enum ctype_kind { CTYPE_STRUCT, CTYPE_UNION, CTYPE_ENUM, CTYPE_TYPEDEF };

/* A member (one declarator) of a struct or union, or an enumerator. */
struct ctype_item {
	char *name;		/* "": it has none */
	char *key;		/* all else that makes it: where it is nested, the
				   #if conditions, its type; for an enumerator
				   the text of its value, "" when it has none */
	char *where;		/* enumerators: the #if conditions; else "" */
	unsigned int line, end;
	bool odd;		/* not understood: key is its text */
	bool macro;		/* declared by a macro: a word of its arguments */
};

struct ctype {
	enum ctype_kind kind;
	char *tag;		/* "": anonymous */
	GPtrArray *tags;	/* char *: its own and those nested in it */
	GPtrArray *aliases;	/* char *: typedef names */
	char *head;		/* attributes before the tag or the brace; of a
				   plain typedef its text without the name, and
				   the #if conditions */
	char *tail;		/* what stands between } and ; less the aliases */
	bool indirect;		/* a plain typedef of a pointer or a function */
	unsigned int line, end;
	GPtrArray *items;	/* of struct ctype_item, in order */
};

/* Of struct ctype in order of their lines; unref it.  @conditions: those of @t. */
GPtrArray *ctype_scan(const struct ctext *t, const GPtrArray *conditions);
/* The type whose definition holds @line; NULL: none. */
const struct ctype *ctype_at(const GPtrArray *types, unsigned int line);
/* "struct page", "union u", "enum e", "pte_t"; g_free() */
char *ctype_label(const struct ctype *c);
#endif
