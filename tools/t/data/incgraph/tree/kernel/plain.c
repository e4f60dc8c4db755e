int mm_use_not; int xpte_start;
int c = mm_use(1);
