#include "rt.c"
