// SPDX-License-Identifier: GPL-2.0
/* What other tools than gcc are given, and which of them run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include "check.h"
#include "checkset.h"
#include "coccirules.h"
#include "error.h"
#include "nrparams.h"
#include "patchtext.h"

static void test_nr(void **state)
{
	static const char text[] =
		"void set_ptes(struct mm_struct *mm, unsigned long addr, pte_t *ptep,\n"
		"\t\tpte_t pte, unsigned int nr);\n"
		"static inline void f(int *nr, long nr_pages, int x)\n{\n\tg(1, 2);\n}\n"
		"int none(int a, unsigned long b);\n"
		"int (*pointer)(int nr);\n"
		"#define m(nr) (nr)\n"
		"void h(void (*cb)(int a, int nr), int npages);\n";
	g_autoptr(GHashTable) table = nrparams_new();
	g_autofree char *json = NULL;

	nrparams_scan(table, text, strlen(text));
	json = nrparams_json(table);
	assert_string_equal(json,
			    "{\"f\":[1],\"h\":[1],\"set_ptes\":[4]}");
}

static void test_rules(void **state)
{
	g_autofree char *explain = coccirules_explain("units-add");

	assert_int_equal(coccirules_confidence("units-add"), CONFIDENCE_LIKELY);
	assert_int_equal(coccirules_confidence("no-such-rule"), CONFIDENCE_HINT);
	assert_non_null(strstr(explain, "PAGE_SIZE"));
	assert_null(strchr(explain, '\n'));
	assert_null(coccirules_explain("no-such-rule"));
}

static struct checkset *set(const char *only, const char *skip,
			    const char *least)
{
	g_autoptr(GError) error = NULL;
	struct checkset *cs = checkset_new(only, skip, least, &error);

	assert_null(error);
	return cs;
}

static void test_choice(void **state)
{
	struct checkset *cs = set(NULL, NULL, NULL);
	char *left;

	assert_true(checkset_has(cs, "gcc"));
	assert_true(checkset_has(cs, "cocci"));
	assert_false(checkset_has(cs, "clang-tidy"));
	assert_true(checkset_shows(cs, CONFIDENCE_LIKELY));
	assert_false(checkset_shows(cs, CONFIDENCE_HINT));
	assert_null(checkset_left_out(cs));
	checkset_free(cs);
	cs = set(NULL, "sparse, cocci", "certain");
	assert_true(checkset_has(cs, "gcc"));
	assert_false(checkset_has(cs, "sparse"));
	assert_false(checkset_has(cs, "checkpatch"));
	assert_false(checkset_shows(cs, CONFIDENCE_LIKELY));
	left = checkset_left_out(cs);
	assert_string_equal(left, "sparse, cocci");
	g_free(left);
	checkset_free(cs);
	cs = set("clang-tidy", NULL, NULL);
	assert_true(checkset_has(cs, "clang-tidy"));
	assert_false(checkset_has(cs, "gcc"));
	assert_true(checkset_shows(cs, CONFIDENCE_HINT));
	checkset_free(cs);
}

static void refused(const char *only, const char *least, const char *want)
{
	g_autoptr(GError) error = NULL;

	assert_null(checkset_new(only, NULL, least, &error));
	assert_true(g_error_matches(error, RESPIN_ERROR, RESPIN_ERROR_USAGE));
	assert_true(g_str_has_prefix(error->message, want));
}

static void test_refused(void **state)
{
	refused("gcc,spares", NULL, "no check 'spares'; there are header-order, helper-override, ");
	refused(NULL, "sure", "no confidence 'sure'; there are certain, likely, hint");
}

static void test_patch_text(void **state)
{
	static const char diff[] =
		"diff --git a/a.c b/a.c\nindex 1..2 100644\n--- a/a.c\n+++ b/a.c\n"
		"@@ -1,2 +1,2 @@ f\n-old\n+new\n same\n"
		"diff --git a/n.h b/n.h\nnew file mode 100644\n--- /dev/null\n+++ b/n.h\n"
		"@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
	struct patch p = { .author_name = (char *)"A", .author_email = (char *)"a@b",
		.subject = (char *)"x: y", .message = (char *)"x: y\n\nbody\n" };
	g_autoptr(GBytes) bytes = g_bytes_new_static(diff, strlen(diff));
	g_autoptr(GError) error = NULL;
	g_autoptr(diff_t) d = diff_parse(bytes, &error);
	g_autofree char *text = NULL;
	gsize len;

	assert_null(error);
	text = patch_text(&p, d, &len);
	assert_string_equal(text,
		"From: A <a@b>\nSubject: [PATCH] x: y\n\nbody\n---\n"
		"diff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n"
		"@@ -1,2 +1,2 @@\n-old\n+new\n same\n"
		"diff --git a/n.h b/n.h\nnew file mode 100644\n--- /dev/null\n+++ b/n.h\n"
		"@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n-- \nrespin\n");
	assert_int_equal(len, strlen(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nr),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_patch_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
