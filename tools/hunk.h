/* SPDX-License-Identifier: GPL-2.0 */
/* Puts hunks into a file, at their line or moved.  Pure. */
#ifndef RESPIN_HUNK_H
#define RESPIN_HUNK_H

#include <glib.h>
#include "diff.h"

struct hunk_miss {
	unsigned int hunk;	/* which one failed, from 1; 0: none */
	unsigned int line;	/* pre-image line where the best try differs */
	char *want, *have;	/* that line in the patch and in the file */
};

/*
 * Applies @fd's hunks to @old (empty for a new file).  A hunk is searched
 * outwards from its recorded line (plus the offset of the hunk before) with
 * its whole context; @fuzz context lines at either end may be ignored.
 * A hunk at the file's start or end must match there, as in git-apply(1).
 * Returns the new content, or NULL with @miss filled (hunk_miss_clear()).
 * @moved: largest offset used, signed; may be NULL.
 */
GBytes *hunk_apply(const struct file_diff *fd, GBytes *old, unsigned int fuzz,
		   int *moved, struct hunk_miss *miss);
void hunk_miss_clear(struct hunk_miss *miss);
#endif
