/* SPDX-License-Identifier: GPL-2.0 */
/* Who MAINTAINERS names for a file, by the rules of scripts/get_maintainer.pl. */
#ifndef RESPIN_MAINTAINERS_H
#define RESPIN_MAINTAINERS_H

#include <glib.h>
#include <stdbool.h>
#include "address.h"

struct section {
	char *name;		/* "MEMORY MANAGEMENT" */
	GPtrArray *people;	/* of struct address: M: */
	GPtrArray *lists;	/* of char *: L:, without those for subscribers */
	GPtrArray *patterns;	/* private */
};

struct maintainers {
	GPtrArray *sections;	/* of struct section */
	GHashTable *emails;	/* of M: and R:, in lower case */
};

/* @text: the file.  Never fails; maintainers_free() it.  Pure. */
struct maintainers *maintainers_parse(const char *text);
void maintainers_free(struct maintainers *m);

/* Is @email that of an M: or R:? */
bool maintainers_has(const struct maintainers *m, const char *email);
/*
 * The sections (borrowed) that name somebody, and whose F: matches @path, X: not;
 * of these the ones that go deepest, as get_maintainer.pl counts it.  A pattern
 * for all files (THE REST) does not count.  *@wide, when not NULL, gets those that
 * match by N: or by a pattern that begins with a star.  Both to be unref'd.
 */
GPtrArray *maintainers_of(const struct maintainers *m, const char *path,
			  GPtrArray **wide);

#endif
