// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>
#include "command.h"

static int run_a(int argc, char **argv)
{
	return 10;
}

static const struct command table[] = {
	{ "check", run_a, "c" },
	{ "doctor", run_a, "d" },
	{ "chick", run_a, NULL },
	{ NULL }
};

/* What @call wrote to @stream. */
#define CAPTURE(stream, call) ({					\
	char name_[] = "/tmp/respin-test-XXXXXX";			\
	int file_ = mkstemp(name_), saved_ = dup(fileno(stream));	\
	char *text_ = NULL;						\
	assert_true(file_ >= 0);					\
	fflush(stream);							\
	dup2(file_, fileno(stream));					\
	call;								\
	fflush(stream);							\
	dup2(saved_, fileno(stream));					\
	close(saved_);							\
	close(file_);							\
	g_file_get_contents(name_, &text_, NULL, NULL);			\
	unlink(name_);							\
	text_; })

static void test_find(void **state)
{
	assert_ptr_equal(command_find(table, "doctor"), &table[1]);
	assert_ptr_equal(command_find(table, "chick"), &table[2]);
	assert_null(command_find(table, "docto"));
	assert_null(command_find(table, ""));
}

static void test_nearest(void **state)
{
	assert_ptr_equal(command_nearest(table, "chekc"), &table[0]);
	assert_ptr_equal(command_nearest(table, "docter"), &table[1]);
	/* one edit from the hidden "chick" too: never suggested */
	assert_ptr_equal(command_nearest(table, "chik"), &table[0]);
	assert_null(command_nearest(table, "frobnicate"));
	assert_null(command_nearest(table, ""));
}

static void test_options(void **state)
{
	char *args[] = { "check", "a", "--jobs", "3", "-v", "--", "-b", "c", NULL };
	int argc = 8, status = -1, jobs = 0;
	char **argv = args;
	gboolean verbose = FALSE;
	const GOptionEntry entries[] = {
		{ "jobs", 'j', 0, G_OPTION_ARG_INT, &jobs, "Jobs", "N" },
		{ "verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose, "More", NULL },
		{ NULL }
	};

	assert_true(command_parse(entries, NULL, NULL, &argc, &argv, &status));
	assert_int_equal(argc, 4);
	assert_string_equal(argv[0], "check");
	assert_string_equal(argv[1], "a");
	assert_string_equal(argv[2], "-b");
	assert_string_equal(argv[3], "c");
	assert_null(argv[4]);
	assert_int_equal(jobs, 3);
	assert_true(verbose);
	assert_int_equal(status, -1);
}

static void check_message(char *option, char *value, const char *expected)
{
	char *args[] = { "check", option, value, NULL };
	int argc = value ? 3 : 2, status = -1, jobs = 0;
	char **argv = args;
	bool go_on = true;
	const GOptionEntry entries[] = {
		{ "jobs", 'j', 0, G_OPTION_ARG_INT, &jobs, "Jobs", "N" },
		{ NULL }
	};
	g_autofree char *err = CAPTURE(stderr,
		go_on = command_parse(entries, NULL, NULL, &argc, &argv, &status));

	assert_false(go_on);
	assert_int_equal(status, EXIT_NOT_VERIFIED);
	assert_string_equal(err, expected);
}

static void test_option_errors(void **state)
{
	check_message("--x", NULL,
		"respin check: unknown option '--x'; see 'respin check -h'\n");
	check_message("-x", NULL,
		"respin check: unknown option '-x'; see 'respin check -h'\n");
	check_message("--jobs", "two",
		"respin check: cannot parse integer value 'two' for --jobs;"
		" see 'respin check -h'\n");
	check_message("--jobs", NULL,
		"respin check: missing argument for --jobs;"
		" see 'respin check -h'\n");
}

static void test_help(void **state)
{
	char *args[] = { "check", "-h", NULL };
	int argc = 2, status = -1;
	char **argv = args;
	bool go_on = true;
	g_autofree char *out = CAPTURE(stdout,
		go_on = command_parse(NULL, "SERIES...", "Checks.", &argc, &argv,
				      &status));

	assert_false(go_on);
	assert_int_equal(status, 0);
	assert_true(g_str_has_prefix(out,
		"Usage:\n  respin check [OPTION…] SERIES...\n\nChecks.\n"));
	assert_non_null(strstr(out, "-h, --help"));
}

static void test_global(void **state)
{
	char *args[] = { "-c", "a.b=1", "-C", "/", "-c", "a.c", "check", "-h", NULL };
	int argc = 8;
	char **argv = args, *cwd = g_get_current_dir();

	assert_null(command_overrides()[0]);
	assert_int_equal(command_global_options(table, &argc, &argv), -1);
	assert_int_equal(argc, 2);
	assert_string_equal(argv[0], "check");
	assert_string_equal(command_overrides()[0], "a.b=1");
	assert_string_equal(command_overrides()[1], "a.c");
	assert_null(command_overrides()[2]);
	g_autofree char *now = g_get_current_dir();
	assert_string_equal(now, "/");
	assert_int_equal(chdir(cwd), 0);
	g_free(cwd);
}

static void check_global_error(char *a, char *b, const char *expected)
{
	char *args[] = { a, b, NULL };
	int argc = b ? 2 : 1, status = -1;
	char **argv = args;
	g_autofree char *err = CAPTURE(stderr,
		status = command_global_options(table, &argc, &argv));

	assert_int_equal(status, EXIT_NOT_VERIFIED);
	assert_string_equal(err, expected);
}

static void test_global_errors(void **state)
{
	check_global_error("--nope", NULL,
		"respin: unknown option '--nope'; see 'respin -h'\n");
	check_global_error("-c", NULL,
		"respin: '-c' needs a value; see 'respin -h'\n");
	check_global_error("-C", "/nonexistent/x", "respin: cannot change to"
		" '/nonexistent/x': No such file or directory\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_option_errors),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_global),
		cmocka_unit_test(test_global_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
