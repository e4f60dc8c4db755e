// SPDX-License-Identifier: GPL-2.0
int get(int *p);
int a(int c)
{
	int buf[600];

	get(buf);
	return buf[c];
}
