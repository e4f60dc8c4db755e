/* SPDX-License-Identifier: GPL-2.0 */
/* .mailmap, as gitmailmap(5) describes it; libgit2 reads it. */
#ifndef RESPIN_MAILMAP_H
#define RESPIN_MAILMAP_H

#include <glib.h>

struct mailmap;

/* @text: of the file; NULL: empty.  mailmap_free() it. */
struct mailmap *mailmap_new(const char *text);
void mailmap_free(struct mailmap *map);
/*
 * The address of today for @email, which @name writes from; as git has it,
 * the case of neither counts.  g_free() it.
 */
char *mailmap_email(const struct mailmap *map, const char *name,
		    const char *email);

#endif
