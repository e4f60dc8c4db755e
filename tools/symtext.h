/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols that a source file defines and exports, by its text alone: what
 * stands outside of function bodies.  Only what is certain counts, in its
 * #if group: a name behind a macro that may mean "static" is left out.  Pure.
 */
#ifndef RESPIN_SYMTEXT_H
#define RESPIN_SYMTEXT_H

#include <glib.h>
#include <stdbool.h>

enum symtext_kind {
	SYMTEXT_DEFINE,		/* a function or variable, not static */
	SYMTEXT_EXPORT,		/* EXPORT_SYMBOL*() and its like */
};

struct symtext_item {
	const char *name;	/* interned */
	const char *space;	/* interned; of an export: its namespace, "" */
	enum symtext_kind kind;
	unsigned int line;
	bool gpl;		/* of an export: to GPL-compatible modules only */
};

/* #include "file" of the source: code of its own may stand there. */
struct symtext_include {
	const char *name;	/* interned, as written */
	unsigned int line;
};

struct symtext {
	GArray *items;		/* of struct symtext_item, in order of line */
	GPtrArray *imports;	/* interned: namespaces of MODULE_IMPORT_NS() */
	GArray *includes;	/* of struct symtext_include; not those by <> */
	const char *licence;	/* interned: of MODULE_LICENSE("..."); "" if it
				   is given by a macro, NULL: there is none */
	bool conditional;	/* there are #if groups */
};

/* @assembler: a .S file.  symtext_free() it. */
struct symtext *symtext_scan(const char *text, gsize len, bool assembler);
/* An empty one, to be filled from what was kept. */
struct symtext *symtext_new(void);
void symtext_free(struct symtext *s);

/*
 * All that decides which symbols @text defines: directives and what stands
 * outside of bodies, as one text.  Same shape, same symbols.  g_free()
 */
char *symtext_shape(const char *text, gsize len);

/*
 * Does the word @name stand in @text outside of bodies, and not just in a
 * declaration or as a static function?  Then it may be defined there, by a
 * macro perhaps.
 */
bool symtext_may_define(const char *text, gsize len, const char *name);

/* All words that stand in @text outside of bodies (char *, owned). */
GHashTable *symtext_words(const char *text, gsize len);

typedef struct symtext symtext_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(symtext_t, symtext_free)
#endif
