/* SPDX-License-Identifier: GPL-2.0 */
/* Which jobs of header-order a patch gives. */
#ifndef RESPIN_ORDER_PLAN_H
#define RESPIN_ORDER_PLAN_H

#include "run.h"

/*
 * Adds to @jobs those of step @n: for each touched header and variant one of
 * each set of flags by which it can be read, to run before all else; and one
 * for the architectures without a variant.
 */
void order_plan(struct run *run, unsigned int n, GPtrArray *jobs);
/* The part of the flags @class that a header can see: -D, -include, -m ... */
char *order_flags(const char *class);
#endif
