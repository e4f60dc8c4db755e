/* SPDX-License-Identifier: GPL-2.0 */
/* libgit2's side of a repository: for repo.c, checkout.c, apply*.c, steps.c. */
#ifndef RESPIN_REPO_INTERNAL_H
#define RESPIN_REPO_INTERNAL_H

#include <git2.h>
#include "error.h"
#include "repo.h"

struct repo {
	git_repository *git;
	char *path;		/* work tree's root, or the git directory */
	bool partial;		/* a partial clone: objects may be missing */
};

/*
 * Root on a user's repository: what is written between the two calls belongs
 * to the owner, else he could not write below those directories himself.
 */
void repo_be_owner(const struct repo *r);
void repo_be_self(void);

/*
 * Sets @error to "WHAT: what libgit2 said", for a call that returned @code.
 * Returns -1.
 */
int repo_git_error(const struct repo *r, int code, GError **error,
		   const char *fmt, ...) G_GNUC_PRINTF(4, 5);

/* The tree with the hex id of a tree or a commit. */
int repo_lookup_tree(struct repo *r, const char *hex, git_tree **tree,
		     GError **error);
int repo_lookup_commit(struct repo *r, const char *hex, git_commit **commit,
		       GError **error);
/*
 * git_diff_tree_to_tree(), quick where few paths differ; 0 or libgit2's error.
 * Takes over o->pathspec.
 */
int repo_diff_trees(git_diff **diff, struct repo *r, git_tree *old,
		    git_tree *new, git_diff_options *o);
char *repo_hex(const git_oid *oid);	/* g_free() it */

G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_tree, git_tree_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_commit, git_commit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_object, git_object_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_blob, git_blob_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_diff, git_diff_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_index, git_index_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_tree_entry, git_tree_entry_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_treebuilder, git_treebuilder_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_signature, git_signature_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_revwalk, git_revwalk_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_reference, git_reference_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(git_config, git_config_free)

#endif
