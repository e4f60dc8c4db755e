/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The mails of one series, put in order and checked for being one, whole.
 */
#ifndef RESPIN_SERIES_SET_H
#define RESPIN_SERIES_SET_H

#include <glib.h>

#include "series-mail.h"

#define SERIES_MAX_PATCHES	1000

struct series_set {
	char *name;		/* of the input, for messages; the caller sets
				   it, the set owns it */
	GPtrArray *mails;	/* of struct series_mail: patches and covers,
				   as they came */
	GPtrArray *others;	/* of struct series_mail: no part of the series */
	GPtrArray *slots;	/* of struct series_mail, borrowed: slot 0 is
				   the cover letter or NULL, slot n patch n */
	GPtrArray *left_out;	/* of char *; borrowed */
};

/* @left_out stays the caller's: what is dropped is said there. */
struct series_set *series_set_new(GPtrArray *left_out);
void series_set_free(struct series_set *set);

/* Takes over @sm.  A mail that is no part of the series goes to left_out. */
void series_set_add(struct series_set *set, struct series_mail *sm);

/*
 * Fills the slots.  Fails with RESPIN_ERROR_INPUT and one line that lists
 * what was seen: no patch, mixed versions, two series (by total, thread or
 * cover letter), the same n with two diffs, patches without n/m, a missing
 * n, more than SERIES_MAX_PATCHES.
 */
int series_set_order(struct series_set *set, GError **error);

typedef struct series_set series_set_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(series_set_t, series_set_free)
#endif
