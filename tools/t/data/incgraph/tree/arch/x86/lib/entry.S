#include <asm/pgtable.h>
