#include <linux/kconfig.h>
