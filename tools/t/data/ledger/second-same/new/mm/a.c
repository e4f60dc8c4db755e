// SPDX-License-Identifier: GPL-2.0
int get(int *p);
int a(int c)
{
	{ int page; }
	c++;
	{ int page; }
	return c;
}

