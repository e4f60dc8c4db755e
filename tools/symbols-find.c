// SPDX-License-Identifier: GPL-2.0
/*
 * New symbols that no text vouches for: a macro may define them.  Whoever
 * names one outside of a function is compiled, and its object looked at.
 */
#include <string.h>
#include "ctext.h"
#include "follow.h"
#include "plan.h"
#include "symbols-int.h"
#include "strsort.h"

#define CANDIDATES 12		/* compiles for one name */

/* What macros make of a name: the name itself stands in the sources. */
static const char *const pasted[] = { "__tracepoint_", "__traceiter_",
	"__SCK__tp_func_", "__SCT__tp_func_", "__SCK__", "__SCT__",
	"__x64_sys_", "__ia32_sys_", "__arm64_sys_", "__riscv_sys_",
	"__se_sys_", "sys_", "__kvm_nvhe_", "__efistub_", "__pi_", "__start_",
	"__stop_", "__param_", "__crc_" };

struct search {
	struct symbols *s;
	unsigned int step;
	GPtrArray *changed;	/* of char *: touched since step, so that what
				   they mention there is not known */
};

static const char *stem_of(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(pasted); i++)
		if (g_str_has_prefix(name, pasted[i]) &&
		    name[strlen(pasted[i])])
			return name + strlen(pasted[i]);
	return NULL;
}

static bool is_tracepoint(const char *name)
{
	return g_str_has_prefix(name, "__trace") || strstr(name, "tp_func_");
}

const GPtrArray *symbols_mentioning(const struct symbols *s, const char *name)
{
	return g_hash_table_lookup(s->mentions, g_intern_string(name));
}

/* path -> mentions becomes name -> paths, in an order that stays */
static void turn(struct symbols *s, GHashTable *found)
{
	GHashTableIter it;
	gpointer path, list;

	g_hash_table_iter_init(&it, found);
	while (g_hash_table_iter_next(&it, &path, &list)) {
		const GPtrArray *all = list;
		const char *file = g_intern_string(path);

		for (guint i = 0; i < all->len; i++) {
			const struct mention *m = all->pdata[i];
			GPtrArray *paths = g_hash_table_lookup(s->mentions,
						g_intern_string(m->name));

			if (!paths->len || paths->pdata[paths->len - 1] != file)
				g_ptr_array_add(paths, (gpointer)file);
		}
	}
}

/* Puts the files of @fd into the list of @name, or takes them out. */
static void refresh(struct symbols *s, const char *name, GPtrArray *list,
		    const struct file_diff *fd)
{
	const char *paths[] = { fd->old_path, fd->new_path };

	for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
		const char *path = g_intern_string(paths[i]);
		g_autoptr(GBytes) bytes = NULL;
		const char *text = NULL;
		gsize len = 0;

		if (!path)
			continue;
		bytes = symindex_text(s->index, path, s->mentioned);
		if (bytes)
			text = g_bytes_get_data(bytes, &len);
		g_ptr_array_remove(list, (gpointer)path);
		if (text && word_in(text, len, name))
			g_ptr_array_add(list, (gpointer)path);
	}
	g_ptr_array_sort(list, by_string);
}

/* The lists go along with run->cur: only what was touched is read again. */
static void follow_mentions(struct symbols *s)
{
	struct run *run = s->run;
	unsigned int now = follow_current(run);
	const struct diff *d;
	GHashTableIter it;
	gpointer name, list;

	if (s->mentioned == now)
		return;
	d = run_change(run, MIN(s->mentioned, now), MAX(s->mentioned, now));
	s->mentioned = now;
	g_hash_table_iter_init(&it, s->mentions);
	while (g_hash_table_iter_next(&it, &name, &list))
		for (guint i = 0; i < d->files->len; i++)
			refresh(s, name, list, d->files->pdata[i]);
}

int symbols_mentions(struct symbols *s, GHashTable *names, GError **error)
{
	g_autoptr(GHashTable) wanted = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) found = NULL;
	GHashTableIter it;
	gpointer name;

	follow_mentions(s);
	g_hash_table_iter_init(&it, names);
	while (g_hash_table_iter_next(&it, &name, NULL)) {
		const char *word = g_intern_string(name);

		if (g_hash_table_contains(s->mentions, word))
			continue;
		g_hash_table_add(wanted, (gpointer)word);
		g_hash_table_insert(s->mentions, (gpointer)word,
				    g_ptr_array_new());
	}
	if (!g_hash_table_size(wanted))
		return 0;
	found = incgraph_mentions(s->run->graph, s->run->cur, wanted, error);
	if (!found)
		return -1;
	turn(s, found);
	g_hash_table_iter_init(&it, wanted);
	while (g_hash_table_iter_next(&it, &name, NULL))
		g_ptr_array_sort(g_hash_table_lookup(s->mentions, name), by_string);
	return 0;
}

static bool is_linker_script(const char *path)
{
	return g_str_has_suffix(path, ".lds.S") ||
	       g_str_has_suffix(path, "vmlinux.lds.h") ||
	       g_str_has_suffix(path, "/image-vars.h");
}

static bool may_define(struct search *se, const char *path, const char *name,
		       const char *stem)
{
	g_autoptr(GBytes) bytes = symindex_text(se->s->index, path, se->step);
	const char *text;
	gsize len;

	if (!bytes)
		return false;
	text = g_bytes_get_data(bytes, &len);
	if (!text)
		return false;
	/* any mention in assembler, whose macros have forms of their own */
	if (g_str_has_suffix(path, ".S"))
		return word_in(text, len, name) ||
		       (stem && word_in(text, len, stem));
	return symtext_may_define(text, len, name) ||
	       (stem && symtext_may_define(text, len, stem));
}

/* Trace points are made where their header is read for the second time. */
static bool makes_tracepoints(struct search *se, const char *path)
{
	g_autoptr(GBytes) bytes = symindex_text(se->s->index, path, se->step);
	gsize len;
	const char *text = bytes ? g_bytes_get_data(bytes, &len) : NULL;

	return text && g_strstr_len(text, len, "CREATE_TRACE_POINTS");
}

static void add_tus(struct search *se, const struct doubt *d, const char *path,
		    GPtrArray *tus)
{
	struct view *view = d->world->view;
	struct image a = symbols_image(view, d->job->tu, se->step);
	const struct image *inner = image_by_prefix(d->name);
	g_autoptr(GPtrArray) all = symbols_tus(view->v, path, se->step);

	for (guint i = 0; i < all->len; i++) {
		struct image b = symbols_image(view, all->pdata[i], se->step);

		if (symbols_gives(&a, &b, true) ||
		    (inner && image_shares(inner, &b)) ||
		    (*a.prefix && b.kind == IMAGE_VMLINUX))
			if (!g_ptr_array_find(tus, all->pdata[i], NULL))
				g_ptr_array_add(tus, all->pdata[i]);
	}
}

/* @path is no TU: those who include it have what it defines. */
static void add_includers(struct search *se, const struct doubt *d,
			  const char *path, GPtrArray *tus)
{
	g_autoptr(GHashTable) reach = incgraph_reaching(se->s->run->graph, path,
				d->world->view->v->arch->srcarch);
	GHashTableIter it;
	gpointer from;

	g_hash_table_iter_init(&it, reach);
	while (g_hash_table_iter_next(&it, &from, NULL))
		if (!is_tracepoint(d->name) || makes_tracepoints(se, from))
			add_tus(se, d, from, tus);
}

static gint cheaper(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct tu *x = *(struct tu *const *)a;
	const struct tu *y = *(struct tu *const *)b;
	gint64 cx = plan_cost(data, x->source), cy = plan_cost(data, y->source);

	return cx != cy ? (cx < cy ? -1 : 1) : strcmp(x->object, y->object);
}

/* Looks at one file that names the symbol of @d. */
static void look_at(struct search *se, struct doubt *d, const char *path,
		    GPtrArray *tus)
{
	const char *stem = stem_of(d->name);
	struct image a = symbols_image(d->world->view, d->job->tu, se->step);
	const struct variant *v = d->world->view->v;

	if (path_is_foreign(path, v->arch->srcarch))
		return;
	if (is_linker_script(path)) {
		/* it stands in the layout of the image; what is made of it by
		 * ld is seen by a link only */
		d->settled |= a.kind != IMAGE_MODULE;
		return;
	}
	if (!strcmp(path, d->job->tu->source) ||
	    !may_define(se, path, d->name, stem))
		return;
	if (path_is_source(path) && compdb_by_source(v->db, path))
		add_tus(se, d, path, tus);
	else
		add_includers(se, d, path, tus);
}

static void look_at_all(struct search *se, struct doubt *d, const char *name,
			GPtrArray *tus)
{
	const GPtrArray *paths = symbols_mentioning(se->s, name);

	for (guint i = 0; paths && !d->settled && i < paths->len; i++)
		look_at(se, d, paths->pdata[i], tus);
}

static GPtrArray *candidates(struct search *se, struct doubt *d)
{
	GPtrArray *tus = g_ptr_array_new();
	const char *stem = stem_of(d->name);

	look_at_all(se, d, d->name, tus);
	if (stem)
		look_at_all(se, d, stem, tus);
	for (guint i = 0; !d->settled && i < se->changed->len; i++)
		look_at(se, d, se->changed->pdata[i], tus);
	g_ptr_array_sort_with_data(tus, cheaper, se->s->run);
	return tus;
}

/* The TUs of files that may paste the name together. */
static int add_pasted(struct search *se, struct doubt *d, GPtrArray *tus,
		      GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	const struct compdb *db = d->world->view->v->db;

	if (symbols_pasted(se->s, d, paths, error))
		return -1;
	for (guint i = 0; i < paths->len; i++) {
		const char *path = paths->pdata[i];

		if (path_is_source(path) && compdb_by_source(db, path))
			add_tus(se, d, path, tus);
		else
			add_includers(se, d, path, tus);
	}
	g_ptr_array_sort_with_data(tus, cheaper, se->s->run);
	return 0;
}

/* Candidates that did not compile or stop at a file that is not there. */
static bool any_unread(const struct doubt *d, const GPtrArray *tus)
{
	for (guint i = 0; i < tus->len; i++)
		if (!g_hash_table_contains(d->world->jobs, tus->pdata[i]))
			return true;
	return false;
}

/* prom_init.o is a part of vmlinux that may use what its list allows. */
static bool is_listed(struct search *se, const struct doubt *d)
{
	static const char list[] = "arch/powerpc/kernel/prom_init_check.sh";
	struct image a = symbols_image(d->world->view, d->job->tu, se->step);
	g_autoptr(GBytes) bytes = NULL;
	const char *text = NULL;
	gsize len;

	if (strcmp(a.name, "prom_init"))
		return false;
	bytes = symindex_text(se->s->index, list, se->step);
	if (bytes)
		text = g_bytes_get_data(bytes, &len);
	return text && word_in(text, len, d->name);
}

/* Compiles the cheapest of @tus; what stays open has a reason. */
static int try_all(struct search *se, struct doubt *d, GPtrArray *tus,
		   GError **error)
{
	guint count = tus->len;

	if (count > CANDIDATES)
		g_ptr_array_set_size(tus, CANDIDATES);
	if (symbols_compile(se->s, d->world->view->v, tus, se->step, error))
		return -1;
	d->settled = symbols_vouched(se->s, d->world, d->job, d->name);
	if (count > CANDIDATES)
		d->gap = "too many objects may define it";
	else if (any_unread(d, tus))
		d->gap = "an object that may define it could not be made";
	return 0;
}

static int settle(struct search *se, struct doubt *d, GError **error)
{
	g_autoptr(GPtrArray) tus = candidates(se, d);
	g_autoptr(GPtrArray) more = g_ptr_array_new();

	d->settled |= is_listed(se, d);
	if (!d->settled && try_all(se, d, tus, error))
		return -1;
	if (d->settled || d->gap)
		return 0;
	if (add_pasted(se, d, more, error))
		return -1;
	if (more->len && try_all(se, d, more, error))
		return -1;
	if (!d->settled && !d->gap &&
	    g_hash_table_contains(d->world->view->blind, d->job->tu))
		d->gap = "its object on the base could not be made";
	return 0;
}

/* The mentions are those of the step that run->cur stands at, not of @step. */
static GPtrArray *changed_since(struct run *run, unsigned int step)
{
	GPtrArray *paths = g_ptr_array_new();

	for (unsigned int n = step + 1; n <= follow_current(run); n++) {
		const struct diff *d = run_change(run, n - 1, n);

		for (guint i = 0; i < d->files->len; i++) {
			const struct file_diff *fd = d->files->pdata[i];

			if (fd->old_path)
				g_ptr_array_add(paths, fd->old_path);
		}
	}
	return paths;
}

int symbols_find(struct symbols *s, GPtrArray *doubts, unsigned int step,
		 GError **error)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) changed = changed_since(s->run, step);
	struct search se = { .s = s, .step = step, .changed = changed };
	int ret = 0;

	for (guint i = 0; i < doubts->len; i++) {
		const struct doubt *d = doubts->pdata[i];
		const char *stem = stem_of(d->name);

		g_hash_table_add(names, (char *)d->name);
		if (stem)
			g_hash_table_add(names, (char *)stem);
	}
	if (symbols_mentions(s, names, error))
		return -1;
	for (guint i = 0; !ret && i < doubts->len; i++) {
		struct doubt *d = doubts->pdata[i];

		if (symbols_vouched(s, d->world, d->job, d->name))
			d->settled = true;
		else
			ret = settle(&se, d, error);
	}
	return ret;
}
