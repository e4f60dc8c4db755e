// SPDX-License-Identifier: GPL-2.0
int get(int *p);
#include <h.h>
int more;
long a(long c, int d)
{
	c++;
	c = min(c, d);
	return c;
}
