/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answers that took long to find out, kept on disk for a later run.  One that
 * is not there, is damaged or cannot be written is found out once more; none
 * of this is an error.  To keep something: make a key of everything that the
 * answer hangs on, kept_get(), else find out and kept_put().
 */
#ifndef RESPIN_KEPT_H
#define RESPIN_KEPT_H

#include <glib.h>

/* What a directory of answers may take, see kept_prune(). */
#define KEPT_MAX (G_GUINT64_CONSTANT(128) << 20)

/*
 * A key of @kind ("states").  What this program is made of is a part of it: by
 * another build all is found out anew.  g_checksum_free()
 */
GChecksum *kept_key(const char *kind);
/* One more part, as one that no other sequence of parts can give. */
void kept_add(GChecksum *key, const char *text);
void kept_add_data(GChecksum *key, gconstpointer data, gsize len);
void kept_add_number(GChecksum *key, guint64 number);

/* NULL: not there as it was put, or @dir is NULL.  The key is finished. */
GBytes *kept_get(const char *dir, GChecksum *key);
void kept_put(const char *dir, GChecksum *key, GBytes *what);

/* Removes what was used least lately when @dir holds more than @max bytes. */
void kept_prune(const char *dir, guint64 max);
#endif
