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
#include "budget.h"
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
	unsigned int stage;		/* the last that said so */
	bool keeps;			/* later stages do not fill it */
	GPtrArray *objects;		/* of char *: not said when findings explain
					   why these do not compile; NULL */
	bool lines;			/* added lines that none compiles: said
					   again by cover_gaps() */
};

/* A variant that could not be had at all. */
struct lost_variant {
	char *name;
	char *reason;
};

/* The settings that make a variant compile lines which no other did. */
struct fragment {
	unsigned int n;
	char *what;		/* "mm/x.c:12-14" */
	const struct variant *variant;
	char *text;		/* lines of a .config */
	const struct variant *base;	/* on top of which */
	bool done;		/* it was judged, and did compile them */
};

struct checkset;
struct follow;
struct messages;
struct neigh;
struct audit;
struct states;
struct symbols;

struct run {
	/* in */
	struct repo *repo;
	struct series *series;
	struct steps *steps;
	char *tree_name;		/* as the user named it */
	char *base_how;			/* "from the cover letter", "HEAD", ... */
	GPtrArray *variants;		/* of struct variant, borrowed: those of the
					   stage that is worked on; else all that
					   were judged */
	GPtrArray *stages;		/* of GPtrArray of struct variant (owned):
					   judged one after the other */
	struct runner *runner;
	struct kbuild *kbuild;
	struct progress *progress;
	char *dir;			/* cache of this tree */
	char *cur, *prev;		/* checkouts: step n and step n-1 */
	unsigned int reach_max;		/* TUs of rule d that are worth compiling
					   for a patch on a variant */
	/* told when the verdict of one stage is there and others follow */
	void (*on_stage)(struct run *run, void *data);
	void *on_stage_data;
	struct checkset *checks;	/* NULL: all; owned */
	struct audit *audit;		/* audit.h; NULL: none; owned */
	struct budget budget;
	bool exhaustive;		/* compile all that can reach a touched
					   header, however many */
	bool cover;			/* look for configurations that compile what
					   no variant does (cover-run.c) */
	unsigned int toggle_max;	/* variants with one symbol the other way
					   round; 0: none (toggle-run.h) */
	/* out */
	struct attrib *attrib;		/* findings */
	GHashTable *cells;		/* variant -> its struct cell [patches] */
	GPtrArray *gaps;		/* of struct gap */
	GPtrArray *lost;		/* of struct lost_variant */
	GPtrArray *out_of_scope;	/* of char *: kinds the series touches */
	GHashTable *base_diags;		/* variant name -> count of base diagnostics
					   met, of those TUs that were compiled */
	GPtrArray *fragments;		/* of struct fragment: what --cover found */
	GPtrArray *toggle_notes;	/* of char *: symbols not tried, and why */
	struct messages *messages;	/* notes on the mails (messages.h); NULL */
	double seconds;			/* wall time of the whole run */
	bool interrupted;
	unsigned int done, total;	/* jobs of the patch that is worked on */
	/* private */
	GPtrArray *judged;		/* of struct variant: stages so far */
	unsigned int stage;		/* counts from 1 */
	struct incgraph *graph;		/* of the step that is worked on */
	unsigned int graph_step;
	struct incgraph *graph_before;	/* of the one before; NULL: the same */
	GHashTable *changes;		/* "from to" -> struct diff */
	GHashTable *compiled;		/* "n path", and "built n path" for a
					   Makefile: some variant of some stage
					   compiles that file of patch n */
	GPtrArray *uncovered;		/* of struct uncovered (cover-run.h) */
	GHashTable *cover_whys;		/* cover_id() -> char *: why --cover has no
					   configuration for it */
	GPtrArray *toggles;		/* of struct toggle: what the patches hang
					   on */
	bool toggled, covered;		/* the variants of toggles, and those of
					   --cover, are a stage */
	struct follow *follow;		/* the builds of the steps (follow.h) */
	struct states *states;		/* what TUs know at headers (states.h) */
	struct symbols *symbols;	/* of the objects (symbols.h) */
	struct neigh *neigh;		/* what stands beside (neigh.h) */
};

struct run *run_new(void);
void run_free(struct run *run);
/* The square of patch @n on the variant that is number @v of run->variants. */
struct cell *run_cell(const struct run *run, unsigned int n, guint v);
/* Adds @v (taken over) to the stage @stage, counted from 0. */
void run_add_variant(struct run *run, unsigned int stage, struct variant *v);
/* All variants of all stages, also those that are still to come. */
unsigned int run_variant_count(const struct run *run);
unsigned int run_steps(const struct run *run);	/* patches */
const struct step *run_step(const struct run *run, unsigned int n);
/* What changed from step @from to @to; owned by @run. */
const struct diff *run_change(struct run *run, unsigned int from,
			      unsigned int to);
/* The gap is owned by @run. */
struct gap *run_gap(struct run *run, unsigned int n, const struct variant *v,
		    const char *what, const char *reason);
/* Does the series touch @path up to step @n? */
bool run_touches(struct run *run, unsigned int n, const char *path);
/*
 * Is check @name asked for, and its tool there?  That it is not there is a gap.
 */
bool run_has_check(struct run *run, const char *name);
/* Names a kind that the series touches and no level judges. */
void run_out_of_scope(struct run *run, const char *what);
/* Both checkouts: @cur to step @n, @prev to step @before. */
int run_move(struct run *run, unsigned int n, unsigned int before,
	     GError **error);

/*
 * The whole pipeline behind applying, for one stage after the other: variants
 * are prepared on the base, then every patch is planned, compiled and
 * attributed.  A variant with ->tip is compiled at the last step only, for all
 * patches at once.  An interrupt keeps what the stages before it found.  -1 with
 * @error when nothing can be said; what could not be done is in gaps and lost.
 */
int run_all(struct run *run, GError **error);

/* 0 nothing new and all in scope verified, 1 findings, 2 not verified. */
int run_exit(const struct run *run);

/* Sentences of cause and "passes because" for the findings of step @n, while
 * the checkouts stand there; later stages add their variants. */
void reason_step(struct run *run, unsigned int n);
/* Folds findings of one cause; numbers them n/m.k. */
void reason_fold(struct run *run);
/* Takes the folding back, for the next stage. */
void reason_unfold(struct run *run);

/*
 * Gaps for the lines that patch @n adds and no variant of any stage so far
 * compiles, with the condition that hides them (cover-run.c).
 */
void cover_step(struct run *run, unsigned int n, const GPtrArray *jobs);
/* The same for all patches, where @jobs are those of the last step. */
void cover_tip(struct run *run, const GPtrArray *jobs);
/* Those gaps once more, as things stand now. */
void cover_gaps(struct run *run);

/* The jobs of step @n on every variant (plan.c); checkouts stand at n, n-1. */
GPtrArray *plan_step(struct run *run, unsigned int n, GError **error);

void report_terminal(const struct run *run, FILE *out, bool verbose);
/* The document of --json as text; see respin(1) for its members. g_free() */
char *report_json(const struct run *run);
#endif
