// SPDX-License-Identifier: GPL-2.0
#include <linux/kernel.h>

struct cb { char data[56]; };

static_assert(sizeof(struct cb) <= 48);
static_assert(sizeof(struct cb) <= 40, "cb must fit");

static inline void check_size(int n)
{
	BUILD_BUG_ON(sizeof(struct cb) > 48);
	BUILD_BUG_ON(n > 3);
}

void init_cb(void)
{
	check_size(2);
	BUILD_BUG_ON(sizeof(struct cb) != 64);
	BUILD_BUG_ON(sizeof(struct cb) == 56);
}
