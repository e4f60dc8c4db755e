// SPDX-License-Identifier: GPL-2.0
/*
 * data/ledger/CASE holds a file before and after, what gcc printed for both
 * (see data/ledger/regen), and the change with context and without; this file
 * says what is new and what is gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "ledger.h"

static const struct {
	const char *name, *new, *gone;
} cases[] = {
	{ "unchanged", "", "" },
	{ "shifted", "", "" },
	{ "moved-function", "", "" },
	{ "second-same", "mm/a.c:7 a: unused variable 'page'\n", "" },
	{ "fixed-and-new", "mm/a.c:7 a: unused variable 'page'\n",
	  "mm/a.c:5 a: unused variable 'page'\n" },
	/* one line less and one more of the same text, not moved code */
	{ "swapped", "mm/a.c:9 a: unused variable 'page'\n",
	  "mm/a.c:5 a: unused variable 'page'\n" },
	{ "wrapped", "", "" },
	{ "renamed-file", "", "" },
	{ "renamed-function", "", "" },
	{ "in-place", "", "" },
	{ "split-line", "mm/a.c:5 a: unused variable 'page'\n",
	  "mm/a.c:5 a: unused variable 'page'\n" },
	{ "reindented", "", "" },
	{ "twice-in-line", "mm/a.c:5 a: unused variable 'page'\n", "" },
	{ "deleted", "", "mm/a.c:5 a: unused variable 'page'\n" },
	{ "numbers", "", "" },
	{ "other-function", "mm/a.c:24 b: unused variable 'page'\n",
	  "mm/a.c:5 a: unused variable 'page'\n" },
	{ "header-warning", "", "" },
	{ "macro-shifted", "", "" },
	{ "macro-rewritten", "", "" },
	{ "macro-fixed-and-new",
	  "include/h.h:2 a: comparison of distinct pointer types lacks a cast\n",
	  "include/h.h:2 a: comparison of distinct pointer types lacks a cast\n" },
	{ "inlined-moved", "", "" },
	{ "inlined-one-more", "include/h.h:5 b: call to 'overflow' declared "
	  "with attribute error: write beyond the object\n", "" },
	{ "inlined-first-fixed", "", "include/h.h:5 check: call to 'overflow' "
	  "declared with attribute error: write beyond the object\n" },
	{ "inlined-other-caller",
	  "include/h.h:5 check: call to 'overflow' declared with attribute "
	  "error: write beyond the object\n",
	  "include/h.h:5 check: call to 'overflow' declared with attribute "
	  "error: write beyond the object\n" },
	{ "inlined-fixed-and-new",
	  "include/h.h:5 check: call to 'overflow' declared with attribute "
	  "error: write beyond the object\n",
	  "include/h.h:5 check: call to 'overflow' declared with attribute "
	  "error: write beyond the object\n" },
	{ "earlier-use", "", "" },
	{ "other-use", "mm/a.c:5 a: implicit declaration of function 'missing'\n",
	  "mm/a.c:23 b: implicit declaration of function 'missing'\n" },
	{ "cause-added",
	  "mm/a.c:6 a: implicit declaration of function 'missing'\n", "" },
	{ "follow-on-added", "mm/a.c:14 b: incompatible types when assigning to "
	  "type 'struct s' from type 'int'\n", "" },
	{ "surfaced", "",
	  "mm/a.c:6 a: implicit declaration of function 'missing'\n" },
	{ "return-type-covered",
	  "mm/a.c:3 a: 'undeclared' undeclared (first use in this function)\n",
	  "" },
	{ "return-type-uncovered", "",
	  "mm/a.c:3 a: 'undeclared' undeclared (first use in this function)\n" },
};

static char *read_case(const char *name, const char *file)
{
	const char *root = g_getenv("RESPIN_TEST_DATA");
	g_autofree char *path = g_build_filename(root ? root : "tools/t/data",
						 "ledger", name, file, NULL);
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	if (!text)
		fail_msg("cannot read '%s'", path);
	return text;
}

static GPtrArray *parse(const char *text)
{
	GPtrArray *diags = diag_parse(text, "/src", "/obj");

	diag_fold(diags);
	return diags;
}

static diff_t *parse_diff(const char *text)
{
	g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
	diff_t *diff = diff_parse(bytes, NULL);

	assert_non_null(diff);
	return diff;
}

static char *lines(const GPtrArray *diags)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < diags->len; i++) {
		const struct diag *d = diags->pdata[i];

		g_string_append_printf(out, "%s:%u %s: %s\n", d->file, d->line,
				       d->function, d->message);
	}
	return g_string_free(out, FALSE);
}

static void compare(const char *name, const char *child, const char *parent,
		    const char *change, const char *want_new,
		    const char *want_gone)
{
	g_autoptr(GPtrArray) after = parse(child), before = parse(parent);
	g_autoptr(diff_t) diff = change ? parse_diff(change) : NULL;
	GPtrArray *gone = NULL;
	g_autoptr(GPtrArray) new = ledger_new_diags(after, before, diff, &gone);
	g_autoptr(GPtrArray) again = ledger_new_diags(after, before, diff, NULL);
	g_autofree char *got_new = lines(new), *got_gone = lines(gone);
	g_autofree char *got_again = lines(again);

	if (strcmp(got_new, want_new) || strcmp(got_gone, want_gone))
		print_error("in '%s':\n", name);
	assert_string_equal(got_new, want_new);
	assert_string_equal(got_gone, want_gone);
	assert_string_equal(got_again, want_new);
	g_ptr_array_unref(gone);
}

static void test_cases(void **state)
{
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *child = read_case(cases[i].name, "new.txt");
		g_autofree char *parent = read_case(cases[i].name, "old.txt");
		g_autofree char *zero = read_case(cases[i].name, "change-0.diff");
		g_autofree char *three = read_case(cases[i].name, "change-3.diff");

		compare(cases[i].name, child, parent, zero, cases[i].new,
			cases[i].gone);
		compare(cases[i].name, child, parent, three, cases[i].new,
			cases[i].gone);
		/* each case prints something: nothing new is not nothing read */
		assert_true(*child || *parent);
		compare(cases[i].name, child, child, NULL, "", "");
	}
}

/* Against an empty parent all is new, and the other way round all is gone. */
static void test_empty(void **state)
{
	static const char one[] = "/src/a.c:1:2: warning: w [-Wx]\n";

	compare("new", one, "", NULL, "a.c:1 : w\n", "");
	compare("gone", "", one, NULL, "", "a.c:1 : w\n");
	compare("none", "", "", NULL, "", "");
}

/* Files outside the change: the same line, else the same text. */
static void test_untouched(void **state)
{
	static const char at_1[] = "/src/a.c:1:2: warning: w [-Wx]\n"
		"    1 | int  x;\n";
	static const char at_2[] = "/src/a.c:2:2: warning: w [-Wx]\n"
		"    2 |   int x;\n";
	static const char other[] = "/src/a.c:2:2: warning: w [-Wx]\n"
		"    2 | int y;\n";

	compare("text", at_2, at_1, NULL, "", "");
	compare("other", other, at_1, NULL, "a.c:2 : w\n", "a.c:1 : w\n");
}

static void test_differs(void **state)
{
	static const char warning[] = "/src/a.c:1:2: warning: w 1 [-Wx]\n";
	static const char error[] = "/src/a.c:1:2: error: w 1 [-Werror=x]\n";
	static const char rule[] = "/src/a.c:1:2: warning: w 1 [-Wy]\n";
	static const char message[] = "/src/a.c:1:2: warning: v 1 [-Wx]\n";
	static const char number[] = "/src/a.c:1:2: warning: w 2 [-Wx]\n";
	static const char file[] = "/src/b.c:1:2: warning: w 1 [-Wx]\n";

	compare("number", number, warning, NULL, "", "");
	compare("mended a bit", warning, error, NULL, "", "");
	compare("error", error, warning, NULL, "a.c:1 : w 1\n", "a.c:1 : w 1\n");
	compare("rule", rule, warning, NULL, "a.c:1 : w 1\n", "a.c:1 : w 1\n");
	compare("message", message, warning, NULL, "a.c:1 : v 1\n",
		"a.c:1 : w 1\n");
	compare("file", file, warning, NULL, "b.c:1 : w 1\n", "a.c:1 : w 1\n");
}

/* The source of a copy stays; a deleted file keeps nothing. */
static void test_copy_and_delete(void **state)
{
	static const char a[] = "/src/a.c:1:2: warning: w [-Wx]\n";
	static const char both[] = "/src/a.c:1:2: warning: w [-Wx]\n"
		"/src/b.c:1:2: warning: w [-Wx]\n";
	static const char copy[] = "diff --git a/a.c b/b.c\n"
		"similarity index 100%\ncopy from a.c\ncopy to b.c\n";
	static const char delete[] = "diff --git a/a.c b/a.c\n"
		"deleted file mode 100644\nindex 1111111..0000000\n"
		"--- a/a.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-int x;\n";

	compare("copy", both, a, copy, "b.c:1 : w\n", "");
	compare("delete", "", a, delete, "", "a.c:1 : w\n");
}

/* Messages of the assembler and the driver have no line. */
static void test_no_line(void **state)
{
	static const char one[] =
		"/tmp/ccAbCdEf.s:12: Error: unknown mnemonic `x'\n";
	static const char moved[] =
		"/tmp/ccQqQqQq.s:34: Error: unknown mnemonic `x'\n";
	g_autofree char *two = g_strconcat(moved, one, NULL);

	compare("moved", moved, one, NULL, "", "");
	compare("two", two, one, NULL, ":0 : unknown mnemonic `x'\n", "");
}

static void test_fingerprint(void **state)
{
	g_autoptr(GPtrArray) diags = parse(
		"/src/mm/a.c: In function 'f':\n"
		"/src/mm/a.c:3:4: warning: the frame size of 2064 bytes is "
		"larger than 1024 bytes [-Wframe-larger-than=]\n");
	g_autofree char *got = ledger_fingerprint(diags->pdata[0]);

	assert_string_equal(got, "gcc\t-Wframe-larger-than=\tmm/a.c\tf\tthe "
			    "frame size of N bytes is larger than N bytes");
}

/* A table of thousands of lines with the same warning takes no time. */
static void test_many(void **state)
{
	GString *text = g_string_new(NULL), *shifted = g_string_new(NULL);
	gint64 start = g_get_monotonic_time();

	for (int i = 1; i <= 5000; i++) {
		g_string_append_printf(text, "/src/a.c:%d:2: warning: "
				       "initialized field overwritten [-Wo]\n", i);
		g_string_append_printf(shifted, "/src/a.c:%d:2: warning: "
				       "initialized field overwritten [-Wo]\n",
				       i + 1);
	}
	compare("many", shifted->str, text->str,
		"--- a/a.c\n+++ b/a.c\n@@ -0,0 +1 @@\n+int x;\n", "", "");
	assert_true(g_get_monotonic_time() - start < 20 * G_USEC_PER_SEC);
	g_string_free(text, TRUE);
	g_string_free(shifted, TRUE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_untouched),
		cmocka_unit_test(test_differs),
		cmocka_unit_test(test_copy_and_delete),
		cmocka_unit_test(test_no_line),
		cmocka_unit_test(test_fingerprint),
		cmocka_unit_test(test_many),
	};

	g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
