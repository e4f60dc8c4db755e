// SPDX-License-Identifier: GPL-2.0
/* Which TUs are drawn, what counts as missed, and what is said about it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "audit.h"
#include "check.h"
#include "ledger.h"

static const struct check gcc = { .name = "gcc", .version = "1" };
static struct variant x86 = { .name = (char *)"x86_64-defconfig" };
static struct variant arm = { .name = (char *)"arm64-defconfig" };

static struct tu tus[] = {
	{ .object = (char *)"mm/a.o", .source = (char *)"mm/a.c" },
	{ .object = (char *)"mm/b.o", .source = (char *)"mm/b.c" },
	{ .object = (char *)"mm/c.o", .source = (char *)"mm/c.c" },
	{ .object = (char *)"mm/d.o", .source = (char *)"mm/d.c" },
};

static void test_share(void **state)
{
	static const unsigned int want[][3] = {
		/* jobs, percent, drawn */
		{ 0, 2, 0 }, { 1, 2, 1 }, { 50, 2, 1 }, { 51, 2, 2 },
		{ 1000, 2, 20 }, { 1000, 0, 0 }, { 3, 100, 3 },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(want); i++)
		assert_int_equal(audit_share(want[i][0], want[i][1]), want[i][2]);
}

/* The objects that are drawn, in order; "x" before those of arm64. */
static char *draw(guint64 seed, guint max)
{
	g_autoptr(GArray) picks = g_array_new(FALSE, FALSE,
					      sizeof(struct audit_pick));
	GString *s = g_string_new("");

	for (gsize i = 0; i < 2 * G_N_ELEMENTS(tus); i++) {
		struct audit_pick p = { .tu = &tus[i / 2] };

		p.variant = i % 2 ? &arm : &x86;
		p.key = audit_key(seed, p.variant->name, p.tu->object);
		g_array_append_val(picks, p);
	}
	audit_draw(picks, max);
	for (guint i = 0; i < picks->len; i++) {
		const struct audit_pick *p =
			&g_array_index(picks, struct audit_pick, i);

		g_string_append_printf(s, "%s%c", p->variant == &arm ? "x" : "",
				       p->tu->object[3]);
	}
	return g_string_free(s, FALSE);
}

/* Fixed values: another order would make results of earlier runs useless. */
static void test_draw(void **state)
{
	g_autofree char *all = draw(0, G_MAXUINT), *again = draw(0, 3);
	g_autofree char *other = draw(1, G_MAXUINT), *none = draw(0, 0);

	assert_string_equal(all, "xcbaxadxbcxd");
	assert_string_equal(again, "xcba");
	assert_string_equal(other, "dcbxdaxbxcxa");
	assert_string_equal(none, "");
}

/* No object is preferred: of 1000 seeds each comes first about 250 times. */
static void test_draw_is_even(void **state)
{
	unsigned int first[G_N_ELEMENTS(tus)] = { 0 };

	for (guint64 seed = 0; seed < 1000; seed++) {
		gsize best = 0;

		for (gsize i = 1; i < G_N_ELEMENTS(tus); i++)
			if (audit_key(seed, x86.name, tus[i].object) <
			    audit_key(seed, x86.name, tus[best].object))
				best = i;
		first[best]++;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(tus); i++)
		assert_in_range(first[i], 200, 300);
}

/* A run in small: findings and the jobs that show them. */
struct world {
	GPtrArray *jobs, *findings;
};

static void world_init(struct world *w)
{
	w->jobs = g_ptr_array_new_with_free_func((GDestroyNotify)job_free);
	w->findings = g_ptr_array_new_with_free_func((GDestroyNotify)
						     finding_free);
}

static void world_clear(struct world *w)
{
	g_ptr_array_unref(w->findings);
	g_ptr_array_unref(w->jobs);
}

/* A job at step 1 that prints @message at @line of mm/x.h (0: nothing). */
static struct job *job(struct world *w, const struct variant *v, gsize tu,
		       enum why why, unsigned int line, const char *message)
{
	struct job *j = job_new(&gcc, v, &tus[tu], NULL, 1, why);
	struct diag *d;

	job_set_outcome(j, line ? OUTCOME_FINDINGS : OUTCOME_PASS, NULL);
	g_ptr_array_add(w->jobs, j);
	if (!line)
		return j;
	d = diag_new();
	d->kind = DIAG_ERROR;
	g_free(d->file);
	d->file = g_strdup("mm/x.h");
	d->line = line;
	g_free(d->message);
	d->message = g_strdup(message);
	g_ptr_array_add(j->diags, d);
	return j;
}

/* The finding of what @j prints, on its variant. */
static struct finding *finding(struct world *w, struct job *j)
{
	const struct diag *d = g_ptr_array_index(j->diags, 0);
	g_autofree char *fp = ledger_fingerprint(d);
	struct finding *f = finding_new(1, fp, d);

	g_ptr_array_add(w->findings, f);
	return f;
}

static void showing(struct finding *f, struct job *j)
{
	struct showing *s = g_new0(struct showing, 1);

	s->variant = j->variant;
	s->job = j;
	g_ptr_array_add(f->showings, s);
}

/* "line variant planned objects / objects outside", one line for each. */
static char *matched(const struct world *w)
{
	g_autoptr(GPtrArray) all = audit_match(w->findings, w->jobs);
	GString *s = g_string_new("");

	for (guint i = 0; i < all->len; i++) {
		const struct audit_shown *shown = g_ptr_array_index(all, i);

		g_string_append_printf(s, "%u %s", shown->finding->diag->line,
				       shown->variant->name);
		for (guint k = 0; k < shown->planned->len; k++)
			g_string_append_printf(s, " %s", ((struct job *)
				shown->planned->pdata[k])->tu->object);
		g_string_append(s, " /");
		for (guint k = 0; k < shown->outside->len; k++)
			g_string_append_printf(s, " %s", ((struct job *)
				shown->outside->pdata[k])->tu->object);
		g_string_append_c(s, '\n');
	}
	return g_string_free(s, FALSE);
}

/* One planned TU is enough to find it; without it, it would be missed. */
static void test_match(void **state)
{
	for (int planned = 0; planned < 2; planned++) {
		struct world w;
		struct job *first, *second;
		g_autofree char *got = NULL;

		world_init(&w);
		first = job(&w, &x86, 0, planned ? WHY_CLASS : WHY_AUDIT, 3, "no");
		second = job(&w, &x86, 1, WHY_AUDIT, 3, "no");
		job(&w, &x86, 2, WHY_CLASS, 0, NULL);
		job(&w, &arm, 3, WHY_CLASS, 3, "no");
		job(&w, &x86, 3, WHY_BASELINE, 3, "no");
		showing(finding(&w, second), first);
		got = matched(&w);
		assert_string_equal(got, planned ?
			"3 x86_64-defconfig mm/a.o / mm/b.o\n" :
			"3 x86_64-defconfig / mm/a.o mm/b.o\n");
		world_clear(&w);
	}
}

/* The same words at another line, or on another variant, are another thing. */
static void test_match_place(void **state)
{
	struct world w;
	struct job *a, *b, *c;
	struct finding *f;
	g_autofree char *got = NULL;

	world_init(&w);
	a = job(&w, &x86, 0, WHY_MENTION, 3, "no");
	b = job(&w, &x86, 1, WHY_AUDIT, 9, "no");
	c = job(&w, &arm, 2, WHY_AUDIT, 3, "no");
	f = finding(&w, a);
	showing(f, a);
	showing(f, c);
	showing(finding(&w, b), b);
	got = matched(&w);
	assert_string_equal(got, "3 x86_64-defconfig mm/a.o /\n"
			    "3 arm64-defconfig / mm/c.o\n"
			    "9 x86_64-defconfig / mm/b.o\n");
	world_clear(&w);
}

static void test_mentions(void **state)
{
	static const char text[] =
		"--- a/mm/x.h\n+++ b/mm/x.h\n@@ -1,3 +1,3 @@\n"
		" int context;\n-int old_name;\n+int new_name;\n int more;\n";
	g_autoptr(GBytes) bytes = g_bytes_new_static(text, strlen(text));
	g_autoptr(diff_t) d = diff_parse(bytes, NULL);

	assert_non_null(d);
	assert_true(audit_mentions(d, "old_name"));
	assert_true(audit_mentions(d, "new_name"));
	assert_false(audit_mentions(d, "new"));
	assert_false(audit_mentions(d, "name"));
	assert_false(audit_mentions(d, "context"));
}

static void test_rule(void **state)
{
	static const struct {
		struct audit_clue clue;
		const char *want;
	} table[] = {
		{ { .source_touched = true, .lists = true },
		  "rule a: its own source is touched" },
		{ { .reads = "mm/x.h" },
		  "the include graph: it reads mm/x.h, which the graph does not "
		  "know" },
		{ { .name = "x" },
		  "rule e: it reads no touched file, so a generated file or its "
		  "command changed" },
		{ { .lists = true, .in_touched = true, .name = "x" },
		  "rule b: what 'x' is differs from one TU that reads the header "
		  "to another" },
		{ { .lists = true, .in_touched = true },
		  "rule b: what comes before the header differs from one TU that "
		  "reads it to another" },
		{ { .lists = true, .name = "x", .name_changed = true },
		  "rule c: it uses 'x', which the patch changes" },
		{ { .lists = true, .name = "x" },
		  "rule c: what it uses hangs on what the patch changes, by a "
		  "type, a macro or a condition" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
		g_autofree char *got = audit_rule(&table[i].clue);

		assert_string_equal(got, table[i].want);
	}
}

/* A run of one patch with one row, as audit_print() and audit_exit() want it. */
struct small {
	struct run *run;
	struct audit_row *row;
	struct series series;
	struct steps steps;
	struct step step[2];
};

static void small_init(struct small *s)
{
	*s = (struct small){ .series = { .subject = (char *)"mm: x" } };
	s->run = run_new();
	s->run->series = &s->series;
	s->run->steps = &s->steps;
	s->steps.steps = g_ptr_array_new();
	s->step[0].commit = (char *)"0123456789abcdef";
	g_ptr_array_add(s->steps.steps, &s->step[0]);
	g_ptr_array_add(s->steps.steps, &s->step[1]);
	s->run->base_how = g_strdup("HEAD");
	s->run->audit = audit_new();
	s->row = g_new0(struct audit_row, 1);
	*s->row = (struct audit_row){
		.n = 1, .variant = &x86, .tus = 2948, .reach = 50, .planned = 6,
		.both = 5, .outside = 40, .far = 20, .plan_seconds = 4,
		.both_seconds = 5, .outside_seconds = 36,
	};
	g_ptr_array_add(s->run->audit->rows, s->row);
}

static void small_clear(struct small *s)
{
	g_ptr_array_unref(s->steps.steps);
	run_free(s->run);
}

static char *printed(const struct run *run)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	audit_print(run, out);
	fclose(out);
	return text;
}

#define HEAD \
	"respin audit: mm: x\nbase: 0123456789ab (HEAD)\n" \
	"  patch variant                   TUs  reach planned  outside   left" \
	" missed   saved of time\n"

static void test_print(void **state)
{
	struct small s;
	char *got;

	small_init(&s);
	got = printed(s.run);
	/* 5 of 45 outside were not compiled: 45 s in all, 4.5 s are estimated. */
	assert_string_equal(got, HEAD
		"    1/1 x86_64-defconfig         2948     50       6       40"
		"      5      0    88 %    91 %\n"
		"nothing missed.  40 outside of the plan compiled, 20 that cannot "
		"reach it; not complete: 5 were not compiled or do not compile on "
		"the parent\n");
	free(got);
	assert_int_equal(audit_exit(s.run), 2);

	s.row->outside = 45;
	got = printed(s.run);
	assert_string_equal(got, HEAD
		"    1/1 x86_64-defconfig         2948     50       6       45"
		"      0      0    88 %    90 %\n"
		"nothing missed.  45 outside of the plan compiled, 20 that cannot "
		"reach it\n");
	free(got);
	assert_int_equal(audit_exit(s.run), 0);
	small_clear(&s);
}

static void test_print_missed(void **state)
{
	struct small s;
	struct world w;
	struct finding *f;
	struct job *j;
	struct audit_shown *shown;
	char *got;

	small_init(&s);
	s.row->outside = 45;
	world_init(&w);
	j = job(&w, &x86, 0, WHY_AUDIT, 3, "no");
	f = finding(&w, j);
	showing(f, j);
	s.run->audit->shown = audit_match(w.findings, w.jobs);
	shown = g_ptr_array_index(s.run->audit->shown, 0);
	shown->said = true;
	assert_int_equal(audit_exit(s.run), 0);
	shown->said = false;
	shown->rule = g_strdup("rule a: why");
	got = printed(s.run);
	assert_non_null(strstr(got, "RESPIN BUG  1/1 x86_64-defconfig mm/a.o: "
		"mm/x.h:3: no\n            rule a: why\n1 missed: please report "
		"this."));
	free(got);
	assert_int_equal(audit_exit(s.run), 1);
	small_clear(&s);
	world_clear(&w);
}

/* A budget stops the last of these: it says nothing, and so is not counted. */
static void test_audited(void **state)
{
	struct world w;
	struct run run = { .audit = audit_new(), .attrib = attrib_new(NULL, NULL) };

	world_init(&w);
	job(&w, &x86, 0, WHY_SOURCE, 0, NULL);
	job(&w, &x86, 1, WHY_AUDIT, 0, NULL);
	job_set_outcome(job(&w, &x86, 2, WHY_AUDIT, 0, NULL), OUTCOME_SKIPPED,
			"the budget is spent");
	g_ptr_array_set_free_func(w.jobs, NULL);
	attrib_begin(run.attrib, 1, w.jobs);
	audit_finish(&run);
	assert_int_equal(run.audit->audited, 1);
	attrib_free(run.attrib);
	audit_free(run.audit);
	world_clear(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_draw),
		cmocka_unit_test(test_draw_is_even),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_match_place),
		cmocka_unit_test(test_mentions),
		cmocka_unit_test(test_rule),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_print_missed),
		cmocka_unit_test(test_audited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
