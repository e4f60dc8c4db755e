// SPDX-License-Identifier: GPL-2.0
/*
 * make opens a target ("Considering"), says the same of each prerequisite, and
 * closes it ("Finished prerequisites").  A recipe that is a sub-make runs after
 * that: what the sub-make prints stands within the target that waits for it,
 * which is true as well.
 */
#include <string.h>
#include "makegraph.h"

/* While the text is read. */
struct reader {
	struct makegraph *g;
	const char *srcdir, *odir;
	GPtrArray *open;	/* of const char *: targets, outermost first */
};

static void unref_list(gpointer list)
{
	g_ptr_array_unref(list);
}

struct makegraph *makegraph_new(void)
{
	struct makegraph *g = g_new0(struct makegraph, 1);

	g->names = g_string_chunk_new(1 << 16);
	g->users = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					 unref_list);
	return g;
}

void makegraph_free(struct makegraph *g)
{
	if (!g)
		return;
	g_hash_table_unref(g->users);
	g_string_chunk_free(g->names);
	g_free(g);
}

/* "dir/x" of "/dir/x"; @name when it is not below @dir. */
static const char *below(const char *name, gsize *len, const char *dir)
{
	gsize n = strlen(dir);

	if (*len <= n + 1 || memcmp(name, dir, n) || name[n] != '/')
		return name;
	*len -= n + 1;
	return name + n + 1;
}

static const char *intern(const struct reader *r, const char *name, gsize len)
{
	g_autofree char *copy = NULL;

	name = below(name, &len, r->srcdir);
	name = below(name, &len, r->odir);
	while (len > 2 && name[0] == '.' && name[1] == '/') {
		name += 2;
		len -= 2;
	}
	copy = g_strndup(name, len);
	return g_string_chunk_insert_const(r->g->names, copy);
}

static void add_edge(const struct reader *r, const char *name)
{
	GPtrArray *users;
	const char *target;

	if (!r->open->len)
		return;
	target = r->open->pdata[r->open->len - 1];
	users = g_hash_table_lookup(r->g->users, name);
	if (!users) {
		users = g_ptr_array_new();
		g_hash_table_insert(r->g->users, (gpointer)name, users);
	}
	/* names are unique, so that pointers can be compared */
	if (!g_ptr_array_find(users, target, NULL))
		g_ptr_array_add(users, (gpointer)target);
}

/* A make that stopped at an error leaves open what nobody closes. */
static void close_target(struct reader *r, const char *name)
{
	for (guint i = r->open->len; i > 0; i--)
		if (r->open->pdata[i - 1] == name) {
			g_ptr_array_set_size(r->open, i - 1);
			return;
		}
}

/* The name between quotes after @words at the start of the line; NULL: other. */
static const char *quoted(const char *p, const char *end, const char *words,
			  gsize *len)
{
	gsize n = strlen(words);
	const char *stop;

	if ((gsize)(end - p) < n + 2 || memcmp(p, words, n))
		return NULL;
	p += n;
	stop = memchr(p, '\'', end - p);
	if (!stop)
		return NULL;
	*len = stop - p;
	return p;
}

/* What make has done with already is opened and not finished. */
static const char *const closing[] = {
	"Finished prerequisites of target file '", "File '", "Still updating file '",
	"Recently tried and failed to update file '", NULL
};
static const char *const closed_by[] = {
	"'.", "' was considered already.", "'.", "'."
};

static bool ends_like(const char *p, const char *end, const char *words)
{
	gsize n = strlen(words);

	return (gsize)(end - p) >= n && !memcmp(p, words, n);
}

static void read_line(struct reader *r, const char *p, const char *end)
{
	const char *name;
	gsize len;

	while (p < end && *p == ' ')
		p++;
	name = quoted(p, end, "Considering target file '", &len);
	if (name) {
		name = intern(r, name, len);
		add_edge(r, name);
		g_ptr_array_add(r->open, (gpointer)name);
		return;
	}
	name = quoted(p, end, "Pruning file '", &len);
	if (name) {
		add_edge(r, intern(r, name, len));
		return;
	}
	for (guint i = 0; closing[i]; i++) {
		name = quoted(p, end, closing[i], &len);
		if (name && ends_like(name + len, end, closed_by[i])) {
			close_target(r, intern(r, name, len));
			return;
		}
	}
}

void makegraph_parse(struct makegraph *g, const char *text, gsize len,
		     const char *srcdir, const char *odir)
{
	const char *end = text + len;
	struct reader r = { .g = g, .srcdir = srcdir, .odir = odir,
			    .open = g_ptr_array_new() };

	for (const char *p = text; p < end;) {
		const char *eol = memchr(p, '\n', end - p);

		if (!eol)
			eol = end;
		read_line(&r, p, eol);
		p = eol + 1;
	}
	g_ptr_array_unref(r.open);
}

bool makegraph_knows(const struct makegraph *g, const char *path)
{
	return g_hash_table_contains(g->users, path);
}

GHashTable *makegraph_targets(const struct makegraph *g)
{
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter it;
	gpointer users;

	g_hash_table_iter_init(&it, g->users);
	while (g_hash_table_iter_next(&it, NULL, &users)) {
		const GPtrArray *list = users;

		for (guint i = 0; i < list->len; i++)
			g_hash_table_add(set, list->pdata[i]);
	}
	return set;
}

GPtrArray *makegraph_made_of(const struct makegraph *g, const char *path,
			     makegraph_end_fn is_end, void *data)
{
	GPtrArray *all = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	const char *name = path;

	g_hash_table_add(seen, (gpointer)path);
	for (guint next = 0;; name = all->pdata[next++]) {
		const GPtrArray *users = name != path && is_end(name, data) ?
			NULL : g_hash_table_lookup(g->users, name);

		for (guint i = 0; users && i < users->len; i++)
			if (g_hash_table_add(seen, users->pdata[i]))
				g_ptr_array_add(all, users->pdata[i]);
		if (next == all->len)
			return all;
	}
}
