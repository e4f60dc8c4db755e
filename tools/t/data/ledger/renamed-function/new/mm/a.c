// SPDX-License-Identifier: GPL-2.0
int get(int *p);
int first(int c)
{
	int page;

	c++;
	return c;
}

