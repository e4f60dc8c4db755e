/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kbuild (kbuild.h) asks of the repository: whether a base is another one
 * to it, and what lies between two.
 */
#ifndef RESPIN_BASE_H
#define RESPIN_BASE_H

#include "kbuild.h"
#include "repo.h"

struct base;

/* Fills tree, makefiles and changed of @kb for @tree, a tree id. */
struct base *base_new(struct repo *r, const char *tree, struct kbuild *kb,
		      GError **error);
/* Clears in @kb what base_new() filled. */
void base_free(struct base *b);
#endif
