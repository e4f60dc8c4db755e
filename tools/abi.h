/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of a header as a compiler lays them out, from the XML of abidw
 * (libabigail), and what of them a program that was compiled before cannot use
 * any more.  Pure.
 */
#ifndef RESPIN_ABI_H
#define RESPIN_ABI_H

#include <glib.h>

struct abi;

/* NULL with RESPIN_ERROR_TOOL: @xml is not what abidw writes. */
struct abi *abi_parse(const char *xml, gsize len, GError **error);
void abi_free(struct abi *abi);

/*
 * What of @was is in @is no more, or not the same: an array of struct diag,
 * warnings of check "uapi", one for a type or an enum with its details as
 * follow_ons: which, so that a later change of the same type is new.  Files
 * are named as the compiler saw them, "linux/types.h".  What is gone counts
 * if it was of the file @header; what is added, and what scripts/check-uapi.sh
 * lets pass (padding that is used, the end of an enum), does not.  A type that
 * moved only since it holds one that changed is not named.
 */
GPtrArray *abi_diags(const struct abi *was, const struct abi *is,
		     const char *header);
#endif
