/* SPDX-License-Identifier: GPL-2.0 */
/* Between states*.c only. */
#ifndef RESPIN_STATES_INT_H
#define RESPIN_STATES_INT_H

#include "ppwalk.h"
#include "states.h"

struct states {
	struct pp *pp;
	struct pp_walk *walk;
	unsigned int step;	/* that run->cur held when files were read */
	unsigned int n, stage;	/* of headers and visits */
	GPtrArray *headers;	/* of struct state_header */
	GPtrArray *visits;	/* of struct state_visit */
	GHashTable *reaches;	/* key -> struct state_reach: the newest */
};

/* What is kept of a visit until all is judged. */
struct state_reach {
	const struct variant *variant;
	char *path;
	GPtrArray *tus;		/* of struct tu: those that get there */
	GPtrArray *readers;	/* of struct tu: see states_readers() */
	bool capped;		/* some of their states are not planned */
};

/* Makes run->states, if it is not there; run->cur holds step @n. */
void states_init(struct run *run, unsigned int n);
/* g_free() */
char *state_reach_key(const struct variant *v, const char *path);

/* What a walk found of one TU at one visit; numbers only, for states-keep.c. */
struct state_seen {
	guint32 tu;			/* index into state_round.tus */
	guint32 state;			/* index into state_visit.order */
	guint32 toggles;		/* pp_walk_toggles() */
	guint32 entry;			/* outermost open header of its cycle */
	guint32 reached;		/* enum pp_known */
};
#define STATE_SEEN_FIELDS 5

struct tu_state {
	const struct tu *tu;		/* one that is planned, or the cheapest */
	guint count;			/* TUs */
	guint number;			/* in state_visit.order */
	GArray *parts;			/* of guint64: a line or name each */
	GHashTable *active;		/* set of line + 1: compiled there */
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
	GHashTable *active;
	guint64 lines;			/* a sum over those compiled */
	enum pp_known reached;
	guint32 entry;
	/* of all */
	GArray *seen;			/* of struct state_seen */
	GHashTable *cycle;		/* set of struct pp_file: what the header
					   can include */
	GHashTable *states;		/* GBytes of parts -> struct tu_state */
	GPtrArray *order;		/* of struct tu_state, as met */
	GHashTable *entries;		/* gint64, a header's name -> struct tu */
	GHashTable *classes;		/* gint64, class and toggles -> struct tu */
	struct state_reach *reach;	/* owned by states->reaches */
};

/* The visits @from up to @to of one variant, and their TUs, each once. */
struct state_round {
	struct plan *p;
	struct states *s;
	const struct variant *v;
	guint from, to;		/* of s->visits */
	GHashTable *wanted;	/* tu -> GPtrArray of struct state_visit */
	GPtrArray *tus;		/* in order of cost */
};

/*
 * What a walk would find, as an earlier run found it (states-keep.c); false:
 * nothing is kept that is sure to be the same.
 */
bool states_recall(struct state_round *r);
/* Takes back what was recorded so far. */
void states_forget(struct state_round *r);
/* Keeps what the walk found. */
void states_remember(struct state_round *r);
/* The key of it: all that a walk reads.  For tests. */
GChecksum *states_key(const struct state_round *r);
/* One more state of @sv; takes over @active, a set of line + 1. */
struct tu_state *state_new(struct state_visit *sv, const guint64 *parts,
			   gsize n, GHashTable *active);

/* For the targets of the walk. */
void state_on_line(struct pp_walk *w, struct pp_target *t, guint line,
		   enum pp_known active);
void state_on_enter(struct pp_walk *w, struct pp_target *t);
/* Plans what is worth a compile by @sv, whose walks are done. */
void states_pick(struct plan *p, struct state_visit *sv);
/* The names on the changed lines of @h, whose text is given. */
void state_names(struct pp *pp, struct state_header *h, const char *text,
		 gsize len);
/* Adds the names in the bodies of all macros called so; true: there are more. */
bool state_names_close(struct pp *pp, GHashTable *names);
#endif
