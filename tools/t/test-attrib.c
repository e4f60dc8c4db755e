// SPDX-License-Identifier: GPL-2.0
/*
 * Which patch is blamed: attrib is driven with made-up results, a table of
 * what each step would print.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "attrib.h"
#include "check.h"
#include "ledger.h"

static const struct check gcc = { .name = "gcc", .version = "1" };
static struct variant x86 = { .name = (char *)"x86_64-defconfig" };
static struct variant riscv = { .name = (char *)"riscv-defconfig" };
static struct tu tu_a = { .object = (char *)"mm/a.o", .source = (char *)"mm/a.c" };
static struct tu tu_b = { .object = (char *)"mm/b.o", .source = (char *)"mm/b.c" };

/*
 * What a world prints: per step, TU and variant, lines "E|F|L|S|W file:line text"
 * (F: fatal, L: the linker's, S: an undefined symbol).
 */
struct world {
	struct attrib *a;
	const char *(*prints)(unsigned int step, const struct job *job);
	GHashTable *diffs;
	const char *touched;		/* the file that every patch touches */
	unsigned int asked;		/* jobs that attrib wanted */
	bool deps;			/* a job knows that it read its source */
};

static const struct diff *change(unsigned int from, unsigned int to, void *data)
{
	struct world *w = data;
	struct diff *d = g_hash_table_lookup(w->diffs, GUINT_TO_POINTER(1));
	struct file_diff *fd;

	if (d)
		return d;
	d = g_new0(struct diff, 1);
	d->files = g_ptr_array_new_with_free_func((GDestroyNotify)file_diff_free);
	fd = file_diff_new();
	fd->old_path = g_strdup(w->touched);
	fd->new_path = g_strdup(w->touched);
	if (!fd->hunks)
		fd->hunks = g_ptr_array_new();
	g_ptr_array_add(d->files, fd);
	g_hash_table_insert(w->diffs, GUINT_TO_POINTER(1), d);
	return d;
}

static GPtrArray *parse(const char *text)
{
	GPtrArray *diags = g_ptr_array_new_with_free_func((GDestroyNotify)
							  diag_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l && **l; l++) {
		struct diag *d = diag_new();
		char *colon = strchr(*l, ':'), *blank = strchr(colon, ' ');

		d->kind = **l == 'W' ? DIAG_WARNING : DIAG_ERROR;
		d->fatal = **l == 'F';
		if (**l == 'S') {
			g_free(d->check);
			d->check = g_strdup("symbols");
		}
		if (**l == 'L') {
			g_free(d->rule);
			d->rule = g_strdup(DIAG_LINK);
		}
		g_free(d->file);
		d->file = g_strndup(*l + 2, colon - *l - 2);
		d->line = strtoul(colon + 1, NULL, 10);
		g_free(d->message);
		d->message = g_strdup(blank + 1);
		g_ptr_array_add(diags, d);
	}
	return diags;
}

static void answer(struct world *w, struct job *job)
{
	job->diags = parse(w->prints(job->step, job));
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
	if (w->deps)
		job->deps = g_strsplit(job->tu->source, " ", -1);
}

static void world_init(struct world *w, const char *touched,
		       const char *(*prints)(unsigned int, const struct job *))
{
	w->diffs = g_hash_table_new_full(NULL, NULL, NULL,
					 (GDestroyNotify)diff_free);
	w->prints = prints;
	w->touched = touched;
	w->asked = 0;
	w->deps = false;
	w->a = attrib_new(change, w);
}

static void world_clear(struct world *w)
{
	attrib_free(w->a);
	g_hash_table_unref(w->diffs);
}

/* Runs step @n with the TUs of @tus on both variants, and the watched. */
static void step(struct world *w, unsigned int n, struct tu *const *tus)
{
	g_autoptr(GPtrArray) jobs = g_ptr_array_new();
	g_autoptr(GPtrArray) watch = NULL;
	GPtrArray *wanted;

	for (; *tus; tus++) {
		g_ptr_array_add(jobs, job_new(&gcc, &x86, *tus, NULL, n,
					      WHY_SOURCE));
		g_ptr_array_add(jobs, job_new(&gcc, &riscv, *tus, NULL, n,
					      WHY_SOURCE));
	}
	watch = attrib_watch(w->a, n, jobs);
	for (guint i = 0; i < watch->len; i++)
		g_ptr_array_add(jobs, g_ptr_array_index(watch, i));
	for (guint i = 0; i < jobs->len; i++)
		answer(w, g_ptr_array_index(jobs, i));
	attrib_begin(w->a, n, jobs);
	while ((wanted = attrib_wanted(w->a))) {
		unsigned int at = ((struct job *)g_ptr_array_index(wanted, 0))->step;

		for (guint i = 0; i < wanted->len; i++) {
			struct job *job = g_ptr_array_index(wanted, i);

			assert_int_equal(job->step, at);
			answer(w, job);
			w->asked++;
		}
		g_ptr_array_unref(wanted);
	}
	attrib_end(w->a);
}

/* "n:line:message variants died", one a line, in order. */
static char *summary(const struct attrib *a)
{
	GString *s = g_string_new("");

	for (guint i = 0; i < a->findings->len; i++) {
		const struct finding *f = g_ptr_array_index(a->findings, i);

		g_string_append_printf(s, "%u:%u:%s", f->n, f->diag->line,
				       f->diag->message);
		for (guint j = 0; j < f->showings->len; j++) {
			const struct showing *sh =
				g_ptr_array_index(f->showings, j);

			g_string_append_printf(s, " %s/%u/%u", sh->variant->name,
					       sh->places, sh->died);
		}
		g_string_append(s, f->missed ? " missed\n" : "\n");
	}
	return g_string_free(s, FALSE);
}

static struct tu *const both[] = { &tu_a, &tu_b, NULL };
static struct tu *const only_a[] = { &tu_a, NULL };
static struct tu *const only_b[] = { &tu_b, NULL };
static struct tu *const none[] = { NULL };

static const char *old_warning(unsigned int n, const struct job *job)
{
	return "W mm/x.h:3 old\n";
}

static void test_old_is_not_new(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/a.c", old_warning);
	step(&w, 1, both);
	step(&w, 2, both);
	got = summary(w.a);
	assert_string_equal(got, "");
	/* Each TU is looked at once: old in one says nothing about another. */
	assert_int_equal(w.asked, 4);
	world_clear(&w);
}

static struct tu tu_made = { .object = (char *)"y.o",
			     .source = (char *)"O/y.c" };

static const char *until_3(unsigned int n, const struct job *job)
{
	return n >= 1 && n < 3 ? "W O/y.c:3 bad\n" : "";
}

static void made_at_3(unsigned int from, unsigned int to, GHashTable *set,
		      void *data)
{
	if (from < 3 && to >= 3)
		g_hash_table_add(set, (char *)"O/y.c");
}

/* A patch to a table mends a source that is generated of it. */
static void expect_mended(attrib_made_fn made, const char *want)
{
	static struct tu *const only_made[] = { &tu_made, NULL };
	g_autofree char *got = NULL;
	struct world w;

	world_init(&w, "y.tbl", until_3);
	w.deps = true;
	w.a->made = made;
	step(&w, 1, only_made);
	step(&w, 2, none);
	step(&w, 3, none);
	got = summary(w.a);
	assert_string_equal(got, want);
	world_clear(&w);
}

static void test_generated(void **state)
{
	expect_mended(made_at_3, "1:3:bad x86_64-defconfig/1/3 "
		      "riscv-defconfig/1/3\n");
	expect_mended(NULL, "1:3:bad x86_64-defconfig/1/0 "
		      "riscv-defconfig/1/0\n");
}

static const char *old_in_a_new_in_b(unsigned int n, const struct job *job)
{
	return n >= 1 || job->tu == &tu_a ? "W mm/x.h:3 by a macro\n" : "";
}

/* The header is not touched, what it warns about in b.c came with a macro. */
static void test_old_in_one_new_in_other(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/macro.h", old_in_a_new_in_b);
	step(&w, 1, both);
	got = summary(w.a);
	assert_string_equal(got, "1:3:by a macro x86_64-defconfig/2/0 "
			    "riscv-defconfig/2/0\n");
	world_clear(&w);
}

static const char *breaks_at_2(unsigned int n, const struct job *job)
{
	return n < 2 || job->variant == &riscv ? "" : "E mm/x.h:3 broken\n";
}

static void test_one_finding_many_places(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/x.h", breaks_at_2);
	step(&w, 1, both);
	step(&w, 2, both);
	step(&w, 3, only_a);
	got = summary(w.a);
	assert_string_equal(got, "2:3:broken x86_64-defconfig/2/0\n");
	world_clear(&w);
}

static const char *header_warning(unsigned int n, const struct job *job)
{
	return n < 1 ? "" : "W mm/x.h:3 unused\n";
}

static void test_two_hundred_places(void **state)
{
	static struct tu tus[200];
	struct tu *list[201] = { NULL };
	char names[200][16];
	struct world w;
	g_autofree char *got = NULL;

	for (guint i = 0; i < 200; i++) {
		g_snprintf(names[i], sizeof(names[i]), "mm/%u.o", i);
		tus[i].object = names[i];
		tus[i].source = (char *)"mm/a.c";
		list[i] = &tus[i];
	}
	world_init(&w, "mm/x.h", header_warning);
	step(&w, 1, list);
	got = summary(w.a);
	assert_string_equal(got, "1:3:unused x86_64-defconfig/200/0 "
			    "riscv-defconfig/200/0\n");
	/* One TU for each variant was enough to know that it is new. */
	assert_int_equal(w.asked, 2);
	world_clear(&w);
}

static const char *mended_at_4(unsigned int n, const struct job *job)
{
	return n >= 2 && n < 4 && job->tu == &tu_a ? "E mm/a.c:3 broken\n" : "";
}

static void test_hazard(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/a.c", mended_at_4);
	step(&w, 1, only_a);
	step(&w, 2, only_a);
	step(&w, 3, only_b);
	step(&w, 4, none);	/* the watch sees the death */
	got = summary(w.a);
	assert_string_equal(got, "2:3:broken x86_64-defconfig/1/4 "
			    "riscv-defconfig/1/4\n");
	world_clear(&w);
}

static const char *hidden_break(unsigned int n, const struct job *job)
{
	if (job->tu != &tu_b || job->variant != &x86)
		return "";
	return n < 2 ? "" : n < 4 ? "W mm/b.c:3 sneaked in\n" :
		"W mm/b.c:3 sneaked in\nW mm/b.c:9 of 4\n";
}

/* Broken in 2 where the impact did not look; 4 touches the TU. */
static void test_impact_miss_goes_to_its_patch(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/b.c", hidden_break);
	step(&w, 1, only_a);
	step(&w, 2, only_a);
	step(&w, 3, only_a);
	step(&w, 4, only_b);
	got = summary(w.a);
	assert_string_equal(got, "4:9:of 4 x86_64-defconfig/1/0\n"
			    "2:3:sneaked in x86_64-defconfig/1/0 missed\n");
	assert_int_equal(w.a->missed, 1);
	world_clear(&w);
}

static const char *twice(unsigned int n, const struct job *job)
{
	return n == 0 ? "W mm/a.c:3 unused\n" :
		"W mm/a.c:3 unused\nW mm/a.c:8 unused\n";
}

static void test_second_of_the_same_text(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/a.c", twice);
	step(&w, 1, only_a);
	step(&w, 2, only_a);
	got = summary(w.a);
	assert_string_equal(got, "1:8:unused x86_64-defconfig/1/0 "
			    "riscv-defconfig/1/0\n");
	world_clear(&w);
}

static const char *second_hidden(unsigned int n, const struct job *job)
{
	if (job->tu != &tu_b || job->variant != &x86)
		return "";
	return n < 2 ? "W mm/b.c:3 unused\n" :
		"W mm/b.c:3 unused\nW mm/b.c:8 unused\n";
}

/* One of its kind is old, the second came with 2, where nobody looked. */
static void test_missed_second_of_the_same_text(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/b.c", second_hidden);
	step(&w, 1, only_a);
	step(&w, 2, only_a);
	step(&w, 3, only_a);
	step(&w, 4, only_b);
	got = summary(w.a);
	assert_string_equal(got, "2:8:unused x86_64-defconfig/1/0 missed\n");
	world_clear(&w);
}

static const char *behind_fatal(unsigned int n, const struct job *job)
{
	if (job->variant != &x86 || n < 2)
		return "";
	return n == 3 ? "F mm/a.c:1 no file\n" : "E mm/a.c:3 broken\n";
}

/* The error of 2 is not gone while 3 hides it, and is not 4's afterwards. */
static void test_behind_fatal(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/a.c", behind_fatal);
	for (unsigned int n = 1; n <= 4; n++)
		step(&w, n, only_a);
	got = summary(w.a);
	assert_string_equal(got, "2:3:broken x86_64-defconfig/1/0\n"
			    "3:1:no file x86_64-defconfig/1/4\n");
	world_clear(&w);
}

static const char *behind_error(unsigned int n, const struct job *job)
{
	if (job->variant != &x86)
		return "";
	return n == 2 || n == 3 ? "E mm/a.c:3 broken\n" :
		n < 2 ? "W mm/a.c:9 old\n" :
		"W mm/a.c:9 old\nW mm/a.c:12 new\n";
}

/* What the error of 2 hid is not new when 4 mends it. */
static void test_behind_error(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/a.c", behind_error);
	for (unsigned int n = 1; n <= 4; n++)
		step(&w, n, only_a);
	got = summary(w.a);
	assert_string_equal(got, "2:3:broken x86_64-defconfig/1/4\n"
			    "4:12:new x86_64-defconfig/1/0\n");
	world_clear(&w);
}

static const char *becomes_error(unsigned int n, const struct job *job)
{
	return job->variant != &x86 ? "" : n < 2 ? "W mm/x.h:3 same\n" :
		"E mm/x.h:3 same\n";
}

/* In a file that nobody touched: by a flag, or by a macro of another one. */
static void test_warning_becomes_error(void **state)
{
	struct world w;
	g_autofree char *got = NULL;

	world_init(&w, "mm/a.c", becomes_error);
	for (unsigned int n = 1; n <= 3; n++)
		step(&w, n, only_a);
	got = summary(w.a);
	assert_string_equal(got, "2:3:same x86_64-defconfig/1/0\n");
	world_clear(&w);
}

static const char *always_broken(unsigned int n, const struct job *job)
{
	return job->variant == &riscv ? "E mm/a.c:3 old\n" :
		n < 2 ? "W mm/a.c:5 old\n" : "E mm/a.c:7 new\n";
}

static void test_old_error(void **state)
{
	g_autofree struct job *job = job_new(&gcc, &riscv, &tu_a, NULL, 2,
					     WHY_SOURCE);
	g_autofree struct job *new = job_new(&gcc, &x86, &tu_a, NULL, 2,
					     WHY_SOURCE);
	struct world w;

	world_init(&w, "mm/a.c", always_broken);
	step(&w, 1, only_a);
	step(&w, 2, only_a);
	answer(&w, job);
	answer(&w, new);
	assert_string_equal(attrib_old_error(w.a, job)->message, "old");
	assert_null(attrib_old_error(w.a, new));
	g_ptr_array_unref(job->diags);
	g_ptr_array_unref(new->diags);
	world_clear(&w);
}

static const char *old_link(unsigned int n, const struct job *job)
{
	if (n == 2)
		return "W mm/a.c:5 unused\nL mm/x.c:3 undefined\n";
	if (n == 4)
		return "E mm/a.c:7 broken\n";
	return "L mm/x.c:3 undefined\n";
}

/* A link that never worked hides no warning, and is hidden by an error. */
static void test_old_link(void **state)
{
	g_autofree char *got = NULL;
	struct world w;
	struct job *job;

	world_init(&w, "mm/a.c", old_link);
	for (unsigned int n = 1; n <= 5; n++)
		step(&w, n, only_a);
	got = summary(w.a);
	assert_string_equal(got,
		"2:5:unused x86_64-defconfig/1/3 riscv-defconfig/1/3\n"
		"4:7:broken x86_64-defconfig/1/5 riscv-defconfig/1/5\n");
	job = job_new(&gcc, &x86, &tu_a, NULL, 1, WHY_SOURCE);
	answer(&w, job);
	assert_null(attrib_old_error(w.a, job));
	job_free(job);
	world_clear(&w);
}

static void test_hidden_by(void **state)
{
	g_autoptr(GPtrArray) empty = g_ptr_array_new();
	const struct finding *f;
	struct world w;

	world_init(&w, "mm/x.h", breaks_at_2);
	step(&w, 1, only_a);
	step(&w, 2, only_a);
	step(&w, 3, only_b);
	assert_null(attrib_hidden_by(w.a, 2, &x86, empty));
	f = attrib_hidden_by(w.a, 3, &x86, empty);
	assert_non_null(f);
	assert_int_equal(f->n, 2);
	assert_null(attrib_hidden_by(w.a, 3, &riscv, empty));
	world_clear(&w);
}

static const char *symbol_then_warning(unsigned int n, const struct job *job)
{
	if (job->variant != &x86)
		return "";
	return n < 1 ? "" : n < 2 ? "S mm/a.c:3 undefined symbol\n" :
		"S mm/a.c:3 undefined symbol\nW mm/a.c:9 unused\n";
}

/* The object was made: nothing that gcc says is behind the symbol. */
static void test_symbol_hides_nothing(void **state)
{
	struct world w;
	g_autofree char *got = NULL;
	g_autoptr(GPtrArray) empty = g_ptr_array_new();

	world_init(&w, "mm/a.c", symbol_then_warning);
	step(&w, 1, only_a);
	step(&w, 2, only_a);
	got = summary(w.a);
	assert_string_equal(got, "1:3:undefined symbol x86_64-defconfig/1/0\n"
			    "2:9:unused x86_64-defconfig/1/0\n");
	assert_null(attrib_hidden_by(w.a, 3, &x86, empty));
	world_clear(&w);
}

static const char *symbol_behind_error(unsigned int n, const struct job *job)
{
	if (job->variant != &x86 || n < 1)
		return "";
	return n < 3 ? "E mm/a.c:1 broken\n" : "S mm/a.c:3 undefined symbol\n";
}

static const char *old_symbol(unsigned int n, const struct job *job)
{
	if (job->variant != &x86 || n == 1 || n == 2)
		return symbol_behind_error(n, job);
	return "S mm/a.c:3 undefined symbol\n";
}

/* A compile that fails makes no object: it does not show that it was well. */
static void test_symbol_behind_error(void **state)
{
	struct world w;
	g_autofree char *got = NULL, *old = NULL;

	world_init(&w, "mm/a.c", symbol_behind_error);
	for (unsigned int n = 1; n <= 3; n++)
		step(&w, n, only_a);
	got = summary(w.a);
	assert_string_equal(got, "1:1:broken x86_64-defconfig/1/3\n"
			    "3:3:undefined symbol x86_64-defconfig/1/0\n");
	world_clear(&w);

	world_init(&w, "mm/a.c", old_symbol);
	for (unsigned int n = 1; n <= 3; n++)
		step(&w, n, only_a);
	old = summary(w.a);
	assert_string_equal(old, "1:1:broken x86_64-defconfig/1/3\n");
	world_clear(&w);
}

static const char *exported_later(unsigned int n, const struct job *job)
{
	return job->variant == &x86 && job->tu == &tu_a && n >= 1 && n < 3 ?
		"S mm/a.c:3 undefined symbol\n" : "";
}

static const char *warned_till_3(unsigned int n, const struct job *job)
{
	return job->variant == &x86 && job->tu == &tu_a && n >= 1 && n < 3 ?
		"W mm/a.c:3 unused\n" : "";
}

/* What mends a symbol is in a file that the TU does not read. */
static void test_symbol_is_watched(void **state)
{
	struct world w;
	g_autofree char *got = NULL, *twin = NULL;

	world_init(&w, "mm/z.c", exported_later);
	w.deps = true;
	step(&w, 1, only_a);
	step(&w, 2, only_b);
	step(&w, 3, only_b);
	got = summary(w.a);
	assert_string_equal(got, "1:3:undefined symbol x86_64-defconfig/1/3\n");
	world_clear(&w);

	world_init(&w, "mm/z.c", warned_till_3);
	w.deps = true;
	step(&w, 1, only_a);
	step(&w, 2, only_b);
	step(&w, 3, only_b);
	twin = summary(w.a);
	assert_string_equal(twin, "1:3:unused x86_64-defconfig/1/0\n");
	world_clear(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_old_is_not_new),
		cmocka_unit_test(test_generated),
		cmocka_unit_test(test_old_in_one_new_in_other),
		cmocka_unit_test(test_one_finding_many_places),
		cmocka_unit_test(test_two_hundred_places),
		cmocka_unit_test(test_hazard),
		cmocka_unit_test(test_impact_miss_goes_to_its_patch),
		cmocka_unit_test(test_second_of_the_same_text),
		cmocka_unit_test(test_missed_second_of_the_same_text),
		cmocka_unit_test(test_behind_fatal),
		cmocka_unit_test(test_behind_error),
		cmocka_unit_test(test_warning_becomes_error),
		cmocka_unit_test(test_old_error),
		cmocka_unit_test(test_old_link),
		cmocka_unit_test(test_hidden_by),
		cmocka_unit_test(test_symbol_hides_nothing),
		cmocka_unit_test(test_symbol_behind_error),
		cmocka_unit_test(test_symbol_is_watched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
