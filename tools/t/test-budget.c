// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "budget.h"
#include "error.h"
#include "run.h"

static void expect(const char *text, gint64 want)
{
	g_autoptr(GError) error = NULL;
	gint64 seconds = -1;

	assert_int_equal(budget_parse(text, &seconds, &error), want < 0 ? -1 : 0);
	assert_int_equal(seconds, want);
	if (want < 0)
		assert_true(g_error_matches(error, RESPIN_ERROR,
					    RESPIN_ERROR_USAGE));
}

static void parse(void **state)
{
	static const char *const wrong[] = {
		"", "s", "0", "0s", "-5", "5x", "5mm", "1.5h", " 5", "m5",
		"99999999999999999999", "9999999h", "soon",
	};

	expect("90s", 90);
	expect("90", 90);
	expect("10m", 600);
	expect("10min", 600);
	expect("2h", 7200);
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
		expect(wrong[i], -1);
}

static void texts(void **state)
{
	static const struct {
		gint64 seconds;
		const char *text;
	} cases[] = {
		{ 5, "5 s" }, { 90, "90 s" }, { 600, "10 min" },
		{ 7200, "2 h" }, { 5400, "90 min" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = budget_text(cases[i].seconds);

		assert_string_equal(text, cases[i].text);
	}
}

#define SECOND ((gint64)G_USEC_PER_SEC)

static void shares(void **state)
{
	struct budget b = { .total = 300, .left = 300 };

	budget_patch(&b, 3);
	assert_int_equal(budget_deadline(&b, false, 7), 7 + 100 * SECOND);
	/* what is not used is left to the others */
	budget_spend(&b, false, 40);
	assert_int_equal(budget_deadline(&b, false, 7), 7 + 60 * SECOND);
	budget_patch(&b, 2);
	assert_int_equal(budget_deadline(&b, false, 7), 7 + 130 * SECOND);
	/* a compile may run beyond its share, and so beyond the whole */
	budget_spend(&b, false, 280);
	assert_int_equal(budget_deadline(&b, false, 7), 7);
	budget_patch(&b, 1);
	assert_int_equal(budget_deadline(&b, false, 7), 7);
}

/* Baseline jobs have the rest of the share, and once more the whole budget. */
static void baseline(void **state)
{
	struct budget b = { .total = 100, .left = 100 };

	budget_patch(&b, 1);
	budget_spend(&b, false, 90);
	assert_int_equal(budget_deadline(&b, true, 7), 7 + 110 * SECOND);
	budget_spend(&b, true, 50);
	assert_int_equal(budget_deadline(&b, true, 7), 7 + 60 * SECOND);
	budget_spend(&b, true, 60);
	assert_int_equal(budget_deadline(&b, true, 7), 7);
	assert_int_equal(budget_deadline(&b, false, 7), 7);
	/* a short one is no reason not to attribute */
	b.total = 5;
	budget_patch(&b, 1);
	assert_int_equal(budget_deadline(&b, true, 7), 7 + 60 * SECOND);
}

static void no_budget(void **state)
{
	struct budget b = { 0 };

	budget_patch(&b, 1);
	assert_int_equal(budget_deadline(&b, false, 7), 0);
	budget_spend(&b, false, 1000);
	assert_int_equal(budget_deadline(&b, false, 7), 0);
	assert_int_equal(budget_deadline(&b, true, 7), 0);
}

static struct job *new_job(struct variant *v, enum why why, enum outcome outcome,
			   const char *reason)
{
	static const struct tu tu = { .object = (char *)"a.o" };
	struct job *job = job_new(NULL, v, &tu, NULL, 1, why);

	job_set_outcome(job, outcome, reason);
	return job;
}

/* One gap for a patch and variant; what was skipped for another reason is not
 * among them, nor is what says whether a diagnostic is new. */
static void gaps(void **state)
{
	struct run *run = run_new();
	struct variant a = { .name = (char *)"a" }, b = { .name = (char *)"b" };
	g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(
		(GDestroyNotify)job_free);
	const struct gap *gap;

	g_ptr_array_add(run->variants, &a);
	g_ptr_array_add(run->variants, &b);
	run->budget.total = 600;
	g_ptr_array_add(jobs, new_job(&a, WHY_CLASS, OUTCOME_PASS, NULL));
	g_ptr_array_add(jobs, new_job(&a, WHY_CLASS, OUTCOME_SKIPPED,
				      BUDGET_SPENT));
	g_ptr_array_add(jobs, new_job(&a, WHY_REACH, OUTCOME_SKIPPED,
				      BUDGET_SPENT));
	g_ptr_array_add(jobs, new_job(&a, WHY_BASELINE, OUTCOME_SKIPPED,
				      BUDGET_SPENT));
	g_ptr_array_add(jobs, new_job(&b, WHY_CLASS, OUTCOME_SKIPPED, "x"));
	budget_note(run, 1, jobs);
	assert_int_equal(run->gaps->len, 1);
	gap = run->gaps->pdata[0];
	assert_ptr_equal(gap->variant, &a);
	assert_int_equal(gap->n, 1);
	assert_string_equal(gap->what, "2 of 3 TUs");
	assert_string_equal(gap->reason,
			    "not compiled: the budget of 10 min is spent");
	g_ptr_array_set_size(run->variants, 0);
	run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parse),
		cmocka_unit_test(texts),
		cmocka_unit_test(shares),
		cmocka_unit_test(baseline),
		cmocka_unit_test(no_budget),
		cmocka_unit_test(gaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
