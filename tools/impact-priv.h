/* SPDX-License-Identifier: GPL-2.0 */
/* What the impact*.c files share; nobody else includes this. */
#ifndef RESPIN_IMPACT_PRIV_H
#define RESPIN_IMPACT_PRIV_H

#include "impact.h"

/* Functions, prototypes, macros: an entity whose name stands for it. */
bool entity_is_named(const struct entity *e);
/* "struct", "variable", ... for messages. */
const char *entity_kind_name(enum entity_kind kind);

/*
 * Calls @named for each function, prototype and macro that holds @line.
 * Returns NULL when these account for the line, else what does not fit:
 * "struct 'foo'", "outside of any function or macro" (g_free() it).
 */
typedef void (*named_fn)(const struct entity *e, void *data);
char *entity_cover(const GPtrArray *entities, unsigned int line,
		   named_fn named, void *data);

/*
 * Does the directive @d define a name without arguments, and not as itself
 * ("#define f f" only says that there is an f)?  Such a name is replaced
 * wherever it stands.
 */
bool defines_object(const struct directive *d);
#endif
