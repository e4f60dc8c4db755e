/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One run of `respin check` on one tree: what it is given, and what it found
 * out.  The report modules read it; only run*.c and plan.c write it.
 */
#ifndef RESPIN_RUN_H
#define RESPIN_RUN_H

#include <glib.h>
#include "apply.h"
#include "attrib.h"
#include "incgraph.h"
#include "job.h"
#include "kbuild.h"
#include "progress.h"
#include "repo.h"
#include "series.h"

/* What patch n did on variant v: a square of the grid. */
enum mark {
	MARK_NOTHING,		/* '-' nothing to compile there */
	MARK_PASS,		/* '.' nothing new */
	MARK_WARNING,		/* 'w' */
	MARK_ERROR,		/* 'E' */
	MARK_BLIND,		/* 'o' passes, but cannot show the error */
	MARK_HIDDEN,		/* '|' behind an earlier error */
	MARK_NOT_VERIFIED,	/* '?' */
};

struct cell {
	enum mark mark;
	unsigned int jobs;	/* compiles of this patch on this variant */
	unsigned int reachable;	/* TUs that can reach what it touches */
	unsigned int behind;	/* MARK_HIDDEN: the patch it is behind */
};

/* Something in scope that was not done. */
struct gap {
	unsigned int n;			/* patch; 0: the whole run */
	const struct variant *variant;	/* NULL: all or none */
	char *what;			/* "mm/Kconfig", "mm/mprotect.o" */
	char *reason;
};

/* A variant that could not be had at all. */
struct lost_variant {
	char *name;
	char *reason;
};

struct follow;

struct run {
	/* in */
	struct repo *repo;
	struct series *series;
	struct steps *steps;
	char *tree_name;		/* as the user named it */
	char *base_how;			/* "from the cover letter", "HEAD", ... */
	GPtrArray *variants;		/* of struct variant */
	struct runner *runner;
	struct kbuild *kbuild;
	struct progress *progress;
	char *dir;			/* cache of this tree */
	char *cur, *prev;		/* checkouts: step n and step n-1 */
	unsigned int reach_max;		/* TUs of rule d that are worth compiling
					   for a patch on a variant */
	bool exhaustive;		/* compile all that can reach a touched
					   header, however many */
	/* out */
	struct attrib *attrib;		/* findings */
	struct cell *cells;		/* [(n - 1) * variants->len + v] */
	GPtrArray *gaps;		/* of struct gap */
	GPtrArray *lost;		/* of struct lost_variant */
	GPtrArray *out_of_scope;	/* of char *: kinds the series touches */
	GHashTable *base_diags;		/* variant name -> count of base diagnostics
					   met, of those TUs that were compiled */
	double seconds;			/* wall time of the whole run */
	bool interrupted;
	unsigned int done, total;	/* jobs of the patch that is worked on */
	/* private */
	struct incgraph *graph;		/* of the step that is worked on */
	struct incgraph *graph_before;	/* of the one before; NULL: the same */
	GHashTable *changes;		/* "from to" -> struct diff */
	struct follow *follow;		/* the builds of the steps (follow.h) */
};

struct run *run_new(void);
void run_free(struct run *run);
struct cell *run_cell(const struct run *run, unsigned int n, guint v);
unsigned int run_steps(const struct run *run);	/* patches */
const struct step *run_step(const struct run *run, unsigned int n);
/* What changed from step @from to @to; owned by @run. */
const struct diff *run_change(struct run *run, unsigned int from,
			      unsigned int to);
void run_gap(struct run *run, unsigned int n, const struct variant *v,
	     const char *what, const char *reason);
/* Both checkouts: @cur to step @n, @prev to step @before. */
int run_move(struct run *run, unsigned int n, unsigned int before,
	     GError **error);

/*
 * The whole pipeline behind applying: variants are prepared on the base, then
 * every patch is planned, compiled and attributed.  -1 with @error when
 * nothing can be said; what could not be done is in gaps and lost.
 */
int run_all(struct run *run, GError **error);

/* 0 nothing new and all in scope verified, 1 findings, 2 not verified. */
int run_exit(const struct run *run);

/* Sentences of cause and "passes because" for the findings of step @n, while
 * the checkouts stand there; @jobs are that step's. */
void reason_step(struct run *run, unsigned int n, const GPtrArray *jobs);
/* Folds findings of one cause; numbers them n/m.k. */
void reason_fold(struct run *run);

/* Gaps for the lines that patch @n adds and no variant compiles, with the
 * condition that hides them (cover.c). */
void cover_step(struct run *run, unsigned int n, const GPtrArray *jobs);

/* The jobs of step @n on every variant (plan.c); checkouts stand at n, n-1. */
GPtrArray *plan_step(struct run *run, unsigned int n, GError **error);

void report_terminal(const struct run *run, FILE *out, bool verbose);
/* The document of --json as text; see respin(1) for its members. g_free() */
char *report_json(const struct run *run);
#endif
