// SPDX-License-Identifier: GPL-2.0
/* Who includes what is no file of the tree. */
#include "incgraph-priv.h"

/* Is @name ("asm/x.h", "../x.h") the end of @path? */
static bool is_end_of(const char *name, const char *path)
{
	gsize n, k = strlen(path);

	while (g_str_has_prefix(name, "../") || g_str_has_prefix(name, "./"))
		name = strchr(name, '/') + 1;
	n = strlen(name);
	return n && n <= k && !strcmp(path + k - n, name) &&
	       (n == k || path[k - n - 1] == '/');
}

/* The numbers of the specs that can mean @path. */
static GHashTable *specs_of(const struct incgraph *g, const char *path)
{
	GHashTable *set = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < g->cache->specs->len; i++) {
		const char *spec = g->cache->specs->pdata[i];

		if (*spec != '#' && is_end_of(spec + 1, path))
			g_hash_table_add(set, GUINT_TO_POINTER(i + 1));
	}
	return set;
}

GPtrArray *incgraph_naming(const struct incgraph *g, const char *path,
			   const char *srcarch)
{
	GPtrArray *list = g_ptr_array_new();
	g_autoptr(GHashTable) specs = specs_of(g, path);

	for (guint i = 0; i < g->files->len; i++) {
		const struct inc_file *f = incgraph_file(g, i);
		bool found = false;

		for (guint32 k = 0; k < f->count && !found; k++)
			found = g_hash_table_contains(specs,
				GUINT_TO_POINTER(f->specs[k] + 1));
		if (found && !f->make && !path_is_foreign(f->path, srcarch))
			g_ptr_array_add(list, (gpointer)f->path);
	}
	return list;
}
