/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an object is linked into: vmlinux, a module, or an image that is linked
 * by itself and may use little of the kernel, or nothing (vDSO, EFI stub,
 * decompressor, purgatory, nVHE, ...).  Pure.
 */
#ifndef RESPIN_SYMIMAGE_H
#define RESPIN_SYMIMAGE_H

#include "kbuild.h"

enum image_kind {
	IMAGE_VMLINUX,
	IMAGE_MODULE,
	IMAGE_CONFINED,
	IMAGE_NONE,		/* linked into nothing that is checked */
};

struct image {
	enum image_kind kind;
	const char *name;	/* interned: "vmlinux", "the vDSO"; of a module
				   its name, of several "a:b" */
	const char *prefix;	/* that its symbols get when it becomes a part of
				   vmlinux ("__pi_"); "" */
};

struct image image_of(const struct variant *v, const struct tu *tu);
/* Do the symbols of @b count for @a without an export? */
bool image_shares(const struct image *a, const struct image *b);
/* The confined image whose prefix @name has; NULL: none. */
const struct image *image_by_prefix(const char *name);
/* Names that every link brings along: "_GLOBAL_OFFSET_TABLE_", ".TOC.". */
bool image_ignores(const struct variant *v, const char *name);
#endif
