// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "kconf-needs.h"

static const char top[] =
	"source \"lib/Kconfig\"\n"
	"if NET\n"
	"source \"drivers/Kconfig\"\n"
	"endif\n";
static const char drivers[] =
	"menu \"Drivers\"\n"
	"	depends on HAS_IOMEM\n"
	"\n"
	"config FIRST\n"
	"	tristate \"first\"\n"
	"	depends on PCI && !S390\n"
	"	depends on OF || ACPI\n"
	"	select HELPER\n"
	"	help\n"
	"	  Say y\n"
	"	  if you like it.\n"
	"\n"
	"	  menu\n"
	"\n"
	"if FIRST\n"
	"config SECOND\n"
	"	bool \"second\"\n"
	"	depends on HELPER=y\n"
	"endif # FIRST\n"
	"endmenu\n"
	"config THIRD\n"
	"	bool\n"
	"	select HELPER if SECOND\n";
static const char lib[] =
	"config HELPER\n\tbool\n"
	"menuconfig FOURTH # comment\n\ttristate \"x\"\n"
	"config HELPER_MORE\n\tbool\n\tselect FOURTH\n";

static struct kfiles *files(void)
{
	struct kfiles *k = kfiles_new();

	kfiles_add(k, "Kconfig", g_strdup(top));
	kfiles_add(k, "drivers/Kconfig", g_strdup(drivers));
	kfiles_add(k, "lib/Kconfig", g_strdup(lib));
	return k;
}

static void expect_list(GPtrArray *list, const char *want)
{
	g_autofree char *got = NULL;

	g_ptr_array_add(list, NULL);
	got = g_strjoinv("; ", (char **)list->pdata);
	assert_string_equal(got, want);
	g_ptr_array_unref(list);
}

#define E(name) "IS_ENABLED(CONFIG_" #name ")"

static void test_needs(void **state)
{
	struct kfiles *k = files();

	expect_list(kfiles_needs(k, "FIRST"), E(HAS_IOMEM) "; " E(PCI) " && !"
		    E(S390) "; " E(OF) " || " E(ACPI) "; " E(NET));
	expect_list(kfiles_needs(k, "SECOND"), E(HAS_IOMEM) "; " E(FIRST) "; "
		    E(HELPER) "; " E(NET));
	expect_list(kfiles_needs(k, "THIRD"), E(NET));
	expect_list(kfiles_needs(k, "HELPER"), "");
	expect_list(kfiles_needs(k, "NOWHERE"), "");
	kfiles_free(k);
}

static void test_who(void **state)
{
	struct kfiles *k = files();

	expect_list(kfiles_defining(k, "SECOND"), "drivers/Kconfig");
	expect_list(kfiles_defining(k, "FOURTH"), "lib/Kconfig");
	expect_list(kfiles_defining(k, "NET"), "");
	expect_list(kfiles_selectors(k, "HELPER"), "FIRST; THIRD");
	expect_list(kfiles_selectors(k, "FOURTH"), "HELPER_MORE");
	expect_list(kfiles_selectors(k, "FIRST"), "");
	assert_true(kfiles_is_tristate(k, "FIRST"));
	assert_true(kfiles_is_tristate(k, "FOURTH"));
	assert_false(kfiles_is_tristate(k, "SECOND"));
	assert_false(kfiles_is_tristate(k, "NOWHERE"));
	kfiles_free(k);
}

static void expect_condition(const char *expr, const char *want)
{
	g_autofree char *got = kconf_condition(expr);

	assert_string_equal(got, want);
}

static void test_condition(void **state)
{
	expect_condition("NET", E(NET));
	expect_condition("A=y", E(A));
	expect_condition("A = y", E(A));
	expect_condition("A!=n", E(A));
	expect_condition("A=n", "!" E(A));
	expect_condition("A != y && B", "!" E(A) " && " E(B));
	expect_condition("!A || (B && m)", "!" E(A) " || (" E(B) " && 1)");
	expect_condition("A && n # never", E(A) " && 0");
	expect_condition("A=B", E(A) "=" E(B));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_who),
		cmocka_unit_test(test_condition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
