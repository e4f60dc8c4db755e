/* SPDX-License-Identifier: GPL-2.0 */
/* Between symbols*.c only. */
#ifndef RESPIN_SYMBOLS_INT_H
#define RESPIN_SYMBOLS_INT_H

#include "symbols.h"
#include "symimage.h"
#include "symindex.h"

/* What is known of one variant in the whole run. */
struct view {
	const struct variant *v;
	GHashTable *images;	/* struct tu (as compdb_at()) -> struct image */
	GHashTable *based;	/* "image name": base objects need it */
	GHashTable *asked;	/* struct tu: its base object was read */
	GHashTable *gaps;	/* struct tu -> step (+ 1) of its last gap */
	GHashTable *blind;	/* struct tu: on the base it makes no object */
	GHashTable *suspects;	/* struct tu: had a diagnostic of this check */
	GHashTable *lost;	/* interned name -> step (+ 1) that took its
				   definition or export away */
	GPtrArray *worlds;	/* of struct world */
};

/* The objects of a variant that were compiled at one step. */
struct world {
	struct view *view;
	unsigned int step;
	GHashTable *jobs;	/* struct tu -> struct job with symbols */
	GHashTable *tried;	/* struct tu -> struct job, any */
	GHashTable *givers;	/* interned name -> GPtrArray of struct job that
				   define or export it */
	GHashTable *fine;	/* "image name": vouched for already */
};

/* A symbol that nothing vouches for, so far. */
struct doubt {
	struct world *world;
	struct job *job;
	const char *name;	/* interned */
	bool settled;
	const char *gap;	/* why it stays open; NULL: it does not */
};

struct symbols {
	struct run *run;
	struct symindex *index;
	GPtrArray *views;	/* of struct view */
	GPtrArray *jobs;	/* of struct job, owned: base and candidates */
	GHashTable *mentions;	/* interned name -> GPtrArray of const char *
				   paths, where run->cur stands */
	unsigned int mentioned;	/* that step */
	GArray *pasted;		/* what macros paste (symbols-paste.c) */
	const struct incgraph *pasted_of;
	unsigned int extra;	/* compiles that only this check asked for */
};

struct symbols *symbols_get(struct run *run);
struct view *symbols_view(struct symbols *s, const struct variant *v);
struct world *symbols_world(struct symbols *s, const struct variant *v,
			    unsigned int step);
/* Takes the object of @job, if it made one, into the world of its step. */
void symbols_add(struct symbols *s, struct job *job);
/*
 * Compiles @tus (of struct tu) of @v at @step and takes their objects in;
 * those known already are left out.  -1 with @error, or when interrupted.
 */
int symbols_compile(struct symbols *s, const struct variant *v,
		    const GPtrArray *tus, unsigned int step, GError **error);

struct image symbols_image(struct view *view, const struct tu *tu,
			   unsigned int step);
/* May a symbol that an object of @b defines or exports stand for @a's? */
bool symbols_gives(const struct image *a, const struct image *b, bool exported);
/* Does an object or a text vouch for @name in @job? */
bool symbols_vouched(struct symbols *s, struct world *w, const struct job *job,
		     const char *name);
/* Does the base vouch for it, and no patch took it away since? */
bool symbols_based(struct symbols *s, struct world *w, const struct job *job,
		   const char *name);
/* What the base object of @job needs is old for all of its image. */
void symbols_learn(struct view *view, const struct job *job);
/* "image\nname"; g_free() */
char *symbols_key(const struct image *image, const char *name);
/* Did a patch up to @step take @name away? */
bool symbols_lost(const struct view *view, const char *name, unsigned int step);
/* The TUs of @path on @v at @step, gone ones too; g_ptr_array_unref(). */
GPtrArray *symbols_tus(const struct variant *v, const char *path,
		       unsigned int step);

/*
 * The files that mention each of @names (set of interned const char *), in the
 * step that is judged: one scan for those not asked before.
 */
int symbols_mentions(struct symbols *s, GHashTable *names, GError **error);
/* Those of @name, asked before; borrowed. */
const GPtrArray *symbols_mentioning(const struct symbols *s, const char *name);

/* Sources with a macro of their own that may paste @name together. */
void symbols_pasters(struct symbols *s, const struct variant *v,
		     const char *name, GPtrArray *paths);
/* Adds to @paths the files that may paste the name of @d together. */
int symbols_pasted(struct symbols *s, const struct doubt *d, GPtrArray *paths,
		   GError **error);

/* symbols-base.c: compiles objects of the base; drops the doubts settled. */
int symbols_ask_base(struct symbols *s, GPtrArray *doubts, GError **error);
/* symbols-find.c: compiles who may define the doubts' names at @step. */
int symbols_find(struct symbols *s, GPtrArray *doubts, unsigned int step,
		 GError **error);
/* symbols-lost.c: what step @n took away; adds jobs of those who use it. */
int symbols_lose(struct symbols *s, unsigned int n, GPtrArray *jobs,
		 GError **error);
/* symbols-say.c: the diagnostic of a doubt that was not settled. */
int symbols_say(struct symbols *s, const struct doubt *d, GError **error);
/*
 * symbols-module.c: how @name is exported, by an object or, where that is not
 * made, by the text of a source; false: not, as far as is known.  All in @e is
 * borrowed.
 */
bool symbols_export(struct symbols *s, struct world *w, const char *name,
		    struct elf_export *e);
/* The TUs of the module @image at the step of @w; borrowed struct tu. */
GPtrArray *symbols_members(struct world *w, const struct image *image);
/* 1: @unknown, TUs of one module, are compiled, and taken out of the list; 0:
 * there are too many, or none; -1 with @error. */
int symbols_make_members(struct symbols *s, struct world *w, GPtrArray *unknown,
			 GError **error);
/* symbols-space.c: namespaces that a module uses and does not import. */
int symbols_spaces(struct symbols *s, struct world *w, struct job *job,
		   GError **error);
/*
 * symbols-licence.c: a module without a licence, or one that may not use what
 * it uses.
 */
int symbols_licences(struct symbols *s, struct world *w, struct job *job,
		     GError **error);
/* May the module @image use what is exported to GPL-compatible ones only?  By
 * its text and objects at hand: false is "not known" too. */
bool symbols_is_free(struct symbols *s, struct world *w,
		     const struct image *image);
/* Is all of the shape @was still in @is, and no new directive? */
bool symbols_only_adds(const char *was, const char *is);
/* A diagnostic of @job about @name, @message (taken). */
int symbols_report(struct symbols *s, struct job *job, const char *rule,
		   const char *name, char *message, GError **error);
#endif
