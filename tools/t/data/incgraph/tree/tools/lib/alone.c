#include <linux/mm.h>
int pte_start;
