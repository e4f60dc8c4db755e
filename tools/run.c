// SPDX-License-Identifier: GPL-2.0
/*
 * The loop over the patches.  The stages themselves are elsewhere: kbuild
 * prepares, plan.c says what to compile, runner.c compiles, attrib.c blames,
 * reason.c explains.
 */
#include "run.h"
#include "error.h"
#include "follow.h"
#include "ledger.h"

static void gap_free(struct gap *g)
{
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

struct run *run_new(void)
{
	struct run *run = g_new0(struct run, 1);

	run->variants = g_ptr_array_new_with_free_func((GDestroyNotify)
						       variant_free);
	run->gaps = g_ptr_array_new_with_free_func((GDestroyNotify)gap_free);
	run->lost = g_ptr_array_new_with_free_func((GDestroyNotify)lost_free);
	run->out_of_scope = g_ptr_array_new_with_free_func(g_free);
	run->changes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)diff_free);
	run->base_diags = g_hash_table_new(g_str_hash, g_str_equal);
	run->attrib = attrib_new(attrib_change, run);
	run->reach_max = 300;
	return run;
}

void run_free(struct run *run)
{
	if (!run)
		return;
	attrib_free(run->attrib);
	follow_free(run->follow);
	g_ptr_array_unref(run->variants);
	g_ptr_array_unref(run->gaps);
	g_ptr_array_unref(run->lost);
	g_ptr_array_unref(run->out_of_scope);
	g_hash_table_unref(run->changes);
	g_hash_table_unref(run->base_diags);
	incgraph_free(run->graph);
	incgraph_free(run->graph_before);
	g_free(run->cells);
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
	return &run->cells[(n - 1) * run->variants->len + v];
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

void run_gap(struct run *run, unsigned int n, const struct variant *v,
	     const char *what, const char *reason)
{
	struct gap *g;

	for (guint i = 0; i < run->gaps->len; i++) {
		g = g_ptr_array_index(run->gaps, i);
		if (g->n == n && g->variant == v && !g_strcmp0(g->what, what) &&
		    !g_strcmp0(g->reason, reason))
			return;
	}
	g = g_new0(struct gap, 1);
	g->n = n;
	g->variant = v;
	g->what = g_strdup(what);
	g->reason = g_strdup(reason);
	g_ptr_array_add(run->gaps, g);
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

static void on_job(const struct job *job, void *data)
{
	struct run *run = data;

	run->done++;
	progress_jobs(run->progress, run->done, run->total,
		      run->attrib->findings->len);
}

static int run_jobs(struct run *run, GPtrArray *jobs, const char *srcdir,
		    unsigned int step)
{
	unsigned int now = follow_current(run);
	int ret;

	run->total += jobs->len;
	run->runner->on_done = on_job;
	run->runner->on_done_data = run;
	follow_enter(run, step);
	ret = runner_run(run->runner, jobs, srcdir, run_step(run, step)->tree);
	follow_enter(run, now);
	return ret;
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
		g_ptr_array_unref(wanted);
		if (ret)
			return -1;
	}
	attrib_end(run->attrib);
	return 0;
}

static void note_unusable(struct run *run, unsigned int n,
			  const GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);
		g_autofree char *name = job_name(job);

		if (job->outcome == OUTCOME_PASS ||
		    job->outcome == OUTCOME_FINDINGS)
			continue;
		run_gap(run, n, job->variant, name, job->reason);
	}
}

/*
 * What fails with and without the series has nothing new, and nothing to say.
 * A header alone is left out: many need another one before them, and the TUs
 * that include it are compiled as well.
 */
static void note_broken(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);
		const struct diag *d = job->header ? NULL :
				       attrib_old_error(run->attrib, job);
		g_autofree char *name = NULL, *why = NULL;

		if (!d)
			continue;
		name = job_name(job);
		why = g_strdup_printf("it does not compile without the series "
				      "either: %s", d->message);
		run_gap(run, n, job->variant, name, why);
	}
}

/* A gap of no variant in particular is one of those that compile nothing. */
static bool gap_on(const struct run *run, unsigned int n,
		   const struct variant *v, bool compiles)
{
	for (guint i = 0; i < run->gaps->len; i++) {
		const struct gap *g = g_ptr_array_index(run->gaps, i);

		if (g->n == n && (g->variant == v || (!g->variant && !compiles)))
			return true;
	}
	return false;
}

/* The worst that patch @n did on @v; MARK_PASS when it did nothing. */
static enum mark worst_finding(const struct run *run, unsigned int n,
			       const struct variant *v)
{
	enum mark worst = MARK_PASS;

	for (guint i = 0; i < run->attrib->findings->len; i++) {
		const struct finding *f =
			g_ptr_array_index(run->attrib->findings, i);

		if (f->n != n || !finding_showing(f, v))
			continue;
		if (f->diag->kind == DIAG_ERROR)
			return MARK_ERROR;
		worst = MARK_WARNING;
	}
	return worst;
}

static bool is_blind(const struct run *run, unsigned int n,
		     const struct variant *v)
{
	for (guint i = 0; i < run->attrib->findings->len; i++) {
		const struct finding *f =
			g_ptr_array_index(run->attrib->findings, i);

		for (guint j = 0; f->n == n && j < f->passes->len; j++) {
			const struct passing *p = g_ptr_array_index(f->passes, j);

			if (p->variant == v && p->because)
				return true;
		}
	}
	return false;
}

static void mark_cells(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	for (guint v = 0; v < run->variants->len; v++) {
		const struct variant *var = g_ptr_array_index(run->variants, v);
		g_autoptr(GPtrArray) mine = g_ptr_array_new();
		struct cell *cell = run_cell(run, n, v);
		const struct finding *hidden;

		for (guint i = 0; i < jobs->len; i++) {
			struct job *job = g_ptr_array_index(jobs, i);

			if (job->variant == var && job->why != WHY_WATCH)
				g_ptr_array_add(mine, job);
		}
		cell->jobs = mine->len;
		hidden = attrib_hidden_by(run->attrib, n, var, mine);
		cell->behind = hidden ? hidden->n : 0;
		cell->mark = worst_finding(run, n, var);
		if (cell->mark != MARK_PASS)
			continue;
		if (hidden)
			cell->mark = MARK_HIDDEN;
		else if (gap_on(run, n, var, mine->len > 0))
			cell->mark = MARK_NOT_VERIFIED;
		else if (is_blind(run, n, var))
			cell->mark = MARK_BLIND;
		else if (!mine->len)
			cell->mark = MARK_NOTHING;
	}
}

/* A finding that went to an earlier patch: its square was filled already. */
static void mark_missed(struct run *run)
{
	for (guint i = 0; i < run->attrib->findings->len; i++) {
		const struct finding *f =
			g_ptr_array_index(run->attrib->findings, i);

		for (guint v = 0; f->missed && v < run->variants->len; v++) {
			const struct variant *var =
				g_ptr_array_index(run->variants, v);

			if (finding_showing(f, var))
				run_cell(run, f->n, v)->mark =
					worst_finding(run, f->n, var);
		}
	}
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

static int run_patch(struct run *run, unsigned int n, GError **error)
{
	g_autoptr(GPtrArray) jobs = NULL, watch = NULL;
	g_autofree char *phase = g_strdup_printf("patch %u/%u", n,
						 run_steps(run));

	progress_phase(run->progress, phase);
	run->done = run->total = 0;
	if (run_move(run, n, n - 1, error))
		return -1;
	follow_enter(run, n);
	jobs = plan_step(run, n, error);
	if (!jobs)
		return -1;
	watch = attrib_watch(run->attrib, n, jobs);
	for (guint i = 0; i < watch->len; i++)
		g_ptr_array_add(jobs, g_ptr_array_index(watch, i));
	if (run_jobs(run, jobs, run->cur, n) ||
	    run_again(run, jobs, n, error) || ask_base(run, jobs, n, error)) {
		/* Else they are attrib's, which is asked no more. */
		g_ptr_array_set_free_func(jobs, (GDestroyNotify)job_free);
		return -1;
	}
	note_unusable(run, n, jobs);
	attrib_begin(run->attrib, n, jobs);
	if (settle(run, error))
		return -1;
	note_unusable(run, n, run->attrib->gaps);
	g_ptr_array_set_size(run->attrib->gaps, 0);
	note_broken(run, n, jobs);
	reason_step(run, n, jobs);
	cover_step(run, n, jobs);
	mark_cells(run, n, jobs);
	return 0;
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
	mark_missed(run);
	count_base(run, run->attrib->jobs);
	reason_fold(run);
	run->seconds = (g_get_monotonic_time() - start) / 1e6;
	progress_clear(run->progress);
	return 0;
}

int run_exit(const struct run *run)
{
	if (run->attrib->findings->len)
		return 1;
	return run->gaps->len || run->lost->len || run->interrupted ? 2 : 0;
}
