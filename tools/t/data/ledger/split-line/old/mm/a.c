// SPDX-License-Identifier: GPL-2.0
int get(int *p);
int a(int c)
{
	int page, other = c;

	get(&other);
	return c;
}

