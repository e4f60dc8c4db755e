#define NAMED "target.h"
#include NAMED
