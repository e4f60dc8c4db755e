#include "sched.h"
static int rt(void)
{
	return pte_start(1);
}
static inline int rt_inline(int x)
{
	return pte_macro(x);
}
