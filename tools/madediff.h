/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between two texts of a generated header: the names of macros
 * where that is all there is to it.  Pure.
 */
#ifndef RESPIN_MADEDIFF_H
#define RESPIN_MADEDIFF_H

#include <glib.h>
#include <stdbool.h>

/*
 * The macros (char *, sorted, owned) that @was and @is define differently or
 * only one of them does.  *@whole: something else differs too, so that names
 * are not enough; then the list is empty.  Either text may be NULL: no file.
 * Comments do not count.
 */
GPtrArray *madediff_names(const char *was, const char *is, bool *whole);
#endif
