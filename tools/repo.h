/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel repository through libgit2.  Nothing here touches the user's
 * branches, index, HEAD or work tree; only objects and refs/respin/ are
 * written.  Object ids are passed as full hex strings, so that no other
 * module needs libgit2's headers.
 */
#ifndef RESPIN_REPO_H
#define RESPIN_REPO_H

#include <glib.h>
#include <stdbool.h>
#include "diff.h"

#define OID_HEX 40

struct repo;

/*
 * Opens the repository that holds @path (searched upwards).  Errors
 * (RESPIN_ERROR_TREE) each have a line of their own that says what to do:
 * no repository, unborn HEAD, owned by another user (safe.directory), an
 * extension that libgit2 does not know.  worktreeConfig and partialClone are
 * accepted.
 */
struct repo *repo_open(const char *path, GError **error);
void repo_free(struct repo *r);
/* The work tree's root, or the git directory of a bare one; owned by @r. */
const char *repo_path(const struct repo *r);
bool repo_is_dirty(struct repo *r);	/* work tree differs from HEAD */

/* Is the tree at @commit a Linux kernel (Kbuild, Kconfig, MAINTAINERS...)? */
bool repo_is_kernel(struct repo *r, const char *commit);

/* Full hex id of the commit that @rev names; g_free() it. */
char *repo_resolve(struct repo *r, const char *rev, GError **error);
/* Hex id of the tree of @commit; g_free() it. */
char *repo_tree_of(struct repo *r, const char *commit, GError **error);
/* Is there an object with this (abbreviated) id? */
bool repo_has(struct repo *r, const char *hex);
/* Does the history go back to Linux 2.6.12-rc2, where upstream's begins? */
bool repo_is_upstream(struct repo *r);
char *repo_subject(struct repo *r, const char *commit);	/* NULL: none */

/* The blob at @path in @tree (tree or commit id), NULL when there is none. */
GBytes *repo_blob(struct repo *r, const char *tree, const char *path);

/*
 * What changed from @old to @new (tree or commit ids; renames found), hunks
 * without context.  struct diff as if parsed; diff_free() it.
 */
struct diff *repo_diff(struct repo *r, const char *old, const char *new,
		       GError **error);

/*
 * Calls @fn for each file that differs between @old and @new (tree or commit
 * ids), by path alone: nothing but trees is read.  @both: it is in both, else
 * it was added or removed (a rename is both).
 */
typedef void (*repo_changed_fn)(const char *path, bool both, void *data);
int repo_changed(struct repo *r, const char *old, const char *new,
		 repo_changed_fn fn, void *data, GError **error);

/* Calls @fn for each blob of @tree: path, blob hex id, mode.  -1 stops. */
typedef int (*repo_walk_fn)(const char *path, const char *blob,
			    unsigned int mode, void *data);
int repo_walk(struct repo *r, const char *tree, repo_walk_fn fn, void *data,
	      GError **error);

/* Points refs/respin/@name at @commit. */
int repo_set_ref(struct repo *r, const char *name, const char *commit,
		 GError **error);

/*
 * Makes @dir (created when missing) hold exactly @tree.  The state is kept in
 * the file "@dir.tree"; only blobs that differ are written, by rename, with
 * new mtimes; a run killed in between is noticed and mended on the next call.
 * Symlinks and the executable bit are kept.  @twin: another checkout on the
 * same disk whose files may be hard-linked when @dir is new, or NULL.
 */
int repo_checkout(struct repo *r, const char *tree, const char *dir,
		  const char *twin, GError **error);
#endif
