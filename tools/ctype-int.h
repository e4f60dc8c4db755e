/* SPDX-License-Identifier: GPL-2.0 */
/* Between ctype*.c only. */
#ifndef RESPIN_CTYPE_INT_H
#define RESPIN_CTYPE_INT_H

#include "ctype.h"

/* A file that is read: directives and what is in quotes are blanks. */
struct creader {
	const struct ctext *t;
	const GPtrArray *conditions;
	char *code;
	gsize len;
};

/* What stands before a '{' that opens a type. */
struct ctype_open {
	enum ctype_kind kind;
	char *tag;		/* "": anonymous */
	char *attributes;
	gsize at;		/* of the keyword */
};

/* Is the '{' at @brace that of a type?  Looks back no further than @from. */
bool ctype_open(const struct creader *r, gsize from, gsize brace,
		struct ctype_open *open);
void ctype_open_clear(struct ctype_open *open);
/* Behind the bracket that closes the one at @i; @to when there is none. */
gsize ctype_match(const struct creader *r, gsize i, gsize to);
/* The first @c from @i on that stands in no bracket; @to: none. */
gsize ctype_find(const struct creader *r, gsize i, gsize to, char c);
unsigned int ctype_line_of(const struct creader *r, gsize i);
/* The text without blanks that do not matter; g_free() */
char *ctype_squeeze(const char *s, gsize len);
/* The same, with @name replaced by '@'. */
char *ctype_erase(const char *s, gsize len, const char *name);
/* The length of the word at @i; 0: none begins there. */
gsize ctype_word(const struct creader *r, gsize i, gsize to);

/* The conditions at @at, one after the other; g_free() */
char *ctype_where(const struct creader *r, gsize at);

/* Adds what the body from @from to @to declares to @c->items. */
void ctype_members(const struct creader *r, struct ctype *c, gsize from,
		   gsize to, const char *path);
void ctype_enumerators(const struct creader *r, struct ctype *c, gsize from,
		       gsize to);
/* Adds the names that the declarators from @from to @to declare to @names; the
 * first of them has a type before it when @typed. */
void ctype_names(const struct creader *r, gsize from, gsize to, bool typed,
		 GPtrArray *names);
#endif
