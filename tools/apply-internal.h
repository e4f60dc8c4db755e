/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of apply.c: a patch onto a tree, in memory. */
#ifndef RESPIN_APPLY_INTERNAL_H
#define RESPIN_APPLY_INTERNAL_H

#include "apply.h"
#include "diff.h"
#include "repo-internal.h"

/* What becomes of one path; the key of a table of changes is its path. */
struct change {
	char *path;
	git_oid blob;
	unsigned int mode;	/* 0: removed */
};

GHashTable *changes_new(void);
void changes_set(GHashTable *changes, const char *path, const git_oid *blob,
		 unsigned int mode);
/* Adds all files of @tree, as if they were to be made. */
int changes_of(struct repo *r, git_tree *tree, GHashTable *changes,
	       GError **error);

/*
 * apply-tree.c: the tree @base (NULL: empty) with @changes.  A file that
 * would stand where a directory is, or the reverse, is RESPIN_ERROR_APPLY.
 */
int tree_update(struct repo *r, const git_tree *base, GHashTable *changes,
		git_oid *out, GError **error);

/* What applying one diff needs to know, and what it says. */
struct attempt {
	struct repo *r;
	const struct diff *d;
	unsigned int fuzz;
	bool keep_cr;		/* as in apply_options */
	/* out */
	int moved;		/* largest offset of a hunk */
	GPtrArray *notes;	/* of char *; the caller's */
	char *path;		/* the file that failed; NULL: none; g_free() it */
};

/*
 * apply-files.c: @a->d onto @base.  RESPIN_ERROR_APPLY when a file does not
 * fit, the other codes when the repository or the disk fails.
 */
int apply_files(struct attempt *a, git_tree *base, git_oid *out,
		GError **error);

/* apply-merge.c: the same by a 3-way merge from the blobs of the index lines */
int apply_merge(struct attempt *a, git_tree *ours, git_oid *out,
		GError **error);

/*
 * apply-rename.c: adds to @cut the files of @ours, not in it yet, that those
 * in @gone (changes, their blobs those of the ancestor) may have become.
 */
int rename_offer(struct repo *r, git_tree *ours, GHashTable *gone,
		 GHashTable *cut, GError **error);

/*
 * apply-why.c: the newest commit that changed @path, as "012345678901
 * ('subject')"; NULL when the history does not say.  g_free() it.
 */
char *last_change(struct repo *r, const char *commit, const char *path);

#endif
