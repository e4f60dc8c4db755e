// SPDX-License-Identifier: GPL-2.0
#include "check.h"

#define CHECK(name) extern const struct check check_##name;
#include "list.h"
#undef CHECK

static const struct check *const checks[] = {
#define CHECK(name) &check_##name,
#include "list.h"
#undef CHECK
};

const struct check *check_find(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(checks); i++)
		if (!strcmp(checks[i]->name, name))
			return checks[i];
	return NULL;
}
