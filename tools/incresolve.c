// SPDX-License-Identifier: GPL-2.0
/* Which file an #include line names, for one arch: the edges of the graph. */
#include "incgraph-priv.h"

/* What kbuild puts before every source: Makefile, USERINCLUDE and c_flags. */
static const char *const forced[] = {
	"include/linux/compiler-version.h", "include/linux/kconfig.h",
	"include/linux/compiler_types.h",
};

struct edge {
	guint32 from, to;
};

/* State while the edges of one arch are made. */
struct resolver {
	struct incgraph *g;
	const char *srcarch;
	GArray *edges;		/* of struct edge */
	guint8 *queued;		/* [file]: its lines are or will be read */
	GArray *todo;		/* of guint32: files to read */
	GArray **memo;		/* [spec]: what it names in any directory */
	GArray *forced;		/* of guint32: what every source includes */
};

/* "a/b/../c" in place; false when it leaves the tree. */
static bool normalise(char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	g_autoptr(GPtrArray) out = g_ptr_array_new();
	g_autofree char *joined = NULL;

	for (char **p = parts; *p; p++) {
		if (!**p || !strcmp(*p, "."))
			continue;
		if (strcmp(*p, "..")) {
			g_ptr_array_add(out, *p);
			continue;
		}
		if (!out->len)
			return false;
		g_ptr_array_set_size(out, out->len - 1);
	}
	g_ptr_array_add(out, NULL);
	joined = g_strjoinv("/", (char **)out->pdata);
	/* It only gets shorter. */
	memcpy(path, joined, strlen(joined) + 1);
	return true;
}

static int find_file(const struct resolver *r, const char *path)
{
	g_autofree char *shipped = NULL;
	int i = incgraph_index(r->g, path);

	if (i >= 0)
		return i;
	/* kbuild copies x_shipped to x in O= */
	shipped = g_strconcat(path, "_shipped", NULL);
	return incgraph_index(r->g, shipped);
}

static bool add_at(const struct resolver *r, GArray *to, const char *path)
{
	int i = find_file(r, path);
	guint32 v = i;

	if (i < 0)
		return false;
	g_array_append_val(to, v);
	return true;
}

static void index_base_names(struct incgraph *g)
{
	g->by_base = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   (GDestroyNotify)g_array_unref);
	for (guint32 i = 0; i < g->files->len; i++) {
		char *base = g_path_get_basename(incgraph_file(g, i)->path);
		GArray *list;

		if (g_str_has_suffix(base, "_shipped"))
			base[strlen(base) - strlen("_shipped")] = '\0';
		list = g_hash_table_lookup(g->by_base, base);
		if (!list) {
			list = g_array_new(FALSE, FALSE, sizeof(guint32));
			g_hash_table_insert(g->by_base, base, list);
		} else {
			g_free(base);
		}
		g_array_append_val(list, i);
	}
}

/* The directories of -I are not known: every file whose path ends in @name. */
static void add_by_suffix(const struct resolver *r, GArray *to,
			  const char *name)
{
	g_autofree char *base = NULL, *tail = NULL;
	GArray *list;

	while (g_str_has_prefix(name, "../") || g_str_has_prefix(name, "./"))
		name = strchr(name, '/') + 1;
	tail = g_strdup(name);
	if (!normalise(tail) || !*tail)
		return;
	base = g_path_get_basename(tail);
	list = g_hash_table_lookup(r->g->by_base, base);
	for (guint i = 0; list && i < list->len; i++) {
		guint32 f = g_array_index(list, guint32, i);
		const char *path = incgraph_file(r->g, f)->path;
		gsize n = strlen(path), k = strlen(tail);

		if (g_str_has_suffix(path, "_shipped"))
			n -= strlen("_shipped");
		if (path_is_foreign(path, r->srcarch))
			continue;
		if (n == k || (n > k && path[n - k - 1] == '/' &&
			       !memcmp(path + n - k, tail, k)))
			g_array_append_val(to, f);
	}
}

/* <asm/x> when the arch has no x of its own: kbuild generates a wrapper. */
static bool add_asm_generic(const struct resolver *r, GArray *to,
			    const char *name)
{
	static const char *const dirs[] = {
		"include/asm-generic/", "include/uapi/asm-generic/",
	};
	bool found = false;

	for (gsize i = 0; i < G_N_ELEMENTS(dirs); i++) {
		g_autofree char *path = g_strconcat(dirs[i], name, NULL);

		found |= add_at(r, to, path);
	}
	return found;
}

/* All that @name may be on kbuild's include path, whatever the order there. */
static void add_by_path(const struct resolver *r, GArray *to, const char *name)
{
	static const char *const dirs[] = {
		"include/", "include/uapi/", "arch/%s/include/",
		"arch/%s/include/uapi/",
	};
	bool found = false, own = false;

	for (gsize i = 0; i < G_N_ELEMENTS(dirs); i++) {
		g_auto(GStrv) parts = g_strsplit(dirs[i], "%s", 2);
		g_autofree char *path = parts[1] ?
			g_strconcat(parts[0], r->srcarch, parts[1], name,
				    NULL) :
			g_strconcat(parts[0], name, NULL);
		bool here = normalise(path) && add_at(r, to, path);

		found |= here;
		own |= here && i == 2;
	}
	if (g_str_has_prefix(name, "asm/") && !own)
		found |= add_asm_generic(r, to, name + 4);
	if (!found)
		add_by_suffix(r, to, name);
}

static GArray *anywhere(struct resolver *r, guint32 spec)
{
	if (!r->memo[spec]) {
		const char *name = r->g->cache->specs->pdata[spec];

		r->memo[spec] = g_array_new(FALSE, FALSE, sizeof(guint32));
		add_by_path(r, r->memo[spec], name + 1);
	}
	return r->memo[spec];
}

static void add_edge(struct resolver *r, guint32 from, guint32 to)
{
	struct edge e = { from, to };

	g_array_append_val(r->edges, e);
	if (!r->queued[to]) {
		r->queued[to] = 1;
		g_array_append_val(r->todo, to);
	}
}

/* "x" in the directory of @path; -1: not there. */
static int beside(const struct resolver *r, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	g_autofree char *full = g_strdup_printf("%.*s%s",
		(int)(slash ? slash - path + 1 : 0), path, name);

	if ((strstr(name, "./") || strstr(name, "//")) && !normalise(full))
		return -1;
	return find_file(r, full);
}

static bool in_directory(const struct incgraph *g, guint32 f, const char *dir)
{
	const char *path = incgraph_file(g, f)->path;
	gsize n = strlen(dir);

	return !strcmp(dir, ".") || (!strncmp(path, dir, n) && path[n] == '/');
}

static void read_file(struct resolver *r, guint32 f)
{
	const struct inc_file *file = incgraph_file(r->g, f);

	for (guint32 i = 0; i < file->count; i++) {
		const char *spec = r->g->cache->specs->pdata[file->specs[i]];
		GArray *to;
		int own = *spec == '"' ? beside(r, file->path, spec + 1) : -1;

		if (*spec == '#')
			continue;
		if (own >= 0) {
			add_edge(r, f, own);
			continue;
		}
		to = anywhere(r, file->specs[i]);
		for (guint k = 0; k < to->len; k++)
			add_edge(r, f, g_array_index(to, guint32, k));
	}
	for (guint i = 0; path_is_source(file->path) && i < r->forced->len; i++)
		add_edge(r, f, g_array_index(r->forced, guint32, i));
}

/*
 * What Makefile @f passes by -include.  Its flags may reach objects made from
 * sources elsewhere (pi/ and libstub/ build lib/), so a header goes to all.
 */
static void read_makefile(struct resolver *r, guint32 f)
{
	const struct inc_file *file = incgraph_file(r->g, f);
	g_autofree char *dir = g_path_get_dirname(file->path);

	for (guint32 i = 0; i < file->count; i++) {
		const char *spec = r->g->cache->specs->pdata[file->specs[i]];
		int to = spec[1] == '.' ? beside(r, file->path, spec + 1) :
			 incgraph_index(r->g, spec + 1);
		guint32 v = to;

		if (to < 0)
			continue;
		if (!path_is_source(spec)) {
			g_array_append_val(r->forced, v);
			continue;
		}
		for (guint32 k = f; k > 0 &&
		     in_directory(r->g, k - 1, dir); k--)
			if (path_is_source(incgraph_file(r->g, k - 1)->path))
				add_edge(r, k - 1, v);
		for (guint32 k = f + 1; k < r->g->files->len &&
		     in_directory(r->g, k, dir); k++)
			if (path_is_source(incgraph_file(r->g, k)->path))
				add_edge(r, k, v);
	}
}

static void find_forced(struct resolver *r)
{
	for (gsize i = 0; i < G_N_ELEMENTS(forced); i++)
		add_at(r, r->forced, forced[i]);
	for (guint32 i = 0; i < r->g->files->len; i++)
		if (incgraph_file(r->g, i)->make && r->queued[i])
			read_makefile(r, i);
}

/* Turns the list into includers by target. */
static struct inc_edges *invert(const struct resolver *r)
{
	struct inc_edges *e = g_new0(struct inc_edges, 1);
	guint32 n = r->g->files->len;
	g_autofree guint32 *next = NULL;

	e->start = g_new0(guint32, n + 2);
	e->from = g_new(guint32, r->edges->len + 1);
	for (guint i = 0; i < r->edges->len; i++)
		e->start[g_array_index(r->edges, struct edge, i).to + 1]++;
	for (guint32 i = 0; i < n; i++)
		e->start[i + 1] += e->start[i];
	next = g_memdup2(e->start, (n + 1) * sizeof(*next));
	for (guint i = 0; i < r->edges->len; i++) {
		struct edge *edge = &g_array_index(r->edges, struct edge, i);

		e->from[next[edge->to]++] = edge->from;
	}
	return e;
}

struct inc_edges *inc_edges_new(struct incgraph *g, const char *srcarch)
{
	struct resolver r = { .g = g, .srcarch = srcarch };
	guint32 specs = g->cache->specs->len;
	struct inc_edges *e;

	if (!g->by_base)
		index_base_names(g);
	r.edges = g_array_new(FALSE, FALSE, sizeof(struct edge));
	r.todo = g_array_new(FALSE, FALSE, sizeof(guint32));
	r.forced = g_array_new(FALSE, FALSE, sizeof(guint32));
	r.queued = g_malloc0(g->files->len + 1);
	r.memo = g_new0(GArray *, specs + 1);
	for (guint32 i = 0; i < g->files->len; i++)
		if (!path_is_foreign(incgraph_file(g, i)->path, srcarch)) {
			r.queued[i] = 1;
			g_array_append_val(r.todo, i);
		}
	find_forced(&r);
	/* Grows while it is read: a relative path may name a foreign file. */
	for (guint i = 0; i < r.todo->len; i++) {
		guint32 f = g_array_index(r.todo, guint32, i);

		if (!incgraph_file(g, f)->make)
			read_file(&r, f);
	}
	e = invert(&r);
	for (guint32 i = 0; i < specs; i++)
		if (r.memo[i])
			g_array_unref(r.memo[i]);
	g_free(r.memo);
	g_free(r.queued);
	g_array_unref(r.todo);
	g_array_unref(r.forced);
	g_array_unref(r.edges);
	return e;
}

void inc_edges_free(struct inc_edges *e)
{
	g_free(e->start);
	g_free(e->from);
	g_free(e);
}
