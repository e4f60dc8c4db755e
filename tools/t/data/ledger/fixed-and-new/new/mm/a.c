// SPDX-License-Identifier: GPL-2.0
int get(int *p);
int a(int c)
{
	c++;
	c += 3;
	{ long page; }
	return c;
}

