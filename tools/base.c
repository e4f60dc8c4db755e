// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "base.h"

struct base {
	struct repo *repo;
	struct kbuild *kb;
	GMutex lock;		/* of what follows; and libgit2 is asked once */
	GHashTable *changes;	/* tree id -> GPtrArray of struct kbuild_change;
				   NULL: not known */
};

static bool is_makefile(const char *base)
{
	return g_str_has_prefix(base, "Makefile") ||
	       g_str_has_prefix(base, "Kbuild") ||
	       g_str_has_suffix(base, ".mk") ||
	       g_str_has_suffix(base, ".include");
}

/* What the rules of kbuild may stand in. */
static int read_entry(const char *path, const char *blob, unsigned int mode,
		      void *data)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	if (is_makefile(base))
		g_ptr_array_add(data, g_strdup(path));
	return 0;
}

static void change_free(void *p)
{
	struct kbuild_change *c = p;

	g_free(c->path);
	g_free(c);
}

static void list_free(void *list)
{
	if (list)
		g_ptr_array_unref(list);
}

static void add_change(const char *path, bool both, void *data)
{
	struct kbuild_change *c = g_new0(struct kbuild_change, 1);

	c->path = g_strdup(path);
	c->both = both;
	g_ptr_array_add(data, c);
}

static GPtrArray *compare(struct base *b, const char *old)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(change_free);

	if (!repo_changed(b->repo, old, b->kb->tree, add_change, list, NULL))
		return list;
	g_ptr_array_unref(list);
	return NULL;
}

/* All variants come from the same few trees: each is compared once. */
static const GPtrArray *changed(const char *old, void *data)
{
	struct base *b = data;
	gpointer list;

	g_mutex_lock(&b->lock);
	if (!g_hash_table_lookup_extended(b->changes, old, NULL, &list)) {
		list = compare(b, old);
		g_hash_table_insert(b->changes, g_strdup(old), list);
	}
	g_mutex_unlock(&b->lock);
	return list;
}

struct base *base_new(struct repo *r, const char *tree, struct kbuild *kb,
		      GError **error)
{
	g_autoptr(GPtrArray) makefiles = g_ptr_array_new_with_free_func(g_free);
	struct base *b;

	if (repo_walk(r, tree, read_entry, makefiles, error))
		return NULL;
	b = g_new0(struct base, 1);
	b->repo = r;
	b->kb = kb;
	g_mutex_init(&b->lock);
	b->changes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   list_free);
	kb->tree = g_strdup(tree);
	kb->makefiles = g_steal_pointer(&makefiles);
	kb->changed = changed;
	kb->changed_data = b;
	return b;
}

void base_free(struct base *b)
{
	if (!b)
		return;
	g_clear_pointer(&b->kb->tree, g_free);
	g_clear_pointer(&b->kb->makefiles, g_ptr_array_unref);
	b->kb->changed = NULL;
	g_hash_table_unref(b->changes);
	g_mutex_clear(&b->lock);
	g_free(b);
}
