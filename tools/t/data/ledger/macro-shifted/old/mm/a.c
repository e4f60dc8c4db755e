// SPDX-License-Identifier: GPL-2.0
int get(int *p);
#include <h.h>
long a(long c, int d)
{
	c = min(c, d);
	return c;
}
