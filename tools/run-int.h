/* SPDX-License-Identifier: GPL-2.0 */
/* Between run*.c only. */
#ifndef RESPIN_RUN_INT_H
#define RESPIN_RUN_INT_H

#include "run.h"

/* Judges patch @n; the checkouts are moved there. */
int run_patch(struct run *run, unsigned int n, GError **error);
/* What needs no configuration, where none could be had. */
int run_files(struct run *run, GError **error);
/* Judges all patches at the last step, where all of run->variants are ->tip. */
int run_tip(struct run *run, GError **error);
/* Compiles @jobs (taken over) of step @n and blames; checkouts stand there. */
int run_judge(struct run *run, unsigned int n, GPtrArray *jobs, GError **error);
/* Runs those of @jobs (of step @step) that are not done, on @srcdir. */
int run_jobs(struct run *run, GPtrArray *jobs, const char *srcdir,
	     unsigned int step);
/* A gap of patch @n for each of @jobs that said nothing to go by. */
void run_note_unusable(struct run *run, unsigned int n, const GPtrArray *jobs);
/* ... and for those that do not compile without the series either. */
void run_note_broken(struct run *run, unsigned int n, const GPtrArray *jobs);
/* Takes back gaps of patch @n that findings in @jobs explain (gap->objects). */
void run_drop_explained(struct run *run, unsigned int n, const GPtrArray *jobs);
/*
 * Runs @jobs of @step; in run->prev, which is moved there, unless it is the
 * step that is judged.  -1 with @error, or when interrupted.
 */
int run_compile(struct run *run, GPtrArray *jobs, unsigned int step,
		GError **error);
/* Fills the squares of patch @n; @jobs are those of its step. */
void run_mark(struct run *run, unsigned int n, const GPtrArray *jobs);
/* Once all patches are through: squares of findings that came late. */
void run_mark_missed(struct run *run);
#endif
