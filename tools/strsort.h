/* SPDX-License-Identifier: GPL-2.0 */
/* The order of strings, for sorting and searching. */
#ifndef RESPIN_STRSORT_H
#define RESPIN_STRSORT_H

#include <glib.h>
#include <string.h>

/* Of a GPtrArray of char *, or of structures that begin with one. */
static inline gint by_string(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}
#endif
