// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "kconf.h"

/* "A:y>m B:->y": name, value before, value after. */
static void expect_diff(const char *before, const char *after, const char *want)
{
	g_autoptr(GPtrArray) list = kconf_diff(before, after);
	g_autoptr(GString) got = g_string_new("");

	for (guint i = 0; i < list->len; i++) {
		const struct kconf_change *c = list->pdata[i];

		g_string_append_printf(got, "%s%s:%s>%s", i ? " " : "", c->name,
				       c->was ? c->was : "-",
				       c->is ? c->is : "-");
	}
	assert_string_equal(got->str, want);
}

static void test_diff(void **state)
{
	static const char base[] = "# Linux 6.12\nCONFIG_A=y\n"
		"# CONFIG_B is not set\nCONFIG_S=\"a=b\"\n";

	expect_diff(base, base, "");
	/* new and off, gone and off, another header: nothing for a compiler */
	expect_diff(base, "# Linux 6.13\nCONFIG_A=y\n# CONFIG_C is not set\n"
		    "CONFIG_S=\"a=b\"\n", "");
	expect_diff(base, "CONFIG_A=m\nCONFIG_B=y\nCONFIG_S=\"a=c\"\n",
		    "A:y>m B:->y S:\"a=b\">\"a=c\"");
	expect_diff(base, "CONFIG_NEW=4\n", "A:y>- NEW:->4 S:\"a=b\">-");
	expect_diff("CONFIG_A=n\n", "", "");
}

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void expect_set(GHashTable *set, const char *want)
{
	g_autofree char **names =
		(char **)g_hash_table_get_keys_as_array(set, NULL);
	g_autofree char *got = NULL;

	qsort(names, g_strv_length(names), sizeof(*names), by_text);
	got = g_strjoinv(" ", names);
	assert_string_equal(got, want);
}

static GHashTable *used(const char *text)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);

	kconf_used(set, text, strlen(text));
	return set;
}

static void expect_used(const char *text, const char *want)
{
	g_autoptr(GHashTable) set = used(text);

	expect_set(set, want);
}

static void test_used(void **state)
{
	expect_used("#if IS_ENABLED(CONFIG_A) && defined(CONFIG_B_2)", "A B_2");
	expect_used("obj-$(CONFIG_NET)+=x.o", "NET");
	expect_used("MY_CONFIG_A KCONFIG_B config_c", "");
	expect_used("CONFIG_##name CONFIG_FOO_* CONFIG_", "");
	expect_used("CONFIG_A", "A");
}

static void test_strip(void **state)
{
	assert_int_equal(kconf_strip("obj-y += x.o # CONFIG_X", 23), 13);
	assert_int_equal(kconf_strip("# all", 5), 0);
	assert_int_equal(kconf_strip("sed s/\\#//", 10), 10);
	assert_int_equal(kconf_strip("obj-y", 5), 5);
}

static void test_defined(void **state)
{
	g_autoptr(GHashTable) set =
		used("CONFIG_A CONFIG_B CONFIG_C_MODULE CONFIG_D CONFIG_EE");

	kconf_defined(set, "# config D\nmenuconfig A\n\tbool \"a\"\n\n"
		      "if A\n\tconfig B # why\nconfig\tC\n\ttristate\n"
		      "config E\n\thelp\n\t  see configD\n");
	expect_set(set, "D EE");
}

static void expect_decides(const char *text, const char *word, const char *want)
{
	g_autofree char *got = kconf_decides(text, word);

	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

static void test_decides(void **state)
{
	static const char text[] =
		"# obj-y += comment.o\n"
		"obj-y := a.o \\\n\tb.o\n"
		"obj-$(CONFIG_X) += x.o xx.o\n"
		"obj-$(CONFIG_FOO)\t+= foo.o\n"
		"foo-y := main.o\nfoo-$(CONFIG_FOO_DEBUG) += debug.o\n"
		"bar-objs := lost.o\n"
		"obj-$(CONFIG_DIR) += dir/\n"
		"lib-y += sub/s.o\n"
		"obj-$(CONFIG_Y) += both.o\nobj-y += both.o\n"
		"CFLAGS_x.o = -DNAME=none.o\n";

	expect_decides(text, "a.o", "");
	expect_decides(text, "b.o", "");
	expect_decides(text, "x.o", "CONFIG_X");
	expect_decides(text, "xx.o", "CONFIG_X");
	expect_decides(text, "main.o", "CONFIG_FOO");
	expect_decides(text, "debug.o", "CONFIG_FOO_DEBUG && CONFIG_FOO");
	expect_decides(text, "dir/", "CONFIG_DIR");
	expect_decides(text, "sub/s.o", "");
	expect_decides(text, "both.o", "");
	expect_decides(text, "comment.o", NULL);
	expect_decides(text, "lost.o", NULL);
	expect_decides(text, "none.o", NULL);
	/* a loop ends */
	expect_decides("a-y := b.o\nb-y := a.o\n", "a.o", NULL);
}

static void test_line(void **state)
{
	static const char text[] = "# x.o\nobj-y += xx.o x.o\nobj-y += d/y.o\n";

	assert_int_equal(kconf_line(text, "x.o"), 2);
	assert_int_equal(kconf_line(text, "y.o"), 3);
	assert_int_equal(kconf_line(text, "z.o"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_used),
		cmocka_unit_test(test_strip),
		cmocka_unit_test(test_defined),
		cmocka_unit_test(test_decides),
		cmocka_unit_test(test_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
