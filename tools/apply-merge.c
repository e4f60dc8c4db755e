// SPDX-License-Identifier: GPL-2.0
/*
 * git am's fallback: the tree that the patch was made on is known, as far as
 * the patch goes, by the blobs of its index lines.  The patch is applied to
 * that, and the result merged into ours.
 */
#include "apply-internal.h"

G_GNUC_PRINTF(2, 3)
static int cannot(GError **error, const char *fmt, ...)
{
	g_autofree char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	g_set_error_literal(error, RESPIN_ERROR, RESPIN_ERROR_APPLY, text);
	return -1;
}

/* The blob that the index line of @fd names; -1: not here. */
static int index_blob(struct repo *r, const struct file_diff *fd, git_oid *out)
{
	g_autoptr(git_object) obj = NULL;
	git_oid oid;
	gsize len = fd->old_blob ? strlen(fd->old_blob) : 0;

	if (len < GIT_OID_MINPREFIXLEN || len > OID_HEX ||
	    git_oid_fromstrn(&oid, fd->old_blob, len) < 0 ||
	    git_object_lookup_prefix(&obj, r->git, &oid, len,
				     GIT_OBJECT_BLOB) < 0)
		return -1;
	*out = *git_object_id(obj);
	return 0;
}

/* Fills @files with what the patch was made on. */
static int ancestor_files(struct attempt *a, git_tree *ours, GHashTable *files,
			  GError **error)
{
	guint i;

	for (i = 0; i < a->d->files->len; i++) {
		const struct file_diff *fd = a->d->files->pdata[i];
		g_autoptr(git_tree_entry) e = NULL;
		unsigned int mode = fd->old_mode ? fd->old_mode :
						   GIT_FILEMODE_BLOB;
		git_oid blob;

		if (!fd->old_path)
			continue;
		if (index_blob(a->r, fd, &blob) < 0) {
			/* A mode or name alone says nothing of the content. */
			if (fd->hunks->len || fd->is_binary)
				return cannot(error, fd->old_blob ?
					      "no 3-way merge: blob %s of %s is not in the "
					      "repository" :
					      "no 3-way merge: the patch does not say the "
					      "blob of %s%s",
					      fd->old_blob ? fd->old_blob : fd->old_path,
					      fd->old_blob ? fd->old_path : "");
			if (git_tree_entry_bypath(&e, ours, fd->old_path) < 0)
				return cannot(error, "no 3-way merge: %s is not in the tree",
					      fd->old_path);
			blob = *git_tree_entry_id(e);
		}
		changes_set(files, fd->old_path, &blob, mode);
	}
	return 0;
}

/* The entry of @tree at @path becomes what @cut has there. */
static bool take_entry(git_tree *tree, const char *path, GHashTable *cut)
{
	g_autoptr(git_tree_entry) e = NULL;
	bool any = git_tree_entry_bypath(&e, tree, path) == 0;
	bool blob = any && git_tree_entry_type(e) == GIT_OBJECT_BLOB;

	changes_set(cut, path, blob ? git_tree_entry_id(e) : NULL,
		    blob ? git_tree_entry_filemode(e) : 0);
	return any;
}

/*
 * Ours, cut down to the paths that the merge is about: a kernel has 86,000
 * others.  What a file of the ancestor that is missing here may have become
 * is added.
 */
static int cut_down(struct repo *r, git_tree *ours, git_tree *ancestor,
		    git_tree *theirs, GHashTable *cut, GError **error)
{
	GHashTable *old = changes_new(), *new = changes_new();
	GHashTableIter it;
	gpointer path;
	int ret = changes_of(r, ancestor, old, error);

	if (!ret)
		ret = changes_of(r, theirs, new, error);
	g_hash_table_iter_init(&it, new);
	while (!ret && g_hash_table_iter_next(&it, &path, NULL))
		take_entry(ours, path, cut);
	g_hash_table_iter_init(&it, old);
	while (!ret && g_hash_table_iter_next(&it, &path, NULL))
		if (take_entry(ours, path, cut))
			g_hash_table_iter_remove(&it);
	if (!ret && g_hash_table_size(old))
		ret = rename_offer(r, ours, old, cut, error);
	g_hash_table_destroy(old);
	g_hash_table_destroy(new);
	return ret;
}

static int conflict(git_index *index, GError **error)
{
	const git_index_entry *base, *our, *their, *any;
	git_index_conflict_iterator *it;

	if (git_index_conflict_iterator_new(&it, index) < 0)
		return cannot(error, "3-way merge: conflict");
	git_index_conflict_next(&base, &our, &their, it);
	any = our ? our : their ? their : base;
	cannot(error, "3-way merge: conflict in %s", any->path);
	git_index_conflict_iterator_free(it);
	return -1;
}

/* Ours with what the merge made of the paths in @cut. */
static int write_cut(struct repo *r, git_tree *ours, git_index *index,
		     GHashTable *cut, git_oid *out, GError **error)
{
	GHashTable *result = changes_new();
	GHashTableIter it;
	gpointer path;
	gsize i;
	int ret;

	g_hash_table_iter_init(&it, cut);
	while (g_hash_table_iter_next(&it, &path, NULL))
		changes_set(result, path, NULL, 0);
	for (i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		changes_set(result, e->path, &e->id, e->mode);
	}
	ret = tree_update(r, ours, result, out, error);
	g_hash_table_destroy(result);
	return ret;
}

static int merge_cut(struct repo *r, git_tree *ancestor, git_tree *ours,
		     git_tree *theirs, GHashTable *cut, git_oid *out,
		     GError **error)
{
	git_merge_options o = GIT_MERGE_OPTIONS_INIT;
	g_autoptr(git_index) index = NULL;
	g_autoptr(git_tree) small = NULL;
	git_oid oid;
	int err;

	o.flags = GIT_MERGE_FIND_RENAMES;
	o.rename_threshold = 50;
	o.target_limit = G_MAXINT / 4;
	if (tree_update(r, NULL, cut, &oid, error) < 0)
		return -1;
	if (git_tree_lookup(&small, r->git, &oid) < 0)
		return repo_git_error(r, 0, error, "cannot read a tree");
	err = git_merge_trees(&index, r->git, ancestor, small, theirs, &o);
	if (err < 0)
		return repo_git_error(r, err, error, "3-way merge");
	if (git_index_has_conflicts(index))
		return conflict(index, error);
	return write_cut(r, ours, index, cut, out, error);
}

static int merge(struct attempt *a, git_tree *ancestor, git_tree *ours,
		 git_tree *theirs, git_oid *out, GError **error)
{
	GHashTable *cut = changes_new();
	int ret = cut_down(a->r, ours, ancestor, theirs, cut, error);

	if (!ret)
		ret = merge_cut(a->r, ancestor, ours, theirs, cut, out, error);
	g_hash_table_destroy(cut);
	return ret;
}

int apply_merge(struct attempt *a, git_tree *ours, git_oid *out, GError **error)
{
	GHashTable *files = changes_new();
	g_autoptr(git_tree) ancestor = NULL, theirs = NULL;
	g_autoptr(GError) why = NULL;
	struct repo *r = a->r;
	git_oid oid;
	int ret = ancestor_files(a, ours, files, error);

	if (!ret)
		ret = tree_update(r, NULL, files, &oid, error);
	g_hash_table_destroy(files);
	if (ret < 0)
		return -1;
	if (git_tree_lookup(&ancestor, r->git, &oid) < 0)
		return repo_git_error(r, 0, error, "cannot read a tree");
	if (apply_files(a, ancestor, &oid, &why) < 0) {
		if (!g_error_matches(why, RESPIN_ERROR, RESPIN_ERROR_APPLY)) {
			g_propagate_error(error, g_steal_pointer(&why));
			return -1;
		}
		return cannot(error, "no 3-way merge: the patch does not fit the blobs of "
				     "its index lines");
	}
	if (git_tree_lookup(&theirs, r->git, &oid) < 0)
		return repo_git_error(r, 0, error, "cannot read a tree");
	return merge(a, ancestor, ours, theirs, out, error);
}
