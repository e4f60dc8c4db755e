/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Other tools that look at what gcc has compiled for a patch: jobs like all
 * others, planned from the results of the compiles.
 */
#ifndef RESPIN_SECOND_H
#define RESPIN_SECOND_H

#include "run.h"

/*
 * Adds to @jobs, which are done, those of step @n that follow from them.  What
 * cannot be done at all, for want of a tool, is a gap.
 */
void second_plan(struct run *run, unsigned int n, GPtrArray *jobs);
/*
 * A new object has no parent.  What a second tool says there of files that the
 * series leaves alone was true before.
 */
void second_drop_old(struct run *run, unsigned int n, GPtrArray *jobs);
#endif
