#include <linux/mm.h>
int a = pte_start(1);
