#define COMPILER 1
