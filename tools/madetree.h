/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What two O= directories have generated differently.
 */
#ifndef RESPIN_MADETREE_H
#define RESPIN_MADETREE_H

#include <glib.h>

/*
 * The files (char *, relative, sorted, owned) below @was or @is that the build
 * generates for TUs to read and that differ or are in one of them only.  Left
 * out: objects, archives, what make and kconfig keep for themselves, host
 * programs and what lies below scripts/ and tools/.
 */
GPtrArray *madetree_changed(const char *was, const char *is);

/*
 * A sum over the names and texts of all that a TU could include from @odir, or
 * be compiled from.  g_free()
 */
char *madetree_sum(const char *odir);
#endif
