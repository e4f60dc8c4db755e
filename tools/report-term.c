// SPDX-License-Identifier: GPL-2.0
/* The report on the terminal: grid, findings, verdict, what was not done. */
#include "check.h"
#include "coccirules.h"
#include "messages.h"
#include "report.h"
#include "symbols.h"
#include "term.h"

#define WIDTH 78

/* Prints @text from column @col on, broken at blanks; the other lines are
 * indented by @indent. */
static void wrap_from(FILE *out, gsize col, unsigned int indent,
		      const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \n", -1);
	bool first = true;

	for (char **w = words; *w; w++) {
		g_autofree char *safe = term_escape(*w);
		gsize len = term_width(safe);

		if (!*safe)
			continue;
		if (!first && col + 1 + len > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			col = indent;
		} else if (!first) {
			fputc(' ', out);
			col++;
		}
		fputs(safe, out);
		col += len;
		first = false;
	}
	fputc('\n', out);
}

void report_wrap(FILE *out, const char *first, unsigned int indent,
		 const char *text)
{
	fputs(first, out);
	wrap_from(out, strlen(first), indent, text);
}

static void print_head(const struct run *run, FILE *out)
{
	const struct series *s = run->series;
	unsigned int moved = 0, merged = 0, fuzzed = 0;
	g_autofree char *subject = term_escape(s->subject);
	g_autofree char *author = term_escape(s->author);
	g_autofree char *prefix = term_escape(s->prefix);

	fprintf(out, "respin: [%s%sPATCH", prefix, *prefix ? " " : "");
	if (s->version > 1)
		fprintf(out, " v%u", s->version);
	fprintf(out, " %u/%u] %s -- %s\n", s->cover || s->total > 1 ? 0 : 1,
		s->total, subject, author);
	for (unsigned int n = 1; n <= run_steps(run); n++) {
		moved += run_step(run, n)->how == APPLY_MOVED;
		merged += run_step(run, n)->how == APPLY_3WAY;
		fuzzed += run_step(run, n)->how == APPLY_FUZZ;
	}
	fprintf(out, "base: %.12s (%s)", run_step(run, 0)->commit, run->base_how);
	if (run_step(run, 1)->how != APPLY_COMMIT)
		fprintf(out, "; %u/%u apply", run_steps(run), run_steps(run));
	if (moved)
		fprintf(out, ", %u moved", moved);
	if (merged)
		fprintf(out, ", %u by 3-way merge", merged);
	if (fuzzed)
		fprintf(out, ", %u with fuzz", fuzzed);
	fputc('\n', out);
}

static void print_notes(const struct run *run, FILE *out)
{
	for (guint v = 0; v < run->variants->len; v++) {
		const struct variant *var = g_ptr_array_index(run->variants, v);
		g_autofree char *first = g_strdup_printf("note: %s: ", var->name);

		if (var->note)
			report_wrap(out, first, 6, var->note);
	}
	for (unsigned int n = 1; n <= run_steps(run); n++) {
		const struct patch *p =
			g_ptr_array_index(run->series->patches, n - 1);
		const struct step *s = run_step(run, n);
		g_autofree char *first = g_strdup_printf("note: %u/%u: ", n,
							 run_steps(run));

		for (guint i = 0; p->notes && i < p->notes->len; i++)
			report_wrap(out, first, 6, g_ptr_array_index(p->notes, i));
		for (guint i = 0; s->notes && i < s->notes->len; i++)
			report_wrap(out, first, 6, g_ptr_array_index(s->notes, i));
	}
}

/* What needs no configuration says only where it was seen. */
static void print_seen(const struct finding *f, const struct job *job, FILE *out)
{
	g_autofree char *name = job_name(job);
	g_autofree char *text = g_strdup_printf("%s, in every configuration (%s)",
						f->diag->check, name);
	g_autofree char *explain = !strcmp(f->diag->check, "cocci") ?
		coccirules_explain(f->diag->rule) : NULL;

	if (finding_by_text(f->diag))
		return;
	report_wrap(out, "      says:   ", 14, text);
	if (explain)
		report_wrap(out, "      that is: ", 14, explain);
}

static void print_fails(const struct run *run, const struct finding *f,
			FILE *out)
{
	g_autoptr(GPtrArray) vs = g_ptr_array_new();
	g_autoptr(GString) text = g_string_new("");
	g_autofree char *names = NULL;
	const struct showing *first = g_ptr_array_index(f->showings, 0);
	unsigned int places = 0;

	if (first->variant->host && job_is_file(first->job)) {
		print_seen(f, first->job, out);
		return;
	}
	for (guint i = 0; i < f->showings->len; i++) {
		struct showing *s = g_ptr_array_index(f->showings, i);

		g_ptr_array_add(vs, (void *)s->variant);
		places += s->places;
	}
	names = report_variants(run, vs);
	if (vs->len > 1 && vs->len == run->variants->len)
		g_string_append_printf(text, "all %u variants", vs->len);
	else
		g_string_append(text, names);
	if (!job_is_compile(first->job)) {
		g_autofree char *name = job_name(first->job);

		g_string_append_printf(text, " (%s)", name);
	} else if (places > vs->len) {
		g_string_append_printf(text, "; in %u of the TUs compiled",
				       places);
	}
	report_wrap(out, "      fails:  ", 14, text->str);
}

/* Variants of one reason on one line: "arm64, powerpc -- they define X". */
static void print_passes(const struct run *run, const struct finding *f,
			 FILE *out)
{
	g_autofree bool *said = g_new0(bool, f->passes->len + 1);

	for (guint i = 0; i < f->passes->len; i++) {
		const struct passing *p = g_ptr_array_index(f->passes, i);
		g_autoptr(GPtrArray) vs = g_ptr_array_new();
		g_autoptr(GString) text = g_string_new("");
		g_autoptr(GString) by = g_string_new("");
		g_autofree char *names = NULL;

		for (guint j = i; j < f->passes->len; j++) {
			struct passing *q = g_ptr_array_index(f->passes, j);

			if (said[j] || g_strcmp0(p->because, q->because) ||
			    p->defined != q->defined)
				continue;
			said[j] = true;
			g_ptr_array_add(vs, (void *)q->variant);
			if (q->by)
				g_string_append_printf(by, "%s%s: by %s",
					by->len ? ", " : "",
					q->variant->arch->name, q->by);
		}
		if (!vs->len)
			continue;
		names = report_variants(run, vs);
		g_string_append(text, names);
		if (p->because)
			g_string_append_printf(text, " -- %s %s %s",
				vs->len > 1 ? "they" : "it",
				p->defined ? (vs->len > 1 ? "define" : "defines") :
				(vs->len > 1 ? "do not define" : "does not define"),
				p->because);
		if (by->len)
			g_string_append_printf(text, " (%s)", by->str);
		report_wrap(out, "      passes: ", 14, text->str);
	}
}

/* Other checks that see the same mistake. */
static void print_others(const struct finding *f, FILE *out)
{
	g_autoptr(GString) names = g_string_new("");

	for (guint i = 0; i < f->same_cause->len; i++) {
		const struct finding *g = g_ptr_array_index(f->same_cause, i);

		if (strcmp(g->diag->check, f->diag->check) &&
		    !strstr(names->str, g->diag->check))
			g_string_append_printf(names, "%s%s",
					       names->len ? ", " : "",
					       g->diag->check);
	}
	if (names->len)
		report_wrap(out, "      also:   ", 14, names->str);
}

static void print_same_cause(const struct finding *f, FILE *out)
{
	g_autoptr(GString) text = g_string_new("");
	unsigned int follow = finding_follow_ons(f);

	for (guint i = 0; i < f->same_cause->len; i++) {
		const struct finding *g = g_ptr_array_index(f->same_cause, i);

		if (report_is_said(f, i) ||
		    strcmp(g->diag->check, f->diag->check))
			continue;
		g_string_append_printf(text, "%s%s() :%u", text->len ? ", " : "",
				       g->diag->function, g->diag->line);
	}
	/* of a warning they are what it consists of (abi.h) */
	if (follow && f->diag->kind == DIAG_WARNING)
		g_string_append_printf(text, "%s%u detail%s",
				       text->len ? " and " : "", follow,
				       follow > 1 ? "s" : "");
	else if (follow)
		g_string_append_printf(text, "%s%u error%s that follow%s",
				       text->len ? " and " : "", follow,
				       follow > 1 ? "s" : "", follow > 1 ? "" : "s");
	if (text->len)
		report_wrap(out, f->same_cause->len ? "      same cause: " :
		     "      with it: ", 14, text->str);
}

static void print_died(const struct run *run, const struct finding *f,
		       FILE *out)
{
	unsigned int died = finding_died(f);
	g_autofree char *fixup = NULL, *text = NULL;

	if (!died)
		return;
	fixup = report_fixup(run, f);
	text = g_strdup_printf("%u/%u mends it: the series does not bisect in "
		"between.  Fold that part of %u/%u into %u/%u:", died,
		run_steps(run), died, run_steps(run), f->n, run_steps(run));
	report_wrap(out, "      gone:   ", 14, text);
	fprintf(out, "              %s\n", fixup);
}

static void print_finding(const struct run *run, const struct finding *f,
			  FILE *out)
{
	g_autofree char *sentence = report_sentence(f);
	g_autofree char *label = report_label(run, f);
	g_autofree char *text = g_strdup_printf("%s:%u: %s", f->diag->file,
						f->diag->line, sentence);
	bool error = f->diag->kind == DIAG_ERROR;
	const char *kind = f->diag->confidence == CONFIDENCE_HINT ? "HINT" :
		f->diag->confidence == CONFIDENCE_LIKELY ? "LIKELY" :
		error ? "ERROR" : "WARNING";
	gsize col = fprintf(out, "%u/%u ", f->n, run_steps(run));

	fprintf(out, "%s%s%s ", error ? term_red(out) : term_yellow(out), kind,
		term_off(out));
	wrap_from(out, col + strlen(kind) + 1, 4, text);
	print_fails(run, f, out);
	print_passes(run, f, out);
	print_same_cause(f, out);
	print_others(f, out);
	report_by_text(f, out);
	print_died(run, f, out);
	if (f->missed)
		report_wrap(out, "      ", 6, "(found late: the impact of this patch "
		     "did not name the TU; please report this)");
	if (f->outside)
		fputs("      respin's own impact missed this: please report\n", out);
	fprintf(out, "      see it: respin show %s    reproduce: respin repro %s\n",
		label, label);
}

static void print_verdict(const struct run *run, FILE *out)
{
	guint n = run->attrib->findings->len;
	g_autofree char *time = report_seconds(run->seconds);
	const struct runner *r = run->runner;

	if (n)
		fprintf(out, "%u finding%s in %u of %u patches.", n,
			n > 1 ? "s" : "", report_bad_patches(run), run_steps(run));
	else
		fprintf(out, "%s (compile level, %u variant%s).",
			run_exit(run) ? "nothing new in what was verified" :
			"nothing new", run->variants->len,
			run->variants->len == 1 ? "" : "s");
	fprintf(out, "  %u compiles", r->compiled);
	if (r->reused)
		fprintf(out, ", %u results reused", r->reused);
	fprintf(out, ", %s\n", time);
}

static void print_gaps(const struct run *run, FILE *out)
{
	for (guint i = 0; i < run->lost->len; i++) {
		const struct lost_variant *l = g_ptr_array_index(run->lost, i);
		g_autofree char *text = g_strdup_printf("%s: %s", l->name,
							l->reason);
		report_wrap(out, "NOT VERIFIED  ", 14, text);
	}
	for (guint i = 0; i < run->gaps->len; i++) {
		const struct gap *g = g_ptr_array_index(run->gaps, i);
		g_autofree char *patch = g_strdup_printf("%u/%u ", g->n,
							 run_steps(run));
		g_autofree char *text = g_strdup_printf("%s%s%s%s: %s",
			g->n ? patch : "", g->variant ? g->variant->name : "",
			g->variant ? " " : "", g->what, g->reason);
		report_wrap(out, "NOT VERIFIED  ", 14, text);
	}
}

/* What to keep of --cover: it can be given to --kconfig as it is. */
static void print_fragments(const struct run *run, FILE *out)
{
	for (guint i = 0; i < run->fragments->len; i++) {
		const struct fragment *f = run->fragments->pdata[i];
		g_auto(GStrv) lines = g_strsplit(f->text, "\n", -1);
		g_autofree char *text = g_strdup_printf("%u/%u %s: compiled on %s "
			"%s with these lines in FILE, as --kconfig %s+./FILE:",
			f->n, run_steps(run), f->what, f->base->arch->name,
			report_kconfig_short(f->base->kconfig),
			f->base->kconfig);

		if (f->done)
			report_wrap(out, "COVERED  ", 9, text);
		for (char **l = lines; f->done && *l && **l; l++)
			fprintf(out, "         %s\n", *l);
	}
}

/* Of all processes, two or more of which run at once. */
static void print_times(const struct run *run, FILE *out)
{
	g_autoptr(GString) text = g_string_new("");

	for (const struct check *const *c = check_list(); *c; c++) {
		double s = runner_spent(run->runner, (*c)->name);

		if (s > 0)
			g_string_append_printf(text, "%s%s %.0f s",
				text->len ? ", " : "", (*c)->name, s);
	}
	if (text->len)
		report_wrap(out, "time of each check: ", 2, text->str);
}

static void print_verbose(const struct run *run, FILE *out)
{
	for (guint v = 0; v < run->variants->len; v++) {
		const struct variant *var = g_ptr_array_index(run->variants, v);
		unsigned int jobs = 0;

		for (unsigned int n = 1; n <= run_steps(run); n++)
			jobs += run_cell(run, n, v)->jobs;
		fprintf(out, "%s: %s; %u TUs in the database, %u flag classes; "
			"%u compiles for the patches; %u diagnostics on the base in "
			"the TUs compared\n", var->name, var->toolchain,
			var->db->tus->len, var->db->classes->len, jobs,
			GPOINTER_TO_UINT(g_hash_table_lookup(run->base_diags,
							     var->name)));
		if (var->how)
			report_wrap(out, "  database ", 11, var->how);
	}
	if (run->toggle_notes->len) {
		g_autofree char *text = NULL;

		g_ptr_array_add(run->toggle_notes, NULL);
		text = g_strjoinv("; ", (char **)run->toggle_notes->pdata);
		g_ptr_array_remove_index(run->toggle_notes,
					 run->toggle_notes->len - 1);
		report_wrap(out, "not toggled: ", 2, text);
	}
	print_times(run, out);
	fprintf(out, "%u findings that the impact did not foresee; %u compiles "
		"for symbols alone; %.0f s of compiler time\n",
		run->attrib->missed, symbols_compiles(run), run->runner->spent);
}

void report_terminal(const struct run *run, FILE *out, bool verbose)
{
	g_autofree char *scope = report_out_of_scope(run);

	print_head(run, out);
	print_notes(run, out);
	if (run->variants->len)
		report_grid(run, out);
	for (guint i = 0; i < run->attrib->findings->len; i++)
		print_finding(run, g_ptr_array_index(run->attrib->findings, i),
			      out);
	print_verdict(run, out);
	print_gaps(run, out);
	print_fragments(run, out);
	messages_summary(run->messages, run_steps(run), out, verbose);
	report_wrap(out, "NOT IN THIS RUN  ", 17, scope);
	if (verbose)
		print_verbose(run, out);
}
