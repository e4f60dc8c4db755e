// SPDX-License-Identifier: GPL-2.0
/*
 * The whole run: for one stage after the other the variants are prepared, then
 * patch after patch is judged.
 */
#include "audit.h"
#include "cover-run.h"
#include "error.h"
#include "follow.h"
#include "run-int.h"
#include "run-keep.h"
#include "toggle-run.h"

static void on_phase(const struct variant *v, const char *phase, void *data)
{
	struct run *run = data;
	g_autofree char *text = g_strdup_printf("%s: %s", v->name, phase);

	progress_phase(run->progress, text);
}

static void lose(struct run *run, const struct variant *v, const char *reason)
{
	struct lost_variant *lost = g_new0(struct lost_variant, 1);

	lost->name = g_strdup(v->name);
	lost->reason = g_strdup(reason);
	g_ptr_array_add(run->lost, lost);
}

/* A variant that cannot be prepared is not verified; the others go on. */
static int prepare(struct run *run, const GPtrArray *stage, GError **error)
{
	g_autofree GError **why = g_new0(GError *, stage->len + 1);

	if (repo_checkout(run->repo, run_step(run, 0)->tree, run->cur, NULL,
			  error))
		return -1;
	run->kbuild->progress = on_phase;
	run->kbuild->progress_data = run;
	kbuild_prepare_all(run->kbuild, stage, run->runner->width, why);
	g_ptr_array_set_size(run->variants, 0);
	for (guint i = 0; i < stage->len; i++) {
		struct variant *v = g_ptr_array_index(stage, i);

		if (!why[i]) {
			g_ptr_array_add(run->variants, v);
			continue;
		}
		lose(run, v, why[i]->message);
		g_error_free(why[i]);
	}
	return 0;
}

static void count_base(struct run *run, const GPtrArray *jobs)
{
	g_hash_table_remove_all(run->base_diags);
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);
		const char *name = job->variant->name;
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(run->base_diags,
							       name));

		if (job->step == 0 && job->done)
			g_hash_table_insert(run->base_diags, (char *)name,
					    GUINT_TO_POINTER(n + job->diags->len));
	}
}

/* What was not reached is not verified: never silently left out. */
static void note_stop(struct run *run, unsigned int from, const char *why)
{
	g_autofree char *patches = from == run_steps(run) ?
		g_strdup_printf("patch %u", from) :
		g_strdup_printf("patches %u to %u", from, run_steps(run));
	g_autoptr(GString) what = g_string_new("");

	for (guint v = 0; v < run->variants->len; v++) {
		const struct variant *var = g_ptr_array_index(run->variants, v);

		g_string_append_printf(what, "%s%s", v ? ", " : "", var->name);
		for (unsigned int n = from; n <= run_steps(run); n++)
			run_cell(run, n, v)->mark = MARK_NOT_VERIFIED;
	}
	g_string_append_printf(what, "%s%s", what->len ? ": " : "", patches);
	run_gap(run, 0, NULL, what->str, why);
}

/*
 * A gap of no variant in particular ("no variant compiles it") that this stage
 * did not say again is filled.
 */
static void drop_filled(struct run *run)
{
	for (guint i = 0; i < run->gaps->len;) {
		const struct gap *g = g_ptr_array_index(run->gaps, i);

		if (!g->variant && !g->keeps && g->stage < run->stage)
			g_ptr_array_remove_index(run->gaps, i);
		else
			i++;
	}
}

static int load_graph(struct run *run, GError **error)
{
	g_autofree char *cache = g_build_filename(run->dir, "includes", NULL);

	if (run->graph && !run->graph_step)
		return 0;
	progress_phase(run->progress, "reading #include lines");
	incgraph_free(run->graph);
	run->graph = incgraph_load(run->repo, run_step(run, 0)->tree, cache,
				   error);
	run->graph_step = 0;
	return run->graph ? 0 : -1;
}

/* Returns the first patch that was not judged; 0 with @error. */
static unsigned int judge(struct run *run, bool tip, GError **error)
{
	unsigned int n = 1;

	if (!run->variants->len || proc_interrupted())
		return 1;
	if (load_graph(run, error))
		return 0;
	follow_begin(run);
	run->attrib->variants = run->variants;
	if (tip)
		n = run_tip(run, error) ? 1 : run_steps(run) + 1;
	else
		while (n <= run_steps(run) && !run_patch(run, n, error))
			n++;
	return *error ? 0 : n;
}

static int run_stage(struct run *run, const GPtrArray *stage, GError **error)
{
	const struct variant *first = g_ptr_array_index(stage, 0);
	unsigned int n;

	run->stage++;
	if (prepare(run, stage, error))
		return -1;
	n = judge(run, first->tip, error);
	if (!n)
		return -1;
	if (run->runner->error) {
		g_propagate_error(error, g_steal_pointer(&run->runner->error));
		return -1;
	}
	run->interrupted = proc_interrupted();
	if (n <= run_steps(run))
		note_stop(run, n, run->interrupted ? "interrupted" :
			  "no variant could be prepared");
	else
		drop_filled(run);
	run_mark_missed(run);
	for (guint i = 0; i < run->variants->len; i++)
		g_ptr_array_add(run->judged, run->variants->pdata[i]);
	return 0;
}

/* Those of one arch side by side, as they are reported; the tip's last. */
static void add_judged(struct run *run, bool tip)
{
	for (guint i = 0; i < run->judged->len; i++) {
		const struct variant *v = run->judged->pdata[i];

		for (guint k = i; k < run->judged->len && v->tip == tip; k++) {
			struct variant *w = run->judged->pdata[k];

			if (w->arch == v->arch && w->tip == tip &&
			    !g_ptr_array_find(run->variants, w, NULL))
				g_ptr_array_add(run->variants, w);
		}
	}
}

/* What is known so far, as the reports want it. */
static void conclude(struct run *run, gint64 start)
{
	g_ptr_array_set_size(run->variants, 0);
	add_judged(run, false);
	add_judged(run, true);
	count_base(run, run->attrib->jobs);
	audit_finish(run);
	reason_fold(run);
	run->seconds = (g_get_monotonic_time() - start) / 1e6;
	progress_clear(run->progress);
}

static void drop_empty(GPtrArray *stages)
{
	for (guint i = stages->len; i > 0; i--)
		if (!((GPtrArray *)stages->pdata[i - 1])->len)
			g_ptr_array_remove_index(stages, i - 1);
}

/*
 * What hangs on the verdicts so far: toggles, then what --cover finds.  That
 * kconfig cannot be asked spoils nothing of what is known.
 */
static GPtrArray *next_variants(struct run *run, GError **error)
{
	const char *what = run->toggled ? "--cover" : "--toggle";
	GError *err = NULL;
	GPtrArray *made = run->toggled ?
		cover_variants(run, run->judged, &err) :
		toggle_variants(run, run->judged, &err);

	if (run->toggled)
		run->covered = true;
	run->toggled = true;
	cover_gaps(run);
	run->interrupted = proc_interrupted();
	if (made)
		return made;
	if (!run->interrupted &&
	    !g_error_matches(err, RESPIN_ERROR, RESPIN_ERROR_TOOL)) {
		g_propagate_error(error, err);
		return NULL;
	}
	if (!run->interrupted)
		run_gap(run, 0, NULL, what, err->message)->keeps = true;
	g_clear_error(&err);
	return g_ptr_array_new();
}

static int add_stage(struct run *run, GError **error)
{
	guint to = run->stages->len;

	while (!run->interrupted && run->judged->len && run->stages->len == to &&
	       (!run->toggled || (run->cover && !run->covered))) {
		g_autoptr(GPtrArray) made = next_variants(run, error);

		if (!made)
			return -1;
		for (guint i = 0; i < made->len; i++)
			run_add_variant(run, to, made->pdata[i]);
	}
	return 0;
}

int run_all(struct run *run, GError **error)
{
	gint64 start = g_get_monotonic_time();
	guint i = 0;

	drop_empty(run->stages);
	while (i < run->stages->len && !run->interrupted) {
		const GPtrArray *stage = g_ptr_array_index(run->stages, i++);

		if (run_stage(run, stage, error))
			return -1;
		if (i == run->stages->len && add_stage(run, error))
			return -1;
		if (i == run->stages->len || run->interrupted || !run->on_stage ||
		    !run->judged->len)
			continue;
		conclude(run, start);
		run->on_stage(run, run->on_stage_data);
		reason_unfold(run);
	}
	for (; i < run->stages->len; i++) {
		const GPtrArray *stage = g_ptr_array_index(run->stages, i);

		for (guint v = 0; v < stage->len; v++)
			lose(run, stage->pdata[v], "interrupted before it began");
	}
	if (!run->judged->len && !run->interrupted && run_files(run, error))
		return -1;
	if (!run->judged->len && !run->interrupted)
		note_stop(run, 1, "no variant could be prepared");
	cover_settle(run);
	kbuild_toggle_prune(run->kbuild, TOGGLE_KEPT);
	run_keep_prune(run);
	conclude(run, start);
	return 0;
}
