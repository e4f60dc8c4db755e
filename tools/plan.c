// SPDX-License-Identifier: GPL-2.0
/*
 * From what patch n changes to the jobs that are worth their time: rules a to
 * d of the impact (see impact.h).  What no rule covers is a gap, said.
 */
#include <sys/stat.h>

#include "audit.h"
#include "check.h"
#include "checkset.h"
#include "entity.h"
#include "error.h"
#include "follow.h"
#include "neigh.h"
#include "plan.h"
#include "toggle-run.h"
#include "states.h"

/* Bigger sources take longer: a good enough order, and free. */
gint64 plan_cost(const struct run *run, const char *source)
{
	g_autofree char *path = g_build_filename(run->cur, source, NULL);
	struct stat st;

	return stat(path, &st) ? 0 : st.st_size;
}

void plan_add(struct plan *p, const struct variant *v,
		    const struct tu *tu, const char *header, enum why why)
{
	char *key = g_strjoin("\n", v->name, tu->object, header, NULL);
	struct job *job;

	if (!g_hash_table_add(p->seen, key))
		return;
	job = job_new(check_find("gcc"), v, tu, header, p->n, why);
	if (!toggle_room(v, p->jobs, job)) {
		job_free(job);
		return;
	}
	/* A touched source is the likeliest to fail, a header alone the
	 * cheapest to try: they go first. */
	job->cost = why == WHY_ALONE ? 0 : why == WHY_SOURCE ? 1 :
		    2 + plan_cost(p->run, tu->source);
	g_ptr_array_add(p->jobs, job);
}

static char *compiled_key(const struct plan *p, const char *path)
{
	return g_strdup_printf("%u %s", p->n, path);
}

void plan_compiled(struct plan *p, const char *path)
{
	g_hash_table_add(p->run->compiled, compiled_key(p, path));
}

static bool is_compiled(const struct plan *p, const char *path)
{
	g_autofree char *key = compiled_key(p, path);

	return g_hash_table_contains(p->run->compiled, key);
}

bool plan_has(const struct plan *p, const struct variant *v,
	      const struct tu *tu)
{
	g_autofree char *key = g_strjoin("\n", v->name, tu->object, NULL);

	return g_hash_table_contains(p->seen, key);
}

static void plan_source(struct plan *p, const char *path)
{
	for (guint i = 0; i < p->run->variants->len; i++) {
		struct variant *v = g_ptr_array_index(p->run->variants, i);
		const GPtrArray *tus = compdb_by_source(v->db, path);

		for (guint j = 0; tus && j < tus->len; j++) {
			plan_add(p, v, g_ptr_array_index(tus, j), NULL, WHY_SOURCE);
			run_cell(p->run, p->n, i)->reachable++;
			plan_compiled(p, path);
		}
	}
}

static GPtrArray *entities_of(const char *dir, const char *path,
			      GError **error)
{
	g_autofree char *full = NULL;

	if (!path)
		return g_ptr_array_new();
	full = g_build_filename(dir, path, NULL);
	return entity_scan(full, error);
}

static struct change *classify(struct plan *p, const struct file_diff *fd,
			       GError **error)
{
	struct run *run = p->run;
	g_autoptr(GBytes) old = fd->old_path ? repo_blob(run->repo,
		run_step(run, p->n - 1)->tree, fd->old_path) : NULL;
	g_autoptr(GBytes) new = fd->new_path ? repo_blob(run->repo,
		run_step(run, p->n)->tree, fd->new_path) : NULL;
	g_autoptr(GPtrArray) was = NULL, is = NULL;
	gsize old_len = 0, new_len = 0;
	const char *old_text = old ? g_bytes_get_data(old, &old_len) : "";
	const char *new_text = new ? g_bytes_get_data(new, &new_len) : "";

	was = entities_of(run->prev, fd->old_path, error);
	is = was ? entities_of(run->cur, fd->new_path, error) : NULL;
	if (!is)
		return NULL;
	return change_classify(fd, old_text, old_len, new_text, new_len, was, is);
}

/* Does somebody include @path as if it were a header (kernel/sched/rt.c)? */
static bool is_included(const struct run *run, const char *path)
{
	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = g_ptr_array_index(run->variants, i);

		if (incgraph_is_included(run->graph, path, v->arch->srcarch))
			return true;
	}
	return false;
}

/* What the patch builds anew or otherwise, and what make cannot do. */
static int plan_build(struct plan *p, GError **error)
{
	struct followed *f = p->followed;
	struct change c = { .path = (char *)"Kconfig" };
	g_autoptr(GPtrArray) names = NULL, none = g_ptr_array_new();
	GHashTableIter it;
	gpointer name;
	int ret;

	for (guint i = 0; i < f->items->len; i++) {
		struct follow_item *item = &g_array_index(f->items,
						struct follow_item, i);

		plan_add(p, item->variant, item->tu, NULL, WHY_SOURCE);
	}
	for (guint i = 0; i < f->jobs->len; i++)
		g_ptr_array_add(p->jobs, f->jobs->pdata[i]);
	g_hash_table_iter_init(&it, f->paths);
	while (g_hash_table_iter_next(&it, &name, NULL))
		plan_compiled(p, name);
	/* A symbol whose value changed is a changed definition. */
	names = g_ptr_array_new();
	g_hash_table_iter_init(&it, f->symbols);
	while (g_hash_table_iter_next(&it, &name, NULL))
		g_ptr_array_add(names, name);
	c.names = c.macros = names;
	c.members = c.orphans = c.owners = c.layouts = c.values = c.cases = none;
	ret = plan_names(p, &c, error);
	return ret ? ret : plan_made(p, error);
}

static int plan_change(struct plan *p, const struct change *c, GError **error)
{
	static const char *const follow = "what depends on a file of this kind is "
		"not found out yet";

	switch (c->kind) {
	case CHANGE_TEXT:
		run_out_of_scope(p->run, "the documentation that the series touches");
		plan_compiled(p, c->path);
		return 0;
	case CHANGE_RUST:
		run_out_of_scope(p->run, "the Rust code that the series touches");
		plan_compiled(p, c->path);
		return 0;
	case CHANGE_SOURCE:
		plan_source(p, c->path);
		return is_included(p->run, c->path) ? plan_header(p, c, error) : 0;
	case CHANGE_HEADER:
		return plan_header(p, c, error);
	default:
		if (c->kind == CHANGE_OTHER && is_included(p->run, c->path) &&
		    !g_hash_table_contains(p->followed->paths, c->path))
			return plan_header(p, c, error);
		plan_compiled(p, c->path);
		if (g_hash_table_contains(p->followed->paths, c->path) ||
		    neigh_settles(p->run, c->path))
			return 0;
		run_gap(p->run, p->n, NULL, c->path, follow);
		return 0;
	}
}

static int plan_file(struct plan *p, const struct file_diff *fd, GError **error)
{
	struct change *c;
	int ret;

	c = classify(p, fd, error);
	if (!c)
		return -1;
	ret = plan_change(p, c, error);
	if (ret || !fd->new_path || is_compiled(p, c->path) ||
	    neigh_settles(p->run, c->path))
		;
	else if ((!fd->old_path || fd->is_rename) && c->kind == CHANGE_SOURCE)
		follow_say_source(p->run, p->n, c->path);
	else
		run_gap(p->run, p->n, NULL, c->path,
			"no variant of this run compiles it");
	change_free(c);
	return ret;
}

/* Does patch @n change who includes whom? */
static bool moves_includes(const struct diff *d)
{
	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = g_ptr_array_index(d->files, i);

		if (!fd->old_path || !fd->new_path || fd->is_rename)
			return true;
		for (guint h = 0; h < fd->hunks->len; h++) {
			const struct hunk *hunk = g_ptr_array_index(fd->hunks, h);

			for (guint l = 0; l < hunk->lines->len; l++) {
				struct diff_line *line = &g_array_index(
					hunk->lines, struct diff_line, l);

				if (g_strstr_len(line->text, line->len, "include"))
					return true;
			}
		}
	}
	return false;
}

static int refresh_graph(struct run *run, unsigned int n, GError **error)
{
	g_autofree char *cache = NULL;

	incgraph_free(run->graph_before);
	run->graph_before = NULL;
	if (!moves_includes(run_change(run, n - 1, n)))
		return 0;
	cache = g_build_filename(run->dir, "includes", NULL);
	run->graph_before = run->graph;
	run->graph = incgraph_load(run->repo, run_step(run, n)->tree, cache, error);
	run->graph_step = n;
	return run->graph ? 0 : -1;
}

/* What the user did not ask for is not planned. */
static void drop_left_out(const struct run *run, GPtrArray *jobs)
{
	for (guint i = jobs->len; i > 0; i--) {
		struct job *job = jobs->pdata[i - 1];

		if (checkset_has(run->checks, job->check->name))
			continue;
		g_ptr_array_remove_index(jobs, i - 1);
		job_free(job);
	}
}

/* ... and that no compiler looks at it is no gap then.  Those of what stands
 * beside the kernel are not among them. */
static void drop_gaps(struct run *run, guint from)
{
	if (!checkset_has(run->checks, "gcc") &&
	    !checkset_has(run->checks, "kbuild") && from < run->gaps->len)
		g_ptr_array_set_size(run->gaps, from);
}

GPtrArray *plan_step(struct run *run, unsigned int n, GError **error)
{
	struct plan p = { .run = run, .n = n };
	const struct diff *d = run_change(run, n - 1, n);
	int ret = refresh_graph(run, n, error);
	guint gaps = run->gaps->len;

	p.jobs = g_ptr_array_new();
	p.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	p.followed = ret ? NULL : follow_step(run, n, error);
	ret = p.followed ? plan_build(&p, error) : -1;
	for (guint i = 0; !ret && i < d->files->len; i++)
		ret = plan_file(&p, g_ptr_array_index(d->files, i), error);
	drop_gaps(run, gaps);
	if (!ret)
		ret = neigh_plan(run, n, p.jobs, error);
	if (!ret) {
		states_plan(&p);
		audit_plan(run, n, p.jobs, g_hash_table_size(p.followed->symbols));
	}
	g_hash_table_unref(p.seen);
	followed_free(p.followed);
	g_free(p.bounded);
	if (!ret) {
		drop_left_out(run, p.jobs);
		return p.jobs;
	}
	g_ptr_array_set_free_func(p.jobs, (GDestroyNotify)job_free);
	g_ptr_array_unref(p.jobs);
	return NULL;
}
