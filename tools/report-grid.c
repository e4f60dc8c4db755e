// SPDX-License-Identifier: GPL-2.0
/* The grid of the terminal report: patches x variants, grouped by arch. */
#include "report.h"
#include "term.h"

#define SUBJECT 42
#define GROUP 9			/* least width of an arch */
#define CELL 4			/* of one of several kconfigs */

static char mark_char(enum mark mark)
{
	static const char chars[] = {
		[MARK_NOTHING] = '-', [MARK_PASS] = '.', [MARK_WARNING] = 'w',
		[MARK_ERROR] = 'E', [MARK_BLIND] = 'o', [MARK_HIDDEN] = '|',
		[MARK_NOT_VERIFIED] = '?',
	};

	return chars[mark];
}

static const struct variant *variant_at(const struct run *run, guint i)
{
	return g_ptr_array_index(run->variants, i);
}

/* How many variants from @i on are of one arch and judged at every patch. */
static guint group_len(const struct run *run, guint i)
{
	guint n = 0;

	while (i + n < run->variants->len && !variant_at(run, i + n)->tip &&
	       variant_at(run, i + n)->arch == variant_at(run, i)->arch)
		n++;
	return n;
}

/*
 * One line of cells: @cell appends the text for variant i, or for a whole group
 * where @whole is set.  No blanks at the end.
 */
static void print_line(const struct run *run, FILE *out, const char *head,
		       void (*cell)(const struct run *run, guint i,
				    unsigned int n, GString *s),
		       unsigned int n, bool whole)
{
	g_autoptr(GString) line = g_string_new(head);
	gsize start = SUBJECT + 4;

	for (guint i = 0, len; (len = i < run->variants->len ?
				group_len(run, i) : 0); i += len) {
		gsize width = MAX(GROUP, CELL * len + 1);

		for (guint k = 0; k < (whole ? 1 : len); k++) {
			gsize at = start + k * CELL;
			gsize have = term_width(line->str);

			for (; have < at; have++)
				g_string_append_c(line, ' ');
			cell(run, i + k, n, line);
		}
		start += width;
	}
	g_strchomp(line->str);
	fprintf(out, "%s\n", line->str);
}

static void arch_cell(const struct run *run, guint i, unsigned int n,
		      GString *s)
{
	g_string_append_printf(s, "%.8s", variant_at(run, i)->arch->name);
}

static void kconfig_cell(const struct run *run, guint i, unsigned int n,
			 GString *s)
{
	bool alone = group_len(run, i) == 1 &&
		     (!i || variant_at(run, i - 1)->arch !=
			    variant_at(run, i)->arch);

	g_string_append_printf(s, "%.*s", alone ? GROUP - 1 : CELL - 1,
			       report_kconfig_short(variant_at(run, i)->kconfig));
}

static void mark_cell(const struct run *run, guint i, unsigned int n,
		      GString *s)
{
	g_string_append_printf(s, " %c", mark_char(run_cell(run, n, i)->mark));
}

/* The worst of all patches, for a variant that is judged at the last. */
static enum mark tip_mark(const struct run *run, guint v)
{
	static const enum mark order[] = { MARK_ERROR, MARK_WARNING,
		MARK_NOT_VERIFIED, MARK_HIDDEN, MARK_BLIND, MARK_PASS };

	for (gsize i = 0; i < G_N_ELEMENTS(order); i++)
		for (unsigned int n = 1; n <= run_steps(run); n++)
			if (run_cell(run, n, v)->mark == order[i])
				return order[i];
	return MARK_NOTHING;
}

static void print_tip(const struct run *run, FILE *out)
{
	g_autoptr(GString) s = g_string_new("");
	g_autofree char *head = NULL;

	for (guint v = 0; v < run->variants->len; v++) {
		const struct variant *var = variant_at(run, v);
		g_autofree char *config = report_config(var);

		if (var->tip)
			g_string_append_printf(s, "%s%s %s %c",
				s->len ? ", " : "", var->arch->name, config,
				mark_char(tip_mark(run, v)));
	}
	head = g_strdup_printf("    after %u/%u: ", run_steps(run),
			       run_steps(run));
	if (s->len)
		report_wrap(out, head, 6, s->str);
}

static void print_legend(const struct run *run, FILE *out)
{
	static const struct { enum mark mark; const char *text; } legend[] = {
		{ MARK_PASS, "nothing new" }, { MARK_ERROR, "error" },
		{ MARK_WARNING, "warning" },
		{ MARK_BLIND, "passes, but cannot show E" },
		{ MARK_NOTHING, "nothing to compile there" },
		{ MARK_NOT_VERIFIED, "not verified, see below" },
	};
	unsigned int behind = 0;
	bool used[MARK_NOT_VERIFIED + 1] = { false };

	for (guint v = 0; v < run->variants->len; v++) {
		for (unsigned int n = 1; n <= run_steps(run); n++) {
			const struct cell *c = run_cell(run, n, v);

			used[variant_at(run, v)->tip ? tip_mark(run, v) :
			     c->mark] = true;
			behind = MAX(behind, c->behind);
		}
	}
	for (gsize i = 0; i < G_N_ELEMENTS(legend); i++)
		if (used[legend[i].mark])
			fprintf(out, "  %c %s", mark_char(legend[i].mark),
				legend[i].text);
	fputc('\n', out);
	if (used[MARK_HIDDEN])
		fprintf(out, "  | nothing new so far, but behind %u: what gcc "
			"only says after parsing is hidden\n", behind);
}

void report_grid(const struct run *run, FILE *out)
{
	print_line(run, out, "", arch_cell, 0, true);
	print_line(run, out, "", kconfig_cell, 0, false);
	for (unsigned int n = 1; n <= run_steps(run); n++) {
		const struct patch *p =
			g_ptr_array_index(run->series->patches, n - 1);
		g_autofree char *safe = term_escape(p->subject);
		g_autofree char *cut = term_cut(safe, SUBJECT);
		g_autofree char *head = g_strdup_printf("%3u %s", n, cut);

		print_line(run, out, head, mark_cell, n, false);
	}
	print_tip(run, out);
	print_legend(run, out);
}
