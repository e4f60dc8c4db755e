// SPDX-License-Identifier: GPL-2.0
/*
 * libgit2 reads all of both trees to compare them, 5,000 objects of a kernel,
 * unless it is told which paths differ.  Those are found by opening only the
 * directories whose ids differ.
 */
#include "repo-internal.h"

/* More than a series changes: then libgit2 may as well read it all. */
#define PATHS_MAX 2000

struct compare {
	struct repo *r;
	GPtrArray *paths;	/* of char *, owned */
};

static int compare(struct compare *c, const char *dir, const git_tree *old,
		   const git_tree *new);

/* The tree that @e is, NULL: it is none, or not there. */
static int open_tree(struct compare *c, const git_tree_entry *e, git_tree **tree)
{
	*tree = NULL;
	if (!e || git_tree_entry_type(e) != GIT_OBJECT_TREE)
		return 0;
	return git_tree_lookup(tree, c->r->git, git_tree_entry_id(e));
}

/* @a or @b is NULL when it is on one side only. */
static int compare_entry(struct compare *c, const char *dir,
			 const git_tree_entry *a, const git_tree_entry *b)
{
	const char *name = git_tree_entry_name(a ? a : b);
	g_autofree char *path = *dir ? g_strconcat(dir, "/", name, NULL) :
				g_strdup(name);
	g_autoptr(git_tree) old = NULL, new = NULL;
	int err;

	if (a && b && git_tree_entry_filemode(a) == git_tree_entry_filemode(b) &&
	    git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b)))
		return 0;
	err = open_tree(c, a, &old);
	if (!err)
		err = open_tree(c, b, &new);
	if (err)
		return err;
	if ((a && !old) || (b && !new))
		g_ptr_array_add(c->paths, g_strdup(path));
	return old || new ? compare(c, path, old, new) : 0;
}

static int compare(struct compare *c, const char *dir, const git_tree *old,
		   const git_tree *new)
{
	gsize olds = old ? git_tree_entrycount(old) : 0;
	gsize news = new ? git_tree_entrycount(new) : 0;
	int err = 0;

	for (gsize i = 0; !err && i < olds && c->paths->len <= PATHS_MAX; i++) {
		const git_tree_entry *a = git_tree_entry_byindex(old, i);
		const git_tree_entry *b = new ? git_tree_entry_byname(new,
						git_tree_entry_name(a)) : NULL;

		err = compare_entry(c, dir, a, b);
	}
	for (gsize i = 0; !err && i < news && c->paths->len <= PATHS_MAX; i++) {
		const git_tree_entry *b = git_tree_entry_byindex(new, i);

		if (!old || !git_tree_entry_byname(old, git_tree_entry_name(b)))
			err = compare_entry(c, dir, NULL, b);
	}
	return err;
}

/* NULL: too many, or not all could be read. */
static GPtrArray *changed_paths(struct repo *r, const git_tree *old,
				const git_tree *new)
{
	struct compare c = { r, g_ptr_array_new_with_free_func(g_free) };

	if (!compare(&c, "", old, new) && c.paths->len <= PATHS_MAX)
		return c.paths;
	g_ptr_array_unref(c.paths);
	return NULL;
}

int repo_diff_trees(git_diff **diff, struct repo *r, git_tree *old,
		    git_tree *new, git_diff_options *o)
{
	g_autoptr(GPtrArray) paths = old ? changed_paths(r, old, new) : NULL;
	int err;

	if (!paths)
		return git_diff_tree_to_tree(diff, r->git, old, new, o);
	/* an empty list would mean all, and no path is called so */
	if (!paths->len)
		g_ptr_array_add(paths, g_strdup("/"));
	o->pathspec.strings = (char **)paths->pdata;
	o->pathspec.count = paths->len;
	o->flags |= GIT_DIFF_DISABLE_PATHSPEC_MATCH;
	err = git_diff_tree_to_tree(diff, r->git, old, new, o);
	o->pathspec.strings = NULL;
	o->pathspec.count = 0;
	return err;
}
