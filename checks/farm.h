/* SPDX-License-Identifier: GPL-2.0 */
/* A writable look at the sources in a job's own directory. */
#ifndef RESPIN_FARM_H
#define RESPIN_FARM_H

#include <glib.h>
#include <stdbool.h>

/*
 * Makes @to look like the tree at @srcdir, by symbolic links, with the
 * directories down to @dir ("tools/testing/vma") and all below it as real
 * ones: a build may write there.  -1: RESPIN_ERROR_IO.
 */
int farm_make(const char *to, const char *srcdir, const char *dir,
	      GError **error);
#endif
