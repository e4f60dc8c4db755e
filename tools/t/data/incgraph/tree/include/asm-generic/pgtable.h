#define GENERIC 1
