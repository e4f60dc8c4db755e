/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A job: one process run for a check at a step on a variant; and the runner
 * that executes jobs in the sandbox, or takes their results from the store.
 */
#ifndef RESPIN_JOB_H
#define RESPIN_JOB_H

#include <glib.h>
#include <stdbool.h>
#include "diag.h"
#include "elf-symbols.h"
#include "kbuild.h"
#include "proc.h"
#include "sandbox.h"
#include "store.h"

enum outcome {
	OUTCOME_PASS,		/* ran, said nothing */
	OUTCOME_FINDINGS,	/* ran, printed diagnostics */
	OUTCOME_ERROR,		/* did not run, crashed, not understood */
	OUTCOME_SKIPPED,	/* not started; the reason says why */
	OUTCOME_TIMEOUT,
};

/* Why a TU is worth a compile; the letters are those of the impact rules. */
enum why {
	WHY_SOURCE,		/* a: its main source is touched */
	WHY_ALONE,		/* b: the header alone */
	WHY_CLASS,		/* b: stands for its flag class */
	WHY_STATE,		/* b: another state of the names it uses */
	WHY_MENTION,		/* c: mentions a changed name */
	WHY_MEMBER,		/* c: may mention a changed member, or switch over
				   an enum with a new value */
	WHY_LAYOUT,		/* c: holds or measures a type that may have
				   another layout, or uses another value */
	WHY_REACH,		/* d: can reach a header with a change of no name */
	WHY_AUDIT,		/* outside of the impact, to measure it */
	WHY_WATCH,		/* shows a live finding, and what it read changed */
	WHY_BASELINE,		/* run on an earlier step, to compare */
};

struct check;

struct job {
	const struct check *check;
	const struct variant *variant;
	const struct tu *tu;
	char *header;		/* path of the header that is compiled alone with
				   tu's command; NULL: tu itself */
	unsigned int step;
	enum why why;
	gint64 cost;		/* relative, for the order */
	/* out */
	bool done, reused;
	enum outcome outcome;
	char *reason;		/* for ERROR, SKIPPED, TIMEOUT */
	GPtrArray *diags;	/* of struct diag, folded; never NULL once done */
	char **deps;		/* what it read, relative to the tree; "O/..." */
	struct elf_symbols *symbols; /* of the object; NULL: it made none */
	bool linked;		/* its symbols were judged (symbols.h) */
	double seconds;		/* CPU */
};

struct job *job_new(const struct check *check, const struct variant *v,
		    const struct tu *tu, const char *header, unsigned int step,
		    enum why why);
void job_free(struct job *job);
void job_set_outcome(struct job *job, enum outcome outcome, const char *reason);
/* "mm/mprotect.o" or "include/linux/pgtable.h alone"; g_free() */
char *job_name(const struct job *job);
/* The same variant, TU and header? */
bool job_same(const struct job *a, const struct job *b);
/* Did it say anything to go by (PASS or FINDINGS)? */
bool job_usable(const struct job *job);
/* Is it a compile of a TU or a header, with a command of the database? */
bool job_is_compile(const struct job *job);
/* Does it read one file, whatever the configuration (file-job.h)? */
bool job_is_file(const struct job *job);
bool job_has_hard_error(const struct job *job);
/* Did it stop at a file that is not there, one to be generated perhaps? */
bool job_lacks_file(const struct job *job);
/* Did it read any of @paths (a set of char *)?  Unknown deps: true. */
bool job_reads_any(const struct job *job, GHashTable *paths);

struct runner {
	const struct sandbox *sandbox;
	struct store *store;
	bool reuse;		/* take results from the store */
	unsigned int width;	/* jobs at once */
	unsigned int seconds;	/* limit for one job */
	gint64 deadline;	/* of g_get_monotonic_time(): from then on no job
				   is started; 0: none */
	const char *base_tree;	/* O= was prepared on it: part of a job's key */
	char *tmpdir;		/* job directories are made below it */
	/* told after each job; may be NULL */
	void (*on_done)(const struct job *job, void *data);
	void *on_done_data;
	/* counted */
	unsigned int compiled, reused;
	double spent;		/* seconds that jobs took, added up */
	GHashTable *spent_by;	/* name of a check -> double *, of these; NULL:
				   none ran; owned */
	GError *error;		/* the first that the store or the disk met */
};

/*
 * Runs @jobs (of struct job) that are not done, cheapest first, on the
 * checkout @srcdir that holds tree @tree_id.  Results go to the store as they
 * come.  What the deadline leaves is SKIPPED with BUDGET_SPENT (budget.h).
 * Returns -1 when interrupted or when the disk is full (r->error).
 */
int runner_run(struct runner *r, GPtrArray *jobs, const char *srcdir,
	       const char *tree_id);
/* Seconds that jobs of @check took, added up; 0: none ran. */
double runner_spent(const struct runner *r, const char *check);
/* The text of a probe that includes @header alone; g_free() */
char *probe_text(const char *header, const char *srcdir);
#endif
