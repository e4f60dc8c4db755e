/* SPDX-License-Identifier: GPL-2.0 */
/* Between neigh*.c only. */
#ifndef RESPIN_NEIGH_INT_H
#define RESPIN_NEIGH_INT_H

#include "neigh.h"

struct neigh {
	struct variant *host;	/* NULL: not needed so far */
	bool host_failed;
	GHashTable *tus;	/* "object\nsource" -> struct tu, owned: jobs point to them */
	GHashTable *planned;	/* of char *, owned: "n object arch" */
	GPtrArray *dtrees;	/* of struct dtree_at (neigh-dts.c) */
	char **file_tools;	/* of neigh-files.c */
	GError *no_base;	/* why neigh-abi.c has no headers of the base; NULL */
};

struct neigh *neigh_state(struct run *run);
/*
 * A job of @check for @object at step @n, on @v; NULL: on the host.  @source is
 * a file of the tree without which there is nothing to judge.  Only the first
 * for a patch, an object and an arch counts.
 */
void neigh_add(struct run *run, unsigned int n, GPtrArray *jobs,
	       const char *check, const struct variant *v, const char *object,
	       const char *source);
/* The TU of that name, for the whole run; @values (taken over) are its own. */
const struct tu *neigh_tu(struct run *run, const char *object,
			  const char *source, char **values);
/* ... and its job, which runs after all compiles of the kernel. */
void neigh_add_tu(struct run *run, unsigned int n, GPtrArray *jobs,
		  const char *check, const struct variant *v,
		  const struct tu *tu);
/* The first time that this is asked of @n, @object and @arch? */
bool neigh_first(struct run *run, unsigned int n, const char *object,
		 const char *arch);
/* The first variant of each architecture of the run; borrowed. */
GPtrArray *neigh_arches(const struct run *run);
/* Is @path there in the checkout @dir? */
bool neigh_has(const char *dir, const char *path);

/* One for each kind: adds its jobs. */
void neigh_tools(struct run *run, unsigned int n, GPtrArray *jobs);
void neigh_uapi(struct run *run, unsigned int n, GPtrArray *jobs);
/*
 * A C TU that is made at step @n, and on the base, so that what is found with
 * its command has a parent to be compared with.
 */
bool neigh_can_stand(const struct tu *tu, unsigned int n);
/* Programs for this machine; NULL: none, and that is said of @what. */
const struct variant *neigh_host(struct run *run, unsigned int n,
				 const char *what);
void neigh_refs(struct run *run, unsigned int n, GPtrArray *jobs);
void neigh_rust(struct run *run, unsigned int n, GPtrArray *jobs);
/*
 * The types of headers for user space on @v, of step @n: @names (set of
 * installed names) that it touches, @others (paths) that include them.
 */
void neigh_abi(struct run *run, unsigned int n, GPtrArray *jobs,
	       const struct variant *v, GHashTable *names,
	       const GPtrArray *others);
void neigh_dts(struct run *run, unsigned int n, GPtrArray *jobs);
/* Is @path a file that neigh_dts() deals with at the step that is planned? */
bool neigh_dts_settles(struct run *run, const char *path);
void neigh_dts_free(struct neigh *ne);
#endif
