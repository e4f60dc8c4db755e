// SPDX-License-Identifier: GPL-2.0
/* What the builds of tools/testing/ read, and what their linker says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>
#include "diag.h"
#include "kbuild-int.h"
#include "testprog.h"

static char *root;

static void put(const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(root, path, NULL);
	g_autofree char *dir = g_path_get_dirname(full);

	assert_int_equal(g_mkdir_with_parents(dir, 0755), 0);
	assert_true(g_file_set_contents(full, text, -1, NULL));
}

static int setup(void **state)
{
	root = g_dir_make_tmp("respin-testprog-XXXXXX", NULL);
	put("tools/testing/vma/Makefile", "include ../shared/shared.mk\n"
	    "OFILES = vma.o slab.o maple-shim.o\n"
	    "radix-tree.c: ../../../lib/radix-tree.c\n");
	put("tools/testing/shared/shared.mk", "CFLAGS += -I. -I../../include\n");
	put("tools/testing/shared/maple-shim.c", "#include \"maple-shared.h\"\n");
	put("tools/testing/shared/maple-shared.h", "");
	put("tools/testing/vma/vma.c", "#include \"vma_internal.h\"\n"
	    "#include <linux/list.h>\n# include \"../../../mm/vma.c\"\n");
	put("tools/testing/vma/vma_internal.h", "#include <stdio.h>\n");
	put("tools/include/linux/list.h", "#include <linux/types.h>\n");
	put("tools/include/linux/types.h", "");
	put("tools/include/linux/other.h", "");
	put("tools/lib/slab.c", "");
	put("tools/lib/other.c", "");
	put("mm/vma.c", "#ifdef NEVER\n#include \"vma.h\"\n#endif\n");
	put("mm/vma.h", "");
	put("mm/other.c", "");
	put("include/linux/list.h", "");
	put("lib/radix-tree.c", "");
	return 0;
}

static int teardown(void **state)
{
	int ret = remove_tree(root, NULL);

	g_free(root);
	return ret;
}

static char *sorted(GHashTable *set)
{
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(set),
					    (GCompareFunc)strcmp);
	GString *s = g_string_new("");

	for (const GList *l = keys; l; l = l->next)
		g_string_append_printf(s, "%s\n", (char *)l->data);
	return g_string_free(s, FALSE);
}

static void test_reads(void **state)
{
	g_autoptr(GHashTable) set = testprog_reads(root, "tools/testing/vma");
	g_autoptr(GHashTable) none = testprog_reads(root, "tools/testing/gone");
	g_autofree char *got = sorted(set);

	assert_string_equal(got, "lib/radix-tree.c\nmm/vma.c\nmm/vma.h\n"
		"tools/include/linux/list.h\ntools/include/linux/types.h\n"
		"tools/lib/slab.c\ntools/testing/shared/maple-shared.h\n"
		"tools/testing/shared/maple-shim.c\n"
		"tools/testing/shared/shared.mk\ntools/testing/vma/Makefile\n"
		"tools/testing/vma/vma.c\ntools/testing/vma/vma_internal.h\n");
	assert_int_equal(g_hash_table_size(none), 0);
}

static void expect_path(const char *name, const char *want)
{
	g_autofree char *got = testprog_path(root, "tools/testing/vma", name);

	assert_string_equal(got, want);
}

static void test_path(void **state)
{
	expect_path("../../../mm/vma.c", "mm/vma.c");
	expect_path("vma.c", "tools/testing/vma/vma.c");
	/* generated from, linked to, found by vpath */
	expect_path("radix-tree.c", "lib/radix-tree.c");
	expect_path("slab.c", "tools/lib/slab.c");
	expect_path("generated/autoconf.h", "tools/testing/vma/generated/autoconf.h");
	expect_path("/cache/jobs/job-1/tools/testing/vma/../../../mm/vma.c",
		    "mm/vma.c");
	expect_path("/usr/include/stdio.h", "/usr/include/stdio.h");
}

static void expect_links(const char *text, const char *want, guint others)
{
	struct linker l = { .srcdir = root, .dir = "tools/testing/vma" };
	g_autoptr(GString) got = g_string_new("");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	l.diags = diag_array_new();
	for (char **line = lines; *line; line++)
		if (**line && !testprog_link_line(&l, *line))
			others--;
	for (guint i = 0; i < l.diags->len; i++) {
		const struct diag *d = l.diags->pdata[i];

		assert_int_equal(d->kind, DIAG_ERROR);
		assert_string_equal(d->rule, "link");
		assert_string_equal(d->check, "tools");
		g_string_append_printf(got, "%s:%u: %s: %s\n", d->file, d->line,
				       d->function, d->message);
	}
	linker_clear(&l);
	assert_string_equal(got->str, want);
	assert_int_equal(others, 0);
}

static void test_link(void **state)
{
	expect_links("/usr/bin/ld: vma.o: in function `remove_vma':\n"
		"/x/tools/testing/vma/../../../mm/vma.c:332: undefined reference to "
		"`vma_close'\ncollect2: error: ld returned 1 exit status\n"
		"make: *** [Makefile:15: vma] Error 1\n",
		"mm/vma.c:332: remove_vma: undefined reference to 'vma_close'\n", 1);
	/* without debug information; said again for the next program */
	expect_links("/usr/bin/ld: slab.o: in function `f':\n"
		"slab.c:(.text+0x1f): undefined reference to `g'\n"
		"/usr/bin/ld: slab.c:(.text+0x2a): more undefined references to "
		"`g' follow\n"
		"/usr/bin/ld: slab.o: in function `f':\n"
		"slab.c:(.text+0x1f): undefined reference to `g'\n",
		"tools/lib/slab.c:0: f: undefined reference to 'g'\n", 0);
	expect_links("/usr/bin/ld: vma.o:/x/tools/testing/vma/vma.c:3: multiple "
		"definition of `h'; slab.o:/x/y/slab.c:1: first defined here\n",
		"tools/testing/vma/vma.c:3: : multiple definition of 'h'\n", 0);
	expect_links("vma.c:3:1: warning: unused variable 'x'\n"
		"/usr/bin/ld: cannot find -lurcu: No such file or directory\n",
		"", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_link),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
