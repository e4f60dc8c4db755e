/* SPDX-License-Identifier: GPL-2.0 */
/* A patch as git-format-patch(1) writes it, for tools that read one. */
#ifndef RESPIN_PATCHTEXT_H
#define RESPIN_PATCHTEXT_H

#include "series.h"
#include "diff.h"

/*
 * From, Subject, message and the changes of @d, by context as @d has it; binary
 * files are named only.  Bytes as they are; g_free()
 */
char *patch_text(const struct patch *p, const struct diff *d, gsize *len);
#endif
