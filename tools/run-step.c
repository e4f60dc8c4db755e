// SPDX-License-Identifier: GPL-2.0
/*
 * One patch of a run: planned, compiled, attributed, explained.  The stages
 * themselves are elsewhere: plan.c says what to compile, runner.c compiles,
 * attrib.c blames, reason.c explains.
 */
#include "audit.h"
#include "check.h"
#include "checkset.h"
#include "error.h"
#include "follow.h"
#include "run-int.h"
#include "neigh.h"
#include "second.h"
#include "states.h"
#include "symbols.h"
#include "toggle-run.h"

static void on_job(const struct job *job, void *data)
{
	struct run *run = data;

	run->done++;
	progress_jobs(run->progress, run->done, run->total,
		      run->attrib->findings->len);
}

int run_jobs(struct run *run, GPtrArray *jobs, const char *srcdir,
	     unsigned int step)
{
	unsigned int now = follow_current(run);
	gint64 start = g_get_monotonic_time();
	bool baseline = srcdir == run->prev;
	int ret;

	run->total += jobs->len;
	run->runner->on_done = on_job;
	run->runner->on_done_data = run;
	run->runner->deadline = budget_deadline(&run->budget, baseline, start);
	follow_enter(run, step);
	ret = runner_run(run->runner, jobs, srcdir, run_step(run, step)->tree);
	follow_enter(run, now);
	budget_spend(&run->budget, baseline,
		     (g_get_monotonic_time() - start) / 1e6);
	return ret;
}

int run_compile(struct run *run, GPtrArray *jobs, unsigned int step,
		GError **error)
{
	if (step == follow_current(run))
		return run_jobs(run, jobs, run->cur, step);
	if (repo_checkout(run->repo, run_step(run, step)->tree, run->prev,
			  run->cur, error))
		return -1;
	return run_jobs(run, jobs, run->prev, step);
}

/* Those that stopped at a generated file, once more when make made it. */
static int run_again(struct run *run, const GPtrArray *jobs, unsigned int n,
		     GError **error)
{
	g_autoptr(GPtrArray) again = prereq_make(run, jobs, n, error);

	if (!again)
		return -1;
	return again->len ? run_jobs(run, again, run->cur, n) : 0;
}

/* Where a header does not stand alone, those that include it are asked. */
static int run_not_alone(struct run *run, GPtrArray *jobs, unsigned int n,
			 GError **error)
{
	const struct variant *v = run->variants->len ?
		g_ptr_array_index(run->variants, 0) : NULL;
	unsigned int before = v && v->tip ? 0 : n - 1;
	g_autoptr(GPtrArray) parents = states_ask_parents(jobs, before);
	g_autoptr(GPtrArray) more = NULL;

	if (!parents->len)
		return 0;
	if (run_move(run, n, before, error) ||
	    run_jobs(run, parents, run->prev, before))
		return -1;
	more = states_not_alone(run, n, parents, jobs);
	for (guint i = 0; i < more->len; i++)
		g_ptr_array_add(jobs, more->pdata[i]);
	return run_jobs(run, more, run->cur, n) ? -1 :
	       run_again(run, more, n, error);
}

/* Which diagnostics of new objects are old ones of headers. */
static int ask_base(struct run *run, const GPtrArray *jobs, unsigned int n,
		    GError **error)
{
	g_autoptr(GPtrArray) known = known_jobs(run, n, jobs);
	int ret;

	if (!known->len)
		return 0;
	ret = repo_checkout(run->repo, run_step(run, 0)->tree, run->prev,
			    run->cur, error);
	if (!ret)
		ret = run_jobs(run, known, run->prev, 0);
	for (guint i = 0; i < known->len; i++)
		attrib_known(run->attrib, known->pdata[i], jobs);
	return ret;
}

/* Runs what attrib asks for, on the step it asks for. */
static int settle(struct run *run, GError **error)
{
	GPtrArray *wanted;

	while ((wanted = attrib_wanted(run->attrib))) {
		const struct job *first = g_ptr_array_index(wanted, 0);
		int ret = repo_checkout(run->repo, run_step(run, first->step)->tree,
					run->prev, run->cur, error);

		if (!ret)
			ret = run_jobs(run, wanted, run->prev, first->step);
		if (!ret)
			ret = symbols_judge(run, first->step, wanted, error);
		g_ptr_array_unref(wanted);
		if (ret)
			return -1;
	}
	attrib_end(run->attrib);
	return 0;
}

void run_note_unusable(struct run *run, unsigned int n,
			  const GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);
		g_autofree char *name = job_name(job);

		if (job_usable(job) || job->why == WHY_AUDIT ||
		    budget_stopped(job))
			continue;
		run_gap(run, n, job->variant, name, job->reason);
	}
	budget_note(run, n, jobs);
}

/*
 * What fails with and without the series has nothing new, and nothing to say.
 * A header alone is left out: many need another one before them, and the TUs
 * that include it are compiled as well.
 */
void run_note_broken(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);
		const struct diag *d = job->header || job->why == WHY_AUDIT ?
				       NULL :
				       attrib_old_error(run->attrib, job);
		g_autofree char *name = NULL, *why = NULL;

		/* a tool that is not the compiler goes on behind its error */
		if (!d || (!job_is_compile(job) && !run_touches(run, n, d->file)))
			continue;
		name = job_name(job);
		why = g_strdup_printf(job_is_compile(job) ?
			"it does not compile without the series either: %s" :
			"without the series it cannot be read to its end "
			"either: %s", d->message);
		run_gap(run, n, job->variant, name, why);
	}
}

/* Is it a finding of this series that keeps @object from being compiled? */
static bool is_explained(const struct run *run, const struct variant *v,
			 const char *object, const GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);

		if (job->variant == v && !job->header &&
		    job_is_compile(job) && !strcmp(job->tu->object, object))
			return job_usable(job) && job_has_hard_error(job) &&
			       !attrib_old_error(run->attrib, job);
	}
	return false;
}

/*
 * What is generated of a TU that the series breaks is as unknown as all else
 * that stands behind the error, and the error says it.
 */
void run_drop_explained(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	for (guint i = run->gaps->len; i > 0; i--) {
		const struct gap *g = g_ptr_array_index(run->gaps, i - 1);
		bool all = g->n == n && g->objects && g->objects->len;

		for (guint k = 0; all && k < g->objects->len; k++)
			all = is_explained(run, g->variant,
					   g->objects->pdata[k], jobs);
		if (all)
			g_ptr_array_remove_index(run->gaps, i - 1);
	}
}

/* What is less sure than asked for never becomes a finding. */
static void drop_unsure(struct run *run, GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		GPtrArray *diags = ((struct job *)jobs->pdata[i])->diags;

		for (guint k = diags ? diags->len : 0; k > 0; k--) {
			const struct diag *d = diags->pdata[k - 1];

			if (!checkset_shows(run->checks, d->confidence))
				g_ptr_array_remove_index(diags, k - 1);
		}
	}
}

/* What other tools say of it. */
static int run_second(struct run *run, unsigned int n, GPtrArray *jobs)
{
	neigh_files_unread(run, n, jobs);
	second_plan(run, n, jobs);
	if (run_jobs(run, jobs, run->cur, n))
		return -1;
	second_drop_old(run, n, jobs);
	drop_unsure(run, jobs);
	return 0;
}

int run_judge(struct run *run, unsigned int n, GPtrArray *jobs, GError **error)
{
	if (run_jobs(run, jobs, run->cur, n) || audit_run(run, n, jobs) ||
	    run_again(run, jobs, n, error) ||
	    run_not_alone(run, jobs, n, error) || run_second(run, n, jobs) ||
	    symbols_step(run, n, jobs, error) || ask_base(run, jobs, n, error)) {
		/* Else they are attrib's, which is asked no more. */
		g_ptr_array_set_free_func(jobs, (GDestroyNotify)job_free);
		return -1;
	}
	attrib_begin(run->attrib, n, jobs);
	if (settle(run, error))
		return -1;
	run_note_unusable(run, n, run->attrib->gaps);
	g_ptr_array_set_size(run->attrib->gaps, 0);
	return 0;
}

int run_files(struct run *run, GError **error)
{
	for (unsigned int n = 1; n <= run_steps(run); n++) {
		GPtrArray *jobs = g_ptr_array_new();
		int ret = run_move(run, n, n - 1, error);

		if (!ret) {
			follow_enter(run, n);
			neigh_files(run, n, jobs);
			neigh_patch(run, n, jobs);
			ret = run_judge(run, n, jobs, error);
		}
		if (!ret)
			run_note_unusable(run, n, jobs);
		g_ptr_array_unref(jobs);
		if (ret)
			return -1;
	}
	return 0;
}

int run_patch(struct run *run, unsigned int n, GError **error)
{
	g_autoptr(GPtrArray) jobs = NULL, watch = NULL;
	g_autofree char *phase = g_strdup_printf("patch %u/%u", n,
						 run_steps(run));

	progress_phase(run->progress, phase);
	run->done = run->total = 0;
	budget_patch(&run->budget, run_steps(run) - n + 1);
	if (run_move(run, n, n - 1, error))
		return -1;
	follow_enter(run, n);
	jobs = plan_step(run, n, error);
	if (!jobs)
		return -1;
	watch = attrib_watch(run->attrib, n, jobs);
	for (guint i = 0; i < watch->len; i++)
		g_ptr_array_add(jobs, g_ptr_array_index(watch, i));
	if (run_judge(run, n, jobs, error))
		return -1;
	run_note_unusable(run, n, jobs);
	run_note_broken(run, n, jobs);
	run_drop_explained(run, n, jobs);
	reason_step(run, n);
	cover_step(run, n, jobs);
	run_mark(run, n, jobs);
	audit_note(run, n, jobs);
	return checkset_has(run->checks, "gcc") ?
		toggle_step(run, n, jobs, error) : 0;
}
