/* SPDX-License-Identifier: GPL-2.0 */
/* What the impact*.c files share; nobody else includes this. */
#ifndef RESPIN_IMPACT_PRIV_H
#define RESPIN_IMPACT_PRIV_H

#include "impact.h"

/* Functions, prototypes, macros: an entity whose name stands for it. */
bool entity_is_named(const struct entity *e);
/* "struct", "variable", ... for messages. */
const char *entity_kind_name(enum entity_kind kind);

/*
 * Calls @named for each function, prototype and macro that holds @line.
 * Returns NULL when these account for the line, else what does not fit:
 * "struct 'foo'", "outside of any function or macro" (g_free() it).
 */
typedef void (*named_fn)(const struct entity *e, void *data);
char *entity_cover(const GPtrArray *entities, unsigned int line,
		   named_fn named, void *data);

/*
 * Does the directive @d define a name without arguments, and not as itself
 * ("#define f f" only says that there is an f)?  Such a name is replaced
 * wherever it stands.
 */
bool defines_object(const struct directive *d);

/* State of impact_close(); a round is a scan of the tree. */
struct closure {
	struct impact *im;
	struct incgraph *g;
	const char *checkout;
	const char *const *srcarches;
	GHashTable *fresh;	/* names to look for in the next round (owned by
				   im->names) */
	GHashTable *macros;	/* names that a #define replaces wherever they
				   stand: see defines_object() (owned) */
	GHashTable *scanned;	/* path -> GPtrArray of struct entity */
	struct pastes *pastes;
};

void closure_add_name(struct closure *cl, const char *name);
/* Rule d for @path; "line 3: 'name' @what". */
void closure_add_header(struct closure *cl, const char *path,
			unsigned int line, const char *name, const char *what);
bool closure_is_foreign(const struct closure *cl, const char *path);

/* Names that macros paste together: impact-paste.c. */
struct pastes *pastes_new(struct closure *cl);
void pastes_free(struct pastes *p);
/*
 * Begins a round: finds the macros that can make one of cl->fresh, and adds
 * what must be looked for to @names (borrowed strings, valid till the end).
 */
void pastes_begin(struct closure *cl, GHashTable *names);
/* Forgets the pieces that the scan did not find; @mentions: of all files. */
void pastes_prune(struct closure *cl, GHashTable *mentions);
/*
 * Do @mentions, all of the file @path, make a name?  Of a header: may they?  It
 * must then be read.
 */
bool pastes_concern(const struct closure *cl, const char *path,
		    const GPtrArray *mentions);
/* The users of these macros in the header @path, whose text is @t. */
void pastes_read_header(struct closure *cl, const char *path,
			const struct ctext *t, const GPtrArray *mentions);
/* Is there something left to look for in another round? */
bool pastes_pending(const struct closure *cl);
#endif
