// SPDX-License-Identifier: GPL-2.0
int get(int *p);
#include <h.h>
int a(int c)
{
	int page;

	return c;
}

