/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Diagnostics of one TU on one variant, child against parent.  Pure.
 *
 * Two diagnostics are the same when check, rule, file (followed through
 * renames), function and masked message agree; they are matched as a
 * multiset, in this order:
 *  1. the old line, mapped through the hunks, is the new line;
 *  2. the quoted source line is the same (code that was moved);
 *  3. the old line was changed in place: the i-th deleted line of a run of
 *     changed lines with as many added lines, the new one being the i-th.
 * What is left in the child is new: one fixed plus one new is one new.
 */
#ifndef RESPIN_LEDGER_H
#define RESPIN_LEDGER_H

#include <glib.h>
#include "diag.h"
#include "diff.h"

/* The fingerprint of @d without its place; g_free(). */
char *ledger_fingerprint(const struct diag *d);

/*
 * The members of @child that are not in @parent (borrowed pointers; unref the
 * array).  @change: what the patch (or the patches between) changed, with
 * file_diff hunks.  @gone, when not NULL, receives the members of @parent
 * that are not in @child.
 */
GPtrArray *ledger_new_diags(const GPtrArray *child, const GPtrArray *parent,
			    const struct diff *change, GPtrArray **gone);
#endif
