#include <asm/pgtable.h>
int pte_start(int x);
/* pte_start() in prose */
#define pte_macro(x) pte_start(x)
#ifdef pte_start
int guarded(void);
#endif
