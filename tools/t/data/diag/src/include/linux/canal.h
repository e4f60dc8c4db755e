/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers of several gates that stand above those of one, which they call. */
#ifndef TEST_CANAL_H
#define TEST_CANAL_H

#include <linux/kernel.h>

struct canal;
typedef struct { unsigned long raw; } level_t;
typedef unsigned long long ticket_t;

static inline level_t drain_gates(struct canal *canal, level_t *gate,
				  unsigned int count)
{
	level_t sum, one;

	sum = take_water(canal, 0, gate);
	for (unsigned int i = 1; i < count; i++) {
		one = take_water(canal, i, gate + i);
		sum.raw += one.raw;
	}
	return sum;
}

static inline void fill_gates(struct canal *canal, level_t *gate,
			      level_t level)
{
	fill_gate(canal, 0, gate, level);
}

static inline level_t take_water(struct canal *canal, ticket_t ticket,
				 level_t *gate)
{
	return canal ? *gate : (level_t){ 0 };
}

static inline void fill_gate(struct canal *canal, ticket_t ticket,
			     level_t *gate, level_t level)
{
	if (canal)
		*gate = level;
}

#endif
