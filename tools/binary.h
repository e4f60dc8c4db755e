/* SPDX-License-Identifier: GPL-2.0 */
/* git binary patches: base85 lines, zlib, literal and delta.  Pure. */
#ifndef RESPIN_BINARY_H
#define RESPIN_BINARY_H

#include <glib.h>
#include "diff.h"

/*
 * Decodes one line of base85 (@len bytes, no '\n'; the first byte tells how
 * many bytes the line holds) and appends them to @out.  -1: corrupt.
 */
int base85_line(const char *line, gsize len, GByteArray *out);

/*
 * The post-image that @part makes of @old (which only a delta needs).
 * NULL: @part is corrupt or the delta is of another file.
 */
GBytes *binary_apply(const struct binary_part *part, GBytes *old);
#endif
