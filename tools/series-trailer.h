/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a mail says about the base: base-commit:, prerequisite-patch-id:
 * (git-format-patch(1), --base) and change-id: (b4).
 */
#ifndef RESPIN_SERIES_TRAILER_H
#define RESPIN_SERIES_TRAILER_H

#include "mail.h"
#include "series.h"

/*
 * Takes from @m what @s does not have yet.  Of several lines base-commit: in
 * one mail the last counts, since format-patch writes it last.  A base that
 * is no commit id is noted in @notes (of char *) and not taken.
 */
void series_trailer_read(struct series *s, const struct mail *m,
			 GPtrArray *notes);

#endif
