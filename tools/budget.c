// SPDX-License-Identifier: GPL-2.0
#include "budget.h"
#include "error.h"
#include "run.h"

/* A diagnostic that nobody attributed is worth nothing: at least this long. */
#define BASELINE_SECONDS 60

int budget_parse(const char *text, gint64 *seconds, GError **error)
{
	char *end = NULL;
	gint64 n = g_ascii_isdigit(*text) ?
		g_ascii_strtoll(text, &end, 10) : 0;
	gint64 unit = !end || end[0] == '\0' || !strcmp(end, "s") ? 1 :
		!strcmp(end, "m") || !strcmp(end, "min") ? 60 :
		!strcmp(end, "h") ? 3600 : 0;

	if (n > 0 && n <= G_MAXINT / 3600 && unit) {
		*seconds = n * unit;
		return 0;
	}
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE, "'%s' is no time "
		    "for a budget; say it as 90s, 10m or 2h", text);
	return -1;
}

char *budget_text(gint64 seconds)
{
	if (seconds % 3600 == 0)
		return g_strdup_printf("%" G_GINT64_FORMAT " h", seconds / 3600);
	if (seconds % 60 == 0)
		return g_strdup_printf("%" G_GINT64_FORMAT " min", seconds / 60);
	return g_strdup_printf("%" G_GINT64_FORMAT " s", seconds);
}

void budget_patch(struct budget *b, unsigned int left)
{
	b->share = MAX(b->left, 0) / MAX(left, 1);
	b->extra = MAX(b->total, BASELINE_SECONDS);
}

gint64 budget_deadline(const struct budget *b, bool baseline, gint64 now)
{
	double seconds = MAX(b->share, 0) + (baseline ? MAX(b->extra, 0) : 0);

	return b->total ? now + (gint64)(seconds * G_USEC_PER_SEC) : 0;
}

void budget_spend(struct budget *b, bool baseline, double seconds)
{
	double beyond = seconds - MAX(b->share, 0);

	if (baseline && beyond > 0)
		b->extra -= beyond;
	b->share -= seconds;
	b->left -= seconds;
}

/* What was planned for a patch: nothing that was asked later, or at random. */
static bool is_planned(const struct job *job)
{
	return job->why != WHY_BASELINE && job->why != WHY_AUDIT;
}

bool budget_stopped(const struct job *job)
{
	return is_planned(job) && job->outcome == OUTCOME_SKIPPED &&
	       !g_strcmp0(job->reason, BUDGET_SPENT);
}

void budget_note(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	g_autofree char *time = budget_text(MAX(run->budget.total, 1));
	g_autofree char *why = g_strdup_printf("not compiled: the budget of %s "
					       "is spent", time);

	for (guint v = 0; v < run->variants->len; v++) {
		const struct variant *var = run->variants->pdata[v];
		guint skipped = 0, all = 0;

		for (guint i = 0; i < jobs->len; i++) {
			const struct job *job = jobs->pdata[i];

			all += job->variant == var && is_planned(job);
			skipped += job->variant == var && budget_stopped(job);
		}
		if (skipped) {
			g_autofree char *what = g_strdup_printf(
				"%u of %u TUs", skipped, all);

			run_gap(run, n, var, what, why);
		}
	}
}
