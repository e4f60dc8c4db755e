// SPDX-License-Identifier: GPL-2.0
int get(int *p);
#include <h.h>
long a(long c, int d)
{
	c = min(c, 4L);
	c++;
	c += 9;
	c = c + min(d, c);
	return c;
}
