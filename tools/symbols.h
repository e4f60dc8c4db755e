/* SPDX-License-Identifier: GPL-2.0 */
/*
 * "Link without linking": the undefined symbols of the objects that the jobs
 * of a step made.  What nothing defines there (or, for a module, exports)
 * becomes a diagnostic of the job, check "symbols", so that attrib compares
 * child with parent as for all other diagnostics.
 *
 * A symbol is vouched for, cheapest first: by an object compiled at this step;
 * by the text of a source of the variant; by the same TU's object on the base,
 * which needs it too, unless a patch since then took its definition away.
 * Only what is left is new: whoever may define it is compiled.  What cannot
 * be decided is a gap.
 */
#ifndef RESPIN_SYMBOLS_H
#define RESPIN_SYMBOLS_H

#include "run.h"

#define SYMBOLS_CHECK		"symbols"
#define SYMBOLS_UNDEFINED	"undefined-symbol"
#define SYMBOLS_NAMESPACE	"missing-import"
#define SYMBOLS_LICENCE		"missing-license"
#define SYMBOLS_GPL		"gpl-only"

/*
 * Judges the @jobs of step @n, done.  Adds to them, done too, those of the TUs
 * that use what the patch no longer defines or exports.  -1 with @error, or
 * when interrupted.
 */
int symbols_step(struct run *run, unsigned int n, GPtrArray *jobs,
		 GError **error);
/* Judges @jobs of an earlier step, run->prev stands there: for attrib. */
int symbols_judge(struct run *run, unsigned int step, GPtrArray *jobs,
		  GError **error);
/* Compiles that only this check asked for, of all steps. */
unsigned int symbols_compiles(const struct run *run);
void symbols_free(struct symbols *s);
#endif
