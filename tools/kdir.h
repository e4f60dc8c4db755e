/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Directories as kbuild sees them (Documentation/kbuild/makefiles.rst).  Paths
 * are relative to the source tree.
 */
#ifndef RESPIN_KDIR_H
#define RESPIN_KDIR_H

#include <glib.h>
#include <stdbool.h>

/* Is @path in or below @dir ("" holds all)? */
bool path_is_below(const char *path, const char *dir);
/* The directory's own Makefile or Kbuild below @srcdir; NULL: none.  g_free() */
char *kdir_makefile(const char *srcdir, const char *dir);
/* The nearest directory above @path that kbuild can be asked for; "" above
 * all.  g_free() */
char *kdir_of(const char *srcdir, const char *path);
/* Is @path in the code of a boot image (arch/X/boot/), which is built by rules
 * of its own, from the finished kernel? */
bool kdir_is_boot(const char *path);
/* Is @path a list of headers rather than of objects: `prepare` makes wrappers
 * of them? */
bool kdir_is_header_list(const char *path);
/*
 * Is @path the Makefile of one directory?  The top one and the architectures'
 * set flags and lists for all of the kernel, a fragment ("Makefile.kvm") may be
 * included from anywhere, and boot images and scripts/ have rules of their
 * own.
 */
bool kdir_is_makefile(const char *path);
/* Is a directory above @dir (a path) in @dirs? */
bool kdir_has_above(GHashTable *dirs, const char *dir);
/* Takes out of @dirs (a set of char *) what is below another of them: a
 * directory is asked for with all that is below it. */
void kdir_reduce(GHashTable *dirs);
#endif
