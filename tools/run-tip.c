// SPDX-License-Identifier: GPL-2.0
/*
 * Variants that are judged at the tip only: what each patch is worth a compile
 * there is gathered step by step and compiled once, at the last step.  Which
 * patch is to blame is asked only for what is found.
 */
#include "check.h"
#include "error.h"
#include "follow.h"
#include "run-int.h"

struct tip {
	struct run *run;
	GPtrArray *jobs;	/* of struct job: to be run at the last step */
	GHashTable *seen;	/* key -> struct job of jobs; key owned */
	GPtrArray *of_patch;	/* [n - 1]: GPtrArray of jobs, borrowed */
};

static char *key_of(const struct job *job)
{
	return g_strjoin("\n", job->check->name, job->variant->name,
			 job->tu->object, job->header, NULL);
}

/* Is it there at the last step? */
static bool stays(const struct run *run, const struct job *job)
{
	g_autofree char *path = NULL;

	if (!compdb_at(job->tu, run_steps(run)))
		return false;
	if (!job->header)
		return true;
	path = g_build_filename(run->cur, job->header, NULL);
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* What make said it cannot do is a result of this step already. */
static int judge_done(struct run *run, unsigned int n, GPtrArray *done,
		      GError **error)
{
	return done->len ? run_judge(run, n, done, error) : 0;
}

static int gather(struct tip *t, unsigned int n, GError **error)
{
	struct run *run = t->run;
	g_autoptr(GPtrArray) planned = NULL, done = g_ptr_array_new();
	GPtrArray *mine = g_ptr_array_new();

	g_ptr_array_add(t->of_patch, mine);
	if (run_move(run, n, n - 1, error))
		return -1;
	follow_enter(run, n);
	planned = plan_step(run, n, error);
	if (!planned)
		return -1;
	for (guint i = 0; i < planned->len; i++) {
		struct job *job = g_ptr_array_index(planned, i);
		char *key = key_of(job);
		struct job *have = g_hash_table_lookup(t->seen, key);

		if (job->done) {
			g_ptr_array_add(done, job);
			g_free(key);
			continue;
		}
		if (have) {
			if (have->why == WHY_AUDIT) {
				have->why = job->why;
				have->cost = job->cost;
			}
			job_free(job);
			g_free(key);
		} else {
			have = job;
			job->step = run_steps(run);
			g_hash_table_insert(t->seen, key, job);
			g_ptr_array_add(t->jobs, job);
		}
		g_ptr_array_add(mine, have);
	}
	return judge_done(run, n, done, error);
}

/* What a later patch took away again needs no compile. */
static void drop_gone(struct tip *t)
{
	for (guint i = 0; i < t->jobs->len; i++) {
		struct job *job = g_ptr_array_index(t->jobs, i);

		if (!stays(t->run, job))
			job_set_outcome(job, OUTCOME_PASS, NULL);
	}
}

static int judge(struct tip *t, GError **error)
{
	struct run *run = t->run;
	unsigned int last = run_steps(run);

	progress_phase(run->progress, "all patches at once");
	run->done = run->total = 0;
	drop_gone(t);
	if (run_judge(run, last, t->jobs, error))
		return -1;
	reason_step(run, last);
	cover_tip(run, t->jobs);
	for (unsigned int n = 1; n <= last; n++) {
		const GPtrArray *jobs = g_ptr_array_index(t->of_patch, n - 1);

		run_note_unusable(run, n, jobs);
		run_note_broken(run, n, jobs);
		run_mark(run, n, jobs);
	}
	run_drop_explained(run, last, t->jobs);
	return 0;
}

static void unref(gpointer list)
{
	g_ptr_array_unref(list);
}

int run_tip(struct run *run, GError **error)
{
	struct tip t = { .run = run };
	int ret = 0;

	t.jobs = g_ptr_array_new();
	t.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	t.of_patch = g_ptr_array_new_with_free_func(unref);
	budget_patch(&run->budget, 1);
	progress_phase(run->progress, "what to compile at the last patch");
	for (unsigned int n = 1; !ret && n <= run_steps(run); n++)
		ret = proc_interrupted() ? -1 : gather(&t, n, error);
	if (!ret)
		ret = judge(&t, error);
	else
		g_ptr_array_set_free_func(t.jobs, (GDestroyNotify)job_free);
	g_hash_table_unref(t.seen);
	g_ptr_array_unref(t.of_patch);
	g_ptr_array_unref(t.jobs);
	return ret;
}
