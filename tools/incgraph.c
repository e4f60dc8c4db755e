// SPDX-License-Identifier: GPL-2.0
#include "incgraph-priv.h"
#include "error.h"

#define MODE_LINK 0120000
#define MODE_TYPE 0170000

bool path_is_source(const char *path)
{
	return g_str_has_suffix(path, ".c") || g_str_has_suffix(path, ".S");
}

bool path_is_foreign(const char *path, const char *srcarch)
{
	gsize n = strlen(srcarch);

	if (g_str_has_prefix(path, "tools/") ||
	    g_str_has_prefix(path, "Documentation/"))
		return true;
	if (!g_str_has_prefix(path, "arch/"))
		return false;
	/* arch/Kconfig and the like belong to all */
	return strchr(path + 5, '/') &&
	       (strncmp(path + 5, srcarch, n) || path[5 + n] != '/');
}

static bool is_makefile(const char *path)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return g_str_has_prefix(base, "Makefile") ||
	       g_str_has_prefix(base, "Kbuild");
}

/* Files that may hold or be the target of an #include of C or assembler. */
static bool is_graph_file(const char *path)
{
	static const char *const suffixes[] = {
		".h", ".c", ".S", ".inc", ".inl", ".lds", ".tbl", ".def",
		".reg", ".in", ".x", ".h_shipped", ".c_shipped",
		".S_shipped", ".inc_shipped",
	};
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	if (!strchr(base, '.'))
		return false;
	for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++)
		if (g_str_has_suffix(base, suffixes[i]))
			return true;
	return false;
}

static bool parse_hex(const char *hex, guint8 *raw)
{
	for (int i = 0; i < BLOB_RAW; i++) {
		int hi = g_ascii_xdigit_value(hex[2 * i]);
		int lo = hi < 0 ? -1 : g_ascii_xdigit_value(hex[2 * i + 1]);

		if (lo < 0)
			return false;
		raw[i] = hi << 4 | lo;
	}
	return true;
}

static int collect_file(const char *path, const char *blob, unsigned int mode,
			void *data)
{
	struct incgraph *g = data;
	struct inc_file f = { 0 };

	f.make = is_makefile(path);
	if ((!f.make && !is_graph_file(path)) || !parse_hex(blob, f.raw))
		return 0;
	f.path = g_string_chunk_insert(g->paths, path);
	f.link = (mode & MODE_TYPE) == MODE_LINK;
	g_array_append_val(g->files, f);
	return 0;
}

static int by_path(gconstpointer a, gconstpointer b)
{
	const struct inc_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Inflating the blobs is nearly all of a cold load: two threads share it. */
struct reader {
	struct incgraph *g;
	const char *tree;
	GArray *missing;	/* of guint32: files to read */
	gint next;		/* index into @missing that nobody has taken */
	GMutex lock;		/* for the cache and the error */
	GError *error;
};

struct reader_thread {
	struct reader *reader;
	struct repo *repo;	/* libgit2: a handle belongs to one thread */
};

static void read_blob(struct reader *d, struct repo *repo,
		      const struct inc_file *f)
{
	g_autoptr(GBytes) blob = repo_blob(repo, d->tree, f->path);
	const char *text;
	gsize len;

	g_mutex_lock(&d->lock);
	if (!blob) {
		if (!d->error)
			g_set_error(&d->error, RESPIN_ERROR, RESPIN_ERROR_TREE,
				    "cannot read '%s' of %s: is the repository complete? "
				    "(git fsck)",
				    f->path, d->tree);
	} else {
		text = g_bytes_get_data(blob, &len);
		if (f->link)
			inccache_add_link(d->g->cache, f->raw, text, len);
		else if (f->make)
			inccache_add_makefile(d->g->cache, f->raw, text, len);
		else
			inccache_add(d->g->cache, f->raw, text, len);
	}
	g_mutex_unlock(&d->lock);
}

static gpointer read_thread(gpointer data)
{
	struct reader_thread *t = data;
	struct reader *d = t->reader;

	for (;;) {
		guint i = g_atomic_int_add(&d->next, 1);

		if (i >= d->missing->len)
			return NULL;
		read_blob(d, t->repo, incgraph_file(d->g,
				g_array_index(d->missing, guint32, i)));
	}
}

/* Below this a second handle costs more than it saves. */
#define SECOND_THREAD 500

/* Reads the blobs that the cache does not know; returns how many, -1: error. */
static int read_blobs(struct incgraph *g, struct repo *r, const char *tree,
		      GError **error)
{
	g_autoptr(GArray) missing = g_array_new(FALSE, FALSE, sizeof(guint32));
	struct reader d = { .g = g, .tree = tree, .missing = missing };
	struct reader_thread own = { &d, r }, other = { &d, NULL };
	GThread *thread = NULL;
	guint32 count;

	for (guint32 i = 0; i < g->files->len; i++)
		if (!inccache_find(g->cache, incgraph_file(g, i)->raw, &count))
			g_array_append_val(missing, i);
	g_mutex_init(&d.lock);
	if (missing->len > SECOND_THREAD)
		other.repo = repo_open(repo_path(r), NULL);
	if (other.repo)
		thread = g_thread_new("blobs", read_thread, &other);
	read_thread(&own);
	if (thread)
		g_thread_join(thread);
	if (other.repo)
		repo_free(other.repo);
	g_mutex_clear(&d.lock);
	if (!d.error)
		return missing->len;
	g_propagate_error(error, d.error);
	return -1;
}

static void index_files(struct incgraph *g)
{
	for (guint i = 0; i < g->files->len; i++) {
		struct inc_file *f =
			&g_array_index(g->files, struct inc_file, i);

		f->specs = inccache_find(g->cache, f->raw, &f->count);
		g_hash_table_insert(g->by_path, (gpointer)f->path,
				    GUINT_TO_POINTER(i + 1));
	}
}

struct incgraph *incgraph_load(struct repo *r, const char *tree,
			       const char *cachefile, GError **error)
{
	struct incgraph *g = g_new0(struct incgraph, 1);
	int added;

	g->cache = inccache_open(cachefile);
	g->files = g_array_new(FALSE, FALSE, sizeof(struct inc_file));
	g->paths = g_string_chunk_new(1 << 16);
	g->by_path = g_hash_table_new(g_str_hash, g_str_equal);
	g->arches = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  (GDestroyNotify)inc_edges_free);
	if (repo_walk(r, tree, collect_file, g, error) < 0)
		goto fail;
	g_array_sort(g->files, by_path);
	added = read_blobs(g, r, tree, error);
	if (added < 0)
		goto fail;
	index_files(g);
	if (added && cachefile)
		inccache_save(g->cache, cachefile);
	return g;
fail:
	incgraph_free(g);
	return NULL;
}

void incgraph_free(struct incgraph *g)
{
	if (!g)
		return;
	g_clear_pointer(&g->by_base, g_hash_table_unref);
	g_hash_table_unref(g->arches);
	g_hash_table_unref(g->by_path);
	g_array_unref(g->files);
	g_string_chunk_free(g->paths);
	inccache_free(g->cache);
	g_free(g);
}

int incgraph_index(const struct incgraph *g, const char *path)
{
	return (int)GPOINTER_TO_UINT(g_hash_table_lookup(g->by_path, path)) - 1;
}

bool incgraph_has(const struct incgraph *g, const char *path)
{
	return incgraph_index(g, path) >= 0;
}

unsigned int incgraph_count(const struct incgraph *g)
{
	return g->files->len;
}

void incgraph_pastes(const struct incgraph *g, incgraph_paste_fn fn, void *data)
{
	for (guint i = 0; i < g->files->len; i++) {
		const struct inc_file *f = incgraph_file(g, i);

		for (guint32 k = 0; k < f->count; k++) {
			const char *spec = g->cache->specs->pdata[f->specs[k]];
			const char *gap = *spec == '#' ?
				strchr(spec, ' ') : NULL;
			g_autofree char *macro = gap ?
				g_strndup(spec + 1, gap - spec - 1) : NULL;

			if (macro)
				fn(f->path, macro, gap + 1, data);
		}
	}
}

static struct inc_edges *edges_of(struct incgraph *g, const char *srcarch)
{
	struct inc_edges *e = g_hash_table_lookup(g->arches, srcarch);

	if (!e) {
		e = inc_edges_new(g, srcarch);
		g_hash_table_insert(g->arches, g_strdup(srcarch), e);
	}
	return e;
}

bool incgraph_is_included(struct incgraph *g, const char *path,
			  const char *srcarch)
{
	struct inc_edges *e = edges_of(g, srcarch);
	int i = incgraph_index(g, path);

	return i >= 0 && e->start[i + 1] > e->start[i];
}

GHashTable *incgraph_reaching(struct incgraph *g, const char *header,
			      const char *srcarch)
{
	struct inc_edges *e = edges_of(g, srcarch);
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
	g_autofree guint8 *seen = g_malloc0(g->files->len + 1);
	g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(guint32));
	int root = incgraph_index(g, header);
	guint32 f = root;

	if (root < 0)
		return set;
	seen[root] = 1;
	g_array_append_val(todo, f);
	while (todo->len) {
		f = g_array_index(todo, guint32, todo->len - 1);
		g_array_set_size(todo, todo->len - 1);
		for (guint32 k = e->start[f]; k < e->start[f + 1]; k++) {
			guint32 from = e->from[k];

			if (seen[from])
				continue;
			seen[from] = 1;
			g_hash_table_add(set,
				(gpointer)incgraph_file(g, from)->path);
			g_array_append_val(todo, from);
		}
	}
	return set;
}
