// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <cmocka.h>
#include "term.h"

static void check(char *got, const char *expected)
{
	assert_string_equal(got, expected);
	g_free(got);
}

static void test_escape(void **state)
{
	check(term_escape(""), "");
	check(term_escape("mm: a\tb \\ 'c' 漢字 Kœnig"), "mm: a\tb \\ 'c' 漢字 Kœnig");
	check(term_escape("a\033[31mb\007\177\n\r"), "a\\x1b[31mb\\x07\\x7f\\n\\r");
	check(term_escape("\xff" "a\xc3"), "\\xffa\\xc3");
	/* C1 CSI, an override, a zero-width space, a tag character */
	check(term_escape("a\xc2\x9b" "31m"), "a\\u009b31m");
	check(term_escape("a\u202e\u2066\u200b\ufeffb"),
	      "a\\u202e\\u2066\\u200b\\ufeffb");
	check(term_escape("\U000e0041"), "\\U000e0041");
	check(term_escape("\u2028"), "\\u2028");
}

static void test_width(void **state)
{
	assert_int_equal(term_width(""), 0);
	assert_int_equal(term_width("abc"), 3);
	assert_int_equal(term_width("漢字"), 4);
	assert_int_equal(term_width("e\u0301"), 1);
}

static void test_cut_and_pad(void **state)
{
	check(term_cut("abcdef", 6), "abcdef");
	check(term_cut("abcdef", 5), "abcd…");
	check(term_cut("漢字漢", 5), "漢字…");
	check(term_cut("漢字漢", 4), "漢…");
	check(term_cut("abc", 1), "…");
	check(term_cut("abc", 0), "");
	check(term_cut("", 0), "");
	check(term_pad("漢", 4), "漢  ");
	check(term_pad("abcdef", 4), "abcdef");
}

/* The far end of a new terminal of @columns; *@master is to be closed. */
static FILE *terminal(int *master, int columns)
{
	struct winsize size = { .ws_col = columns, .ws_row = 24 };
	FILE *f;

	*master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(*master >= 0);
	assert_int_equal(grantpt(*master), 0);
	assert_int_equal(unlockpt(*master), 0);
	f = fopen(ptsname(*master), "r+");
	assert_non_null(f);
	assert_int_equal(ioctl(fileno(f), TIOCSWINSZ, &size), 0);
	return f;
}

static void test_colour(void **state)
{
	FILE *null = fopen("/dev/null", "w");
	int master;
	FILE *tty = terminal(&master, 123);

	g_setenv("TERM", "xterm", TRUE);
	g_unsetenv("NO_COLOR");
	g_unsetenv("COLUMNS");
	assert_string_equal(term_red(null), "");
	assert_string_equal(term_off(null), "");
	assert_string_equal(term_red(tty), "\033[31m");
	assert_string_equal(term_off(tty), "\033[0m");
	assert_int_equal(term_columns(tty), 123);
	assert_int_equal(term_columns(null), 80);
	g_setenv("COLUMNS", "50", TRUE);
	assert_int_equal(term_columns(null), 50);
	assert_int_equal(term_columns(tty), 123);

	g_setenv("NO_COLOR", "", TRUE);
	assert_string_equal(term_red(tty), "\033[31m");
	g_setenv("NO_COLOR", "1", TRUE);
	assert_string_equal(term_red(tty), "");
	assert_true(term_is_live(tty));
	g_unsetenv("NO_COLOR");
	g_setenv("TERM", "dumb", TRUE);
	assert_string_equal(term_red(tty), "");
	assert_false(term_is_live(tty));
	fclose(null);
	fclose(tty);
	close(master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_cut_and_pad),
		cmocka_unit_test(test_colour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
