/* SPDX-License-Identifier: GPL-2.0 */
/* What sparse printed, as diagnostics.  Pure: text in, structs out. */
#ifndef RESPIN_SPARSE_TEXT_H
#define RESPIN_SPARSE_TEXT_H

#include <glib.h>

/*
 * Parses @text, the standard error of sparse ("FILE:LINE:COL: warning: ...",
 * lines of the same place that go on).  "expected T" and "got U" become part
 * of the message.  sparse names no option: rule is the one that switches such
 * a warning ("-Wbitwise", "-Wcontext"), as far as there is one.  None hides
 * others, so all are warnings, but for those of a source that could not be
 * read as C, which are errors.  Paths as in diag_parse().  What stands in
 * a file outside of both whose name ends with @probe (NULL: none) is left out.
 * NULL with RESPIN_ERROR_TOOL: sparse gave up, or said what is not understood.
 */
GPtrArray *sparse_parse(const char *text, const char *srcdir, const char *odir,
			const char *probe, GError **error);
#endif
