// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>
#ifndef CONFIG_X
#error "CONFIG_X must be set"
#warning this is going away
#endif
static int nobody;
#include <linux/missing.h>
int never_read = ;
