/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Headers for user space: include/uapi/ and arch/X/include/uapi/, installed
 * into one directory ("linux/types.h") by scripts/headers_install.sh, and there
 * compiled alone (usr/include/Makefile, UAPI_HEADER_TEST).
 */
#ifndef RESPIN_UAPI_H
#define RESPIN_UAPI_H

#include <glib.h>
#include <stdbool.h>
#include "compdb.h"

/*
 * The name that @path has once it is installed, "linux/types.h", for @srcarch;
 * NULL: it is not, or its name is one that no Makefile can hold.  Borrowed.
 */
const char *uapi_name(const char *path, const char *srcarch);
/* The same for any architecture; @srcarch gets it, or NULL for all; g_free(). */
bool uapi_is_header(const char *path, char **srcarch);

/*
 * The installed name @name to the path it comes from: below @srcdir, or "O/..."
 * when the build generates it in @odir; NULL: neither has it.  g_free().
 */
char *uapi_source(const char *srcdir, const char *odir, const char *srcarch,
		  const char *name);

/* Installed names that @name includes, with itself: a set of char *, owned. */
GHashTable *uapi_closure(const char *srcdir, const char *odir,
			 const char *srcarch, const char *name);

/*
 * The headers of the tree (char *, owned; sorted) that include one of @names (a
 * set of installed names), or something that does, as user space sees them; a
 * name need not be there any more.
 */
GPtrArray *uapi_reaching(const char *srcdir, const char *odir,
			 const char *srcarch, GHashTable *names);

/* "-m32" or "-m64", as the kernel of @db (NULL: none) is compiled; else "". */
const char *uapi_mode(const struct compdb *db);

/*
 * From usr/include/Makefile: the flags of the test, and whether @name is
 * left out of it on @srcarch.
 */
char *uapi_flags(const char *makefile);
bool uapi_is_excluded(const char *makefile, const char *srcarch,
		      const char *name);
#endif
