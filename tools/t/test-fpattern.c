// SPDX-License-Identifier: GPL-2.0
/* Patterns of MAINTAINERS that match nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "fpattern.h"
#include "kbuild-int.h"

static void expect(const char *text, const char *want)
{
	static const char *const tree[] = {
		"Documentation/a.rst", "drivers/foo-bar/x.c", "drivers/foo/b.c",
		"drivers/foo/sub/c.c", "include/linux/foo.h", "lib/x+y.c",
		"mm/vma.c", "mm/vma.h",
	};
	g_autoptr(GPtrArray) files = g_ptr_array_new(), list = NULL;
	g_autoptr(GString) got = g_string_new("");

	for (gsize i = 0; i < G_N_ELEMENTS(tree); i++)
		g_ptr_array_add(files, (char *)tree[i]);
	list = fpattern_unmatched(text, files);
	for (guint i = 0; i < list->len; i++) {
		const struct fpattern *f = list->pdata[i];

		g_string_append_printf(got, "%u %s;", f->line, f->text);
	}
	assert_string_equal(got->str, want);
}

static void test_unmatched(void **state)
{
	expect("NAME\nM:\tA <a@b>\nF:\tmm/vma.c\nF:\tmm/vma.*\n", "");
	expect("F:\tmm/gone.c\nF:\tmm/vma.c\n", "1 F:\tmm/gone.c;");
	expect("X:\tmm/gone*\n", "1 X:\tmm/gone*;");
	/* a directory, with its slash and without */
	expect("F:\tdrivers/foo/\nF:\tdrivers/foo\n", "");
	expect("F:\tdrivers/fo/\n", "1 F:\tdrivers/fo/;");
	/* from the start, but not to the end */
	expect("F:\tdrivers/fo\nF:\tvma.c\n", "2 F:\tvma.c;");
	/* a star crosses slashes, a question mark stands for one character */
	expect("F:\tdrivers/*/c.c\nF:\tmm/vma.?\nF:\tmm/vm?.c\n", "");
	expect("F:\tmm/vma.??\n", "1 F:\tmm/vma.??;");
	expect("F:\tdrivers/[fg]oo/\nF:\tdrivers/[gh]oo/\n",
	       "2 F:\tdrivers/[gh]oo/;");
	/* a plus is one of a regular expression, as in the script */
	expect("F:\tlib/x+y.c\nF:\tmm/+vma.c\n", "1 F:\tlib/x+y.c;");
	/* other lines */
	expect("K:\tgone\nN:\tgone\nF drivers\n", "");
}

static void test_files(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("respin-fpattern-XXXXXX", NULL);
	g_autofree char *sub = g_build_filename(dir, "mm", NULL);
	g_autofree char *a = g_build_filename(sub, "b.c", NULL);
	g_autofree char *b = g_build_filename(dir, "MAINTAINERS", NULL);
	g_autoptr(GPtrArray) files = NULL;

	assert_int_equal(g_mkdir(sub, 0755), 0);
	assert_true(g_file_set_contents(a, "", -1, NULL));
	assert_true(g_file_set_contents(b, "", -1, NULL));
	files = fpattern_files(dir);
	assert_int_equal(files->len, 2);
	assert_string_equal(files->pdata[0], "MAINTAINERS");
	assert_string_equal(files->pdata[1], "mm/b.c");
	assert_int_equal(remove_tree(dir, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unmatched),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
