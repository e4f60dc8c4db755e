// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "doctor.h"

static char *bin;	/* a PATH of this test's own */

static void program(const char *name, const char *script)
{
	g_autofree char *path = g_build_filename(bin, name, NULL);
	g_autofree char *text = g_strconcat("#!/bin/sh\n", script, "\n", NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	assert_int_equal(chmod(path, 0755), 0);
}

static int setup(void **state)
{
	g_autofree char *sub = NULL;

	bin = g_dir_make_tmp("respin-test-XXXXXX", NULL);
	sub = g_build_filename(bin, "folder", NULL);
	g_mkdir(sub, 0755);
	program("good", "echo good 1.2.3");
	program("bad", "exit 3");
	program("other", "echo Exuberant 5.9");
	program("cc", "test \"$2\" = yes.h");
	return 0;
}

static int teardown(void **state)
{
	static const char *const names[] = { "good", "bad", "other", "cc" };
	g_autofree char *sub = g_build_filename(bin, "folder", NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(bin, names[i], NULL);

		g_unlink(path);
	}
	g_rmdir(sub);
	g_rmdir(bin);
	g_free(bin);
	return 0;
}

static void check_version(const char *output, const char *expected)
{
	g_autofree char *version = doctor_version(output);

	assert_string_equal(version, expected);
}

static void test_version(void **state)
{
	check_version("gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright 1.0\n", "12.2.0");
	check_version("GNU ld (GNU Binutils for Debian) 2.40\n", "2.40");
	check_version("Universal Ctags 5.9.0, Copyright (C) 2015 X\nExuberant Ctags 5.8, C\n",
		      "5.9.0");
	check_version("Universal Ctags 6.0.0(v6.0.0-4), Copyright\n", "6.0.0");
	check_version("v5.36.0", "5.36.0");
	check_version("bubblewrap 0.8.0\n", "0.8.0");
	check_version("xz (XZ Utils) 5.4.1\nliblzma 5.4.0\n", "5.4.1");
	check_version("no version", "");
	check_version("", "");
}

static void check_row(const GPtrArray *rows, guint i, enum doctor_state state,
		      const char *version, const char *package, const char *hint)
{
	const struct doctor_row *r = rows->pdata[i];
	g_autoptr(GString) text = g_string_new(r->hint ?: "");

	g_string_replace(text, bin, "@", 0);
	assert_int_equal(r->state, state);
	assert_string_equal(r->version, version);
	assert_string_equal(r->package, package);
	assert_string_equal(text->str, hint);
}

static void test_tools(void **state)
{
	const struct tool tools[] = {
		{ "good", { "good" }, "good", "good-pkg", "x", "y" },
		{ "bad", { "bad" }, NULL, "bad-pkg", "x", "y" },
		{ "none", { "none" }, NULL, "two", "x", "y" },
		{ "other", { "other" }, "Universal", "one", "x", "y" },
		{ "yes.h", { "cc", "-include", "yes.h" }, NULL, "yes-dev", "x", "y" },
		{ "no.h", { "cc", "-include", "no.h" }, NULL, "two", "x", "y" },
		{ "folder", { "folder" }, NULL, "three", "x", "y" },
		{ NULL }
	};
	g_autoptr(GPtrArray) rows = doctor_rows_new();
	g_autofree char *line = NULL;
	g_autofree char *path = g_strconcat("/nonexistent:", bin, NULL);

	doctor_check_tools(rows, tools, path);
	assert_int_equal(rows->len, 7);
	check_row(rows, 0, DOCTOR_OK, "1.2.3", "good-pkg", "");
	check_row(rows, 1, DOCTOR_BROKEN, "", "bad-pkg", "bad: exit status 3");
	check_row(rows, 2, DOCTOR_MISSING, "", "two", "");
	check_row(rows, 3, DOCTOR_MISSING, "5.9", "one",
		  "'@/other' is not Universal");
	check_row(rows, 4, DOCTOR_OK, "", "yes-dev", "");
	check_row(rows, 5, DOCTOR_MISSING, "", "two", "");
	check_row(rows, 6, DOCTOR_MISSING, "", "three", "");
	line = doctor_install_line(rows);
	assert_string_equal(line, "apt-get install two one three");
}

/* What doctor_print() wrote; *@all is what it returned. */
static char *printed(const GPtrArray *rows, bool *all)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	*all = doctor_print(rows, f);
	fclose(f);
	return text;
}

static void test_print(void **state)
{
	g_autoptr(GPtrArray) rows = doctor_rows_new();
	struct doctor_row *r;
	bool all;
	char *text;

	doctor_add(rows, DOCTOR_OK, "make", "4.3", "/usr/bin/make", "builds");
	text = printed(rows, &all);
	assert_true(all);
	assert_string_equal(text, "ok       make  4.3  /usr/bin/make  builds\n"
			    "\nall is there\n");
	free(text);

	r = doctor_add(rows, DOCTOR_MISSING, "flex", "", "", "reads");
	r->package = g_strdup("flex");
	r = doctor_add(rows, DOCTOR_BROKEN, "cache", "1.0 GB", "/c", "keeps");
	r->hint = g_strdup("no room");
	text = printed(rows, &all);
	assert_false(all);
	assert_string_equal(text,
		"ok       make   4.3     /usr/bin/make  builds\n"
		"missing  flex                          reads\n"
		"broken   cache  1.0 GB  /c             keeps\n"
		"\n"
		"cache: no room\n"
		"to install what is missing, as root: apt-get install flex\n");
	free(text);
}

static void test_machine(void **state)
{
	g_autoptr(GPtrArray) rows = doctor_rows_new();
	g_autofree char *later = g_build_filename(bin, "a", "b", NULL);
	const struct doctor_row *r;

	doctor_check_machine(rows, later);
	doctor_check_machine(rows, "/proc/respin");
	assert_int_equal(rows->len, 4);
	r = rows->pdata[0];
	assert_string_equal(r->path, later);
	assert_true(g_str_has_suffix(r->version, " GB"));
	r = rows->pdata[1];
	assert_string_equal(r->name, "memory");
	r = rows->pdata[2];
	assert_int_equal(r->state, DOCTOR_BROKEN);
}

/* The table itself: every line is whole. */
static void test_table(void **state)
{
	guint n = 0;

	for (const struct tool *t = doctor_tools; t->name; t++, n++) {
		assert_non_null(t->args[0]);
		assert_null(t->args[G_N_ELEMENTS(t->args) - 1]);
		assert_non_null(t->package);
		assert_non_null(t->purpose);
		assert_non_null(t->needed_by);
	}
	assert_true(n > 5);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_version),
		TEST(test_tools),
		TEST(test_print),
		TEST(test_machine),
		TEST(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
