// SPDX-License-Identifier: GPL-2.0
/* A .config is for the architecture that it names; one that was asked for and
 * has none is not verified. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>

#include "error.h"
#include "session.h"

static const char text[] = "#\n# Linux/x86 6.12.1 Kernel Configuration\n#\n"
			   "CONFIG_X86=y\nCONFIG_64BIT=y\n";

/* "variants|lost: why|", or the error. */
static char *variants(const char *names, const char *kconfigs)
{
	static char none[] = "none";
	static char *tip[] = { none, NULL };
	struct session_options o = { .tip = tip };
	struct session s = { .run = run_new() };
	g_autoptr(GError) error = NULL;
	GString *out = g_string_new("");
	int ret;

	s.config = config_open(NULL, NULL, &error);
	assert_non_null(s.config);
	o.arches = names ? g_strsplit(names, ",", -1) : NULL;
	o.kconfigs = g_strsplit(kconfigs, ",", -1);
	ret = session_variants(&s, &o, &error);
	assert_int_equal(ret, error ? -1 : 0);
	for (guint i = 0; i < s.run->stages->len; i++) {
		const GPtrArray *stage = s.run->stages->pdata[i];

		for (guint k = 0; k < stage->len; k++)
			g_string_append_printf(out, "%s|",
				((struct variant *)stage->pdata[k])->arch->name);
	}
	for (guint i = 0; i < s.run->lost->len; i++) {
		const struct lost_variant *l = s.run->lost->pdata[i];

		g_string_append_printf(out, "%s: %s|", l->name, l->reason);
	}
	if (error)
		g_string_assign(out, error->message);
	g_strfreev(o.arches);
	g_strfreev(o.kconfigs);
	config_free(s.config);
	run_free(s.run);
	return g_string_free(out, FALSE);
}

static void expect(const char *names, const char *kconfigs, const char *want)
{
	g_autofree char *got = variants(names, kconfigs);

	assert_string_equal(got, want);
}

static void test_config_of_one(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("variants-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, ".config", NULL);
	g_autofree char *both = g_strconcat(dir, ",defconfig", NULL);
	g_autofree char *error = g_strdup_printf("'%s' is a configuration of "
		"another architecture; name that with --arch", dir);

	/* no configuration of whoever runs this */
	g_setenv("HOME", dir, TRUE);
	g_unsetenv("XDG_CONFIG_HOME");
	assert_true(g_file_set_contents(path, text, -1, NULL));
	/* of the default ones nobody asked for the others */
	expect(NULL, dir, "x86_64|");
	expect("x86_64", dir, "x86_64|");
	expect("x86_64,arm64", dir, "x86_64|arm64: every --kconfig is for "
	       "another architecture; add 'defconfig'|");
	expect("x86_64,arm64", both, "x86_64|x86_64|arm64|");
	expect("arm64", dir, error);
	g_unlink(path);
	g_rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_config_of_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
