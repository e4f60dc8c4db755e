// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>

#define TWICE(a, b)	(min(a, b) + min(b, a))

int in_one(long l, int i)
{
	return TWICE(l, i);
}

int in_two(long l, int i)
{
	return min(l, i) + min(l, i + 1);
}
