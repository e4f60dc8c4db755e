// SPDX-License-Identifier: GPL-2.0
/* Which headers user space gets, under which name, and what they include. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>
#include "kbuild-int.h"
#include "uapi.h"

static char *root, *odir;

static void put(const char *dir, const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);
	g_autofree char *parent = g_path_get_dirname(full);

	assert_int_equal(g_mkdir_with_parents(parent, 0755), 0);
	assert_true(g_file_set_contents(full, text, -1, NULL));
}

static int setup(void **state)
{
	root = g_dir_make_tmp("respin-uapi-XXXXXX", NULL);
	odir = g_build_filename(root, "O", NULL);
	put(root, "include/uapi/linux/a.h", "#include <linux/b.h>\n"
	    "#include <asm/c.h>\n#include <stdint.h>\n# include \"d.h\"\n");
	put(root, "include/uapi/linux/b.h", "#include <linux/a.h>\n");
	put(root, "include/uapi/linux/d.h", "#include <linux/version.h>\n");
	put(root, "include/uapi/linux/e.h", "");
	put(root, "include/uapi/asm-generic/c.h", "");
	put(root, "include/linux/b.h", "#include <linux/e.h>\n");
	put(root, "arch/x86/include/uapi/asm/x.h", "");
	put(odir, "include/generated/uapi/linux/version.h", "");
	put(odir, "arch/x86/include/generated/uapi/asm/c.h",
	    "#include <asm-generic/c.h>\n");
	return 0;
}

static int teardown(void **state)
{
	int ret = remove_tree(root, NULL);

	g_free(root);
	g_free(odir);
	return ret;
}

static void expect_header(const char *path, bool is, const char *arch)
{
	g_autofree char *srcarch = NULL;

	assert_int_equal(uapi_is_header(path, &srcarch), is);
	if (arch)
		assert_string_equal(srcarch, arch);
	else
		assert_null(srcarch);
}

static void test_names(void **state)
{
	expect_header("include/uapi/linux/a.h", true, NULL);
	expect_header("include/uapi/linux/Kbuild", false, NULL);
	expect_header("include/linux/a.h", false, NULL);
	expect_header("arch/x86/include/uapi/asm/x.h", true, "x86");
	expect_header("arch/x86/include/asm/x.h", false, NULL);
	expect_header("tools/include/uapi/linux/a.h", false, NULL);

	assert_string_equal(uapi_name("include/uapi/linux/a.h", "x86"),
			    "linux/a.h");
	assert_string_equal(uapi_name("arch/x86/include/uapi/asm/x.h", "x86"),
			    "asm/x.h");
	assert_null(uapi_name("arch/x86/include/uapi/asm/x.h", "arm64"));
	assert_null(uapi_name("include/uapi/linux/$(x).h", "x86"));
	assert_null(uapi_name("include/uapi/linux/a b.h", "x86"));
}

static void expect_source(const char *name, const char *want)
{
	g_autofree char *got = uapi_source(root, odir, "x86", name);

	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

static void test_source(void **state)
{
	expect_source("linux/a.h", "include/uapi/linux/a.h");
	expect_source("asm/x.h", "arch/x86/include/uapi/asm/x.h");
	expect_source("asm/c.h", "O/arch/x86/include/generated/uapi/asm/c.h");
	expect_source("linux/version.h", "O/include/generated/uapi/linux/version.h");
	expect_source("stdint.h", NULL);
}

static void test_closure(void **state)
{
	g_autoptr(GHashTable) set = uapi_closure(root, odir, "x86", "linux/a.h");
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(set),
					    (GCompareFunc)strcmp);
	g_autoptr(GString) got = g_string_new("");

	for (const GList *l = keys; l; l = l->next)
		g_string_append_printf(got, "%s ", (char *)l->data);
	/* never by way of include/linux/b.h, which user space does not see */
	assert_string_equal(got->str, "asm-generic/c.h asm/c.h linux/a.h "
			    "linux/b.h linux/d.h linux/version.h ");
}

static void expect_reaching(const char *name, const char *want)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GString) got = g_string_new("");

	g_hash_table_add(names, (char *)name);
	list = uapi_reaching(root, odir, "x86", names);
	for (guint i = 0; i < list->len; i++)
		g_string_append_printf(got, "%s ", (char *)list->pdata[i]);
	assert_string_equal(got->str, want);
}

static void test_reaching(void **state)
{
	/* by way of a generated one, which is no header of the tree */
	expect_reaching("asm-generic/c.h", "include/uapi/linux/a.h "
			"include/uapi/linux/b.h ");
	expect_reaching("linux/d.h", "include/uapi/linux/a.h "
			"include/uapi/linux/b.h ");
	/* only a header of the kernel includes it */
	expect_reaching("linux/e.h", "");
	/* it is gone */
	expect_reaching("stdint.h", "include/uapi/linux/a.h "
			"include/uapi/linux/b.h ");
}

static const char makefile[] =
	"# comment\n"
	"UAPI_CFLAGS := -std=c90 -Wall\n"
	"UAPI_CFLAGS += $(USERCFLAGS)\n"
	"no-header-test += linux/a.h\n"
	"ifeq ($(SRCARCH),arc)\n"
	"no-header-test += linux/b.h\n"
	"endif\n"
	"ifeq ($(SRCARCH),powerpc)\n"
	"no-header-test += linux/c.h linux/d.h\n"
	"endif\n"
	"no-header-test += asm-generic/%\n";

static void test_makefile(void **state)
{
	g_autofree char *flags = uapi_flags(makefile);
	g_autofree char *none = uapi_flags("all:\n");

	assert_string_equal(flags, "-std=c90 -Wall");
	assert_null(none);
	assert_true(uapi_is_excluded(makefile, "x86", "linux/a.h"));
	assert_false(uapi_is_excluded(makefile, "x86", "linux/b.h"));
	assert_true(uapi_is_excluded(makefile, "arc", "linux/b.h"));
	assert_false(uapi_is_excluded(makefile, "arc", "linux/d.h"));
	assert_true(uapi_is_excluded(makefile, "powerpc", "linux/d.h"));
	assert_true(uapi_is_excluded(makefile, "x86", "asm-generic/c.h"));
	assert_false(uapi_is_excluded(makefile, "x86", "asm/c.h"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_closure),
		cmocka_unit_test(test_reaching),
		cmocka_unit_test(test_makefile),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
