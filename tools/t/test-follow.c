// SPDX-License-Identifier: GPL-2.0
/* What make complains of, and as which diagnostic it is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "follow-int.h"
#include "kbuild-int.h"
#include "madetree.h"

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
	expect_complaints("make[3]: *** Deleting file 'a/b.h'\n", "");
}

static void expect_unmet(const char *text, const char *want)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *got = NULL;

	kbuild_unmet(list, text);
	g_ptr_array_add(list, NULL);
	got = g_strjoinv("|", (char **)list->pdata);
	assert_string_equal(got, want);
}

static void test_unmet(void **state)
{
	static const char one[] =
		"\nWARNING: unmet direct dependencies detected for A\n"
		"  Depends on [n]: B [=n] && (C [=y] || !D [=m])\n"
		"  Selected by [y]:\n"
		"  - E [=y] && C [=y]\n"
		"  Selected by [m]:\n"
		"  - F [=m]\n";
	static const char want[] = "unmet direct dependencies of A: it needs "
		"B && (C || !D); selected by E && C, F";
	g_autofree char *two = g_strconcat(one, "\nWARNING: unmet direct "
		"dependencies detected for G\n  Depends on [n]: B [=n]\n", one,
		NULL);
	g_autofree char *want_two = g_strconcat(want, "|unmet direct "
		"dependencies of G: it needs B", NULL);

	expect_unmet(one, want);
	expect_unmet(two, want_two);
	expect_unmet("#\n# configuration written to .config\n#\n", "");
}

static void expect_failures(const char *text, const char *want)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(
		(GDestroyNotify)kbuild_failure_free);
	g_autoptr(GString) got = g_string_new("");

	kbuild_failures(list, text);
	for (guint i = 0; i < list->len; i++) {
		const struct kbuild_failure *f = list->pdata[i];

		g_string_append_printf(got, "%s(%s)", f->target, f->text);
	}
	assert_string_equal(got->str, want);
}

static void test_failures(void **state)
{
	expect_failures("a.tbl: not sorted\n"
		"make[3]: *** [arch/x86/entry/syscalls/Makefile:43: include/a.h] Error 1\n"
		"make[3]: *** Deleting file 'include/a.h'\n"
		"make[2]: *** [arch/x86/Makefile:258: archheaders] Error 2\n"
		"make[2]: Target 'prepare' not remade because of errors.\n",
		"include/a.h(a.tbl: not sorted)");
	/* each with its own words, or none */
	expect_failures("one\nmake[3]: *** [x:1: a/b.s] Error 1\n"
		"make[3]: *** [x:1: a/c.s] Error 127\n", "a/b.s(one)a/c.s()");
	/* a phony target says nothing of a file */
	expect_failures("make: *** [Makefile:236: __sub-make] Error 1\n", "");
	expect_failures("warning: nothing\n", "");
}

static void expect_offsets(const char *text, const char *want)
{
	g_autofree char *got = follow_offset_lines(text);

	assert_string_equal(got, want);
}

static void test_offsets(void **state)
{
	expect_offsets("main:\n#APP\n# 36 \"a.c\" 1\n"
		"\t.ascii \"->A $1 sizeof(x)\"\n# 0 \"\" 2\n\tret\n"
		"\t.ascii \"->\"\n", "->A $1 sizeof(x)\"\n->\"\n");
	expect_offsets("main:\n\tret\n", "");
}

/* Below @dir: writes @text to @path. */
static void put(const char *dir, const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);
	g_autofree char *parent = g_path_get_dirname(full);

	assert_int_equal(g_mkdir_with_parents(parent, 0755), 0);
	assert_true(g_file_set_contents(full, text, -1, NULL));
}

static void test_tree(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("respin-made-XXXXXX", NULL);
	g_autofree char *was = g_build_filename(dir, "was", NULL);
	g_autofree char *is = g_build_filename(dir, "is", NULL);
	g_autoptr(GPtrArray) list = NULL;
	g_autofree char *got = NULL;

	put(was, "include/generated/same.h", "a");
	put(is, "include/generated/same.h", "a");
	put(was, "include/generated/other.h", "a");
	put(is, "include/generated/other.h", "b");
	put(was, "lib/gone.c", "a");
	put(is, "lib/new.S", "a");
	/* what is no text, or none that a TU reads */
	put(is, "lib/new.o", "a");
	put(is, "lib/.new.o.cmd", "a");
	put(is, "lib/gen", "\177ELF\2");
	put(is, "scripts/mod/elfconfig.h", "a");
	put(is, "tools/objtool/x.c", "a");
	put(is, "include/config/auto.conf", "a");
	put(is, "include/generated/autoconf.h", "a");
	list = madetree_changed(was, is);
	g_ptr_array_add(list, NULL);
	got = g_strjoinv(" ", (char **)list->pdata);
	assert_string_equal(got, "include/generated/other.h lib/gone.c lib/new.S");
	g_ptr_array_remove_index(list, list->len - 1);
	assert_int_equal(remove_tree(dir, NULL), 0);
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
		cmocka_unit_test(test_unmet),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_diag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
