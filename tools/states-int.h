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
	unsigned int n;		/* of headers and visits */
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

struct tu_state {
	const struct tu *tu;		/* one that is planned, or the cheapest */
	guint count;			/* TUs */
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
	guint32 entry;			/* outermost open header of its cycle */
	/* of all */
	GHashTable *cycle;		/* set of struct pp_file: what the header
					   can include */
	GHashTable *states;		/* GBytes of parts -> struct tu_state */
	GPtrArray *order;		/* of struct tu_state, as met */
	GHashTable *entries;		/* gint64, a header's name -> struct tu */
	GHashTable *classes;		/* gint64, class and toggles -> struct tu */
	struct state_reach *reach;	/* owned by states->reaches */
};

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
