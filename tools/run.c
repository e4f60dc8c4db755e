// SPDX-License-Identifier: GPL-2.0
#include "run.h"
#include "audit.h"
#include "check.h"
#include "checkset.h"
#include "cover-run.h"
#include "error.h"
#include "follow.h"
#include "message.h"
#include "neigh.h"
#include "toggle-run.h"
#include "states.h"
#include "symbols.h"

static void gap_free(struct gap *g)
{
	g_clear_pointer(&g->objects, g_ptr_array_unref);
	g_free(g->what);
	g_free(g->reason);
	g_free(g);
}

static void lost_free(struct lost_variant *l)
{
	g_free(l->name);
	g_free(l->reason);
	g_free(l);
}

static const struct diff *attrib_change(unsigned int from, unsigned int to,
					void *data)
{
	return run_change(data, from, to);
}

static void fragment_free(gpointer data)
{
	struct fragment *f = data;

	g_free(f->what);
	g_free(f->text);
	g_free(f);
}

static void stage_free(gpointer stage)
{
	g_ptr_array_unref(stage);
}

static void attrib_made(unsigned int from, unsigned int to, GHashTable *set,
			void *data)
{
	follow_made_between(data, from, to, set);
}

struct run *run_new(void)
{
	struct run *run = g_new0(struct run, 1);

	run->variants = g_ptr_array_new();
	run->judged = g_ptr_array_new();
	run->stages = g_ptr_array_new_with_free_func(stage_free);
	run->cells = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	run->gaps = g_ptr_array_new_with_free_func((GDestroyNotify)gap_free);
	run->lost = g_ptr_array_new_with_free_func((GDestroyNotify)lost_free);
	run->out_of_scope = g_ptr_array_new_with_free_func(g_free);
	run->changes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)diff_free);
	run->compiled = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					      NULL);
	run->base_diags = g_hash_table_new(g_str_hash, g_str_equal);
	run->attrib = attrib_new(attrib_change, run);
	run->attrib->made = attrib_made;
	run->reach_max = 300;
	run->uncovered = uncovered_list_new();
	run->fragments = g_ptr_array_new_with_free_func(fragment_free);
	run->cover_whys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						g_free);
	run->toggles = toggle_list_new();
	run->toggle_notes = g_ptr_array_new_with_free_func(g_free);
	return run;
}

void run_free(struct run *run)
{
	if (!run)
		return;
	symbols_free(run->symbols);
	attrib_free(run->attrib);
	audit_free(run->audit);
	checkset_free(run->checks);
	follow_free(run->follow);
	states_free(run->states);
	neigh_free(run->neigh);
	messages_free(run->messages);
	g_ptr_array_unref(run->variants);
	g_ptr_array_unref(run->gaps);
	g_ptr_array_unref(run->lost);
	g_ptr_array_unref(run->out_of_scope);
	g_hash_table_unref(run->changes);
	g_hash_table_unref(run->base_diags);
	g_hash_table_unref(run->compiled);
	g_ptr_array_unref(run->toggles);
	g_ptr_array_unref(run->fragments);
	g_ptr_array_unref(run->uncovered);
	g_hash_table_unref(run->cover_whys);
	g_ptr_array_unref(run->toggle_notes);
	incgraph_free(run->graph);
	incgraph_free(run->graph_before);
	g_hash_table_unref(run->cells);
	g_ptr_array_unref(run->judged);
	g_ptr_array_unref(run->stages);
	g_free(run->tree_name);
	g_free(run->base_how);
	g_free(run->dir);
	g_free(run->cur);
	g_free(run->prev);
	g_free(run);
}

unsigned int run_steps(const struct run *run)
{
	return run->steps->steps->len - 1;
}

const struct step *run_step(const struct run *run, unsigned int n)
{
	return g_ptr_array_index(run->steps->steps, n);
}

struct cell *run_cell(const struct run *run, unsigned int n, guint v)
{
	const struct variant *var = g_ptr_array_index(run->variants, v);
	struct cell *cells = g_hash_table_lookup(run->cells, var);

	if (!cells) {
		cells = g_new0(struct cell, run_steps(run));
		g_hash_table_insert(run->cells, (void *)var, cells);
	}
	return &cells[n - 1];
}

void run_add_variant(struct run *run, unsigned int stage, struct variant *v)
{
	while (run->stages->len <= stage)
		g_ptr_array_add(run->stages, g_ptr_array_new_with_free_func(
					(GDestroyNotify)variant_free));
	g_ptr_array_add(g_ptr_array_index(run->stages, stage), v);
}

unsigned int run_variant_count(const struct run *run)
{
	unsigned int n = 0;

	for (guint i = 0; i < run->stages->len; i++) {
		const GPtrArray *stage = g_ptr_array_index(run->stages, i);

		n += stage->len;
	}
	return n;
}

const struct diff *run_change(struct run *run, unsigned int from,
			      unsigned int to)
{
	char *key = g_strdup_printf("%u %u", from, to);
	struct diff *d = g_hash_table_lookup(run->changes, key);
	g_autoptr(GError) error = NULL;

	if (d) {
		g_free(key);
		return d;
	}
	d = repo_diff(run->repo, run_step(run, from)->tree,
		      run_step(run, to)->tree, &error);
	/* Both trees were just written or read by us. */
	if (!d)
		g_error("cannot compare step %u with step %u: %s", from, to,
			error->message);
	g_hash_table_insert(run->changes, key, d);
	return d;
}

struct gap *run_gap(struct run *run, unsigned int n, const struct variant *v,
		    const char *what, const char *reason)
{
	struct gap *g;

	for (guint i = 0; i < run->gaps->len; i++) {
		g = g_ptr_array_index(run->gaps, i);
		if (g->n == n && g->variant == v && !g_strcmp0(g->what, what) &&
		    !g_strcmp0(g->reason, reason)) {
			g->stage = run->stage;
			return g;
		}
	}
	g = g_new0(struct gap, 1);
	g->n = n;
	g->variant = v;
	g->what = g_strdup(what);
	g->reason = g_strdup(reason);
	g->stage = run->stage;
	g_ptr_array_add(run->gaps, g);
	return g;
}

bool run_touches(struct run *run, unsigned int n, const char *path)
{
	const struct diff *d = run_change(run, 0, n);

	for (guint i = 0; i < d->files->len; i++)
		if (!strcmp(file_diff_path(d->files->pdata[i]), path))
			return true;
	return false;
}

bool run_has_check(struct run *run, const char *name)
{
	const char *missing;

	if (!checkset_has(run->checks, name))
		return false;
	missing = check_tool_missing(check_find(name));
	if (missing)
		run_gap(run, 0, NULL, name, missing)->keeps = true;
	return !missing;
}

void run_out_of_scope(struct run *run, const char *what)
{
	for (guint i = 0; i < run->out_of_scope->len; i++)
		if (!strcmp(g_ptr_array_index(run->out_of_scope, i), what))
			return;
	g_ptr_array_add(run->out_of_scope, g_strdup(what));
}

int run_move(struct run *run, unsigned int n, unsigned int before,
	     GError **error)
{
	if (repo_checkout(run->repo, run_step(run, n)->tree, run->cur, NULL,
			  error))
		return -1;
	return repo_checkout(run->repo, run_step(run, before)->tree, run->prev,
			     run->cur, error);
}

int run_exit(const struct run *run)
{
	if (run->attrib->findings->len)
		return 1;
	return run->gaps->len || run->lost->len || run->interrupted ? 2 : 0;
}
