// SPDX-License-Identifier: GPL-2.0
#include "check.h"
#include "follow.h"
#include "run-int.h"
#include "symbols-int.h"

static void world_free(gpointer data)
{
	struct world *w = data;

	g_hash_table_unref(w->jobs);
	g_hash_table_unref(w->tried);
	g_hash_table_unref(w->givers);
	g_hash_table_unref(w->fine);
	g_free(w);
}

static void view_free(gpointer data)
{
	struct view *view = data;

	g_hash_table_unref(view->images);
	g_hash_table_unref(view->based);
	g_hash_table_unref(view->asked);
	g_hash_table_unref(view->gaps);
	g_hash_table_unref(view->blind);
	g_hash_table_unref(view->suspects);
	g_hash_table_unref(view->lost);
	g_ptr_array_unref(view->worlds);
	g_free(view);
}

struct symbols *symbols_get(struct run *run)
{
	struct symbols *s = run->symbols;

	if (!s) {
		s = run->symbols = g_new0(struct symbols, 1);
		s->run = run;
		s->index = symindex_new(run);
		s->views = g_ptr_array_new_with_free_func(view_free);
		s->jobs = g_ptr_array_new_with_free_func((GDestroyNotify)
							 job_free);
		s->mentions = g_hash_table_new_full(NULL, NULL, NULL,
					(GDestroyNotify)g_ptr_array_unref);
	}
	symindex_update(s->index);
	return s;
}

unsigned int symbols_compiles(const struct run *run)
{
	return run->symbols ? run->symbols->extra : 0;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	symindex_free(s->index);
	g_ptr_array_unref(s->views);
	g_ptr_array_unref(s->jobs);
	g_hash_table_unref(s->mentions);
	g_clear_pointer(&s->pasted, g_array_unref);
	g_free(s);
}

struct view *symbols_view(struct symbols *s, const struct variant *v)
{
	struct view *view;

	for (guint i = 0; i < s->views->len; i++) {
		view = s->views->pdata[i];
		if (view->v == v)
			return view;
	}
	view = g_new0(struct view, 1);
	view->v = v;
	view->images = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	view->based = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	view->asked = g_hash_table_new(NULL, NULL);
	view->gaps = g_hash_table_new(NULL, NULL);
	view->blind = g_hash_table_new(NULL, NULL);
	view->suspects = g_hash_table_new(NULL, NULL);
	view->lost = g_hash_table_new(NULL, NULL);
	view->worlds = g_ptr_array_new_with_free_func(world_free);
	g_ptr_array_add(s->views, view);
	return view;
}

struct world *symbols_world(struct symbols *s, const struct variant *v,
			    unsigned int step)
{
	struct view *view = symbols_view(s, v);
	struct world *w;

	for (guint i = 0; i < view->worlds->len; i++) {
		w = view->worlds->pdata[i];
		if (w->step == step)
			return w;
	}
	w = g_new0(struct world, 1);
	w->view = view;
	w->step = step;
	w->jobs = g_hash_table_new(NULL, NULL);
	w->tried = g_hash_table_new(NULL, NULL);
	w->givers = g_hash_table_new_full(NULL, NULL, NULL,
					  (GDestroyNotify)g_ptr_array_unref);
	w->fine = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_ptr_array_add(view->worlds, w);
	return w;
}

static void add_giver(struct world *w, struct job *job, const char *name)
{
	GPtrArray *list = g_hash_table_lookup(w->givers, name);

	if (!list) {
		list = g_ptr_array_new();
		g_hash_table_insert(w->givers, (char *)name, list);
	}
	if (!list->len || list->pdata[list->len - 1] != job)
		g_ptr_array_add(list, job);
}

void symbols_add(struct symbols *s, struct job *job)
{
	struct world *w = symbols_world(s, job->variant, job->step);

	/* the other checks have no object of their TU to show */
	if (!job_is_compile(job))
		return;
	if (!job->header)
		g_hash_table_insert(w->tried, (gpointer)job->tu, job);
	if (!job->symbols || !g_hash_table_insert(w->jobs, (gpointer)job->tu,
						  job))
		return;
	g_hash_table_remove_all(w->fine);
	for (guint i = 0; i < job->symbols->defined->len; i++)
		add_giver(w, job, job->symbols->defined->pdata[i]);
	for (guint i = 0; i < job->symbols->exports->len; i++)
		add_giver(w, job, g_array_index(job->symbols->exports,
						struct elf_export, i).name);
}

int symbols_compile(struct symbols *s, const struct variant *v,
		    const GPtrArray *tus, unsigned int step, GError **error)
{
	struct world *w = symbols_world(s, v, step);
	g_autoptr(GPtrArray) jobs = g_ptr_array_new();

	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];
		struct job *job;

		if (g_hash_table_contains(w->tried, tu))
			continue;
		job = job_new(check_find("gcc"), v, tu, NULL, step,
			      WHY_BASELINE);
		g_ptr_array_add(s->jobs, job);
		g_ptr_array_add(jobs, job);
	}
	if (!jobs->len)
		return 0;
	s->extra += jobs->len;
	if (run_compile(s->run, jobs, step, error))
		return -1;
	for (guint i = 0; i < jobs->len; i++)
		symbols_add(s, jobs->pdata[i]);
	return 0;
}

struct image symbols_image(struct view *view, const struct tu *tu,
			   unsigned int step)
{
	const struct tu *at = compdb_at(tu, step) ?: tu;
	struct image *image = g_hash_table_lookup(view->images, at);

	if (!image) {
		image = g_new0(struct image, 1);
		*image = image_of(view->v, at);
		g_hash_table_insert(view->images, (gpointer)at, image);
	}
	return *image;
}

bool symbols_gives(const struct image *a, const struct image *b, bool exported)
{
	/* prom_init is a part of vmlinux that may not use the rest of it */
	if (image_shares(a, b) || (a->kind == IMAGE_VMLINUX &&
				   !strcmp(b->name, "prom_init")))
		return true;
	return exported && a->kind == IMAGE_MODULE &&
	       (b->kind == IMAGE_VMLINUX || b->kind == IMAGE_MODULE);
}

bool symbols_lost(const struct view *view, const char *name, unsigned int step)
{
	guint at = GPOINTER_TO_UINT(g_hash_table_lookup(view->lost, name));

	return at && at - 1 <= step;
}

GPtrArray *symbols_tus(const struct variant *v, const char *path,
		       unsigned int step)
{
	const GPtrArray *now = compdb_by_source(v->db, path);
	GPtrArray *tus = g_ptr_array_new();

	for (guint i = 0; now && i < now->len; i++)
		if (compdb_at(now->pdata[i], step))
			g_ptr_array_add(tus, now->pdata[i]);
	for (guint i = 0; i < v->db->gone->len; i++) {
		struct tu *tu = v->db->gone->pdata[i];

		if (!strcmp(tu->source, path) && compdb_at(tu, step))
			g_ptr_array_add(tus, tu);
	}
	return tus;
}

/* By an object that was compiled at this step. */
static bool object_gives(struct world *w, const struct image *a,
			 const char *name)
{
	const GPtrArray *givers = g_hash_table_lookup(w->givers, name);

	for (guint i = 0; givers && i < givers->len; i++) {
		const struct job *job = givers->pdata[i];
		struct image b = symbols_image(w->view, job->tu, w->step);
		bool exported = elf_symbols_exports(job->symbols, name);

		if (symbols_gives(a, &b, exported) &&
		    (exported || elf_symbols_defines(job->symbols, name)))
			return true;
	}
	return false;
}

/* By the text of a TU that was not compiled: else its object knows better. */
static bool text_gives(struct symbols *s, struct world *w,
		       const struct image *a, const char *name)
{
	g_autoptr(GArray) hits = symindex_find(s->index, name, w->step);

	for (guint i = 0; i < hits->len; i++) {
		const struct symindex_hit *hit = &g_array_index(hits,
						struct symindex_hit, i);
		g_autoptr(GPtrArray) tus = symbols_tus(w->view->v, hit->source,
						       w->step);

		for (guint k = 0; k < tus->len; k++) {
			struct tu *tu = tus->pdata[k];
			struct image b = symbols_image(w->view, tu, w->step);

			if (!g_hash_table_contains(w->jobs, tu) &&
			    symbols_gives(a, &b,
					  hit->item->kind == SYMTEXT_EXPORT) &&
			    symindex_compiled(s->index, w->view->v, hit,
					      w->step) == 1)
				return true;
		}
	}
	return false;
}

static bool gives(struct symbols *s, struct world *w, const struct image *a,
		  const char *name)
{
	if (object_gives(w, a, name) || text_gives(s, w, a, name))
		return true;
	return a->kind == IMAGE_VMLINUX &&
	       symindex_linked(s->index, w->view->v, name, w->step);
}

/*
 * Images with a prefix become parts of vmlinux: it calls them by prefixed
 * names, and they see what vmlinux defines with the prefix.
 */
static bool prefix_gives(struct symbols *s, struct world *w,
			 const struct image *a, const char *name)
{
	static const struct image vmlinux = { IMAGE_VMLINUX, "vmlinux", "" };
	const struct image *inner = image_by_prefix(name);
	g_autofree char *outer = NULL;

	if (a->kind == IMAGE_VMLINUX && inner)
		return gives(s, w, inner,
			     g_intern_string(name + strlen(inner->prefix)));
	if (a->kind != IMAGE_CONFINED || !*a->prefix)
		return false;
	outer = g_strconcat(a->prefix, name, NULL);
	return gives(s, w, &vmlinux, g_intern_string(outer));
}

char *symbols_key(const struct image *image, const char *name)
{
	return g_strjoin("\n", image->name, name, NULL);
}

bool symbols_vouched(struct symbols *s, struct world *w, const struct job *job,
		     const char *name)
{
	struct image a = symbols_image(w->view, job->tu, w->step);
	g_autofree char *key = symbols_key(&a, name);

	if (image_ignores(w->view->v, name) ||
	    g_hash_table_contains(w->fine, key))
		return true;
	if (!gives(s, w, &a, name) && !prefix_gives(s, w, &a, name))
		return false;
	g_hash_table_add(w->fine, g_steal_pointer(&key));
	return true;
}

bool symbols_based(struct symbols *s, struct world *w, const struct job *job,
		   const char *name)
{
	struct image a = symbols_image(w->view, job->tu, w->step);
	g_autofree char *key = NULL;

	if (symbols_lost(w->view, name, w->step))
		return false;
	key = symbols_key(&a, name);
	return g_hash_table_contains(w->view->based, key) ||
	       object_gives(symbols_world(s, w->view->v, 0), &a, name);
}

void symbols_learn(struct view *view, const struct job *job)
{
	struct image image = symbols_image(view, job->tu, 0);

	g_hash_table_add(view->asked, (gpointer)job->tu);
	for (guint i = 0; job->symbols && i < job->symbols->undefined->len; i++)
		g_hash_table_add(view->based, symbols_key(&image,
				 job->symbols->undefined->pdata[i]));
}

static void collect(struct symbols *s, struct job *job, GPtrArray *doubts)
{
	struct world *w = symbols_world(s, job->variant, job->step);
	struct image image = symbols_image(w->view, job->tu, w->step);
	const GPtrArray *names = job->symbols->undefined;

	for (guint i = 0; image.kind != IMAGE_NONE && i < names->len; i++) {
		const char *name = names->pdata[i];
		struct doubt *d;

		if (symbols_based(s, w, job, name) || symbols_vouched(s, w, job, name))
			continue;
		d = g_new0(struct doubt, 1);
		d->world = w;
		d->job = job;
		d->name = name;
		g_ptr_array_add(doubts, d);
	}
}

static int say_all(struct symbols *s, const GPtrArray *doubts, GError **error)
{
	for (guint i = 0; i < doubts->len; i++) {
		const struct doubt *d = doubts->pdata[i];

		g_hash_table_add(d->world->view->suspects, (gpointer)d->job->tu);
		if (symbols_say(s, d, error))
			return -1;
	}
	return 0;
}

static int judge(struct symbols *s, GPtrArray *jobs, unsigned int step,
		 GError **error)
{
	g_autoptr(GPtrArray) doubts = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = jobs->pdata[i];

		if (!job->symbols || job->linked)
			continue;
		job->linked = true;
		if (!step)
			symbols_learn(symbols_view(s, job->variant), job);
		else
			collect(s, job, doubts);
		if (symbols_spaces(s, symbols_world(s, job->variant, step), job,
				   error) ||
		    symbols_licences(s, symbols_world(s, job->variant, step), job,
				     error))
			return -1;
	}
	if (!doubts->len)
		return 0;
	if (symbols_ask_base(s, doubts, error))
		return -1;
	if (doubts->len && symbols_find(s, doubts, step, error))
		return -1;
	return say_all(s, doubts, error);
}

static void add_all(struct symbols *s, GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++)
		symbols_add(s, jobs->pdata[i]);
}

int symbols_step(struct run *run, unsigned int n, GPtrArray *jobs,
		 GError **error)
{
	struct symbols *s = symbols_get(run);

	add_all(s, jobs);
	if (symbols_lose(s, n, jobs, error))
		return -1;
	return judge(s, jobs, n, error);
}

int symbols_judge(struct run *run, unsigned int step, GPtrArray *jobs,
		  GError **error)
{
	struct symbols *s = symbols_get(run);
	g_autoptr(GPtrArray) mine = g_ptr_array_new();

	add_all(s, jobs);
	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = jobs->pdata[i];

		/* without a diagnostic now there is nothing to compare */
		if (g_hash_table_contains(symbols_view(s, job->variant)->suspects,
					  job->tu))
			g_ptr_array_add(mine, job);
	}
	return judge(s, mine, step, error);
}
