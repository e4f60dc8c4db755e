/* SPDX-License-Identifier: GPL-2.0 */
/* What the impact-paste*.c files share; nobody else includes this. */
#ifndef RESPIN_IMPACT_PASTE_H
#define RESPIN_IMPACT_PASTE_H

#include "impact-priv.h"

/* Who uses @macro and spells all pieces of one of @readings makes @name. */
struct job {
	char *macro;
	bool weak;		/* the pattern fits every name */
	GPtrArray *readings;	/* of GPtrArray of char * */
	const char *name;	/* borrowed from im->names */
};

struct pastes {
	GHashTable *patterns;	/* "macro pattern", those of the graph */
	GHashTable *seen;	/* "macro name" of all jobs that there were */
	GPtrArray *next;	/* of struct job, for the next round */
	GPtrArray *jobs;	/* of this round */
	GHashTable *by_macro;	/* macro -> GPtrArray of its jobs, borrowed */
	GHashTable *by_piece;	/* the longest piece of a reading -> GPtrArray of
				   the weak jobs that want it */
};

/*
 * A job for the next round, unless there was one; takes @readings.  A reading
 * without a piece makes @macro a changed name itself.
 */
void pastes_add_job(struct closure *cl, const char *macro, GPtrArray *readings,
		    const char *name, bool weak);
/* Are all @pieces (char *) in @set? */
bool pastes_all_in(const GPtrArray *pieces, GHashTable *set);
#endif
