// SPDX-License-Identifier: GPL-2.0
/*
 * Headers that need another one before them.  That one does not compile alone
 * is then old, and says nothing of the patch; nor does it when the patch makes
 * it worse.  What is left are the TUs that include it.  The states of the names
 * that its changed lines use cover these as well as they do for a header that
 * stands alone: a compile of the header alone is but one more state, that of
 * a TU which includes nothing before.  But such headers are often templates
 * that see the includer's macros, so all TUs that get there are compiled while
 * they are few, and where they are many the states stand for them, unless
 * these were too many as well: that is a gap.
 */
#include "check.h"
#include "states-int.h"

static bool is_unsure(const struct job *job)
{
	return job->why == WHY_ALONE && job_usable(job) &&
	       job_has_hard_error(job);
}

GPtrArray *states_ask_parents(const GPtrArray *jobs, unsigned int before)
{
	GPtrArray *parents = g_ptr_array_new_with_free_func((GDestroyNotify)
							    job_free);

	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);

		if (is_unsure(job))
			g_ptr_array_add(parents, job_new(job->check,
				job->variant, job->tu, job->header,
				before, WHY_BASELINE));
	}
	return parents;
}

static const struct state_reach *reach_of(const struct run *run,
					  const struct job *job)
{
	g_autofree char *key = state_reach_key(job->variant, job->header);

	return run->states ?
		g_hash_table_lookup(run->states->reaches, key) : NULL;
}

static void add_missing(struct run *run, unsigned int n,
			const struct state_reach *sr, GHashTable *have,
			GPtrArray *more)
{
	for (guint i = 0; i < sr->tus->len; i++) {
		const struct tu *tu = g_ptr_array_index(sr->tus, i);
		struct job *job;

		if (g_hash_table_contains(have, tu))
			continue;
		job = job_new(check_find("gcc"), sr->variant, tu, NULL, n,
			      WHY_REACH);
		job->cost = 2 + plan_cost(run, tu->source);
		g_ptr_array_add(more, job);
		g_hash_table_add(have, (gpointer)tu);
	}
}

/* The TUs of @v that @jobs compile. */
static GHashTable *compiled_on(const GPtrArray *jobs, const struct variant *v)
{
	GHashTable *set = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);

		if (job->variant == v && !job->header)
			g_hash_table_add(set, (gpointer)job->tu);
	}
	return set;
}

static void say_unsure(struct run *run, unsigned int n,
		       const struct state_reach *sr)
{
	g_autofree char *reason = g_strdup_printf("it does not compile alone, "
		"without the series either, and %u TUs include it, more than "
		"are compiled (%u)", sr->tus->len, run->reach_max);

	run_gap(run, n, sr->variant, sr->path, reason);
}

GPtrArray *states_not_alone(struct run *run, unsigned int n,
			    const GPtrArray *parents, const GPtrArray *jobs)
{
	GPtrArray *more = g_ptr_array_new();

	for (guint i = 0; i < parents->len; i++) {
		const struct job *parent = g_ptr_array_index(parents, i);
		const struct state_reach *sr = reach_of(run, parent);
		g_autoptr(GHashTable) have = NULL;

		if (!sr || (job_usable(parent) && !job_has_hard_error(parent)))
			continue;
		if (sr->tus->len > run->reach_max) {
			if (sr->capped)
				say_unsure(run, n, sr);
			continue;
		}
		have = compiled_on(jobs, sr->variant);
		add_missing(run, n, sr, have, more);
	}
	return more;
}
