/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does the impact miss anything?  TUs that the plan leaves out are compiled
 * too: a few of each step in every run (the standing audit), all of them or as
 * many as there is time for in `respin audit`.
 */
#ifndef RESPIN_AUDIT_H
#define RESPIN_AUDIT_H

#include "run.h"

#define AUDIT_PERCENT 2		/* of the planned jobs: respin.audit */
#define AUDIT_FAR 20		/* TUs that cannot reach what a patch touches, for
				   each patch and variant */

/* One patch on one variant, in TUs. */
struct audit_row {
	unsigned int n;
	const struct variant *variant;
	unsigned int tus;	/* built at that step */
	unsigned int reach;	/* of these: can reach what the patch touches */
	unsigned int planned;
	unsigned int both;	/* planned, and can reach it */
	unsigned int outside;	/* can reach it, not planned, compiled */
	unsigned int far;	/* cannot reach it, compiled */
	unsigned int missed;	/* show what no planned job shows */
	double plan_seconds;	/* of all planned jobs, headers alone included */
	double both_seconds, outside_seconds;
	/* private: which TUs can reach it; of struct tu, while at the step */
	GHashTable *reaching;
};

/* A finding on a variant, and who shows it. */
struct audit_shown {
	const struct finding *finding;	/* borrowed */
	const struct variant *variant;
	GPtrArray *planned;	/* of struct job, borrowed */
	GPtrArray *outside;
	bool said;		/* the run says that not all was compiled */
	char *rule;		/* missed: what should have had it; else NULL */
};

/* A TU that reads a touched file and that the include graph does not list. */
struct audit_slip {
	unsigned int n;
	const struct variant *variant;
	const struct tu *tu;
	char *file;
};

struct audit {
	/* in */
	bool full;		/* `respin audit`, not the standing audit */
	unsigned int percent;	/* of the planned jobs; 0: none */
	unsigned int minutes;	/* for what the plan leaves out; 0: all of it */
	guint64 seed;
	/* out */
	unsigned int audited;	/* jobs of the standing audit */
	GPtrArray *rows;	/* of struct audit_row */
	GPtrArray *shown;	/* of struct audit_shown */
	GPtrArray *slips;	/* of struct audit_slip */
	/* private */
	double used;		/* seconds of the minutes */
	bool all;		/* at this step everything can reach it: the
				   configuration changes */
};

struct audit *audit_new(void);
void audit_free(struct audit *a);

/*
 * The end of plan_step(): adds the jobs of the standing audit to the planned
 * @jobs.  @config: the value of a CONFIG symbol changed.  run->audit may be
 * NULL, here and below.
 */
void audit_plan(struct run *run, unsigned int n, GPtrArray *jobs, bool config);
/*
 * `respin audit`: runs what is outside of @jobs, and adds it to them.  -1 when
 * interrupted or when the disk is full; @jobs holds all then, too.
 */
int audit_run(struct run *run, unsigned int n, GPtrArray *jobs);
/* Counts, when all of @jobs are judged. */
void audit_note(struct run *run, unsigned int n, const GPtrArray *jobs);
/* Who shows which finding; may be called again.  Before reason_fold(). */
void audit_finish(struct run *run);

/* 0 nothing missed and all was compiled, 1 missed, 2 not all compiled. */
int audit_exit(const struct run *run);
/* Those in reach, not planned, that were not compiled or said nothing. */
unsigned int audit_left(const struct audit_row *row);
/* The table, what was missed, the verdict. */
void audit_print(const struct run *run, FILE *out);
char *audit_json(const struct run *run);	/* g_free() */

/* The pure parts, audit-pick.c and audit-find.c. */

struct audit_pick {
	guint64 key;
	const struct variant *variant;
	const struct tu *tu;
};

/* Orders TUs by chance, and always in the same way for one seed. */
guint64 audit_key(guint64 seed, const char *variant, const char *object);
/* @percent of @jobs, at least 1 when there are any. */
unsigned int audit_share(unsigned int jobs, unsigned int percent);
/* Keeps the first @max of @picks (of struct audit_pick) in order of key. */
void audit_draw(GArray *picks, guint max);

/* Of struct audit_shown, without said and rule; unref it. */
GPtrArray *audit_match(const GPtrArray *findings, const GPtrArray *jobs);
void audit_shown_free(struct audit_shown *s);

/* Does an added or a removed line have the word @name? */
bool audit_mentions(const struct diff *d, const char *name);

/* Why the plan should have had a TU. */
struct audit_clue {
	bool source_touched;	/* its own source */
	bool lists;		/* the include graph lists it */
	const char *reads;	/* a touched file that it reads; NULL: none */
	bool in_touched;	/* the diagnostic is in a touched file */
	const char *name;	/* what the diagnostic is about; NULL: unknown */
	bool name_changed;	/* a changed line has that name */
};
char *audit_rule(const struct audit_clue *c);	/* g_free() */
#endif
