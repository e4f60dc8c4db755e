// SPDX-License-Identifier: GPL-2.0
void barrier_bad(void)
{
	asm volatile("frobnicate %0" : : "r" (1));
}

void barrier_bad2(int x)
{
	asm volatile("nop\n\tfrobnicate %%r99, 3\n\tnop");
}

asm(".macro bad_macro\n"
    "	frobnicate\n"
    ".endm\n"
    "	bad_macro");

int label(void)
{
	asm("foo:");
	return 1;
}

int foo;
