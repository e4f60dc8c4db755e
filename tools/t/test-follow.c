// SPDX-License-Identifier: GPL-2.0
/* What make complains of, and as which diagnostic it is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "follow-int.h"

static void expect_complaints(const char *text, const char *want)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *got = NULL;

	kbuild_complaints(list, text);
	g_ptr_array_add(list, NULL);
	got = g_strjoinv("|", (char **)list->pdata);
	assert_string_equal(got, want);
}

static void test_complaints(void **state)
{
	expect_complaints("make[3]: *** No rule to make target 'mm/x.o', needed by "
		"'mm/built-in.a'.\nmake[2]: *** [scripts/Makefile.build:478: mm] "
		"Error 2\nmake: Target 'mm/' not remade because of errors.\n",
		"No rule to make target 'mm/x.o', needed by 'mm/built-in.a'.");
	/* once, though it is said twice, with -k and without */
	expect_complaints("make[1]: *** No rule to make target 'a.o'.  Stop.\n"
		"make[1]: *** No rule to make target 'a.o'.\n",
		"No rule to make target 'a.o'.");
	expect_complaints("mm/Makefile:7: *** missing separator.  Stop.\n",
		"mm/Makefile:7: *** missing separator.");
	expect_complaints("lib/Kconfig:5: syntax error\n"
		"lib/Kconfig.debug:6:warning: config symbol defined twice\n"
		"lib/Kconfig:5: unknown statement \"bol\"\n",
		"lib/Kconfig:5: *** syntax error|"
		"lib/Kconfig:5: *** unknown statement \"bol\"");
	expect_complaints("scripts/foo.sh: 3: not found\n", "");
}

static void expect_diag(const char *dir, const char *text, const char *want)
{
	g_autofree char *object = NULL, *got = NULL;
	struct diag *d = follow_diag(text, dir, &object);

	got = g_strdup_printf("%s:%u: %s (%s)", d->file, d->line, d->message,
			      object);
	assert_string_equal(got, want);
	assert_int_equal(d->kind, DIAG_ERROR);
	diag_free(d);
}

static void test_diag(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("respin-follow-XXXXXX", NULL);
	g_autofree char *mm = g_build_filename(dir, "mm", NULL);
	g_autofree char *makefile = g_build_filename(mm, "Makefile", NULL);

	assert_int_equal(g_mkdir(mm, 0755), 0);
	assert_true(g_file_set_contents(makefile, "# x.o\nobj-y += a.o x.o\n",
					-1, NULL));
	expect_diag(dir, "No rule to make target 'mm/x.o', needed by "
		"'mm/built-in.a'.", "mm/Makefile:2: no rule to make target "
		"'mm/x.o', needed by 'mm/built-in.a' (mm/x.o)");
	expect_diag(dir, "No rule to make target 'fs/x.o'.",
		":0: no rule to make target 'fs/x.o' (fs/x.o)");
	expect_diag(dir, "mm/Makefile:7: *** missing separator.",
		"mm/Makefile:7: missing separator (mm/Makefile)");
	g_unlink(makefile);
	g_rmdir(mm);
	g_rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_complaints),
		cmocka_unit_test(test_diag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
