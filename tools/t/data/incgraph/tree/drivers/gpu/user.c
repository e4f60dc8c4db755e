#include <linux/joined.h>
#include <linux/computed.h>
int d = guarded();
