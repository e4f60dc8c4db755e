/* SPDX-License-Identifier: GPL-2.0 */
/* Between run*.c only. */
#ifndef RESPIN_RUN_INT_H
#define RESPIN_RUN_INT_H

#include "run.h"

/* Judges patch @n; the checkouts are moved there. */
int run_patch(struct run *run, unsigned int n, GError **error);
/* Fills the squares of patch @n; @jobs are those of its step. */
void run_mark(struct run *run, unsigned int n, const GPtrArray *jobs);
/* Once all patches are through: squares of findings that came late. */
void run_mark_missed(struct run *run);
#endif
