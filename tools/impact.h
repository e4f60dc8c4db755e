/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a patch touches: kinds of files, the names whose definition it changes,
 * and who mentions these, closed over macros and inlines (the rules a to d of
 * the design).  What is not understood makes the set larger, never smaller.
 */
#ifndef RESPIN_IMPACT_H
#define RESPIN_IMPACT_H

#include <glib.h>
#include <stdbool.h>
#include "diff.h"
#include "entity.h"
#include "incgraph.h"

enum change_kind {
	CHANGE_SOURCE,		/* .c, .S: compiled itself (rule a) */
	CHANGE_HEADER,		/* .h, and any file that others include: see
				   change_promote() */
	CHANGE_TEXT,		/* documentation, licences, ...: not compiled */
	CHANGE_RUST,		/* rust/, *.rs: out of scope */
	CHANGE_KCONFIG,		/* Kconfig*, defconfigs, *.config */
	CHANGE_MAKEFILE,	/* Makefile*, Kbuild*, Platform */
	CHANGE_DTS,		/* .dts, .dtsi, .dtso */
	CHANGE_TOOLS,		/* tools/, scripts/, usr/: host programs */
	CHANGE_OTHER,		/* *.tbl, sysreg, *.pl, ...: rule e */
};

struct change {
	char *path;		/* of the post-image; the old one when removed */
	char *old_path;		/* NULL: created */
	enum change_kind kind;
	GPtrArray *names;	/* char *, sorted: functions, prototypes and
				   macros of either image that changed lines
				   touch; only for C and assembler */
	GPtrArray *macros;	/* char *: those of names that an image #defines
				   without arguments and not as themselves */
	/* of the types that changed lines touch: see impact-types.c; sorted */
	GPtrArray *members;	/* char *: members that went or are another type */
	GPtrArray *orphans;	/* char *: members of types that are gone, which
				   others may have now */
	GPtrArray *owners;	/* char *: tags and aliases of their types */
	GPtrArray *layouts;	/* char *: types whose size or layout may change:
				   "struct s" (unions too), or a typedef's name */
	GPtrArray *values;	/* char *: enumerators that may have another value */
	GPtrArray *cases;	/* char *: enumerators of enums that have a new
				   one, and "enum e", a typedef's name too */
	bool whole;		/* rule d: all that reach the file; of no
				   meaning for a CHANGE_SOURCE, which is compiled
				   itself */
	GPtrArray *why;		/* char *: for each reason of whole, once:
				   "line 12: struct 'foo'", "old line 3: #include" */
};

/* The kind by the path alone; never CHANGE_HEADER for what is no .h. */
enum change_kind change_kind_of(const char *path);
const char *change_kind_name(enum change_kind kind);

/*
 * What @fd, with hunks of any context, does to a file with these contents and
 * entities (entity_scan(); NULL with an empty text where there is no such
 * image).  Pure.  Blank and comment lines touch nothing; an #if..#endif group
 * that is added or removed as a whole touches only what is inside.  A diff that
 * does not fit the texts makes whole.  change_free() it.
 */
struct change *change_classify(const struct file_diff *fd,
			       const char *old_text, gsize old_len,
			       const char *new_text, gsize new_len,
			       const GPtrArray *old_entities,
			       const GPtrArray *new_entities);
void change_free(struct change *c);
/* Nothing that a compiler could see. */
bool change_is_empty(const struct change *c);
/*
 * Makes @c a CHANGE_HEADER when a file of @g includes it on @srcarch.  A .c may
 * then also be a TU of its own: the compile database knows.
 */
void change_promote(struct change *c, struct incgraph *g, const char *srcarch);

/* The closure of names; all paths and names are in sets of char *. */
struct impact {
	GHashTable *names;	/* owned: the names given and those added */
	GHashTable *sources;	/* .c and .S files (of the graph) that mention
				   one of names */
	GHashTable *headers;	/* path -> char * why (owned): these mention a
				   name outside of any function or macro, so all
				   that reach them count (rule d) */
	GHashTable *members;	/* owned: members whose type a name is part of */
	GHashTable *layouts;	/* owned: types, as in struct change, that a name
				   may change the size or the layout of */
	GHashTable *ranks;	/* path of sources -> rank, 0 being the likeliest
				   to break; of impact_hold() and
				   impact_switch() only, else empty */
	unsigned int files;	/* that mention one of the names given */
	unsigned int rounds;	/* scans of the tree */
	bool capped;		/* a bound was hit: the sets are too small, and
				   what they leave out is not verified */
};

#define IMPACT_ROUNDS 5
#define IMPACT_NAMES 400
#define IMPACT_HEADERS 1500	/* to be read in a round */

/*
 * Closes @names (char *) over the headers of @g that mention them: a header's
 * function or macro that mentions a name is one itself; a condition that names
 * one adds all that it guards; a macro that can paste (##) a name together
 * is one for those who pass the missing piece.  @macros (NULL: none): the
 * change->macros; a CONFIG_ symbol belongs to both.  Only files of the arches
 * @srcarches (NULL-terminated; NULL: all) and of no arch are looked at.
 * Reads files from @checkout; runs ctags on the headers.  NULL with @error.
 */
struct impact *impact_close(struct incgraph *g, const char *checkout,
			    const GPtrArray *names, const GPtrArray *macros,
			    const char *const *srcarches, GError **error);
/*
 * The same, kept in a file below @dir by @tree (the id of the tree that
 * @checkout holds) and all the names: the second time it costs nothing.
 */
struct impact *impact_close_kept(const char *dir, const char *tree,
				 struct incgraph *g, const char *checkout,
				 const GPtrArray *names, const GPtrArray *macros,
				 const char *const *srcarches, GError **error);
/*
 * Who feels that the size or the layout of @layouts (see struct change) changes:
 * names become those of macros and inlines that measure or hold such a type;
 * layouts the types that embed one; headers assert something outside of any
 * function.  sources measure (sizeof, BUILD_BUG_ON) or hold (no pointer) one:
 * rank 0 with an assertion in the same file, 1 hold it, 2 have a sizeof.
 */
struct impact *impact_hold(struct incgraph *g, const char *checkout,
			   const GPtrArray *layouts,
			   const char *const *srcarches, GError **error);
/*
 * Who has a switch over an enum; @cases are those of a struct change.  rank 0
 * has one of them in a case label, 1 has the enum's name and a switch.  headers
 * have one in an inline.
 */
struct impact *impact_switch(struct incgraph *g, const char *checkout,
			     const GPtrArray *cases,
			     const char *const *srcarches, GError **error);

/* One of these closures, kept as impact_close_kept() does. */
typedef struct impact *(*impact_fn)(struct incgraph *g, const char *checkout,
				    const GPtrArray *words,
				    const char *const *srcarches,
				    GError **error);
struct impact *impact_kept(impact_fn fn, const char *kind, const char *dir,
			   const char *tree, struct incgraph *g,
			   const char *checkout, const GPtrArray *words,
			   const char *const *srcarches, GError **error);
struct impact *impact_new(void);
void impact_free(struct impact *im);

typedef struct change change_t;
typedef struct impact impact_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(change_t, change_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(impact_t, impact_free)
#endif
