/* SPDX-License-Identifier: GPL-2.0 */
/* Between plan*.c only: what is worth a compile at one step. */
#ifndef RESPIN_PLAN_H
#define RESPIN_PLAN_H

#include "impact.h"
#include "run.h"

struct plan {
	struct run *run;
	unsigned int n;
	GPtrArray *jobs;	/* of struct job */
	GHashTable *seen;	/* "variant object header": no job twice */
	struct followed *followed;	/* what it does to the build */
	guint *bounded;		/* [variant]: jobs that plan_types() added */
};

/* A TU that can reach what a patch touches. */
struct candidate {
	const struct tu *tu;
	gint64 cost;
};

/* Adds @tu (or @header alone with its command), unless it is there already. */
void plan_add(struct plan *p, const struct variant *v, const struct tu *tu,
	      const char *header, enum why why);
/* @path of this patch is compiled on some variant, or needs no compiler. */
void plan_compiled(struct plan *p, const char *path);
/* Is @tu itself planned already? */
bool plan_has(const struct plan *p, const struct variant *v,
	      const struct tu *tu);
/* What a compile of @source costs, relative to others. */
gint64 plan_cost(const struct run *run, const char *source);
/* A changed header, or what others include like one. */
int plan_header(struct plan *p, const struct change *c, GError **error);
/* A header that no commit holds, on one variant. */
struct plan_reach {
	guint v;		/* number of the variant */
	const char *path;
	GHashTable *sources;	/* of char *: what can reach it */
	const GPtrArray *names;	/* of char *: macros that it changes */
	bool whole;		/* names are not enough: rule d */
	const char *why;	/* of whole */
};

/* Rules b to d for it. */
int plan_reach(struct plan *p, const struct plan_reach *r, GError **error);
/* What the patch makes the build generate otherwise (plan-made.c). */
int plan_made(struct plan *p, GError **error);
/* Rule c: who mentions the names that @c changes. */
int plan_names(struct plan *p, const struct change *c, GError **error);
/*
 * The same for what it changes of types: members, layouts, enumerators; and for
 * the members and types that the names of @im (NULL: none) are part of.
 */
int plan_types(struct plan *p, const struct change *c, const struct impact *im,
	       GError **error);

/* Is there a job for @tu itself on @v? */
bool plan_has(const struct plan *p, const struct variant *v,
	      const struct tu *tu);
/*
 * What can reach the file of @c now, or could before the patch: a set of paths.
 * NULL: it is no file that is included.
 */
GHashTable *plan_reaching(const struct run *run, const struct change *c,
			  const char *srcarch);
/* Rule b for the header @path on variant @i, among the sources of @reach. */
void plan_classes(struct plan *p, guint i, const char *path, GHashTable *reach);
/* Those of the run's variants, NULL-terminated; g_free() the array. */
char **plan_srcarches(const struct run *run);
#endif
