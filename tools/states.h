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
#include "ppwalk.h"

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
 * Headers that do not compile alone say nothing by that.  The parents' jobs
 * (n - 1, to be run) of those of @jobs, done at step @n, that failed ...
 */
GPtrArray *states_ask_parents(struct run *run, const GPtrArray *jobs);
/* ... and, by these, the jobs of all TUs that get to such a header and are
 * not in @jobs; a gap where they are too many. */
GPtrArray *states_not_alone(struct run *run, unsigned int n,
			    const GPtrArray *parents, const GPtrArray *jobs);

/* Between states*.c only. */
struct tu_state {
	const struct tu *tu;		/* the cheapest */
	guint count;			/* TUs */
	GArray *parts;			/* of guint64: a line or name each */
	bool planned;
};

/* A touched header. */
struct state_header {
	char *path;
	GArray *lines;			/* of guint32: changed, in the new file */
	GHashTable *names;		/* name -> 1: as a member only; 2: so that a
					   declaration counts */
};

/* The same on a variant. */
struct state_visit {
	struct state_header *header;
	const struct variant *variant;
	GArray *cands;
	struct pp_file *file;
	struct pp_target target;
	/* of the TU that is walked */
	GArray *parts;
	enum pp_known reached;
	guint32 entry;			/* outermost open header of its cycle */
	/* of all */
	GHashTable *cycle;		/* set of struct pp_file: what the header
					   can include */
	GHashTable *states;		/* GBytes of parts -> struct tu_state */
	GPtrArray *order;		/* of struct tu_state, as met */
	GHashTable *entries;		/* gint64, a header's name -> struct tu */
	GHashTable *classes;		/* gint64, class and toggles -> struct tu */
	GPtrArray *reaching;		/* of struct tu */
	bool capped;
};

void states_pick(struct plan *p, struct state_visit *sv);
/* The names on the changed lines of @h, whose text is given. */
void state_names(struct pp *pp, struct state_header *h, const char *text,
		 gsize len);
/* Adds the names in the bodies of all macros called so; true: there are more. */
bool state_names_close(struct pp *pp, GHashTable *names);
#endif
