// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "error.h"
#include "repo.h"
#include "t/sandbox-repo.h"

static struct sandbox *sb;

static int setup(void **state)
{
	sb = sandbox_new();
	return 0;
}

static int teardown(void **state)
{
	sandbox_free(sb);
	return 0;
}

/* repo_open() of @path fails with exactly @want; %s in it is the path. */
static void opens_not(const char *path, const char *want)
{
	GError *error = NULL;
	g_auto(GStrv) part = g_strsplit(want, "%s", -1);
	g_autofree char *text = g_strjoinv(path, part);

	assert_null(repo_open(path, &error));
	assert_non_null(error);
	assert_string_equal(error->message, text);
	g_error_free(error);
}

static void test_open(void **state)
{
	g_autofree char *deep = g_build_filename(sb->dir, "mm", NULL);
	struct repo *r;

	g_free(sandbox_commit(sb, "one", "mm/a.c", "int a;\n", NULL));
	r = repo_open(deep, NULL);
	assert_non_null(r);
	assert_string_equal(repo_path(r), sb->dir);
	assert_false(repo_is_dirty(r));
	sandbox_write(sb, "mm/a.c", "int b;\n");
	assert_true(repo_is_dirty(r));
	repo_free(r);
}

static void test_open_errors(void **state)
{
	g_autofree char *none = g_build_filename(sb->dir, "none", NULL);
	g_autofree char *plain = g_dir_make_tmp("respin-XXXXXX", NULL);

	opens_not(none, "tree '%s' does not exist");
	opens_not(plain, "'%s' is not in a git repository: give a clone of the kernel");
	opens_not(sb->dir, "tree '%s' has no commit yet; name another "
			    "with --tree PATH[@REV]");
	g_free(sandbox_commit(sb, "one", "a", "a\n", NULL));
	if (!geteuid()) {
		assert_int_equal(chown(sb->dir, 12345, 12345), 0);
		opens_not(sb->dir, "tree '%s' belongs to another user: run as its owner, or "
				   "'git config --global --add safe.directory %s'");
		assert_int_equal(chown(sb->dir, 0, 0), 0);
	}
	g_rmdir(plain);
}

static void test_extensions(void **state)
{
	struct repo *r;

	g_free(sandbox_commit(sb, "one", "a", "a\n", NULL));
	sandbox_run(sb, "config", "core.repositoryformatversion", "1", NULL);
	sandbox_run(sb, "config", "extensions.worktreeConfig", "true", NULL);
	sandbox_run(sb, "config", "extensions.partialClone", "origin", NULL);
	r = repo_open(sb->dir, NULL);
	assert_non_null(r);
	repo_free(r);
	/* git itself would stop here from now on. */
	sandbox_append(sb, ".git/config", "[extensions]\n\tfrotz = yes\n");
	opens_not(sb->dir, "tree '%s' uses the repository extension 'frotz', which libgit2 "
			   "1.5.1 does not know: use a plain clone");
}

static void test_formats(void **state)
{
	struct repo *r;

	/* What a newer git writes; "sha1" is fine. */
	g_free(sandbox_commit(sb, "one", "a", "a\n", NULL));
	sandbox_run(sb, "config", "core.repositoryformatversion", "1", NULL);
	sandbox_run(sb, "config", "extensions.objectFormat", "sha1", NULL);
	r = repo_open(sb->dir, NULL);
	assert_non_null(r);
	repo_free(r);
	sandbox_append(sb, ".git/config", "[extensions]\n\trefStorage = reftable\n");
	opens_not(sb->dir, "tree '%s' has storage of refs of the kind 'reftable', respin "
			   "reads only 'files': use a plain clone");
}

static void test_sha256(void **state)
{
	struct sandbox *other = sandbox_new_with("--object-format=sha256");

	g_free(sandbox_commit(other, "one", "a", "a\n", NULL));
	opens_not(other->dir, "tree '%s' has object ids of the kind 'sha256', respin reads "
			      "only 'sha1': use a plain clone");
	sandbox_free(other);
}

static void resolves_not(struct repo *r, const char *rev, const char *want)
{
	GError *error = NULL;

	assert_null(repo_resolve(r, rev, &error));
	assert_string_equal(error->message, want);
	g_error_free(error);
}

static void test_resolve(void **state)
{
	g_autofree char *a = sandbox_commit(sb, "one", "mm/a.c", "a\n", NULL);
	g_autofree char *b = sandbox_commit(sb, "two", "mm/a.c", "b\n", NULL);
	g_autofree char *tree = sandbox_git(sb, "rev-parse", "HEAD^{tree}", NULL);
	g_autofree char *got = NULL, *got2 = NULL, *got3 = NULL, *got4 = NULL;
	g_autofree char *want = g_strdup_printf("no revision 'v9' in '%s'", sb->dir);
	g_autofree char *want2 = g_strdup_printf("revision 'HEAD:mm' in '%s' is not a commit",
						 sb->dir);
	struct repo *r;

	sandbox_run(sb, "tag", "-a", "-m", "t", "v1", NULL);
	r = repo_open(sb->dir, NULL);
	got = repo_resolve(r, "HEAD", NULL);
	assert_string_equal(got, b);
	got2 = repo_resolve(r, "HEAD~1", NULL);
	assert_string_equal(got2, a);
	got3 = repo_resolve(r, "v1", NULL);
	assert_string_equal(got3, b);
	resolves_not(r, "v9", want);
	resolves_not(r, "HEAD:mm", want2);
	got4 = repo_tree_of(r, b, NULL);
	assert_string_equal(got4, tree);
	assert_false(repo_is_kernel(r, b));
	repo_free(r);
}

static void test_has(void **state)
{
	g_autofree char *a = sandbox_commit(sb, "one", "mm/a.c", "a\n", NULL);
	g_autofree char *blob = sandbox_git(sb, "rev-parse", "HEAD:mm/a.c", NULL);
	g_autofree char *subject = NULL;
	struct repo *r = repo_open(sb->dir, NULL);
	g_autoptr(GBytes) bytes = repo_blob(r, a, "mm/a.c");

	assert_true(repo_has(r, a));
	blob[12] = 0;
	assert_true(repo_has(r, blob));
	blob[0] = blob[0] == '0' ? '1' : '0';
	assert_false(repo_has(r, blob));
	assert_false(repo_has(r, "123"));
	assert_false(repo_has(r, "no hex"));
	assert_int_equal(g_bytes_get_size(bytes), 2);
	assert_memory_equal(g_bytes_get_data(bytes, NULL), "a\n", 2);
	assert_null(repo_blob(r, a, "mm/b.c"));
	assert_null(repo_blob(r, a, "mm"));
	subject = repo_subject(r, a);
	assert_string_equal(subject, "one");
	repo_free(r);
}

static int collect(const char *path, const char *blob, unsigned int mode,
		   void *data)
{
	g_string_append_printf(data, "%s %.4s %o\n", path, blob, mode);
	return 0;
}

static void test_walk(void **state)
{
	g_autofree char *a = sandbox_commit(sb, "one", "mm/a.c", "a\n", "z", "", NULL);
	g_autoptr(GString) got = g_string_new(NULL);
	struct repo *r = repo_open(sb->dir, NULL);

	assert_int_equal(repo_walk(r, a, collect, got, NULL), 0);
	assert_string_equal(got->str, "mm/a.c 7898 100644\nz e69d 100644\n");
	repo_free(r);
}

static void test_diff(void **state)
{
	const char *text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
	g_autofree char *a = sandbox_commit(sb, "one", "a", text, "gone", "x\n", NULL);
	g_autofree char *b = NULL;
	struct file_diff *f;
	struct hunk *h;
	struct repo *r;
	struct diff *d;

	sandbox_run(sb, "mv", "a", "b", NULL);
	sandbox_run(sb, "rm", "-q", "gone", NULL);
	/* The user's settings must not change what is read. */
	sandbox_run(sb, "config", "diff.noprefix", "true", NULL);
	sandbox_run(sb, "config", "diff.context", "9", NULL);
	b = sandbox_commit(sb, "two", "b", "1\n2\n3\nX\n5\n6\n7\n8\n9\n", "new", "", NULL);
	r = repo_open(sb->dir, NULL);
	d = repo_diff(r, a, b, NULL);
	assert_non_null(d);
	assert_int_equal(d->files->len, 3);
	f = d->files->pdata[0];
	assert_true(f->is_rename);
	assert_string_equal(f->old_path, "a");
	assert_string_equal(f->new_path, "b");
	assert_int_equal(f->hunks->len, 1);
	h = f->hunks->pdata[0];
	assert_int_equal(h->old_start, 4);
	assert_int_equal(h->lines->len, 2);
	f = d->files->pdata[1];
	assert_string_equal(f->old_path, "gone");
	assert_null(f->new_path);
	f = d->files->pdata[2];
	assert_string_equal(f->new_path, "new");
	assert_null(f->old_path);
	diff_free(d);
	d = repo_diff(r, a, a, NULL);
	assert_int_equal(d->files->len, 0);
	diff_free(d);
	repo_free(r);
}

static void test_ref(void **state)
{
	g_autofree char *a = sandbox_commit(sb, "one", "a", "a\n", NULL);
	g_autofree char *got = NULL;
	GError *error = NULL;
	struct repo *r = repo_open(sb->dir, NULL);

	assert_int_equal(repo_set_ref(r, "x/1", a, NULL), 0);
	assert_int_equal(repo_set_ref(r, "x/1", a, NULL), 0);
	got = sandbox_git(sb, "rev-parse", "refs/respin/x/1", NULL);
	assert_string_equal(got, a);
	assert_int_equal(repo_set_ref(r, "x..y", a, &error), -1);
	assert_non_null(error);
	g_error_free(error);
	repo_free(r);
}

static void on_changed(const char *path, bool both, void *data)
{
	g_string_append_printf(data, "%s%s\n", both ? "" : "! ", path);
}

/* A rename is a file that went and one that came; modes count. */
static void test_changed(void **state)
{
	g_autofree char *a = sandbox_commit(sb, "one", "mm/a.c", "a\n", "mm/b.c",
		"b\n", "lib/c.c", "same\n", "old.sh", "x\n", NULL);
	g_autofree char *b = NULL, *tree = NULL;
	g_autofree char *script = g_build_filename(sb->dir, "old.sh", NULL);
	g_autoptr(GString) got = g_string_new(NULL);
	g_autoptr(GError) err = NULL;
	struct repo *r = repo_open(sb->dir, NULL);

	sandbox_run(sb, "mv", "mm/b.c", "mm/c.c", NULL);
	g_chmod(script, 0755);
	b = sandbox_commit(sb, "two", "mm/a.c", "other\n", "new", "", NULL);
	tree = repo_tree_of(r, b, NULL);
	assert_int_equal(repo_changed(r, a, tree, on_changed, got, NULL), 0);
	assert_string_equal(got->str, "mm/a.c\n! mm/b.c\n! mm/c.c\n! new\nold.sh\n");

	g_string_truncate(got, 0);
	assert_int_equal(repo_changed(r, b, tree, on_changed, got, NULL), 0);
	assert_string_equal(got->str, "");
	assert_int_equal(repo_changed(r, "0123456789012345678901234567890123456789",
				      tree, on_changed, got, &err), -1);
	assert_true(g_error_matches(err, RESPIN_ERROR, RESPIN_ERROR_TREE));
	repo_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_open, setup, teardown),
		cmocka_unit_test_setup_teardown(test_open_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_extensions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_formats, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sha256, setup, teardown),
		cmocka_unit_test_setup_teardown(test_resolve, setup, teardown),
		cmocka_unit_test_setup_teardown(test_has, setup, teardown),
		cmocka_unit_test_setup_teardown(test_walk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_diff, setup, teardown),
		cmocka_unit_test_setup_teardown(test_changed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_ref, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
