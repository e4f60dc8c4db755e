// SPDX-License-Identifier: GPL-2.0
/*
 * What the oracle test (ci/t/0200) cannot see: messages, commits, refs, how a
 * patch was applied.  That the trees are those of git am is tested there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <sys/stat.h>
#include "apply.h"
#include "t/sandbox-repo.h"

#define T10 "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"

static struct sandbox *sb;
static struct repo *repo;
static char *base;
static bool keep_cr;

static int setup(void **state)
{
	sb = sandbox_new();
	base = sandbox_commit(sb, "base", "mm/a.c", T10, "mm/b.c", T10, NULL);
	repo = repo_open(sb->dir, NULL);
	return 0;
}

static int teardown(void **state)
{
	repo_free(repo);
	sandbox_free(sb);
	g_free(base);
	return 0;
}

static void add(struct series *s, const char *subject, const char *diff)
{
	struct patch *p = patch_new();

	p->n = ++s->total;
	p->subject = g_strdup(subject);
	p->author_name = g_strdup("J\303\266rg");
	p->author_email = g_strdup("j@example.com");
	p->date = 1700000000;
	p->date_offset = 330;
	p->message = g_strdup_printf("%s\n\nBody.\n", subject);
	p->diff = g_bytes_new(diff, strlen(diff));
	p->source = g_strdup("test");
	g_ptr_array_add(s->patches, p);
}

static struct steps *apply(struct series *s, unsigned int fuzz, const char *name,
			   GError **error)
{
	struct apply_options o = { .fuzz = fuzz, .keep_cr = keep_cr };

	return apply_series(repo, s, base, &o, name, error);
}

/* One patch; "how moved: notes" or the error. */
static char *apply_one(const char *diff, unsigned int fuzz)
{
	g_autoptr(series_t) s = series_new();
	g_autoptr(GError) error = NULL;
	struct steps *st;
	struct step *step;
	GString *out;
	guint i;

	add(s, "subject", diff);
	st = apply(s, fuzz, NULL, &error);
	if (!st)
		return g_strdup(error->message);
	step = st->steps->pdata[1];
	out = g_string_new(NULL);
	g_string_printf(out, "%s %d", apply_how_name(step->how), step->moved);
	for (i = 0; i < step->notes->len; i++)
		g_string_append_printf(out, ": %s", (char *)step->notes->pdata[i]);
	steps_free(st);
	return g_string_free(out, FALSE);
}

#define EDIT(file, line) "diff --git a/" file " b/" file "\n" line \
	"--- a/" file "\n+++ b/" file "\n"
#define CHANGE_5 "@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n"

static const struct {
	const char *diff;
	unsigned int fuzz;
	const char *want;
} cases[] = {
	{ EDIT("mm/a.c", "") CHANGE_5, 0, "exact 0" },
	{ EDIT("mm/a.c", "") "@@ -5,5 +5,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n", 0,
	  "moved -2" },
	{ EDIT("mm/a.c", "") "@@ -3,5 +3,5 @@\n 3\n X\n-5\n+five\n 6\n 7\n", 0,
	  "patch 1/1 'subject' does not apply: mm/a.c: hunk 1 at line 4: the patch has 'X', "
	  "the tree has '4'; no 3-way merge: the patch does not say the blob of mm/a.c" },
	{ EDIT("mm/a.c", "") "@@ -3,5 +3,5 @@\n 3\n X\n-5\n+five\n 6\n 7\n", 2,
	  "fuzz 0: applied with fuzz 2" },
	{ EDIT("mm/a.c", "index 123456789012..234567890123 100644\n")
	  "@@ -3,5 +3,5 @@\n 3\n X\n-5\n+five\n 6\n 7\n", 0,
	  "patch 1/1 'subject' does not apply: mm/a.c: hunk 1 at line 4: the patch has 'X', "
	  "the tree has '4'; no 3-way merge: blob 123456789012 of mm/a.c is not in the "
	  "repository" },
	{ EDIT("mm/none.c", "") CHANGE_5, 0,
	  "patch 1/1 'subject' does not apply: mm/none.c: is not in the tree; no 3-way "
	  "merge: the patch does not say the blob of mm/none.c" },
	{ "diff --git a/mm/a.c b/mm/a.c\nnew file mode 100644\n"
	  "--- /dev/null\n+++ b/mm/a.c\n@@ -0,0 +1 @@\n+x\n", 0,
	  "patch 1/1 'subject' does not apply: mm/a.c: already is in the tree; 3-way merge: "
	  "conflict in mm/a.c" },
	{ "diff --git a/mm/a.c/x b/mm/a.c/x\nnew file mode 100644\n", 0,
	  "patch 1/1 'subject' does not apply: mm/a.c/x: a file stands where its directory "
	  "should be" },
	{ "diff --git a/mm b/mm\nnew file mode 100644\n", 0,
	  "patch 1/1 'subject' does not apply: mm: a directory stands there" },
	{ EDIT("mm/a.c", "deleted file mode 100644\n"), 0,
	  "patch 1/1 'subject' does not apply: mm/a.c: the patch deletes it, but the tree's "
	  "has more in it; no 3-way merge: the patch does not fit the blobs of its index "
	  "lines" },
	{ EDIT("mm/a.c", "old mode 120000\nnew mode 100644\n"), 0,
	  "patch 1/1 'subject' does not apply: mm/a.c: is of another type (mode 100644, the "
	  "patch says 120000); no 3-way merge: the patch does not fit the blobs of its index "
	  "lines" },
	{ "text only\n", 0, "patch 1/1 'subject' has no diff in it" },
	{ EDIT("mm/a.c", "") "@@ -3,5 +3,5 @@\n 3\n", 0,
	  "patch 1/1 'subject': line 4 of the diff: the hunk is cut off, 4 of 5 lines are "
	  "missing" },
	{ "--- a/mm/new.c\n+++ b/mm/new.c\n@@ -0,0 +1 @@\n+x\n", 0, "exact 0" },
	{ "diff --git a/mm/a.c b/mm/a.c\nold mode 100644\nnew mode 100755\n", 0,
	  "exact 0" },
};

static void test_cases(void **state)
{
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = apply_one(cases[i].diff, cases[i].fuzz);

		assert_string_equal(got, cases[i].want);
	}
}

static void test_commits(void **state)
{
	g_autoptr(series_t) s = series_new();
	g_autofree char *log = NULL, *log2 = NULL, *text = NULL, *raw = NULL;
	g_autofree char *status = NULL;
	struct steps *st, *again;
	struct step *step;

	add(s, "first", EDIT("mm/a.c", "") CHANGE_5);
	add(s, "second", EDIT("mm/a.c", "") "@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n");
	st = apply(s, 0, "x", NULL);
	assert_non_null(st);
	assert_int_equal(st->steps->len, 3);
	log = sandbox_git(sb, "log", "--format=%an|%ae|%ai|%cn|%ce|%ci|%s|%b",
			  "refs/respin/x/0..refs/respin/x/2", NULL);
	assert_string_equal(log,
		"J\303\266rg|j@example.com|2023-11-15 03:43:20 "
		"+0530|respin|respin@localhost|2023-11-15 03:43:20 +0530|second|Body.\n\n"
		"J\303\266rg|j@example.com|2023-11-15 03:43:20 "
		"+0530|respin|respin@localhost|2023-11-15 03:43:20 +0530|first|Body.");
	text = sandbox_git(sb, "show", "refs/respin/x/2:mm/a.c", NULL);
	assert_string_equal(text, "1\ntwo\n3\n4\nfive\n6\n7\n8\n9\n10");
	/* The same again gives the same ids, and a shorter one no old refs. */
	again = apply(s, 0, "x", NULL);
	step = st->steps->pdata[2];
	assert_string_equal(((struct step *)again->steps->pdata[2])->commit,
			    step->commit);
	steps_free(again);
	g_ptr_array_set_size(s->patches, 1);
	again = apply(s, 0, "x", NULL);
	log2 = sandbox_git(sb, "for-each-ref", "--format=%(refname)", NULL);
	assert_string_equal(log2, "refs/heads/main\nrefs/respin/x/0\nrefs/respin/x/1");
	steps_free(again);
	steps_free(st);
	status = sandbox_git(sb, "status", "--porcelain", NULL);
	assert_string_equal(status, "");
}

/* mm/a.c changes after the patch was made: 3-way, and who is to blame. */
static void test_history(void **state)
{
	g_autofree char *conflict = NULL, *merged = NULL, *want = NULL;
	g_autofree char *blob = sandbox_git(sb, "rev-parse", "--short=12",
					    "HEAD:mm/a.c", NULL);
	g_autofree char *near = NULL, *same = NULL;

	near = g_strdup_printf(EDIT("mm/a.c", "index %s..123456789012 100644\n")
			       CHANGE_5, blob);
	g_free(base);
	base = sandbox_commit(sb, "mm: three", "mm/a.c",
			      "1\n2\nthree\n4\n5\n6\n7\n8\n9\n10\n", NULL);
	g_free(sandbox_commit(sb, "other", "mm/b.c", "x\n", NULL));
	merged = apply_one(near, 0);
	assert_string_equal(merged, "3-way 0");
	g_free(base);
	base = sandbox_commit(sb, "mm: cinq", "mm/a.c",
			      "1\n2\n3\n4\ncinq\n6\n7\n8\n9\n10\n", NULL);
	want = g_strdup_printf("patch 1/1 'subject' does not apply: mm/a.c: hunk 1 at line "
			       "5: the patch has '5', the tree has 'cinq'; 3-way merge: "
			       "conflict in mm/a.c; mm/a.c was last changed by %.12s ('mm: "
			       "cinq')",
			       base);
	conflict = apply_one(near, 0);
	assert_string_equal(conflict, want);
	g_free(base);
	base = sandbox_commit(sb, "mm: done", "mm/a.c",
			      "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n", NULL);
	same = apply_one(near, 0);
	assert_string_equal(same, "3-way 0: changes nothing: it is in the tree already");
}

/* Lines @from to @to; of those by @other one says something else. */
static char *lines(unsigned int from, unsigned int to, unsigned int other)
{
	GString *s = g_string_new(NULL);

	for (unsigned int i = from; i <= to; i++)
		g_string_append_printf(s, "%s number %u of the text\n",
				       i == other ? "changed" : "line", i);
	return g_string_free(s, FALSE);
}

/* Where mm/long.c of @from went when @to was made; the patch changes line 30. */
static char *follow(const char *from, const char *to)
{
	g_autofree char *spec = g_strconcat(from, ":mm/long.c", NULL);
	g_autofree char *blob = sandbox_git(sb, "rev-parse", spec, NULL);
	g_autofree char *before = lines(29, 29, 0), *after = lines(31, 31, 0);
	g_autofree char *was = lines(30, 30, 0), *is = lines(30, 30, 30);
	g_autofree char *diff = g_strdup_printf(
		EDIT("mm/long.c", "index %s..123456789012 100644\n")
		"@@ -29,3 +29,3 @@\n %s-%s+%s %s", blob, before, was, is, after);
	g_autoptr(series_t) s = series_new();
	g_autoptr(GError) error = NULL;
	struct steps *st;

	g_free(base);
	base = g_strdup(to);
	add(s, "subject", diff);
	st = apply(s, 0, "f", &error);
	if (!st)
		return g_strdup(error->message);
	steps_free(st);
	return sandbox_git(sb, "diff", "--name-only", to, "refs/respin/f/1", NULL);
}

static void test_renamed(void **state)
{
	g_autofree char *text = lines(1, 60, 0), *edited = lines(1, 60, 5);
	g_autofree char *most = lines(1, 60, 59), *none = lines(100, 160, 0);
	g_autofree char *old = sandbox_commit(sb, "long", "mm/long.c", text,
					      "mm/near.c", none, NULL);
	g_autofree char *name = NULL, *same = NULL, *gone = NULL;
	g_autofree char *to_name = NULL, *to_same = NULL, *to_none = NULL;

	sandbox_run(sb, "rm", "-q", "mm/long.c", NULL);
	gone = sandbox_commit(sb, "gone", "mm/c.c", "x\n", NULL);
	to_none = follow(old, gone);
	assert_true(g_str_has_prefix(to_none, "patch 1/1 'subject' does not apply: "
				     "mm/long.c: is not in the tree; 3-way merge: "
				     "conflict in mm/long.c"));
	/* Both are like it: the only file of its name is taken. */
	name = sandbox_commit(sb, "name", "lib/long.c", edited, "mm/most.c",
			      most, NULL);
	to_name = follow(old, name);
	assert_string_equal(to_name, "lib/long.c");
	sandbox_run(sb, "rm", "-q", "lib/long.c", "mm/most.c", NULL);
	same = sandbox_commit(sb, "same", "lib/same.c", text, "mm/most.c", most,
			      NULL);
	to_same = follow(old, same);
	assert_string_equal(to_same, "lib/same.c");
}

static void test_crlf(void **state)
{
	static const char edit[] = EDIT("mm/a.c", "")
		"@@ -1,5 +1,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n";
	static const char kept[] = EDIT("mm/a.c", "")
		"@@ -1,5 +1,5 @@\n 3\r\n 4\r\n-5\r\n+five\r\n 6\r\n 7\r\n";
	g_autofree char *got = NULL, *not = NULL, *exact = NULL;

	g_free(base);
	base = sandbox_commit(sb, "dos", "mm/a.c",
			      "3\r\n4\r\n5\r\n6\r\n7\r\n", NULL);
	got = apply_one(edit, 0);
	assert_string_equal(got, "exact 0: mm/a.c: CRLF line ends restored, which the mail "
				 "had lost (git am needs --keep-cr)");
	keep_cr = true;
	not = apply_one(edit, 0);
	exact = apply_one(kept, 0);
	keep_cr = false;
	assert_true(g_str_has_prefix(not, "patch 1/1 'subject' does not apply: mm/a.c: "
				     "hunk 1 at line 1: "));
	assert_string_equal(exact, "exact 0");
}

static void range_fails(const char *range, const char *want)
{
	GError *error = NULL;
	struct series *s;
	struct steps *st;

	assert_int_equal(range_read(repo, range, &s, &st, &error), -1);
	assert_string_equal(error->message, want);
	g_error_free(error);
}

static void test_range(void **state)
{
	g_autofree char *one = sandbox_commit(sb, "one", "x", "1\n", NULL);
	g_autofree char *two = sandbox_commit(sb, "two", "x", "2\n", NULL);
	g_autofree char *root = g_strdup_printf("commit %.12s ('base') has no parent: a "
						"series is a line of commits with one parent "
						"each",
						base);
	g_autofree char *merge = NULL, *merges = NULL;
	struct series *s;
	struct steps *st;
	struct patch *p;

	assert_int_equal(range_read(repo, "HEAD~2..HEAD", &s, &st, NULL), 0);
	assert_int_equal(s->total, 2);
	assert_int_equal(s->patches->len, 2);
	assert_string_equal(s->subject, "one");
	p = s->patches->pdata[1];
	assert_int_equal(p->n, 2);
	assert_string_equal(p->subject, "two");
	assert_string_equal(p->message, "two\n");
	assert_string_equal(p->commit, two);
	assert_int_equal(p->date_offset, 60);
	assert_int_equal(st->steps->len, 3);
	assert_string_equal(((struct step *)st->steps->pdata[0])->commit, base);
	assert_string_equal(((struct step *)st->steps->pdata[1])->commit, one);
	steps_free(st);
	series_free(s);
	assert_int_equal(range_read(repo, "HEAD", &s, &st, NULL), 0);
	assert_int_equal(s->patches->len, 1);
	assert_string_equal(((struct step *)st->steps->pdata[0])->commit, one);
	steps_free(st);
	series_free(s);
	range_fails("HEAD..HEAD", "range 'HEAD..HEAD' has no commit in it");
	range_fails("HEAD...main", "range 'HEAD...main' has two ends: write A..B");
	range_fails(base, root);
	sandbox_run(sb, "checkout", "-q", "-b", "side", "HEAD~1", NULL);
	g_free(sandbox_commit(sb, "side", "y", "1\n", NULL));
	sandbox_run(sb, "merge", "-q", "-m", "merge", "main", NULL);
	merge = sandbox_git(sb, "rev-parse", "HEAD", NULL);
	merges = g_strdup_printf("commit %.12s ('merge') is a merge: a series is a line of "
				 "commits with one parent each",
				 merge);
	range_fails("HEAD", merges);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_cases, setup, teardown),
		cmocka_unit_test_setup_teardown(test_commits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_history, setup, teardown),
		cmocka_unit_test_setup_teardown(test_renamed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_crlf, setup, teardown),
		cmocka_unit_test_setup_teardown(test_range, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
