/* SPDX-License-Identifier: GPL-2.0 */
/* Puts hunks into a file, at their line or moved.  Pure. */
#ifndef RESPIN_HUNK_H
#define RESPIN_HUNK_H

#include <glib.h>
#include "diff.h"

struct hunk_miss {
	unsigned int hunk;	/* which one failed, from 1; 0: none */
	unsigned int line;	/* pre-image line where the best try differs */
	/*
	 * That line in the patch and in the file, for a message: valid UTF-8,
	 * without the '\n', quoted; "the end of the file" where there is none
	 */
	char *want, *have;
};

/*
 * Applies @fd's hunks to @old (empty for a new file).  A hunk is searched
 * with its whole context, outwards from the line that it records in the
 * post-image, and does not overlap another, as in git-apply(1); @fuzz context
 * lines at either end may be ignored.  A hunk of line 1 must match at the
 * file's start, one without context behind its changes at the end.
 * Returns the new content, or NULL with @miss filled (hunk_miss_clear()).
 * @moved: largest offset used, signed; may be NULL.
 */
GBytes *hunk_apply(const struct file_diff *fd, GBytes *old, unsigned int fuzz,
		   int *moved, struct hunk_miss *miss);
void hunk_miss_clear(struct hunk_miss *miss);
#endif
