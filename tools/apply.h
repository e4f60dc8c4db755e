/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Turns a series into steps: step 0 is the base, step n the tree after
 * patch n.  Fallback is per patch, as in git-am(1): exact or moved hunks,
 * then 3-way by the blobs of the index lines, then, on request, fuzz.
 */
#ifndef RESPIN_APPLY_H
#define RESPIN_APPLY_H

#include <glib.h>
#include "repo.h"
#include "series.h"

enum apply_how { APPLY_EXACT, APPLY_MOVED, APPLY_3WAY, APPLY_FUZZ, APPLY_COMMIT };

struct step {
	char *commit;		/* full hex id */
	char *tree;		/* full hex id */
	enum apply_how how;	/* of patch n; step 0: APPLY_EXACT */
	int moved;		/* the largest offset of a hunk, lines, signed */
	GPtrArray *notes;	/* of char *: "CRLF line ends removed", ... */
};

struct steps {
	GPtrArray *steps;	/* of struct step; [0] is the base */
};

struct apply_options {
	unsigned int fuzz;	/* context lines that may differ; 0 */
	bool keep_cr;		/* series_read() kept the CRs: a CRLF file that is
				   patched by a diff without them does not fit */
};

/*
 * Applies @s onto @base (full hex commit id) in memory and writes one commit
 * per patch (author and date of the patch; committer respin with the
 * author's date, so that ids are reproducible), kept by
 * refs/respin/@name/<n>.  @name NULL: no refs.
 * Returns steps (steps_free()), or NULL with @error (RESPIN_ERROR_APPLY) that
 * says patch n/m, file, hunk, the line that differs, and the commit that
 * changed it where the history has it.
 */
struct steps *apply_series(struct repo *r, const struct series *s,
			   const char *base, const struct apply_options *o,
			   const char *name, GError **error);

/*
 * The range @range ("A..B", or one commit for its parent to itself) as a
 * series with its steps.  Merges are an error (RESPIN_ERROR_INPUT).
 */
int range_read(struct repo *r, const char *range, struct series **s,
	       struct steps **steps, GError **error);

const char *apply_how_name(enum apply_how how);
void steps_free(struct steps *st);
#endif
