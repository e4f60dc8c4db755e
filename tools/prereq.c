// SPDX-License-Identifier: GPL-2.0
/*
 * In a tree that is prepared but not built some TUs lack generated files.
 * make generates those of the base on the base, once; those of what the series
 * adds at its step, in a copy.  Then the TU is judged.
 */
#include "follow.h"

static bool lacks(const struct job *job)
{
	return job->done && job_is_compile(job) && !job->header &&
	       job_lacks_file(job);
}

static int at_step(struct run *run, unsigned int n, GError **error)
{
	return repo_checkout(run->repo, run_step(run, n)->tree, run->cur, NULL,
			     error);
}

static int make_on_base(struct run *run, const GPtrArray *jobs, unsigned int n,
			GPtrArray *again, GError **error)
{
	bool moved = false;

	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = jobs->pdata[i];
		struct variant *v = (struct variant *)job->variant;

		if (!lacks(job) || !follow_is_base(run, v, job->tu, n))
			continue;
		if (!moved && at_step(run, 0, error))
			return -1;
		moved = true;
		if (!kbuild_make_object(run->kbuild, v, job->tu->object, NULL))
			g_ptr_array_add(again, job);
	}
	return moved ? at_step(run, n, error) : 0;
}

static void make_at_step(struct run *run, const GPtrArray *jobs, unsigned int n,
			 GPtrArray *again)
{
	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = jobs->pdata[i];

		if (lacks(job) &&
		    !follow_is_base(run, job->variant, job->tu, n) &&
		    !g_ptr_array_find(again, job, NULL) &&
		    follow_make(run, job, n))
			g_ptr_array_add(again, job);
	}
}

GPtrArray *prereq_make(struct run *run, const GPtrArray *jobs, unsigned int n,
		       GError **error)
{
	GPtrArray *again = g_ptr_array_new();

	if (make_on_base(run, jobs, n, again, error)) {
		g_ptr_array_unref(again);
		return NULL;
	}
	make_at_step(run, jobs, n, again);
	for (guint i = 0; i < again->len; i++) {
		struct job *job = again->pdata[i];

		job->done = false;
		g_clear_pointer(&job->diags, g_ptr_array_unref);
	}
	return again;
}
