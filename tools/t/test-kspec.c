// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>

#include "error.h"
#include "kspec.h"

/* "target|seed|file|+fragment..." of what @text means; the error else. */
static char *parsed(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct kspec *k = kspec_parse(text, &error);
	GString *s = g_string_new("");

	if (!k) {
		assert_true(g_error_matches(error, RESPIN_ERROR,
					    RESPIN_ERROR_USAGE));
		g_string_assign(s, error->message);
		return g_string_free(s, FALSE);
	}
	g_string_printf(s, "%s: %s|%s|%s", k->name, k->target, k->seed, k->file);
	for (guint i = 0; i < k->fragments->len; i++) {
		const struct kfragment *f = g_ptr_array_index(k->fragments, i);

		g_string_append_printf(s, "|%s%s", f->target ? f->target : "+",
				       f->text ? f->text : "");
	}
	kspec_free(k);
	return g_string_free(s, FALSE);
}

static void assert_parsed(const char *text, const char *expected)
{
	g_autofree char *got = parsed(text);

	assert_string_equal(got, expected);
}

static void targets(void **state)
{
	assert_parsed("defconfig", "defconfig: defconfig|(null)|(null)");
	assert_parsed("foo-1_defconfig",
		      "foo-1_defconfig: foo-1_defconfig|(null)|(null)");
	assert_parsed("randconfig:17", "randconfig-17: randconfig|17|(null)");
	assert_parsed("defconfig+debug+kvm_guest.config",
		      "defconfig+debug+kvm_guest: defconfig|(null)|(null)"
		      "|debug.config|kvm_guest.config");
}

static void fits(void **state)
{
	static const char *const x86[] = { "x86_64", "x86", NULL };
	static const char *const arm[] = { "arm64", "arm64", NULL };
	static char text[] = "#\n# Linux/x86 6.12.1 Kernel Configuration\n#\n"
			     "CONFIG_X86=y\nCONFIG_64BIT=y\n";
	struct kspec file = { .file = text }, any = { .file = text + 2 };
	struct kspec target = { .target = (char *)"defconfig" };

	assert_true(kspec_fits(&file, x86, false));
	assert_false(kspec_fits(&file, x86, true));
	assert_false(kspec_fits(&file, arm, false));
	assert_true(kspec_fits(&any, arm, false));
	assert_true(kspec_fits(&target, arm, false));
}

static void refused(void **state)
{
	static const char help[] = "is no kconfig target; try 'defconfig', "
		"'allmodconfig', 'randconfig:1' or the path of a .config with a "
		"'/' in it";
	static const char *const bad[] = { "", "clean", "-fconfig", "randconfig",
					   "a bconfig", ".config" };

	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autofree char *want = g_strdup_printf("'%s' %s", bad[i], help);

		assert_parsed(bad[i], want);
	}
	assert_parsed("randconfig:x", "'randconfig:x': the seed is a number");
	assert_parsed("defconfig+", "'+' is no fragment; name one of the kernel's "
		      "('debug' for debug.config) or a path with a '/' in it");
	assert_parsed("defconfig+/no/such", "cannot read the configuration: Failed "
		      "to open file “/no/such”: No such file or directory");
}

static void files(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("kspec-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "my config", NULL);
	g_autofree char *both = g_strconcat(path, "+", path, NULL);

	assert_true(g_file_set_contents(path, "CONFIG_A=y\n", -1, NULL));
	assert_parsed(both, "my_config-b712f454+my_config-b712f454: (null)|(null)|"
		      "CONFIG_A=y\n|+CONFIG_A=y\n");
	g_unlink(path);
	g_free(path);
	path = g_build_filename(dir, ".config", NULL);
	assert_true(g_file_set_contents(path, "CONFIG_A=y\n", -1, NULL));
	assert_parsed(dir, "config-b712f454: (null)|(null)|CONFIG_A=y\n");
	g_unlink(path);
	g_rmdir(dir);
}

static void settings(void **state)
{
	g_autofree char *all = NULL, *some = NULL;

	all = kspec_refused("# a comment\nCONFIG_A=y\nCONFIG_B=n\n"
			    "# CONFIG_C is not set\n\n",
			    "CONFIG_A=y\n# CONFIG_B is not set\n");
	assert_null(all);
	some = kspec_refused("CONFIG_A=m\nCONFIG_B=n\n# CONFIG_C is not set\n"
			     "CONFIG_D=y\n",
			     "CONFIG_A=y\nCONFIG_B=y\nCONFIG_C=m\n"
			     "# CONFIG_D is not set\n");
	assert_string_equal(some, "CONFIG_A=m, CONFIG_B=n, "
			    "# CONFIG_C is not set, CONFIG_D=y");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets), cmocka_unit_test(refused),
		cmocka_unit_test(fits),
		cmocka_unit_test(files), cmocka_unit_test(settings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
