#include "rt.c"
#include <linux/only.h>
