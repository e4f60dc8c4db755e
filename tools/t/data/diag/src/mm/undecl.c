// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#include "undecl.h"

#define SET(p, v)	((p)->member = (v))
#define SET_BOTH(p, v)	do { SET(p, v); SET(p, undeclared_thing); } while (0)

struct s { int other; };

int one(struct s *s)
{
	SET_BOTH(s, 1);
	return other_thing + other_thing;
}

int two(struct s *s)
{
	return other_thing;
}

int three(foo_t *f)
{
	foo_t x = *f;

	return x;
}

void four(void)
{
	one();
	one(0, 1);
	*one;
	return 4
}
