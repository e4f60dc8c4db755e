// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <sys/stat.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "config.h"
#include "error.h"

static char *home;	/* HOME of this test; the repository is in it */

static char *in_home(const char *name)
{
	return g_build_filename(home, name, NULL);
}

static void write_file(const char *name, const char *text)
{
	g_autofree char *path = in_home(name);
	g_autofree char *dir = g_path_get_dirname(path);

	assert_int_equal(g_mkdir_with_parents(dir, 0755), 0);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void remove_file(const char *name)
{
	g_autofree char *path = in_home(name);

	g_unlink(path);
}

static int setup(void **state)
{
	home = g_dir_make_tmp("respin-test-XXXXXX", NULL);
	g_setenv("HOME", home, TRUE);
	g_unsetenv("XDG_CONFIG_HOME");
	g_unsetenv("XDG_CACHE_HOME");
	g_unsetenv("RESPIN_CACHE");
	write_file("repo/.git/HEAD", "ref: refs/heads/main\n");
	write_file("repo/.git/objects/x", "");
	write_file("repo/.git/refs/x", "");
	write_file("repo/.git/config",
		   "[core]\n\trepositoryformatversion = 0\n");
	write_file("repo/mm/mmap.c", "");
	return 0;
}

static void remove_tree(const char *path)
{
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *p = g_build_filename(path, name, NULL);

		remove_tree(p);
	}
	g_remove(path);
}

static int teardown(void **state)
{
	remove_tree(home);
	g_free(home);
	return 0;
}

static struct config *open_ok(const char *repo, const char *const *overrides)
{
	g_autofree char *path = repo ? in_home(repo) : NULL;
	GError *error = NULL;
	struct config *c = config_open(path, overrides, &error);

	assert_null(error);
	assert_non_null(c);
	return c;
}

static void check_int(struct config *c, const char *key, gint64 expected)
{
	gint64 v = -7;

	assert_int_equal(config_int(c, key, -1000, G_MAXINT64, &v, NULL), 0);
	assert_int_equal(v, expected);
}

/* "@" in @expected stands for the directory of this test. */
static void check_error(GError *error, const char *expected)
{
	g_autoptr(GString) s = g_string_new(expected);

	g_string_replace(s, "@", home, 0);
	assert_non_null(error);
	assert_string_equal(error->message, s->str);
	assert_true(error->domain == RESPIN_ERROR);
	g_error_free(error);
}

static void test_nothing_set(void **state)
{
	g_autoptr(config_t) c = open_ok(NULL, NULL);
	bool b = true;
	guint64 size = 5;
	char *string = g_strdup("default");
	char **strings = NULL, **names = config_names(c, "respin-tree");

	check_int(c, "respin.jobs", -7);
	assert_int_equal(config_bool(c, "respin.sandbox", &b, NULL), 0);
	assert_true(b);
	assert_int_equal(config_size(c, "respin.size", &size, NULL), 0);
	assert_int_equal(size, 5);
	assert_int_equal(config_string(c, "respin.x", &string, NULL), 0);
	assert_int_equal(config_path(c, "respin.x", &string, NULL), 0);
	assert_string_equal(string, "default");
	assert_int_equal(config_strings(c, "respin.arches", &strings, NULL), 0);
	assert_null(strings);
	assert_null(names[0]);
	g_free(string);
	g_strfreev(names);
}

static void test_levels(void **state)
{
	const char *const overrides[] = { "respin.jobs=4", NULL };
	struct config *c;

	write_file(".config/git/config", "[respin]\n jobs = 1\n timeout = 10\n"
		   " only = 1\n");
	write_file(".gitconfig", "[respin]\n jobs = 2\n timeout = 20\n");
	write_file("repo/.git/config", "[respin]\n jobs = 3\n");

	c = open_ok(NULL, NULL);
	check_int(c, "respin.jobs", 2);
	check_int(c, "respin.timeout", 20);
	check_int(c, "respin.only", 1);
	config_free(c);

	c = open_ok("repo/mm", NULL);
	check_int(c, "respin.jobs", 3);
	check_int(c, "respin.timeout", 20);
	config_free(c);

	c = open_ok("repo", overrides);
	check_int(c, "respin.jobs", 4);
	check_int(c, "Respin.JOBS", 4);
	config_free(c);
}

static void test_worktree(void **state)
{
	struct config *c;

	write_file("repo/.git/config", "[respin]\n jobs = 3\n"
		   "[extensions]\n worktreeConfig = true\n");
	write_file("repo/.git/worktrees/w/HEAD", "ref: refs/heads/w\n");
	write_file("repo/.git/worktrees/w/commondir", "../..\n");
	write_file("repo/.git/worktrees/w/gitdir", "/nowhere/.git\n");
	write_file("repo/.git/worktrees/w/config.worktree",
		   "[respin]\n timeout = 9\n");
	write_file("w/.git", "gitdir: ../repo/.git/worktrees/w\n");
	c = open_ok("w", NULL);
	check_int(c, "respin.jobs", 3);
	check_int(c, "respin.timeout", 9);
	config_free(c);
}

static void test_numbers(void **state)
{
	g_autoptr(config_t) c = NULL;
	GError *error = NULL;
	guint64 size = 0;
	gint64 v = 5;

	write_file(".gitconfig", "[respin]\n a = 10g\n b = 2K\n c = -3\n"
		   " d = 9223372036854775807\n e = 9999999999g\n f = 1x\n"
		   " g = 1kk\n h =\n i\n");
	c = open_ok(NULL, NULL);
	assert_int_equal(config_size(c, "respin.a", &size, NULL), 0);
	assert_true(size == 10737418240u);
	check_int(c, "respin.b", 2048);
	check_int(c, "respin.c", -3);
	check_int(c, "respin.d", G_MAXINT64);

	assert_int_equal(config_size(c, "respin.c", &size, &error), -1);
	check_error(error, "'respin.c' in '@/.gitconfig': '-3' is not"
		    " a size in bytes (such as 10g)");
	for (const char *const *k = (const char *const []){ "e", "f", "g", "h",
	     NULL }; *k; k++) {
		g_autofree char *key = g_strconcat("respin.", *k, NULL);

		assert_int_equal(config_size(c, key, &size, NULL), -1);
	}
	assert_true(size == 10737418240u);

	error = NULL;
	assert_int_equal(config_int(c, "respin.b", 1, 1024, &v, &error), -1);
	check_error(error, "'respin.b' in '@/.gitconfig': '2K' is not"
		    " a number from 1 to 1024");
	error = NULL;
	assert_int_equal(config_int(c, "respin.i", 1, 1024, &v, &error), -1);
	check_error(error, "'respin.i' in '@/.gitconfig' has no value");
	assert_int_equal(v, 5);
}

static void test_bool(void **state)
{
	const char *const overrides[] = { "a.f=off", "a.g", "a.h=maybe", NULL };
	g_autoptr(config_t) c = NULL;
	GError *error = NULL;
	bool b;

	write_file(".gitconfig", "[a]\n a = yes\n b = false\n c\n d = 0\n");
	c = open_ok(NULL, overrides);
	for (const char *p = "atbfctdfffgt"; *p; p += 2) {
		char key[] = { 'a', '.', p[0], '\0' };

		b = p[1] == 'f';
		assert_int_equal(config_bool(c, key, &b, NULL), 0);
		assert_int_equal(b, p[1] == 't');
	}
	assert_int_equal(config_bool(c, "a.h", &b, &error), -1);
	check_error(error, "'a.h' in 'the command line': 'maybe' is not"
		    " a boolean (true or false)");
}

static void check_strings(struct config *c, const char *key,
			  const char *expected)
{
	char **v = NULL;
	g_autofree char *joined = NULL;

	assert_int_equal(config_strings(c, key, &v, NULL), 0);
	joined = v ? g_strjoinv("|", v) : g_strdup("unset");
	assert_string_equal(joined, expected);
	g_strfreev(v);
}

static void test_strings(void **state)
{
	const char *const overrides[] = { "respin.arches=riscv", "respin.kconfigs=",
		"respin.kconfigs=tinyconfig", "a.none=", NULL };
	g_autoptr(config_t) c = NULL;

	write_file(".gitconfig", "[respin]\n arches = x86_64, arm64,,x86_64\n"
		   " arches = powerpc\n kconfigs = defconfig\n");
	c = open_ok(NULL, overrides);
	check_strings(c, "respin.arches", "x86_64|arm64|powerpc|riscv");
	check_strings(c, "respin.kconfigs", "tinyconfig");
	check_strings(c, "a.none", "");
	check_strings(c, "respin.unset", "unset");
}

static void test_subsections(void **state)
{
	g_autoptr(config_t) c = NULL;
	char **names, *value = NULL;
	g_autofree char *joined = NULL;

	write_file(".gitconfig",
		   "[respin-tree \"net.Next\"]\n path = ~/src/linux\n ref = main\n"
		   "[respin-tree \"akpm\"]\n ref = mm\n"
		   "[respin-tree]\n ref = no-name\n"
		   "[respin-toolchain \"arm64\"]\n crossCompile = aarch64-\n");
	c = open_ok(NULL, NULL);
	names = config_names(c, "respin-tree");
	joined = g_strjoinv("|", names);
	assert_string_equal(joined, "akpm|net.Next");
	g_strfreev(names);

	assert_int_equal(config_string(c, "respin-tree.net.Next.ref", &value,
				       NULL), 0);
	assert_string_equal(value, "main");
	assert_int_equal(config_string(c, "respin-toolchain.arm64.crosscompile",
				       &value, NULL), 0);
	assert_string_equal(value, "aarch64-");
	/* the case of a subsection counts */
	assert_int_equal(config_string(c, "respin-tree.net.next.ref", &value,
				       NULL), 0);
	assert_string_equal(value, "aarch64-");

	g_autofree char *expected = in_home("src/linux");
	assert_int_equal(config_path(c, "respin-tree.net.Next.path", &value,
				     NULL), 0);
	assert_string_equal(value, expected);
	g_free(value);
}

static void test_paths(void **state)
{
	const char *const overrides[] = { "a.here=x/../y", NULL };
	g_autoptr(config_t) c = NULL;
	g_autofree char *cwd = g_get_current_dir();
	g_autofree char *expected = g_build_filename(cwd, "y", NULL);
	GError *error = NULL;
	char *value = NULL;

	write_file(".gitconfig", "[a]\n rel = x\n empty =\n");
	c = open_ok(NULL, overrides);
	assert_int_equal(config_path(c, "a.here", &value, NULL), 0);
	assert_string_equal(value, expected);
	assert_int_equal(config_path(c, "a.empty", &value, NULL), -1);
	assert_int_equal(config_path(c, "a.rel", &value, &error), -1);
	check_error(error, "'a.rel' in '@/.gitconfig': 'x' is not"
		    " an absolute path");
	assert_string_equal(value, expected);
	g_free(value);
}

static void test_open_errors(void **state)
{
	const char *const overrides[] = { "jobs=4", NULL };
	const char *const slip[] = { "respin.job=4", NULL };
	GError *error = NULL;

	assert_null(config_open(NULL, overrides, &error));
	check_error(error, "'-c jobs=4' is not of the form SECTION.NAME=VALUE");
	error = NULL;
	assert_null(config_open("/proc", NULL, &error));
	check_error(error, "'/proc' is in no git repository");
	error = NULL;
	assert_null(config_open(NULL, slip, &error));
	check_error(error, "'-c respin.job=4': there is no 'respin.job';"
		    " see respin(1)");
	error = NULL;
	write_file(".gitconfig", "[respin]\n jobs = 2\n[broken\n");
	assert_null(config_open(NULL, NULL, &error));
	check_error(error, "cannot read the configuration '@/.gitconfig': failed"
		    " to parse config file: missing ']' in section header"
		    " (in @/.gitconfig:3)");
}

static void test_unknown(void **state)
{
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GString) all = g_string_new("");
	g_autoptr(config_t) c = NULL;

	write_file(".gitconfig", "[respin]\n job = 4\n jobs = 4\n"
		   "[respin-tree \"a\"]\n path = /x\n rev = y\n"
		   "[respin-toolchain \"arm64\"]\n crossCompile = x\n"
		   "[user]\n name = x\n");
	c = open_ok(NULL, NULL);
	list = config_unknown(c);
	for (guint i = 0; i < list->len; i++)
		g_string_append_printf(all, "%s\n", (char *)list->pdata[i]);
	g_string_replace(all, home, "@", 0);
	assert_string_equal(all->str, "'respin.job' in '@/.gitconfig'\n"
			    "'respin-tree.a.rev' in '@/.gitconfig'\n");
}

static void check_cache(struct config *c, const char *expected)
{
	g_autofree char *dir = config_cache_dir(c, NULL);

	assert_string_equal(dir, expected);
}

static void test_cache_dir(void **state)
{
	g_autofree char *fallback = in_home(".cache/respin");
	g_autofree char *mine = in_home("mine");
	g_autoptr(config_t) none = open_ok(NULL, NULL);
	g_autoptr(config_t) set = NULL;
	GError *error = NULL;

	check_cache(none, fallback);
	check_cache(NULL, fallback);
	g_setenv("XDG_CACHE_HOME", "relative", TRUE);
	check_cache(none, fallback);
	g_setenv("XDG_CACHE_HOME", "/xdg", TRUE);
	check_cache(none, "/xdg/respin");
	g_setenv("RESPIN_CACHE", "/env", TRUE);
	check_cache(none, "/env");
	write_file(".gitconfig", "[respin]\n cacheDir = ~/mine\n");
	set = open_ok(NULL, NULL);
	check_cache(set, mine);

	g_unsetenv("XDG_CACHE_HOME");
	g_unsetenv("RESPIN_CACHE");
	g_unsetenv("HOME");
	assert_null(config_cache_dir(none, &error));
	check_error(error, "no place for the cache: neither respin.cacheDir"
		    " nor HOME is set");
	remove_file(".gitconfig");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_nothing_set),
		TEST(test_levels),
		TEST(test_worktree),
		TEST(test_numbers),
		TEST(test_bool),
		TEST(test_strings),
		TEST(test_subsections),
		TEST(test_paths),
		TEST(test_open_errors),
		TEST(test_unknown),
		TEST(test_cache_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
