// SPDX-License-Identifier: GPL-2.0
/* Address lists of To: and Cc:, and the trailers of a log message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "trailers.h"

static void expect(const char *header, const char *want)
{
	g_autoptr(GPtrArray) list = address_array_new();
	g_autoptr(GString) got = g_string_new("");

	address_list(list, header);
	for (guint i = 0; i < list->len; i++) {
		g_autofree char *text = address_text(list->pdata[i]);

		g_string_append_printf(got, "%s|", text);
	}
	assert_string_equal(got->str, want);
}

static void test_list(void **state)
{
	expect("a@x, B C <b@x>,\n\t<c@x>", "a@x|B C <b@x>|c@x|");
	/* a comma in quotes, in a comment, in an encoded word */
	expect("\"Doe, J.\" <j@x>, a@x (one, two)",
	       "Doe, J. <j@x>|one, two <a@x>|");
	expect("=?utf-8?q?Doe=2C_J=C3=A9?= <j@x>, b@x", "Doe, J\xc3\xa9 <j@x>|b@x|");
	expect("\"a \\\" b, c\" <d@x>", "a \" b, c <d@x>|");
	/* groups and what is none */
	expect("undisclosed-recipients:;", "");
	expect("friends: a@x, b@x;", "a@x|b@x|");
	expect("", "");
	expect("nobody, , a@x,", "a@x|");
}

static void trailers(const char *message, const char *want)
{
	g_autoptr(GPtrArray) list = trailers_of(message);
	g_autoptr(GString) got = g_string_new("");

	for (guint i = 0; i < list->len; i++) {
		const struct trailer *t = list->pdata[i];

		g_string_append_printf(got, "%s=%s(%s)%s|", t->key, t->value,
				       t->who ? t->who->email : "",
				       t->last ? "" : "above");
	}
	assert_string_equal(got->str, want);
}

static void test_trailers(void **state)
{
	trailers("s\n\nText.\n\nFixes: 1 (\"x\")\nCc: a@x # b@x\n"
		 "Signed-off-by: A <a@x>\n",
		 "Fixes=1 (\"x\")()|Cc=a@x # b@x(a@x)|Signed-off-by=A <a@x>(a@x)|");
	trailers("s\n\nAcked-by: A <a@x>\n\nText\n\nSigned-off-by: B <b@x>\n\n",
		 "Acked-by=A <a@x>(a@x)above|Signed-off-by=B <b@x>(b@x)|");
	/* the subject, other keys, quoted or indented lines */
	trailers("Fixes: a\n\nNote: b\n> Cc: a@x\n Cc: b@x\nBy: c\n", "");
	trailers("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_trailers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
