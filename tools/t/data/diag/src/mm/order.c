// SPDX-License-Identifier: GPL-2.0
#include <linux/canal.h>

void change(struct canal *canal, level_t *gate)
{
	int boat;

	*gate = drain_gates(canal, gate, 2);
	fill_gates(canal, gate, *gate);
}
