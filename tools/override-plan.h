/* SPDX-License-Identifier: GPL-2.0 */
/* Which jobs of helper-override a patch gives. */
#ifndef RESPIN_OVERRIDE_PLAN_H
#define RESPIN_OVERRIDE_PLAN_H

#include "run.h"

/*
 * Adds to @jobs those of step @n: for each generic header that it touches, or
 * whose helpers stand on changed lines of a header of an architecture.
 */
void override_plan(struct run *run, unsigned int n, GPtrArray *jobs);
#endif
