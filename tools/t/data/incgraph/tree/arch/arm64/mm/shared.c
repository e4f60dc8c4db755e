#include "../include/asm/pgtable.h"
