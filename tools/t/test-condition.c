// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "condition.h"

/* "line:start-end first-last text" of each condition, joined by newlines. */
static char *dump(const char *text)
{
	g_autoptr(GPtrArray) all = condition_scan(text, strlen(text));
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < all->len; i++) {
		struct condition *c = all->pdata[i];

		g_string_append_printf(s, "%u:%u-%u %u-%u %s\n", c->line,
				       c->start, c->end, c->first, c->last,
				       c->text);
	}
	return g_string_free(s, FALSE);
}

static void expect(const char *text, const char *want)
{
	g_autofree char *have = dump(text);

	assert_string_equal(have, want);
}

static void kinds(void **state)
{
	expect("int a;\n", "");
	expect("#ifdef A\nx\n#endif\n", "1:2-2 1-3 defined(A)\n");
	expect("#ifndef A\n#endif\n", "1:2-1 1-2 !defined(A)\n");
	expect("# if  defined(A)&&B\nx\n# endif",
	       "1:2-2 1-3 defined(A)&&B\n");
	expect("#if A\na\n#elif B\nb\n#elif C\nc\n#else\nd\n#endif\n",
	       "1:2-2 1-9 A\n"
	       "3:4-4 1-9 !(A) && (B)\n"
	       "5:6-6 1-9 !(A) && !(B) && (C)\n"
	       "7:8-8 1-9 !(A) && !(B) && !(C)\n");
}

static void nested(void **state)
{
	const char *text = "#if A\n#ifdef B\nx\n#else\ny\n#endif\nz\n#endif\n";
	g_autoptr(GPtrArray) all = condition_scan(text, strlen(text));
	g_autoptr(GPtrArray) at = condition_at(all, 5);
	g_autoptr(GPtrArray) none = condition_at(all, 1);

	expect(text, "1:2-7 1-8 A\n2:3-3 2-6 defined(B)\n"
	       "4:5-5 2-6 !(defined(B))\n");
	assert_int_equal(at->len, 2);
	assert_string_equal(((struct condition *)at->pdata[0])->text, "A");
	assert_string_equal(((struct condition *)at->pdata[1])->text,
			    "!(defined(B))");
	assert_int_equal(none->len, 0);
}

static void comments_and_joined_lines(void **state)
{
	expect("/*\n#if A\n#endif\n*/\n", "");
	expect("// #if A \\\n#if B\n", "");
	expect("#if A /* why */ && \\\n    B // no\nx\n#endif\n",
	       "1:3-3 1-4 A && B\n");
	expect("#if A /* two\nlines */ && B\nx\n#endif /* A */\n",
	       "1:3-3 1-4 A && B\n");
	expect("/* c\n */ #ifdef A\nx\n#endif\n", "2:3-3 2-4 defined(A)\n");
	expect("char *s = \"/*\";\n#ifdef A\n#endif\n// */\n",
	       "2:3-2 2-3 defined(A)\n");
	expect("#error don't\n#ifdef A\n#endif\n", "2:3-2 2-3 defined(A)\n");
	expect("#define X \\\n#if A\n", "");
}

static void broken(void **state)
{
	expect("#endif\n#else\n#elif A\nx\n", "");
	expect("#if A\nx", "1:2-2 1-2 A\n");
	expect("#if A\n#if B\n#else\nx\n",
	       "1:2-4 1-4 A\n2:3-2 2-4 B\n3:4-4 2-4 !(B)\n");
	expect("# 12 comment of an assembler\n#\n#unknown\n", "");
	expect("", "");
	expect("#if", "1:2-1 1-1 \n");
	expect("/* open\n#if A\n", "");
}

static char *read_data(const char *name)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");
	g_autofree char *path = g_build_filename(dir ? dir : "tools/t/data",
						 "header", name, NULL);
	char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

/* The texts of the conditions around the first line that holds @what. */
static void expect_around(const char *text, const char *what, const char *want)
{
	g_autoptr(GPtrArray) all = condition_scan(text, strlen(text));
	g_autoptr(GPtrArray) at = NULL;
	g_autoptr(GString) s = g_string_new(NULL);
	const char *place = strstr(text, what);
	unsigned int line = 1;

	assert_non_null(place);
	for (const char *p = text; p < place; p++)
		line += *p == '\n';
	at = condition_at(all, line);
	for (guint i = 0; i < at->len; i++) {
		const struct condition *c = at->pdata[i];

		g_string_append_printf(s, "%s\n", c->text);
	}
	assert_string_equal(s->str, want);
}

static void header(void **state)
{
	g_autofree char *text = read_data("helpers.h");
	g_autofree char *want = read_data("helpers.conditions");

	expect(text, want);
	expect_around(text, "Written for the tests", "");
	expect_around(text, "int gate_take_level",
		      "!defined(_CANAL_HELPERS_H)\n"
		      "!defined(NO_BOATS)\n"
		      "defined(CONFIG_CANAL)\n"
		      "!defined(__HAVE_ARCH_GATE_LEVEL)\n");
	expect_around(text, "boat->toll.paid",
		      "!defined(_CANAL_HELPERS_H)\n"
		      "!defined(NO_BOATS)\n"
		      "defined(CONFIG_CANAL)\n"
		      "!defined(__HAVE_ARCH_GATE_LEVEL)\n"
		      "defined(CONFIG_CANAL_TOLL)\n");
	expect_around(text, "#define upper_gate_reset",
		      "!defined(_CANAL_HELPERS_H)\n"
		      "!defined(NO_BOATS)\n"
		      "defined(CONFIG_CANAL)\n"
		      "!(!defined(CANAL_NO_UPPER))\n");
	expect_around(text, "int never_built",
		      "!defined(_CANAL_HELPERS_H)\n"
		      "!defined(NO_BOATS)\n0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(nested),
		cmocka_unit_test(comments_and_joined_lines),
		cmocka_unit_test(broken),
		cmocka_unit_test(header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
