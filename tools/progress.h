/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The live line of a long run, on a terminal only: what is done, what was
 * found, what is left and about how long it will take.  It is drawn at most
 * ten times a second and never mixes with other output, as long as
 * progress_clear() comes before that output.
 */
#ifndef RESPIN_PROGRESS_H
#define RESPIN_PROGRESS_H

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

struct progress;

/* @quiet, or @out not a live terminal: all calls below do nothing. */
struct progress *progress_new(FILE *out, bool quiet);
/* Clears the line; NULL is allowed here and in all the others. */
void progress_free(struct progress *p);

/* What is being done now ("configure x86_64"), shown at once. */
void progress_phase(struct progress *p, const char *phase);
/* Jobs of this phase: the estimate starts with the phase. */
void progress_jobs(struct progress *p, unsigned int done, unsigned int total,
		   unsigned int found);
/* Time goes on: to be called now and then while nothing ends. */
void progress_tick(struct progress *p);
/* Takes the line away, for other output; the next call draws it again. */
void progress_clear(struct progress *p);

/* What the line says; a pure function, for tests. */
struct progress_view {
	const char *phase;
	unsigned int done, total, found;	/* total 0: no jobs in this phase */
	double seconds;				/* since the start of the run */
	double phase_seconds;			/* since the start of the phase */
};
/* Cut to @columns; g_free(). */
char *progress_line(const struct progress_view *v, unsigned int columns);

#endif
