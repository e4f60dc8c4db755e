/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A C file as statements outside of bodies: declarations, definitions, macro
 * calls.  What stands between braces is passed over.  Pure.
 */
#ifndef RESPIN_TOPLEVEL_H
#define RESPIN_TOPLEVEL_H

#include "ctext.h"

struct top_token {
	char kind;		/* 'a' a word, '"' a string, '0' a number, else
				   the character itself; '{' stands for braces
				   and what is between */
	const char *text;	/* in the mask of the ctext */
	gsize len;
	unsigned int depth;	/* of parentheses around it */
	unsigned int line;
};

struct toplevel {
	const struct ctext *t;
	gsize at;
	unsigned int line;	/* of at */
	GArray *tokens;		/* of struct top_token: the statement */
	bool body;		/* it ends with a function's body */
	/* told of each directive that is met; may be NULL */
	void (*on_directive)(const struct directive *d, void *data);
	void *data;
};

void toplevel_init(struct toplevel *top, const struct ctext *t);
void toplevel_release(struct toplevel *top);
/*
 * The next statement, into top->tokens.  One ends at a ';' or behind the body
 * of a function: "}" in column 0 always ends a body, so that an unbalanced #if
 * costs no more than one function.
 */
bool toplevel_next(struct toplevel *top);
/* Token @i of the statement; a token of kind 0 where there is none. */
const struct top_token *toplevel_at(const struct toplevel *top, guint i);
bool top_is(const struct top_token *token, const char *word);
/* The index of the token that closes the parenthesis at @open. */
guint toplevel_close(const struct toplevel *top, guint open);
#endif
