// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include "dtree.h"
#include "strsort.h"

/* Where cpp and dtc look besides the directory of the file (-I, -i). */
static const char prefixes[] = "scripts/dtc/include-prefixes";

static void list_free(gpointer list)
{
	g_ptr_array_unref(list);
}

/* A link to a file of the tree is both: either may change. */
static void take(GPtrArray *list, const char *root, const char *dir,
		 const char *name)
{
	g_autofree char *joined = g_build_filename(root, dir, name, NULL);
	g_autofree char *parent = g_path_get_dirname(joined);
	g_autofree char *base = g_path_get_basename(joined);
	g_autofree char *in = realpath(parent, NULL);
	g_autofree char *link = in ? g_build_filename(in, base, NULL) : NULL;
	g_autofree char *file = realpath(joined, NULL);
	gsize n = strlen(root);

	if (file && !strncmp(file, root, n) && file[n] == '/')
		g_ptr_array_add(list, g_strdup(file + n + 1));
	if (file && link && strcmp(file, link) && !strncmp(link, root, n) &&
	    link[n] == '/')
		g_ptr_array_add(list, g_strdup(link + n + 1));
}

/* What is found nowhere is kept as "?NAME": the directory of the .dts counts
 * too, which is not known here, and the file may be gone or still to come. */
static void resolve(GPtrArray *list, const char *root, const char *path,
		    const char *name, bool own)
{
	g_autofree char *dir = g_path_get_dirname(path);
	guint before = list->len;

	if (own)
		take(list, root, dir, name);
	if (list->len == before)
		take(list, root, prefixes, name);
	if (list->len == before) {
		g_autofree char *base = g_path_get_basename(name);

		g_ptr_array_add(list, g_strconcat("?", base, NULL));
	}
}

static GPtrArray *read_file(const char *root, const char *path)
{
	static GRegex *form;
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *full = g_build_filename(root, path, NULL);
	g_autofree char *text = NULL;
	g_autoptr(GMatchInfo) m = NULL;

	if (!form)
		form = g_regex_new("^[ \\t]*#[ \\t]*include[ \\t]*([<\"])([^>\"\\n]+)"
			"|/inc(?:lude|bin)/[ \\t(]*(\")([^\"\\n]+)",
			G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	if (!g_file_get_contents(full, &text, NULL, NULL))
		return list;
	g_regex_match(form, text, 0, &m);
	while (g_match_info_matches(m)) {
		g_autofree char *open = g_match_info_fetch(m, 1);
		g_autofree char *name = g_match_info_fetch(m, 2);

		if (!*open) {
			g_free(name);
			name = g_match_info_fetch(m, 4);
		}
		resolve(list, root, path, name, *open != '<');
		g_match_info_next(m, NULL);
	}
	return list;
}

static void add_reader(struct dtree *t, const char *path, const char *by)
{
	GPtrArray *list = g_hash_table_lookup(t->read_by, path);

	if (!list) {
		list = g_ptr_array_new();
		g_hash_table_insert(t->read_by, g_strdup(path), list);
	}
	g_ptr_array_add(list, (gpointer)by);
}

static void read_all(struct dtree *t, const char *root)
{
	g_autoptr(GPtrArray) todo = g_ptr_array_new();

	for (guint i = 0; i < t->sources->len; i++)
		g_ptr_array_add(todo, t->sources->pdata[i]);
	for (guint i = 0; i < todo->len; i++) {
		GPtrArray *list;
		char *path;

		if (g_hash_table_contains(t->reads, todo->pdata[i]))
			continue;
		path = g_strdup(todo->pdata[i]);
		list = read_file(root, path);
		g_hash_table_insert(t->reads, path, list);
		for (guint k = 0; k < list->len; k++) {
			add_reader(t, list->pdata[k], path);
			g_ptr_array_add(todo, list->pdata[k]);
		}
	}
}

static void find_sources(GPtrArray *list, const char *root, const char *dir)
{
	g_autofree char *full = g_build_filename(root, dir, NULL);
	g_autoptr(GDir) d = g_dir_open(full, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);
		g_autofree char *below = g_build_filename(full, name, NULL);

		if (g_file_test(below, G_FILE_TEST_IS_DIR))
			find_sources(list, root, path);
		else if (g_str_has_suffix(name, ".dts") ||
			 g_str_has_suffix(name, ".dtso"))
			g_ptr_array_add(list, g_steal_pointer(&path));
	}
}

struct dtree *dtree_read(const char *srcdir, const char *srcarch)
{
	g_autofree char *root = realpath(srcdir, NULL);
	g_autofree char *dir = g_strdup_printf("arch/%s/boot/dts", srcarch);
	g_autofree char *full = root ? g_build_filename(root, dir, NULL) : NULL;
	struct dtree *t;

	if (!root || !g_file_test(full, G_FILE_TEST_IS_DIR))
		return NULL;
	t = g_new0(struct dtree, 1);
	t->dir = g_steal_pointer(&dir);
	t->sources = g_ptr_array_new_with_free_func(g_free);
	t->reads = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					 list_free);
	t->read_by = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   list_free);
	find_sources(t->sources, root, t->dir);
	g_ptr_array_sort(t->sources, by_string);
	read_all(t, root);
	return t;
}

void dtree_free(struct dtree *t)
{
	if (!t)
		return;
	g_ptr_array_unref(t->sources);
	g_hash_table_unref(t->reads);
	g_hash_table_unref(t->read_by);
	g_free(t->dir);
	g_free(t);
}

static void reach(const struct dtree *t, GHashTable *seen, const char *path)
{
	g_autoptr(GPtrArray) todo = g_ptr_array_new();

	g_ptr_array_add(todo, (gpointer)path);
	for (guint i = 0; i < todo->len; i++) {
		const GPtrArray *by = g_hash_table_lookup(t->read_by,
							  todo->pdata[i]);

		for (guint k = 0; by && k < by->len; k++)
			if (g_hash_table_add(seen, by->pdata[k]))
				g_ptr_array_add(todo, by->pdata[k]);
	}
}

GPtrArray *dtree_reaching(const struct dtree *t, GHashTable *paths)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter it;
	gpointer path;

	g_hash_table_iter_init(&it, paths);
	while (g_hash_table_iter_next(&it, &path, NULL)) {
		g_autofree char *base = g_path_get_basename(path);
		g_autofree char *lost = g_strconcat("?", base, NULL);

		g_hash_table_add(seen, path);
		reach(t, seen, path);
		reach(t, seen, lost);
	}
	for (guint i = 0; i < t->sources->len; i++)
		if (g_hash_table_contains(seen, t->sources->pdata[i]))
			g_ptr_array_add(list, t->sources->pdata[i]);
	return list;
}

GHashTable *dtree_closure(const struct dtree *t, const char *source)
{
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) todo = g_ptr_array_new();

	g_ptr_array_add(todo, (gpointer)source);
	for (guint i = 0; i < todo->len; i++) {
		const char *path = todo->pdata[i];
		const GPtrArray *list = g_hash_table_lookup(t->reads, path);

		if (*path == '?' || !g_hash_table_add(set, (gpointer)path))
			continue;
		for (guint k = 0; list && k < list->len; k++)
			g_ptr_array_add(todo, list->pdata[k]);
	}
	return set;
}
