/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rule b: a changed line of a header may compile in one TU and fail in another
 * of the same flags, by what was included before.  TUs for which the names that
 * the changed lines use stand alike (a macro, declared, absent) are one state;
 * one TU stands for each, found by a walk over all (ppwalk.h).
 */
#ifndef RESPIN_STATES_H
#define RESPIN_STATES_H

#include "plan.h"

/* States of a header on a variant that are worth a compile each. */
#define STATES_MAX 24

/* Kept for a run: the parsed files. */
struct states;
void states_free(struct states *s);

/* Header (or what others include like one) @c of p->n is reached on @v by
 * @cands, in order of cost. */
void states_add(struct plan *p, const struct variant *v,
		const struct change *c, GArray *cands);
/* Once all else is planned: a TU for each state, for each header by which an
 * include cycle is entered, for each flag class that gets there. */
void states_plan(struct plan *p);

/*
 * Planned TUs (of struct tu) that together compile all changed lines of @path
 * which any TU of @v compiles; borrowed, NULL: nothing is known.
 */
const GPtrArray *states_readers(const struct run *run, const struct variant *v,
				const char *path);

/*
 * Headers that do not compile alone say nothing by that.  The jobs at step
 * @before, to be run, of those of @jobs that failed ...
 */
GPtrArray *states_ask_parents(const GPtrArray *jobs, unsigned int before);
/* ... and, by these, the jobs of all TUs that get to such a header and are
 * not in @jobs; a gap where they are too many. */
GPtrArray *states_not_alone(struct run *run, unsigned int n,
			    const GPtrArray *parents, const GPtrArray *jobs);
#endif
