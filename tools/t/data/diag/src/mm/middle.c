// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>

int get(int *p);

static inline __attribute__((always_inline)) int inner(int c)
{
	int x;

	if (c > 3)
		x = get(&c);
	return x;
}

static inline __attribute__((always_inline)) int outer(int c)
{
	return inner(c) + 1;
}

int top(int c)
{
	return outer(c);
}

int frame(int c)
{
	int buf[512];

	get(buf);
	return buf[c];
}

int noret(int c)
{
	if (c)
		return 1;
}

int fmt(long l)
{
	pr_info("%d\n", l);
	return min(l, 3);
}

static int nobody(void)
{
	return 0;
}

static int lonely = 1;
