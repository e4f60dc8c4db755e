#include <dc.h>
#include "sub/none.h"
