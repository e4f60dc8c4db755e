/* SPDX-License-Identifier: GPL-2.0 */
/* What the impact*.c files share; nobody else includes this. */
#ifndef RESPIN_IMPACT_PRIV_H
#define RESPIN_IMPACT_PRIV_H

#include "ctype.h"
#include "impact.h"

/* The pre-image or the post-image of a file that is classified. */
struct side {
	struct ctext *t;
	const char *text;		/* as it came, comments included */
	const GPtrArray *entities;
	GPtrArray *conditions;
	GPtrArray *types;		/* of struct ctype */
	bool *changed;			/* [line], from 1 */
	bool *typed;			/* [line]: touch_types() saw to it */
	const char *prefix;		/* "old " for the pre-image */
};

/* Adds a copy, once. */
void change_add(GPtrArray *list, const char *name, gsize len);
/* Rule d.  @reason is said once for a side (NULL: of the file as such), with
 * the first line that gave it. */
void change_why(struct change *c, const struct side *s, unsigned int line,
		const char *reason);
/* What becomes of the types that changed lines touch: see impact-types.c. */
void touch_types(struct change *c, struct side *old, struct side *new);

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
bool closure_is_included(const struct closure *cl, const char *path);
/* The file @path of the checkout; NULL with @error. */
struct ctext *closure_text(const struct closure *cl, const char *path,
			   GError **error);
/* Runs ctags on those of @headers that no round before looked at. */
int closure_scan(struct closure *cl, const GPtrArray *headers, GError **error);
/*
 * A mention in a type of a header: as the type of a member, in an array's bound,
 * in an enumerator's value, in a typedef.  Adds what it changes; false when it
 * stands in another place.
 */
bool closure_in_type(struct closure *cl, const GPtrArray *types,
		     const struct mention *m);
/*
 * The line of a branch whose condition names a changed name, within a type: its
 * members come and go.  False when it is no member or typedef.
 */
bool closure_in_branch(struct closure *cl, const GPtrArray *types,
		       unsigned int line);
/* Adds the names of @c to @set as "struct s" or "typedef_t". */
void closure_add_types(GHashTable *set, const struct ctype *c);

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
