#include "../../tools/lib/shared.h"
#include "../../arch/arm64/mm/shared.c"
#include "made.h"
