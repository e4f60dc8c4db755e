// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "diag.h"
#include "error.h"
#include "sparse-text.h"

/* "KIND FILE:LINE:COL FUNCTION RULE message|note" for each, in lines. */
static char *parse(const char *text, const char *probe)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) diags = sparse_parse(text, "/src", "/o", probe,
						  &error);
	GString *s = g_string_new("");

	if (!diags) {
		g_string_append(s, error->message);
		return g_string_free(s, FALSE);
	}
	for (guint i = 0; i < diags->len; i++) {
		const struct diag *d = diags->pdata[i];

		assert_string_equal(d->check, "sparse");
		g_string_append_printf(s, "%c %s:%u:%u %s %s %s",
			d->kind == DIAG_ERROR ? 'E' : 'w', d->file, d->line,
			d->column, *d->function ? d->function : "-",
			*d->rule ? d->rule : "-", d->message);
		for (guint k = 0; k < d->notes->len; k++)
			g_string_append_printf(s, "|%s", (char *)d->notes->pdata[k]);
		g_string_append_c(s, '\n');
	}
	return g_string_free(s, FALSE);
}

static void same(const char *text, const char *probe, const char *want)
{
	g_autofree char *got = parse(text, probe);

	assert_string_equal(got, want);
}

static void test_types(void **state)
{
	same("/src/mm/x.c:12:5: warning: incorrect type in argument 2 (different base types)\n"
	     "/src/mm/x.c:12:5:    expected restricted cydp_t [usertype] flags\n"
	     "/src/mm/x.c:12:5:    got int\n"
	     "/src/mm/x.c:13:6: warning: restricted cydp_t degrades to integer\n"
	     "/src/mm/x.c:14:7: warning: cast removes address space '__user' of expression\n"
	     "/src/mm/x.c:15:8: warning: incorrect type in assignment"
	     " (different address spaces)\n"
	     "/src/mm/x.c:16:9: warning: symbol 'f' was not declared. Should it be static?\n",
	     NULL,
	     "w mm/x.c:12:5 - -Wbitwise incorrect type in argument 2 (different base types):"
	     " expected restricted cydp_t [usertype] flags, got int\n"
	     "w mm/x.c:13:6 - -Wbitwise restricted cydp_t degrades to integer\n"
	     "w mm/x.c:14:7 - -Waddress-space cast removes address space"
	     " '__user' of expression\n"
	     "w mm/x.c:15:8 - -Waddress-space incorrect type in assignment"
	     " (different address spaces)\n"
	     "w mm/x.c:16:9 - -Wdecl symbol 'f' was not declared. Should it be static?\n");
	same("", NULL, "");
}

static void test_context(void **state)
{
	same("/src/mm/x.c: note: in included file (through a.h):\n"
	     "/src/include/linux/y.h:3:9: warning: context imbalance in 'f' -"
	     " wrong count at exit\n",
	     NULL, "w include/linux/y.h:3:9 f -Wcontext context imbalance in 'f' -"
	     " wrong count at exit\n");
}

/* An error hides what follows only if the code could not be read. */
static void test_errors(void **state)
{
	same("/src/a.c:1:2: error: undefined identifier 'x'\n"
	     "/src/a.c:2:2: error: Expected ; at end of declaration\n"
	     "/src/a.c:2:2: error: got (\n"
	     "/src/a.c:3:2: error: incompatible types for operation (<)\n",
	     NULL, "E a.c:1:2 - - undefined identifier 'x'\n"
	     "E a.c:2:2 - - Expected ; at end of declaration\n"
	     "E a.c:2:2 - - got (\n"
	     "w a.c:3:2 - -Wtypes incompatible types for operation (<)\n");
}

/* The place of the checkout is no part of what is said; other lines are. */
static void test_notes(void **state)
{
	same("/src/a.c:9:2: warning: symbol 'v' has multiple initializers"
	     " (originally initialized at /src/a.c:4)\n"
	     "/o/include/g.h:1:9: warning: preprocessor token X redefined\n"
	     "/src/b.h:2:9: this was the original definition\n",
	     NULL, "w a.c:9:2 - -Wdecl symbol 'v' has multiple initializers"
	     " (originally initialized at a.c:4)\n"
	     "w O/include/g.h:1:9 - - preprocessor token X redefined|"
	     "b.h:2: this was the original definition\n");
}

static void test_probe(void **state)
{
	static const char text[] =
		"/jobs/1/probe.c:3:2: error: undefined identifier 'hidden'\n"
		"/src/y.h:3:2: warning: restricted gfp_t degrades to integer\n"
		"/src/mm/probe.c:4:2: warning: restricted gfp_t degrades to integer\n";

	same(text, "/probe.c",
	     "w y.h:3:2 - -Wbitwise restricted gfp_t degrades to integer\n"
	     "w mm/probe.c:4:2 - -Wbitwise restricted gfp_t degrades to integer\n");
	same(text, NULL, "E /jobs/1/probe.c:3:2 - - undefined identifier 'hidden'\n"
	     "w y.h:3:2 - -Wbitwise restricted gfp_t degrades to integer\n"
	     "w mm/probe.c:4:2 - -Wbitwise restricted gfp_t degrades to integer\n");
}

static void test_gives_up(void **state)
{
	same("/src/a.c:1:2: error: too many errors\n", NULL,
	     "sparse gave up: too many errors");
	same("sparse: invalid argument to '-march': '_zicsr'\n", NULL,
	     "sparse says what respin does not understand: "
	     "sparse: invalid argument to '-march': '_zicsr'");
	same("/src/a.c:1:2: a note of nothing\n", NULL,
	     "sparse says what respin does not understand: "
	     "/src/a.c:1:2: a note of nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_probe),
		cmocka_unit_test(test_gives_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
