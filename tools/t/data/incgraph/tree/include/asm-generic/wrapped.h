#define WRAPPED 1
