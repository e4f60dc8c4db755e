/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which patch is to blame: child against parent, lazily.  Pure: it is given
 * results of jobs and says which jobs it wants next.
 *
 *	attrib_begin(a, n, jobs);		results of step n
 *	while ((wanted = attrib_wanted(a)))	all of one step
 *		run them on that step;
 *	attrib_end(a);				findings are complete up to n
 *
 * A TU with a diagnostic at step n is wanted at n-1; what is there too and
 * was not known is wanted at step 0; what step 0 does not have is bisected,
 * goes to its real patch and counts as missed by the impact.
 */
#ifndef RESPIN_ATTRIB_H
#define RESPIN_ATTRIB_H

#include <glib.h>
#include "diff.h"
#include "finding.h"
#include "job.h"

/* What changed between two steps, @from < @to; owned by the callee. */
typedef const struct diff *(*attrib_change_fn)(unsigned int from,
					       unsigned int to, void *data);

/* Adds to @set (char *, borrowed) the generated files that changed between. */
typedef void (*attrib_made_fn)(unsigned int from, unsigned int to,
			       GHashTable *set, void *data);

struct attrib {
	attrib_change_fn change;
	void *change_data;
	attrib_made_fn made;	/* given change_data; NULL: none */
	GPtrArray *findings;	/* of struct finding, in order of n */
	GPtrArray *gaps;	/* of struct job (borrowed): a wanted job that
				   was not PASS or FINDINGS */
	unsigned int missed;	/* findings that the impact did not foresee */
	const GPtrArray *variants;	/* these are at work, and watched; NULL:
					   all (borrowed) */
	/* private */
	unsigned int n;
	GPtrArray *jobs;	/* every job ever given or wanted; owned */
	GPtrArray *cases;	/* of struct attrib_case, of step n */
	GHashTable *last;	/* job id -> struct job, its newest result */
	GHashTable *old;	/* job id, fingerprint -> count at step 0; variant,
				   fingerprint -> 1: old in some TU */
};

struct attrib *attrib_new(attrib_change_fn change, void *data);
void attrib_free(struct attrib *a);

/* @jobs (of struct job, done) are taken over. */
void attrib_begin(struct attrib *a, unsigned int n, GPtrArray *jobs);
/* Jobs of one step, to be run; borrowed by @a's keeping.  NULL: settled. */
GPtrArray *attrib_wanted(struct attrib *a);
/* Settled: places, cheapest showing, deaths, newest results. */
void attrib_end(struct attrib *a);

/* @witness (taken over), done at step 0: what it printed is old for those of
 * @jobs whose objects the base does not have.  Before attrib_begin(). */
void attrib_known(struct attrib *a, struct job *witness,
		  const GPtrArray *jobs);

/* A hard error of @job that no finding explains: it was there before the
 * series, and what stands behind it is not verified.  NULL: none. */
const struct diag *attrib_old_error(const struct attrib *a,
				    const struct job *job);
/* Jobs at step @n that show whether a live finding is still there, for TUs
 * that read what patch @n changed and are not in @planned. */
GPtrArray *attrib_watch(struct attrib *a, unsigned int n,
			const GPtrArray *planned);
/* A live hard error of an earlier patch on @v at step @n that hides what
 * @jobs (may be empty) would say; NULL: none. */
const struct finding *attrib_hidden_by(const struct attrib *a, unsigned int n,
				       const struct variant *v,
				       const GPtrArray *jobs);
#endif
