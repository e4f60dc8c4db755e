// SPDX-License-Identifier: GPL-2.0
/* The squares of the grid: what patch n did on variant v. */
#include "run-int.h"

/* A gap of no variant in particular is one of those that compile nothing. */
static bool gap_on(const struct run *run, unsigned int n,
		   const struct variant *v, bool compiles)
{
	for (guint i = 0; i < run->gaps->len; i++) {
		const struct gap *g = g_ptr_array_index(run->gaps, i);

		if (g->n == n && (g->variant == v || (!g->variant && !compiles)))
			return true;
	}
	return false;
}

/* What hangs on no configuration is in all of them; but for what is said of
 * architectures that have no column. */
static bool is_anywhere(const struct finding *f)
{
	const struct showing *s = f->showings->pdata[0];

	return s->variant->host && !finding_by_text(f->diag);
}

/* The worst that patch @n did on @v; MARK_PASS when it did nothing. */
static enum mark worst_finding(const struct run *run, unsigned int n,
			       const struct variant *v)
{
	enum mark worst = MARK_PASS;

	for (guint i = 0; i < run->attrib->findings->len; i++) {
		const struct finding *f =
			g_ptr_array_index(run->attrib->findings, i);

		if (f->n != n || (!finding_showing(f, v) && !is_anywhere(f)))
			continue;
		if (f->diag->kind == DIAG_ERROR)
			return MARK_ERROR;
		worst = MARK_WARNING;
	}
	return worst;
}

static bool is_blind(const struct run *run, unsigned int n,
		     const struct variant *v)
{
	for (guint i = 0; i < run->attrib->findings->len; i++) {
		const struct finding *f =
			g_ptr_array_index(run->attrib->findings, i);

		for (guint j = 0; f->n == n && j < f->passes->len; j++) {
			const struct passing *p = g_ptr_array_index(f->passes, j);

			if (p->variant == v && p->because)
				return true;
		}
	}
	return false;
}

void run_mark(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	for (guint v = 0; v < run->variants->len; v++) {
		const struct variant *var = g_ptr_array_index(run->variants, v);
		g_autoptr(GPtrArray) mine = g_ptr_array_new();
		struct cell *cell = run_cell(run, n, v);
		const struct finding *hidden;

		for (guint i = 0; i < jobs->len; i++) {
			struct job *job = g_ptr_array_index(jobs, i);

			if (job->variant == var && job->why != WHY_WATCH &&
			    job->why != WHY_AUDIT &&
			    job->outcome != OUTCOME_SKIPPED)
				g_ptr_array_add(mine, job);
		}
		cell->jobs = mine->len;
		hidden = attrib_hidden_by(run->attrib, n, var, mine);
		cell->behind = hidden ? hidden->n : 0;
		cell->mark = worst_finding(run, n, var);
		if (cell->mark != MARK_PASS)
			continue;
		if (hidden)
			cell->mark = MARK_HIDDEN;
		else if (gap_on(run, n, var, mine->len > 0))
			cell->mark = MARK_NOT_VERIFIED;
		else if (is_blind(run, n, var))
			cell->mark = MARK_BLIND;
		else if (!mine->len)
			cell->mark = MARK_NOTHING;
	}
}

/* A finding that went to an earlier patch: its square was filled already. */
void run_mark_missed(struct run *run)
{
	for (guint i = 0; i < run->attrib->findings->len; i++) {
		const struct finding *f =
			g_ptr_array_index(run->attrib->findings, i);

		for (guint v = 0; f->missed && v < run->variants->len; v++) {
			const struct variant *var =
				g_ptr_array_index(run->variants, v);

			if (finding_showing(f, var))
				run_cell(run, f->n, v)->mark =
					worst_finding(run, f->n, var);
		}
	}
}
