#include <linux/mm.h>
#include <asm/wrapped.h>
int b = 1;
