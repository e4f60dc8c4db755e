// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "condexpr.h"

/* @data: "Y=y M=m N=n"; what is not there is not known. */
static char value(const char *symbol, void *data)
{
	g_autofree char *key = g_strdup_printf(" %s=", symbol);
	g_autofree char *all = g_strconcat(" ", data, NULL);
	const char *found = strstr(all, key);

	return found ? found[strlen(key)] : 0;
}

static void expect(const char *text, enum truth want)
{
	enum truth got = condexpr_eval(text, value, "Y=y M=m N=n");

	if (got != want)
		print_error("%s\n", text);
	assert_int_equal(got, want);
}

static void test_eval(void **state)
{
	expect("defined(CONFIG_Y)", TRUTH_YES);
	expect("defined CONFIG_Y", TRUTH_YES);
	expect("defined(CONFIG_N)", TRUTH_NO);
	expect("!defined(CONFIG_N)", TRUTH_YES);
	expect("defined(CONFIG_M)", TRUTH_NO);
	expect("defined(CONFIG_M_MODULE)", TRUTH_YES);
	expect("defined(CONFIG_Y_MODULE)", TRUTH_NO);
	expect("CONFIG_Y", TRUTH_YES);
	expect("defined(CONFIG_OTHER)", TRUTH_UNKNOWN);
	expect("defined(__ASSEMBLY__)", TRUTH_UNKNOWN);
	expect("IS_ENABLED(CONFIG_M)", TRUTH_YES);
	expect("IS_ENABLED(CONFIG_N)", TRUTH_NO);
	expect("IS_BUILTIN(CONFIG_M)", TRUTH_NO);
	expect("IS_BUILTIN(CONFIG_Y)", TRUTH_YES);
	expect("IS_MODULE(CONFIG_M)", TRUTH_YES);
	expect("IS_REACHABLE(CONFIG_M)", TRUTH_UNKNOWN);
	expect("IS_REACHABLE(CONFIG_Y)", TRUTH_YES);
	expect("0", TRUTH_NO);
	expect("1", TRUTH_YES);
}

static void test_operators(void **state)
{
	expect("defined(CONFIG_Y) && defined(CONFIG_N)", TRUTH_NO);
	expect("defined(CONFIG_Y) && defined(X)", TRUTH_UNKNOWN);
	expect("defined(CONFIG_N) && defined(X)", TRUTH_NO);
	expect("defined(X) && defined(CONFIG_N)", TRUTH_NO);
	expect("defined(CONFIG_Y) || defined(X)", TRUTH_YES);
	expect("defined(X) || defined(CONFIG_Y)", TRUTH_YES);
	expect("defined(CONFIG_N) || defined(X)", TRUTH_UNKNOWN);
	expect("!(defined(CONFIG_Y) || defined(X))", TRUTH_NO);
	expect("!(defined(CONFIG_N)) && !(defined(CONFIG_M)) && "
	       "(defined(CONFIG_Y))", TRUTH_YES);
	/* Numbers are not known, and what stands after them still counts. */
	expect("CONFIG_PGTABLE_LEVELS > 2", TRUTH_UNKNOWN);
	expect("(X > 2) && defined(CONFIG_N)", TRUTH_NO);
	expect("X == (1 << 2) || defined(CONFIG_Y)", TRUTH_YES);
	expect("X != 3", TRUTH_UNKNOWN);
	expect("CONFIG_Y > 2", TRUTH_UNKNOWN);
	expect("__has_attribute(__x__(1)) && defined(CONFIG_N)", TRUTH_NO);
	/* What is not understood is not decided. */
	expect("defined(CONFIG_Y) ) garbage", TRUTH_UNKNOWN);
	expect("", TRUTH_UNKNOWN);
}

/* "A=y B=n; C=y": the ways, in their order. */
static void expect_ways(const char *a, const char *b, const char *want)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new(), ways = NULL;
	g_autoptr(GString) got = g_string_new("");

	g_ptr_array_add(texts, (char *)a);
	if (b)
		g_ptr_array_add(texts, (char *)b);
	ways = condexpr_solve(texts, value, "Y=y M=m N=n N2=n");
	for (guint i = 0; i < ways->len; i++) {
		const GPtrArray *way = ways->pdata[i];

		g_string_append(got, i ? ";" : "");
		for (guint k = 0; k < way->len; k++) {
			g_autofree char *one = setting_text(way->pdata[k]);

			g_string_append_printf(got, "%s%s", k ? " " : "", one);
		}
	}
	assert_string_equal(got->str, want);
}

static void test_solve(void **state)
{
	expect_ways("defined(CONFIG_N)", NULL, "N=y");
	expect_ways("!defined(CONFIG_Y)", NULL, "Y=n");
	expect_ways("defined(CONFIG_N) && !defined(CONFIG_Y)", NULL, "N=y Y=n");
	expect_ways("defined(CONFIG_N)", "!(defined(CONFIG_Y))", "N=y Y=n");
	expect_ways("defined(CONFIG_N) || defined(CONFIG_N2)", NULL,
		    "N=y;N2=y;N=y N2=y");
	/* The sure ones first. */
	expect_ways("defined(CONFIG_N) || (defined(X) && defined(CONFIG_N2))",
		    NULL, "N=y;N=y N2=y;N2=y");
	expect_ways("defined(X)", NULL, "");
	expect_ways("defined(CONFIG_N) && !defined(CONFIG_N)", NULL, "");
}

static void test_others(void **state)
{
	g_autofree char *two = condexpr_others("!defined(__ASSEMBLY__) && "
		"IS_ENABLED(CONFIG_X) && MAX_NUMNODES > 1");
	g_autofree char *none = condexpr_others("defined(CONFIG_X) || 0");

	assert_string_equal(two, "__ASSEMBLY__, MAX_NUMNODES");
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_eval),
		cmocka_unit_test(test_operators),
		cmocka_unit_test(test_solve),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
