// SPDX-License-Identifier: GPL-2.0
/* repo_checkout(): steps, hard links, and what a killed run leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "repo.h"
#include "t/sandbox-repo.h"

static struct sandbox *sb;
static struct repo *repo;
static char *one, *two, *three;	/* commits */
static char *dir, *twin;

static int setup(void **state)
{
	g_autofree char *run = NULL, *link_path = NULL;

	sb = sandbox_new();
	g_free(sandbox_commit(sb, "0", "same", "same\n", "a/b/c", "c\n", "run",
			      "#!/bin/sh\n", "thing", "file\n", NULL));
	run = g_build_filename(sb->dir, "run", NULL);
	link_path = g_build_filename(sb->dir, "link", NULL);
	g_chmod(run, 0755);
	assert_int_equal(symlink("same", link_path), 0);
	one = sandbox_commit(sb, "1", "x", "1\n", NULL);
	sandbox_run(sb, "rm", "-q", "thing", "a/b/c", "link", NULL);
	two = sandbox_commit(sb, "2", "x", "2\n", "thing/inner", "i\n", "link/l",
			     "l\n", NULL);
	three = sandbox_commit(sb, "3", "x", "3\n", "new", "", NULL);
	repo = repo_open(sb->dir, NULL);
	assert_non_null(repo);
	dir = g_build_filename(sb->dir, ".git", "co", "cur", NULL);
	twin = g_build_filename(sb->dir, ".git", "co", "prev", NULL);
	return 0;
}

static int teardown(void **state)
{
	repo_free(repo);
	sandbox_free(sb);
	g_free(one);
	g_free(two);
	g_free(three);
	g_free(dir);
	g_free(twin);
	return 0;
}

/* What @where holds: git compares it with @commit, untracked files too. */
static void holds(const char *where, const char *commit)
{
	g_autofree char *work = g_strconcat("--work-tree=", where, NULL);
	g_autofree char *state = g_strconcat(where, ".tree", NULL);
	g_autofree char *tree = NULL, *text = NULL, *want = NULL, *got = NULL;
	g_autofree char *tmp = g_strconcat(where, ".new", NULL);
	g_autofree char *spec = g_strconcat(commit, "^{tree}", NULL);

	sandbox_run(sb, "read-tree", commit, NULL);
	got = sandbox_git(sb, work, "diff", "--name-status", NULL);
	assert_string_equal(got, "");
	g_free(got);
	got = sandbox_git(sb, work, "ls-files", "--others", NULL);
	assert_string_equal(got, "");
	tree = sandbox_git(sb, "rev-parse", spec, NULL);
	want = g_strconcat(tree, "\n", NULL);
	assert_true(g_file_get_contents(state, &text, NULL, NULL));
	assert_string_equal(text, want);
	assert_false(g_file_test(tmp, G_FILE_TEST_EXISTS));
}

static void checkout(const char *commit, const char *where, const char *from)
{
	GError *error = NULL;

	if (repo_checkout(repo, commit, where, from, &error) < 0)
		fail_msg("%s", error->message);
	holds(where, commit);
}

static ino_t inode(const char *where, const char *path)
{
	g_autofree char *full = g_build_filename(where, path, NULL);
	struct stat st;

	assert_int_equal(lstat(full, &st), 0);
	return st.st_ino;
}

static void test_steps(void **state)
{
	ino_t same;

	checkout(one, dir, NULL);
	same = inode(dir, "same");
	checkout(two, dir, NULL);
	checkout(three, dir, NULL);
	checkout(one, dir, NULL);
	checkout(one, dir, NULL);
	/* What does not differ was not written. */
	assert_int_equal(inode(dir, "same"), same);
}

static unsigned int mode_of(const char *path)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);
	struct stat st;

	assert_int_equal(stat(full, &st), 0);
	return st.st_mode & 07777;
}

static void test_umask(void **state)
{
	mode_t old = umask(077);

	checkout(two, dir, NULL);
	checkout(one, dir, NULL);
	umask(old);
	assert_int_equal(mode_of(""), 0755);
	assert_int_equal(mode_of("a"), 0755);
	assert_int_equal(mode_of("same"), 0644);
	assert_int_equal(mode_of("x"), 0644);
	assert_int_equal(mode_of("run"), 0755);
	assert_int_equal(mode_of("../cur.tree"), 0644);
}

static void test_twin(void **state)
{
	checkout(one, twin, NULL);
	checkout(two, dir, twin);
	assert_int_equal(inode(dir, "same"), inode(twin, "same"));
	assert_int_not_equal(inode(dir, "x"), inode(twin, "x"));
	/* The twin kept its text and links. */
	holds(twin, one);
	checkout(three, twin, NULL);
	holds(dir, two);
}

/* A twin that is not whole is not linked, or mended where it was. */
static void test_bad_twin(void **state)
{
	g_autofree char *x = g_build_filename(twin, "same", NULL);
	g_autofree char *st = g_strconcat(twin, ".tree", NULL);
	g_autofree char *other = g_strconcat(dir, "2", NULL);

	checkout(one, twin, NULL);
	unlink(x);
	checkout(two, dir, twin);
	assert_true(g_file_set_contents(st, "dirty none\n", -1, NULL));
	checkout(two, other, twin);
	assert_int_not_equal(inode(other, "run"), inode(twin, "run"));
}

static void write_at(const char *where, const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(where, path, NULL);

	assert_true(g_file_set_contents(full, text, -1, NULL));
}

/* As killed on the way from one to two: files of both, half a removal. */
static void test_killed(void **state)
{
	g_autofree char *st = g_strconcat(dir, ".tree", NULL);
	g_autofree char *t1 = repo_tree_of(repo, one, NULL);
	g_autofree char *t2 = repo_tree_of(repo, two, NULL);
	g_autofree char *dirty = g_strdup_printf("dirty %s %s\n", t1, t2);
	const char *const to[] = { one, two, three };
	int i;

	for (i = 0; i < 3; i++) {
		g_autofree char *c = g_build_filename(dir, "a/b/c", NULL);

		checkout(one, dir, NULL);
		assert_true(g_file_set_contents(st, dirty, -1, NULL));
		write_at(dir, "x", "2\n");
		unlink(c);
		checkout(to[i], dir, NULL);
	}
}

/* As killed while it was filled for the first time. */
static void test_killed_fresh(void **state)
{
	g_autofree char *st = g_strconcat(dir, ".tree", NULL);
	g_autofree char *t1 = repo_tree_of(repo, one, NULL);
	g_autofree char *dirty = g_strdup_printf("dirty none %s\n", t1);
	g_autofree char *x = g_build_filename(dir, "x", NULL);

	checkout(one, dir, NULL);
	assert_true(g_file_set_contents(st, dirty, -1, NULL));
	unlink(x);
	checkout(two, dir, NULL);
}

static void refuses(const char *want)
{
	GError *error = NULL;
	g_auto(GStrv) part = g_strsplit(want, "%s", -1);
	g_autofree char *text = g_strjoinv(dir, part);

	assert_int_equal(repo_checkout(repo, one, dir, NULL, &error), -1);
	assert_string_equal(error->message, text);
	g_error_free(error);
}

static void test_refused(void **state)
{
	g_autofree char *st = g_strconcat(dir, ".tree", NULL);
	g_autofree char *x = g_build_filename(dir, "x", NULL);
	struct stat info;

	g_mkdir_with_parents(dir, 0777);
	write_at(dir, "mine", "keep\n");
	refuses("'%s' holds files that respin did not write: remove it");
	assert_int_equal(stat(x, &info), -1);
	assert_true(g_file_set_contents(st, "dirty ../x\n", -1, NULL));
	refuses("'%s.tree' is damaged: remove it and '%s'");
}

/* The directory was removed but not its state. */
static void test_removed(void **state)
{
	char *argv[] = { "rm", "-rf", dir, NULL };

	checkout(one, dir, NULL);
	sandbox_spawn(argv, NULL);
	checkout(two, dir, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_steps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_umask, setup, teardown),
		cmocka_unit_test_setup_teardown(test_twin, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_twin, setup, teardown),
		cmocka_unit_test_setup_teardown(test_killed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_killed_fresh, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_removed, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
