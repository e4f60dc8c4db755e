// SPDX-License-Identifier: GPL-2.0
int get(int *p);
int a(int c)
{
	int page;

	c++;
	c += 7;
	return c;
}

int filler_0(int x);
int filler_1(int x);
int filler_2(int x);
int filler_3(int x);
int filler_4(int x);
int filler_5(int x);
int filler_6(int x);
int filler_7(int x);
int filler_8(int x);
int filler_9(int x);
int filler_10(int x);
int filler_11(int x);
int b(int c)
{
	c--;
	c += 8;
	return c;
}

