/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Diagnostics of one TU on one variant, child against parent.  Pure.
 *
 * Two diagnostics are the same when check, rule, file (followed through
 * renames), function and masked message agree, and the child's is no error
 * where the parent's was a warning.  They are matched as a multiset, in this
 * order:
 *  1. the old line, mapped through the hunks, is the new line;
 *  2. the quoted source line is the same and code was moved: a line deleted
 *     here and added there counts as moved when it stays in its run of changes
 *     or when a line beside it comes along;
 *  3. the old line was changed in place: the i-th deleted line of a run of
 *     changed lines with as many added lines, the new one being the i-th;
 *  4. as 1, in a function that has another name now; as 2, when one function
 *     is the caller that the other was inlined into: gcc names either;
 *  5. "implicit declaration" of the same identifier elsewhere, when the old
 *     line is still there: gcc says it once for each TU, at the first use.
 * What is left in the child is new: one fixed plus one new is one new.
 *
 * Code of a macro or an inline stands at one line and is used at many: every
 * place (diag_place) must agree as far as both have one, or all uses by 1.
 *
 * Follow-ons are members too, so that an error which folds on one side and
 * stands alone on the other is neither lost nor invented: one that stood
 * under a cause in the parent is not new when it stands alone.  A new
 * follow-on of a new cause comes with its cause; a new one of an old cause is
 * listed by itself (it may be found in follow_ons of a member of @child).
 */
#ifndef RESPIN_LEDGER_H
#define RESPIN_LEDGER_H

#include <glib.h>
#include "diag.h"
#include "diff.h"

/* The fingerprint of @d without its place: check, rule, file, function and
 * masked message, separated by tabs; g_free(). */
char *ledger_fingerprint(const struct diag *d);

/*
 * The members of @child that are not in @parent (borrowed pointers; unref the
 * array), in the order of @child.  @change: what the patch (or the patches
 * between) changed, with file_diff hunks; NULL: nothing.  @gone, when not
 * NULL, receives the members of @parent that are not in @child (borrowed too;
 * follow-ons by the same rule).
 */
GPtrArray *ledger_new_diags(const GPtrArray *child, const GPtrArray *parent,
			    const struct diff *change, GPtrArray **gone);
#endif
