// SPDX-License-Identifier: GPL-2.0
#include "apply-internal.h"

static void change_free(gpointer p)
{
	struct change *c = p;

	g_free(c->path);
	g_free(c);
}

GHashTable *changes_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, NULL, change_free);
}

void changes_set(GHashTable *changes, const char *path, const git_oid *blob,
		 unsigned int mode)
{
	struct change *c = g_new0(struct change, 1);

	c->path = g_strdup(path);
	if (blob)
		c->blob = *blob;
	c->mode = mode;
	g_hash_table_replace(changes, c->path, c);
}

static int add_entry(const char *root, const git_tree_entry *e, void *data)
{
	g_autofree char *path = g_strconcat(root, git_tree_entry_name(e), NULL);

	if (git_tree_entry_type(e) != GIT_OBJECT_TREE)
		changes_set(data, path, git_tree_entry_id(e),
			    git_tree_entry_filemode(e));
	return 0;
}

int changes_of(struct repo *r, git_tree *tree, GHashTable *changes,
	       GError **error)
{
	int err = git_tree_walk(tree, GIT_TREEWALK_PRE, add_entry, changes);

	return err < 0 ? repo_git_error(r, err, error, "cannot read a tree") : 0;
}

/* '/' before all else, so that "a" and "a/b" are neighbours, "a-b" is not. */
static int by_component(gconstpointer x, gconstpointer y)
{
	const unsigned char *a = (void *)(*(struct change *const *)x)->path;
	const unsigned char *b = (void *)(*(struct change *const *)y)->path;

	while (*a && *a == *b)
		a++, b++;
	return (*a == '/' ? 1 : *a ? *a + 1 : 0) -
	       (*b == '/' ? 1 : *b ? *b + 1 : 0);
}

/* A run of changes below one directory, whose path has @skip bytes. */
struct run {
	struct change **at;
	guint n;
	gsize skip;
};

static int build(struct repo *r, const git_tree *base, const struct run *run,
		 git_oid *out, bool *empty, GError **error);

static int in_the_way(const struct change *c, const char *what, GError **error)
{
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_APPLY, "%s: %s", c->path,
		    what);
	return -1;
}

/* The changes below directory @name, of which @run is the whole. */
static int build_dir(struct repo *r, const git_tree *base, const char *name,
		     const struct run *run, git_treebuilder *tb,
		     bool file_removed, GError **error)
{
	const git_tree_entry *e = base ? git_tree_entry_byname(base, name) : NULL;
	g_autoptr(git_tree) sub = NULL;
	git_oid oid;
	bool empty;

	if (e && git_tree_entry_type(e) != GIT_OBJECT_TREE) {
		if (!file_removed)
			return in_the_way(run->at[0], "a file stands where its directory should be",
					  error);
		e = NULL;
	}
	if (e && git_tree_lookup(&sub, r->git, git_tree_entry_id(e)) < 0)
		return repo_git_error(r, GIT_ENOTFOUND, error,
				      "cannot read directory '%s'", name);
	if (build(r, sub, run, &oid, &empty, error) < 0)
		return -1;
	if (empty) {
		if (git_treebuilder_get(tb, name))
			git_treebuilder_remove(tb, name);
		return 0;
	}
	if (git_treebuilder_insert(NULL, tb, name, &oid, GIT_FILEMODE_TREE) < 0)
		return repo_git_error(r, 0, error, "cannot use the name '%s'", name);
	return 0;
}

static int build_file(struct repo *r, const struct change *c, const char *name,
		      git_treebuilder *tb, GError **error)
{
	const git_tree_entry *e = git_treebuilder_get(tb, name);
	bool dir = e && git_tree_entry_type(e) == GIT_OBJECT_TREE;

	if (!c->mode) {
		if (e && !dir)
			git_treebuilder_remove(tb, name);
		return 0;
	}
	if (dir)
		return in_the_way(c, "a directory stands there", error);
	if (git_treebuilder_insert(NULL, tb, name, &c->blob, c->mode) < 0)
		return repo_git_error(r, 0, error, "cannot use the path '%s'",
				      c->path);
	return 0;
}

/*
 * All changes whose next component is that of run->at[*i].  The directory
 * goes first: when it becomes empty a file may take its name.
 */
static int build_name(struct repo *r, const git_tree *base,
		      const struct run *run, guint *i, git_treebuilder *tb,
		      GError **error)
{
	const char *rest = run->at[*i]->path + run->skip;
	gsize len = strcspn(rest, "/");
	g_autofree char *name = g_strndup(rest, len);
	struct change *file = rest[len] ? NULL : run->at[(*i)++];
	struct run sub = { .at = run->at + *i, .skip = run->skip + len + 1 };

	while (*i < run->n) {
		const char *p = run->at[*i]->path + run->skip;

		if (strncmp(p, name, len) || p[len] != '/')
			break;
		sub.n++;
		++*i;
	}
	if (sub.n && build_dir(r, base, name, &sub, tb, file && !file->mode,
			       error) < 0)
		return -1;
	return file ? build_file(r, file, name, tb, error) : 0;
}

static int build(struct repo *r, const git_tree *base, const struct run *run,
		 git_oid *out, bool *empty, GError **error)
{
	g_autoptr(git_treebuilder) tb = NULL;
	guint i = 0;
	int err = git_treebuilder_new(&tb, r->git, base);

	if (err < 0)
		return repo_git_error(r, err, error, "cannot read a tree");
	while (i < run->n)
		if (build_name(r, base, run, &i, tb, error) < 0)
			return -1;
	*empty = git_treebuilder_entrycount(tb) == 0;
	err = git_treebuilder_write(out, tb);
	if (err < 0)
		return repo_git_error(r, err, error, "cannot write to '%s'",
				      r->path);
	return 0;
}

int tree_update(struct repo *r, const git_tree *base, GHashTable *changes,
		git_oid *out, GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new();
	struct run run = { 0 };
	GHashTableIter it;
	gpointer c;
	bool empty;

	g_hash_table_iter_init(&it, changes);
	while (g_hash_table_iter_next(&it, NULL, &c))
		g_ptr_array_add(all, c);
	g_ptr_array_sort(all, by_component);
	run.at = (struct change **)all->pdata;
	run.n = all->len;
	return build(r, base, &run, out, &empty, error);
}
