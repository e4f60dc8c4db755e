// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "condition.h"
#include "cover.h"

static const char source[] =
	"int a;\n"			/* 1 */
	"#ifdef CONFIG_NEVER\n"		/* 2 */
	"int b;\n"			/* 3 */
	"#else\n"			/* 4 */
	"int c;\n"			/* 5 */
	"#define D \\\n"		/* 6 */
	"	1\n"			/* 7 */
	"#endif\n";			/* 8 */

static const char printed[] =
	"# 0 \"/src/mm/x.c\"\n"
	"#define __STDC__ 1\n"
	"# 1 \"/src/include/linux/y.h\" 1\n"
	"int other;\n\n"
	"int at_three;\n"
	"# 1 \"/src/mm/x.c\" 2\n"
	"int a;\n"
	"# 5 \"/src/mm/x.c\"\n"
	"int c;\n"
	"#define D 1\n";

static char *left(GArray *lines)
{
	GString *s = g_string_new("");

	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(s, "%u ", g_array_index(lines, guint, i));
	return g_string_free(s, FALSE);
}

static void test_hidden_branch(void **state)
{
	g_autoptr(GPtrArray) conditions = condition_scan(source, sizeof(source) - 1);
	g_autoptr(GHashTable) emitted = cover_emitted(printed, "/src", "mm/x.c");
	g_autoptr(GHashTable) none = g_hash_table_new(NULL, NULL);
	g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(guint));
	g_autofree char *all = NULL, *hidden = NULL;

	for (guint i = 1; i <= 8; i++)
		g_array_append_val(lines, i);
	/* What stands under no #if needs no witness. */
	cover_remove(lines, conditions, none);
	all = left(lines);
	assert_string_equal(all, "3 5 6 7 ");
	/* Line 3 of another file is no witness for line 3 of this one. */
	cover_remove(lines, conditions, emitted);
	hidden = left(lines);
	assert_string_equal(hidden, "3 ");
}

static void test_added(void **state)
{
	static const char text[] =
		"diff --git a/mm/x.c b/mm/x.c\n--- a/mm/x.c\n+++ b/mm/x.c\n"
		"@@ -1,3 +1,5 @@\n one\n-two\n+TWO\n+\n+three\n three\n";
	g_autoptr(GBytes) bytes = g_bytes_new_static(text, sizeof(text) - 1);
	g_autoptr(diff_t) d = diff_parse(bytes, NULL);
	g_autoptr(GArray) lines = NULL;
	g_autofree char *got = NULL;

	assert_non_null(d);
	lines = cover_added(g_ptr_array_index(d->files, 0));
	got = left(lines);
	assert_string_equal(got, "2 4 ");
}

/* Where each of 1..8 of the text before is afterwards; 0: gone. */
static void expect_map(const char *hunks, const char *want)
{
	g_autofree char *text = g_strconcat("diff --git a/x b/x\n--- a/x\n"
					    "+++ b/x\n", hunks, NULL);
	g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
	g_autoptr(diff_t) d = diff_parse(bytes, NULL);
	g_autoptr(GString) got = g_string_new("");

	assert_non_null(d);
	for (guint i = 1; i <= 8; i++)
		g_string_append_printf(got, "%u ",
			cover_map(g_ptr_array_index(d->files, 0), i));
	assert_string_equal(got->str, want);
}

static void test_map(void **state)
{
	expect_map("@@ -2,3 +2,4 @@\n b\n-c\n+C\n+D\n d\n",
		   "1 2 0 5 6 7 8 9 ");
	/* without context, as repo_diff() makes them */
	expect_map("@@ -2,0 +3,2 @@\n+x\n+y\n@@ -5 +7,0 @@\n-e\n",
		   "1 2 5 6 0 7 8 9 ");
	expect_map("@@ -0,0 +1 @@\n+x\n", "2 3 4 5 6 7 8 9 ");
	expect_map("@@ -1,2 +0,0 @@\n-a\n-b\n", "0 0 1 2 3 4 5 6 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hidden_branch),
		cmocka_unit_test(test_added),
		cmocka_unit_test(test_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
