// SPDX-License-Identifier: GPL-2.0
#include "condexpr.h"
#include "condition.h"
#include "follow.h"
#include "kconf.h"
#include "toggle-run.h"
#include "symindex.h"
#include "symindex-keep.h"

/* Files by what names them: "path", or "step path" of a touched one. */
struct symindex {
	struct run *run;
	GHashTable *texts;	/* path -> struct symtext, of those not touched */
	GHashTable *touched;	/* of char *, borrowed from the diffs */
	GHashTable *seen;	/* of char *, interned: sources that are in names */
	GHashTable *names;	/* interned name -> GArray of struct symindex_hit */
	GHashTable *files;	/* char * -> struct symtext, of touched ones */
	GHashTable *shapes;	/* char * -> char * */
	GHashTable *conditions;	/* char * -> GPtrArray of struct condition */
	GHashTable *linked;	/* char * -> GHashTable of char * (owned): what a
				   linker script assigns to */
	GHashTable *configs;	/* char * odir -> GHashTable of kconf_read() */
};

struct symindex *symindex_new(struct run *run)
{
	struct symindex *ix = g_new0(struct symindex, 1);

	ix->run = run;
	ix->touched = g_hash_table_new(g_str_hash, g_str_equal);
	ix->seen = g_hash_table_new(NULL, NULL);
	ix->names = g_hash_table_new_full(NULL, NULL, NULL,
					  (GDestroyNotify)g_array_unref);
	ix->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  (GDestroyNotify)symtext_free);
	ix->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  (GDestroyNotify)symtext_free);
	ix->shapes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   g_free);
	ix->conditions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					       (GDestroyNotify)g_ptr_array_unref);
	ix->linked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   (GDestroyNotify)g_hash_table_unref);
	ix->configs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)g_hash_table_unref);
	for (unsigned int n = 1; n <= run_steps(run); n++) {
		const struct diff *d = run_change(run, n - 1, n);

		for (guint i = 0; i < d->files->len; i++) {
			const struct file_diff *fd = d->files->pdata[i];

			if (fd->old_path)
				g_hash_table_add(ix->touched, fd->old_path);
			if (fd->new_path)
				g_hash_table_add(ix->touched, fd->new_path);
		}
	}
	symindex_recall(ix->texts, run);
	return ix;
}

void symindex_free(struct symindex *ix)
{
	if (!ix)
		return;
	g_hash_table_unref(ix->touched);
	g_hash_table_unref(ix->seen);
	g_hash_table_unref(ix->names);
	g_hash_table_unref(ix->texts);
	g_hash_table_unref(ix->files);
	g_hash_table_unref(ix->shapes);
	g_hash_table_unref(ix->conditions);
	g_hash_table_unref(ix->linked);
	g_hash_table_unref(ix->configs);
	g_free(ix);
}

bool symindex_touched(const struct symindex *ix, const char *path)
{
	return g_hash_table_contains(ix->touched, path);
}

/* What no patch touches is the same in every checkout. */
GBytes *symindex_text(struct symindex *ix, const char *path, unsigned int step)
{
	g_autofree char *full = NULL;
	char *text;
	gsize len;

	if (symindex_touched(ix, path))
		return repo_blob(ix->run->repo, run_step(ix->run, step)->tree,
				 path);
	full = g_build_filename(ix->run->cur, path, NULL);
	return g_file_get_contents(full, &text, &len, NULL) ?
	       g_bytes_new_take(text, len) : NULL;
}

static char *file_key(const struct symindex *ix, const char *path,
		      unsigned int step)
{
	return symindex_touched(ix, path) ?
	       g_strdup_printf("%u %s", step, path) : g_strdup(path);
}

const struct symtext *symindex_scan(struct symindex *ix, const char *path,
				    unsigned int step)
{
	g_autofree char *key = file_key(ix, path, step);
	GHashTable *table = symindex_touched(ix, path) ? ix->files : ix->texts;
	struct symtext *s = g_hash_table_lookup(table, key);
	g_autoptr(GBytes) bytes = NULL;
	const char *text;
	gsize len;

	if (s)
		return s;
	bytes = symindex_text(ix, path, step);
	if (!bytes)
		return NULL;
	text = g_bytes_get_data(bytes, &len);
	s = symtext_scan(text ?: "", len, g_str_has_suffix(path, ".S"));
	g_hash_table_insert(table, g_steal_pointer(&key), s);
	return s;
}

const char *symindex_shape(struct symindex *ix, const char *path,
			   unsigned int step)
{
	g_autofree char *key = file_key(ix, path, step);
	char *shape = g_hash_table_lookup(ix->shapes, key);
	g_autoptr(GBytes) bytes = NULL;
	const char *text = "";
	gsize len = 0;

	if (shape)
		return shape;
	bytes = symindex_text(ix, path, step);
	if (bytes)
		text = g_bytes_get_data(bytes, &len);
	shape = symtext_shape(text ?: "", len);
	g_hash_table_insert(ix->shapes, g_steal_pointer(&key), shape);
	return shape;
}

typedef void (*hit_fn)(struct symindex *ix, const struct symindex_hit *hit,
		       void *data);

static void each_item(struct symindex *ix, const char *path, const char *source,
		      unsigned int via, unsigned int step, hit_fn fn, void *data)
{
	const struct symtext *s = symindex_scan(ix, path, step);

	for (guint i = 0; s && i < s->items->len; i++) {
		struct symindex_hit hit = { path, source, via, &g_array_index(
			s->items, struct symtext_item, i), s->conditional };

		fn(ix, &hit, data);
	}
}

/*
 * All items of the TU @path: kernel/sched/rt.c and kernel/rcu/tree_plugin.h
 * are code of who includes them, from the same directory.
 */
static void each_hit(struct symindex *ix, const char *path, unsigned int step,
		     hit_fn fn, void *data)
{
	const struct symtext *s = symindex_scan(ix, path, step);
	g_autofree char *dir = g_path_get_dirname(path);

	each_item(ix, path, path, 0, step, fn, data);
	for (guint i = 0; s && i < s->includes->len; i++) {
		const struct symtext_include *inc = &g_array_index(
				s->includes, struct symtext_include, i);
		g_autofree char *full = g_build_filename(dir, inc->name, NULL);

		if (!strchr(inc->name, '/'))
			each_item(ix, g_intern_string(full), path, inc->line,
				  step, fn, data);
	}
}

static void take_hit(struct symindex *ix, const struct symindex_hit *hit,
		     void *data)
{
	GArray *hits = g_hash_table_lookup(ix->names, hit->item->name);

	/* what a patch touches differs from step to step */
	if (symindex_touched(ix, hit->path))
		return;
	if (!hits) {
		hits = g_array_new(FALSE, FALSE, sizeof(*hit));
		g_hash_table_insert(ix->names, (char *)hit->item->name, hits);
	}
	g_array_append_val(hits, *hit);
}

/* All that each_hit() reads of @paths: these, then what they include. */
static guint read_ahead(struct symindex *ix, const GPtrArray *paths)
{
	g_autoptr(GPtrArray) more = g_ptr_array_new_with_free_func(g_free);
	guint count = symindex_read(ix->texts, paths, ix->run->cur);

	for (guint i = 0; i < paths->len; i++) {
		const struct symtext *s = symindex_scan(ix, paths->pdata[i], 0);
		g_autofree char *dir = g_path_get_dirname(paths->pdata[i]);

		for (guint k = 0; s && k < s->includes->len; k++) {
			const char *name = g_array_index(s->includes,
					struct symtext_include, k).name;
			g_autofree char *path = g_build_filename(dir, name, NULL);

			if (!strchr(name, '/') && !symindex_touched(ix, path))
				g_ptr_array_add(more, g_steal_pointer(&path));
		}
	}
	return count + symindex_read(ix->texts, more, ix->run->cur);
}

/* A patch to a Makefile may have made new TUs of old files. */
void symindex_update(struct symindex *ix)
{
	g_autoptr(GPtrArray) fresh = g_ptr_array_new();

	for (guint i = 0; i < ix->run->variants->len; i++) {
		const struct variant *v = ix->run->variants->pdata[i];
		GHashTableIter it;
		gpointer source;

		g_hash_table_iter_init(&it, v->db->by_source);
		while (g_hash_table_iter_next(&it, &source, NULL)) {
			const char *path = g_intern_string(source);

			if (!g_str_has_prefix(path, "O/") &&
			    !symindex_touched(ix, path) &&
			    g_hash_table_add(ix->seen, (char *)path))
				g_ptr_array_add(fresh, (char *)path);
		}
	}
	if (read_ahead(ix, fresh))
		symindex_remember(ix->texts, ix->run);
	for (guint i = 0; i < fresh->len; i++)
		each_hit(ix, fresh->pdata[i], 0, take_hit, NULL);
}

struct finding_name {
	const char *name;
	GArray *hits;
};

static void match_hit(struct symindex *ix, const struct symindex_hit *hit,
		      void *data)
{
	struct finding_name *f = data;

	if (hit->item->name == f->name)
		g_array_append_val(f->hits, *hit);
}

static void find_touched(struct symindex *ix, const char *name,
			 unsigned int step, GArray *hits)
{
	struct finding_name f = { name, hits };
	GHashTableIter it;
	gpointer path;

	g_hash_table_iter_init(&it, ix->touched);
	while (g_hash_table_iter_next(&it, &path, NULL))
		if (path_is_source(path))
			each_hit(ix, g_intern_string(path), step, match_hit, &f);
}

GArray *symindex_find(struct symindex *ix, const char *name, unsigned int step)
{
	const char *key = g_intern_string(name);
	GArray *hits = g_array_new(FALSE, FALSE, sizeof(struct symindex_hit));
	GArray *known;

	known = g_hash_table_lookup(ix->names, key);
	if (known)
		g_array_append_vals(hits, known->data, known->len);
	find_touched(ix, key, step, hits);
	return hits;
}

static GHashTable *config_of(struct symindex *ix, const struct variant *v,
			     unsigned int step)
{
	const char *odir = follow_odir(ix->run, v, step);
	GHashTable *config = g_hash_table_lookup(ix->configs, odir);
	g_autofree char *path = NULL, *text = NULL;

	if (config)
		return config;
	path = g_build_filename(odir, ".config", NULL);
	if (!g_file_get_contents(path, &text, NULL, NULL))
		text = g_strdup("");
	config = kconf_read(text);
	g_hash_table_insert(ix->configs, g_strdup(odir), config);
	return config;
}

static GPtrArray *conditions_of(struct symindex *ix, const char *path,
				unsigned int step)
{
	g_autofree char *key = file_key(ix, path, step);
	GPtrArray *list = g_hash_table_lookup(ix->conditions, key);
	g_autoptr(GBytes) bytes = NULL;
	const char *text = "";
	gsize len = 0;

	if (list)
		return list;
	bytes = symindex_text(ix, path, step);
	if (bytes)
		text = g_bytes_get_data(bytes, &len);
	list = condition_scan(text ?: "", len);
	g_hash_table_insert(ix->conditions, g_steal_pointer(&key), list);
	return list;
}

/* Is line @line of @path compiled? */
static int line_compiled(struct symindex *ix, const struct variant *v,
			 const char *path, unsigned int line, unsigned int step)
{
	g_autoptr(GPtrArray) at = condition_at(conditions_of(ix, path, step),
					       line);
	int all = 1;

	for (guint i = 0; i < at->len; i++) {
		const struct condition *c = at->pdata[i];
		enum truth one = condexpr_eval(c->text, toggle_value,
					       config_of(ix, v, step));

		if (one == TRUTH_NO)
			return 0;
		if (one == TRUTH_UNKNOWN)
			all = -1;
	}
	return all;
}

int symindex_compiled(struct symindex *ix, const struct variant *v,
		      const struct symindex_hit *hit, unsigned int step)
{
	int own = 1, via = 1;

	if (hit->conditional)
		own = line_compiled(ix, v, hit->path, hit->item->line, step);
	if (hit->via)
		via = line_compiled(ix, v, hit->source, hit->via, step);
	return !own || !via ? 0 : MIN(own, via);
}

/* The words before a single "=" in @text. */
static GHashTable *assigned(const char *text, gsize len)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	g_autoptr(ctext_t) t = ctext_new(text, len);
	const char *p = t->mask, *end = p + t->len;

	while ((p = memchr(p, '=', end - p))) {
		const char *to = p, *from;

		while (to > t->mask && (to[-1] == ' ' || to[-1] == '\t'))
			to--;
		for (from = to; from > t->mask && is_word_char(from[-1]);)
			from--;
		if (to > from && p + 1 < end && p[1] != '=')
			g_hash_table_add(set, g_strndup(from, to - from));
		p++;
	}
	return set;
}

static bool script_assigns(struct symindex *ix, const char *path,
			   const char *name, unsigned int step)
{
	g_autofree char *key = file_key(ix, path, step);
	GHashTable *set = g_hash_table_lookup(ix->linked, key);
	g_autoptr(GBytes) bytes = NULL;
	const char *text = NULL;
	gsize len = 0;

	if (!set) {
		bytes = symindex_text(ix, path, step);
		if (bytes)
			text = g_bytes_get_data(bytes, &len);
		set = assigned(text ?: "", len);
		g_hash_table_insert(ix->linked, g_steal_pointer(&key), set);
	}
	return g_hash_table_contains(set, name);
}

bool symindex_linked(struct symindex *ix, const struct variant *v,
		     const char *name, unsigned int step)
{
	g_autofree char *own = g_strdup_printf("arch/%s/kernel/vmlinux.lds.S",
					       v->arch->srcarch);

	return script_assigns(ix, own, name, step) ||
	       script_assigns(ix, "include/asm-generic/vmlinux.lds.h", name, step);
}

char *symindex_condition(struct symindex *ix, const char *path,
			 unsigned int line, unsigned int step)
{
	g_autoptr(GPtrArray) at = condition_at(conditions_of(ix, path, step),
					       line);

	return at->len ?
	       g_strdup(((struct condition *)at->pdata[at->len - 1])->text) : NULL;
}
