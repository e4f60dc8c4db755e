#ifndef MM
#define MM
#include <linux/pgtable.h>
#include <linux/cycle.h>
static inline int mm_use(int x)
{
	return pte_start(x);
}
#endif
