// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
extern void __overflow(void) __attribute__((error("detected write beyond size of object")));
extern void __overflow_w(void) __attribute__((warning("detected read beyond")));
static inline __attribute__((always_inline)) void chk(int n)
{
	if (n > 3)
		__overflow();
	if (n > 4)
		__overflow_w();
}
static inline __attribute__((always_inline)) void mid(int n)
{
	chk(n);
	BUILD_BUG_ON(n > 3);
}
void a(void) { mid(5); mid(6); chk(7); }
void b(void) { mid(5); }
void c(void)
{
	BUILD_BUG_ON(sizeof(int) == 4);
	BUILD_BUG_ON(sizeof(int) != 8);
}
