/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --budget: how long a run may compile.  What a patch does not use of its share
 * is left to the ones after it.  When a share is spent no new compile is started
 * for that patch; those that say whether a diagnostic is new get more time.
 */
#ifndef RESPIN_BUDGET_H
#define RESPIN_BUDGET_H

#include <glib.h>
#include <stdbool.h>

struct job;
struct run;

struct budget {
	gint64 total;		/* seconds; 0: no limit */
	double left;		/* seconds of it, baseline jobs included */
	double share;		/* of the patch that is worked on */
	double extra;		/* for baseline jobs beyond the share */
};

/* "90s", "10m", "2h", "90" (seconds), at least a second.  -1 with @error. */
int budget_parse(const char *text, gint64 *seconds, GError **error);
/* "90 s", "10 min", "2 h"; g_free() */
char *budget_text(gint64 seconds);

/* Patch by patch: @left is how many are to come, this one included. */
void budget_patch(struct budget *b, unsigned int left);
/*
 * Around the jobs of one call of runner_run(): the first gives the moment (of
 * g_get_monotonic_time()) from which no job is started, 0: never; the second is
 * told how long it took.  @baseline: they are of an earlier step.
 */
gint64 budget_deadline(const struct budget *b, bool baseline, gint64 now);
void budget_spend(struct budget *b, bool baseline, double seconds);

/* The reason of a job that was not started. */
#define BUDGET_SPENT "the budget is spent"
/* Was @job not started, and is none of the baseline? */
bool budget_stopped(const struct job *job);
/* One gap for each variant whose @jobs of patch @n were stopped so. */
void budget_note(struct run *run, unsigned int n, const GPtrArray *jobs);
#endif
