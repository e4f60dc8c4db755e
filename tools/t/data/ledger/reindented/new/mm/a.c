// SPDX-License-Identifier: GPL-2.0
int get(int *p);
int a(int c)
{
	if (c) {
		if (c > 1) {
			int page;
		}
	}
	return c;
}

