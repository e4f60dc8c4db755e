// SPDX-License-Identifier: GPL-2.0
/* What `respin audit` says. */
#include <jansson.h>

#include "audit.h"
#include "command.h"
#include "term.h"

#define SCHEMA 1

unsigned int audit_left(const struct audit_row *row)
{
	return row->reach - row->both - row->outside;
}

/* Seconds of compiling all that can reach it; < 0: nothing to go by. */
static double reach_seconds(const struct audit_row *row)
{
	unsigned int left = audit_left(row);

	if (left && !row->outside)
		return -1;
	return row->both_seconds + (left ? row->outside_seconds *
		(row->outside + left) / row->outside : row->outside_seconds);
}

/* "93 %", or "-" where there is nothing to save. */
static char *saved(double some, double all)
{
	if (all <= 0)
		return g_strdup("-");
	return g_strdup_printf("%.0f %%", MAX(0, 100 * (1 - some / all)));
}

static void add_up(struct audit_row *sum, const struct audit_row *row)
{
	sum->tus += row->tus;
	sum->reach += row->reach;
	sum->planned += row->planned;
	sum->both += row->both;
	sum->outside += row->outside;
	sum->far += row->far;
	sum->missed += row->missed;
	sum->plan_seconds += row->plan_seconds;
	sum->both_seconds += row->both_seconds;
	sum->outside_seconds += row->outside_seconds;
}

static void print_row(FILE *out, const char *patch, const char *variant,
		      const struct audit_row *row)
{
	g_autofree char *tus = saved(row->planned, row->reach);
	g_autofree char *time = saved(row->plan_seconds, reach_seconds(row));

	fprintf(out, "%7s %-22s %6u %6u %7u %8u %6u %6u %7s %7s\n", patch,
		variant, row->tus, row->reach, row->planned, row->outside,
		audit_left(row), row->missed, tus, time);
}

static void print_table(const struct run *run, struct audit_row *sum, FILE *out)
{
	const GPtrArray *rows = run->audit->rows;

	fprintf(out, "%7s %-22s %6s %6s %7s %8s %6s %6s %7s %7s\n", "patch",
		"variant", "TUs", "reach", "planned", "outside", "left", "missed",
		"saved", "of time");
	for (guint i = 0; i < rows->len; i++) {
		const struct audit_row *row = g_ptr_array_index(rows, i);
		g_autofree char *patch = g_strdup_printf("%u/%u", row->n,
							 run_steps(run));

		print_row(out, patch, row->variant->name, row);
		add_up(sum, row);
	}
	if (rows->len > 1)
		print_row(out, "all", "", sum);
}

static char *shown_text(const struct run *run, const struct audit_shown *s)
{
	const struct diag *d = s->finding->diag;
	const struct job *job = g_ptr_array_index(s->outside, 0);
	g_autofree char *more = s->outside->len > 1 ?
		g_strdup_printf(" and %u more", s->outside->len - 1) : g_strdup("");
	g_autofree char *text = g_strdup_printf("%u/%u %s %s%s: %s:%u: %s%s%s%s",
		s->finding->n, run_steps(run), s->variant->name, job->tu->object,
		more, d->file, d->line, d->message, *d->rule ? " [" : "", d->rule,
		*d->rule ? "]" : "");

	return term_escape(text);
}

static unsigned int print_missed(const struct run *run, FILE *out)
{
	const struct audit *a = run->audit;
	unsigned int n = a->slips->len;

	for (guint i = 0; i < a->shown->len; i++) {
		const struct audit_shown *s = g_ptr_array_index(a->shown, i);
		g_autofree char *text = NULL;

		if (s->planned->len || !s->outside->len)
			continue;
		text = shown_text(run, s);
		n += s->rule != NULL;
		fprintf(out, "%s  %s\n", s->rule ? "RESPIN BUG" : "SAID      ", text);
		fprintf(out, "            %s\n", s->rule ? s->rule : "outside of the "
			"plan, but the check says that not all was compiled");
	}
	for (guint i = 0; i < a->slips->len; i++) {
		const struct audit_slip *s = g_ptr_array_index(a->slips, i);

		fprintf(out, "RESPIN BUG  %u/%u %s %s reads %s, and the include graph "
			"does not know\n", s->n, run_steps(run), s->variant->name,
			s->tu->object, s->file);
	}
	return n;
}

static bool complete(const struct run *run)
{
	if (run->lost->len || run->interrupted || !run->audit->rows->len)
		return false;
	for (guint i = 0; i < run->audit->rows->len; i++)
		if (audit_left(run->audit->rows->pdata[i]))
			return false;
	return true;
}

static unsigned int missed(const struct audit *a)
{
	unsigned int n = a->slips->len;

	for (guint i = 0; i < a->shown->len; i++)
		n += ((struct audit_shown *)a->shown->pdata[i])->rule != NULL;
	return n;
}

int audit_exit(const struct run *run)
{
	if (missed(run->audit))
		return EXIT_FINDINGS;
	return complete(run) ? EXIT_NOTHING_NEW : EXIT_NOT_VERIFIED;
}

static void print_lost(const struct run *run, FILE *out)
{
	for (guint i = 0; i < run->lost->len; i++) {
		const struct lost_variant *l = g_ptr_array_index(run->lost, i);
		g_autofree char *why = term_escape(l->reason);

		fprintf(out, "NOT AUDITED  %s: %s\n", l->name, why);
	}
}

void audit_print(const struct run *run, FILE *out)
{
	struct audit_row sum = { 0 };
	g_autofree char *subject = term_escape(run->series->subject);
	unsigned int bugs, left;

	fprintf(out, "respin audit: %s\nbase: %.12s (%s)\n", subject,
		run_step(run, 0)->commit, run->base_how);
	print_table(run, &sum, out);
	bugs = print_missed(run, out);
	print_lost(run, out);
	left = audit_left(&sum);
	if (bugs)
		fprintf(out, "%u missed: please report this.", bugs);
	else
		fputs("nothing missed.", out);
	fprintf(out, "  %u outside of the plan compiled, %u that cannot reach it",
		sum.outside, sum.far);
	if (left)
		fprintf(out, "; not complete: %u were not compiled or do not "
			"compile on the parent", left);
	else if (!complete(run))
		fputs("; not complete", out);
	fputc('\n', out);
}

static json_t *names(const GPtrArray *jobs)
{
	json_t *list = json_array();

	for (guint i = 0; i < jobs->len; i++) {
		g_autofree char *name = job_name(g_ptr_array_index(jobs, i));

		json_array_append_new(list, json_string(name));
	}
	return list;
}

static json_t *shown_json(const struct audit_shown *s)
{
	const struct diag *d = s->finding->diag;
	g_autofree char *message = g_utf8_make_valid(d->message, -1);

	return json_pack("{s:i, s:s, s:s, s:s, s:s, s:i, s:s, s:b, s:b, s:s?,"
			 " s:o, s:o}",
		"n", s->finding->n, "variant", s->variant->name,
		"severity", d->kind == DIAG_ERROR ? "error" : "warning",
		"rule", d->rule, "file", d->file, "line", d->line,
		"message", message, "missed", s->rule != NULL, "said", s->said,
		"should", s->rule, "planned", names(s->planned),
		"outside", names(s->outside));
}

static json_t *row_json(const struct audit_row *row)
{
	return json_pack("{s:i, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f}",
		"n", row->n, "variant", row->variant->name, "tus", row->tus,
		"reach", row->reach, "planned", row->planned,
		"outside", row->outside, "left", audit_left(row),
		"far", row->far, "missed", row->missed,
		"planned_seconds", row->plan_seconds,
		"reach_seconds", reach_seconds(row));
}

char *audit_json(const struct run *run)
{
	const struct audit *a = run->audit;
	json_t *rows = json_array(), *shown = json_array(), *slips = json_array();
	json_t *doc;
	char *text;

	for (guint i = 0; i < a->rows->len; i++)
		json_array_append_new(rows, row_json(a->rows->pdata[i]));
	for (guint i = 0; i < a->shown->len; i++)
		json_array_append_new(shown, shown_json(a->shown->pdata[i]));
	for (guint i = 0; i < a->slips->len; i++) {
		const struct audit_slip *s = g_ptr_array_index(a->slips, i);

		json_array_append_new(slips, json_pack("{s:i, s:s, s:s, s:s}",
			"n", s->n, "variant", s->variant->name,
			"object", s->tu->object, "file", s->file));
	}
	doc = json_pack("{s:i, s:s, s:s?, s:i, s:b, s:i, s:o, s:o, s:o}",
		"schema", SCHEMA, "respin", RESPIN_VERSION,
		"series", run->series->subject, "total", run_steps(run),
		"complete", complete(run), "exit", audit_exit(run),
		"patches", rows, "findings", shown, "unlisted", slips);
	text = json_dumps(doc, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
	json_decref(doc);
	return text;
}
