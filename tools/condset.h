/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is sure to hold at a line of a file, from the #if groups around it, and
 * whether two lines can be in one compile at all.  Pure, and careful: what is
 * not understood excludes nothing.
 */
#ifndef RESPIN_CONDSET_H
#define RESPIN_CONDSET_H

#include <stdbool.h>
#include "condition.h"

struct condset {
	GPtrArray *at;		/* of struct condition, borrowed */
	GPtrArray *atoms;	/* of char *: "defined(X)", "!defined(X)", what
				   is not understood as a whole */
};

/* Of @conditions at @line; they must outlive it.  condset_free() */
struct condset *condset_at(const GPtrArray *conditions, unsigned int line);
void condset_free(struct condset *s);
/* Are both never compiled together: branches of one #if, or X and !X? */
bool condset_excludes(const struct condset *a, const struct condset *b);
/* The same of lines of two files: by X and !X alone. */
bool condset_opposed(const struct condset *a, const struct condset *b);
/* X of each "!defined(X)" that holds there, in order; of char *, owned. */
GPtrArray *condset_undefined(const struct condset *s);

typedef struct condset condset_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(condset_t, condset_free)
#endif
