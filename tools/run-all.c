// SPDX-License-Identifier: GPL-2.0
/* The whole run: the variants are prepared, then patch after patch is judged. */
#include "error.h"
#include "run-int.h"

static void on_phase(const struct variant *v, const char *phase, void *data)
{
	struct run *run = data;
	g_autofree char *text = g_strdup_printf("%s: %s", v->name, phase);

	progress_phase(run->progress, text);
}

/* A variant that cannot be prepared is not verified; the others go on. */
static int prepare(struct run *run, GError **error)
{
	g_autofree GError **why = g_new0(GError *, run->variants->len);
	guint n = run->variants->len;

	if (repo_checkout(run->repo, run_step(run, 0)->tree, run->cur, NULL,
			  error))
		return -1;
	run->kbuild->progress = on_phase;
	run->kbuild->progress_data = run;
	kbuild_prepare_all(run->kbuild, run->variants, run->runner->width, why);
	for (guint i = n; i > 0; i--) {
		struct variant *v = g_ptr_array_index(run->variants, i - 1);
		struct lost_variant *lost;

		if (!why[i - 1])
			continue;
		lost = g_new0(struct lost_variant, 1);
		lost->name = g_strdup(v->name);
		lost->reason = g_strdup(why[i - 1]->message);
		g_error_free(why[i - 1]);
		g_ptr_array_insert(run->lost, 0, lost);
		g_ptr_array_remove_index(run->variants, i - 1);
	}
	return 0;
}

static void count_base(struct run *run, const GPtrArray *jobs)
{
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
	for (unsigned int n = from; n <= run_steps(run); n++) {
		run_gap(run, n, NULL, "all", why);
		for (guint v = 0; v < run->variants->len; v++)
			run_cell(run, n, v)->mark = MARK_NOT_VERIFIED;
	}
}

int run_all(struct run *run, GError **error)
{
	gint64 start = g_get_monotonic_time();
	g_autofree char *cache = g_build_filename(run->dir, "includes", NULL);
	unsigned int n = 1;

	if (prepare(run, error))
		return -1;
	run->cells = g_new0(struct cell, run_steps(run) *
			    MAX(run->variants->len, 1));
	if (run->variants->len && !proc_interrupted()) {
		progress_phase(run->progress, "reading #include lines");
		run->graph = incgraph_load(run->repo, run_step(run, 0)->tree,
					   cache, error);
		if (!run->graph)
			return -1;
		while (n <= run_steps(run) && !run_patch(run, n, error))
			n++;
		if (*error)
			return -1;
	}
	if (run->runner->error) {
		g_propagate_error(error, g_steal_pointer(&run->runner->error));
		return -1;
	}
	run->interrupted = proc_interrupted();
	if (n <= run_steps(run))
		note_stop(run, n, run->interrupted ? "interrupted" :
			  "no variant could be prepared");
	run_mark_missed(run);
	count_base(run, run->attrib->jobs);
	reason_fold(run);
	run->seconds = (g_get_monotonic_time() - start) / 1e6;
	progress_clear(run->progress);
	return 0;
}
