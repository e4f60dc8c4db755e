#include "command.h"
int cmd_impact(int argc, char **argv) { return 2; }
