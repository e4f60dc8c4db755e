// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "binary.h"
#include "diff.h"

static struct diff *parse(const char *text, GError **error)
{
	GBytes *b = g_bytes_new(text, strlen(text));
	struct diff *d = diff_parse(b, error);

	g_bytes_unref(b);
	return d;
}

static void dump_hunk(GString *out, const struct hunk *h)
{
	guint i;

	g_string_append_printf(out, "@%u,%u %u,%u\n", h->old_start,
			       h->old_count, h->new_start, h->new_count);
	for (i = 0; i < h->lines->len; i++) {
		struct diff_line *l = &g_array_index(h->lines, struct diff_line, i);

		g_string_append_printf(out, "%c[%.*s]%s\n", l->op,
				       (int)(l->len - !l->no_eol), l->text,
				       l->no_eol ? "!" : "");
	}
}

static char *dump(const struct diff *d)
{
	GString *out = g_string_new(NULL);
	guint i, k;

	for (i = 0; i < d->files->len; i++) {
		struct file_diff *f = d->files->pdata[i];

		g_string_append_printf(out, "%s > %s %o %o %s %s%s%s%s\n",
				       f->old_path ? f->old_path : "-",
				       f->new_path ? f->new_path : "-",
				       f->old_mode, f->new_mode,
				       f->old_blob ? f->old_blob : "-",
				       f->new_blob ? f->new_blob : "-",
				       f->is_rename ? " rename" : "",
				       f->is_copy ? " copy" : "",
				       f->is_binary ? " binary" : "");
		for (k = 0; k < f->hunks->len; k++)
			dump_hunk(out, f->hunks->pdata[k]);
	}
	return g_string_free(out, FALSE);
}

static const struct {
	const char *diff, *want;
} good[] = {
	{ "", "" },
	{ "no diff here\n-- \n2.39\n", "" },
	{ /* text before and after is passed over */
	  "---\n mm/a.c | 2 +-\n\ndiff --git a/mm/a.c b/mm/a.c\n"
	  "index 1234567..89abcde 100644\n--- a/mm/a.c\n+++ b/mm/a.c\n"
	  "@@ -1,3 +1,3 @@ int f(void)\n one\n-two\n+TWO\n\n-- \n2.39.5\n",
	  "mm/a.c > mm/a.c 100644 0 1234567 89abcde\n"
	  "@1,3 1,3\n [one]\n-[two]\n+[TWO]\n []\n" },
	{ /* a removed line that looks like a header */
	  "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- a/y\n one\n"
	  "--- a/z\n+++ b/z\n@@ -3 +3 @@\n-a\n+b\n",
	  "x > x 0 0 - -\n@1,2 1,1\n-[-- a/y]\n [one]\n"
	  "z > z 0 0 - -\n@3,1 3,1\n-[a]\n+[b]\n" },
	{ "diff --git a/n b/n\nnew file mode 100755\nindex 0000000..e69de29\n",
	  "- > n 0 100755 0000000 e69de29\n" },
	{ "diff --git a/n b/n\ndeleted file mode 100644\nindex e69de29..0000000\n"
	  "--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\\ No newline at end of file\n",
	  "n > - 100644 0 e69de29 0000000\n@1,1 0,0\n-[x]!\n" },
	{ "--- /dev/null\n+++ b/d/n\n@@ -0,0 +1 @@\n+x\n\\ Kein Zeilenumbruch\n",
	  "- > d/n 0 0 - -\n@0,0 1,1\n+[x]!\n" },
	{ "--- a/n\t1970-01-01 01:00:00.000000000 +0100\n+++ b/n\t2024-01-01\n"
	  "@@ -0,0 +1 @@\n+x\n",
	  "- > n 0 0 - -\n@0,0 1,1\n+[x]\n" },
	{ "--- a/n\t1970-01-01 01:00:00.000000000 +0000\n+++ b/n\t2024-01-01\n"
	  "@@ -0,0 +1 @@\n+x\n",
	  "n > n 0 0 - -\n@0,0 1,1\n+[x]\n" },
	{ "--- a/n.orig\n+++ b/n\n@@ -1 +1 @@\n-y\n+x\n",
	  "n > n 0 0 - -\n@1,1 1,1\n-[y]\n+[x]\n" },
	{ "--- Makefile\n+++ Makefile\n@@ -1 +1 @@\n-y\n+x\n",
	  "Makefile > Makefile 0 0 - -\n@1,1 1,1\n-[y]\n+[x]\n" },
	{ "diff --git a/a b/b c\nsimilarity index 90%\nrename from a\n"
	  "rename to b c\n",
	  "a > b c 0 0 - - rename\n" },
	{ "diff --git a/a b/b\nsimilarity index 90%\ncopy from a\ncopy to b\n"
	  "index 12..34 100644\n--- a/a\n+++ b/b\n@@ -1 +1 @@\n-y\n+x\n",
	  "a > b 100644 0 12 34 copy\n@1,1 1,1\n-[y]\n+[x]\n" },
	{ "diff --git a/a b c b/a b c\nold mode 100644\nnew mode 100755\n",
	  "a b c > a b c 100644 100755 - -\n" },
	{ "diff --git \"a/\\303\\244\\t\\\"\" \"b/\\303\\244\\t\\\"\"\n"
	  "old mode 100644\nnew mode 100755\n",
	  "\303\244\t\" > \303\244\t\" 100644 100755 - -\n" },
	{ "diff --git a/a b/a\nindex 12..34 100644\nBinary files a/a and b/a differ\n",
	  "a > a 100644 0 12 34 binary\n" },
	{ /* CRLF in header and hunk */
	  "diff --git a/a b/a\r\nindex 12..34 100644\r\n--- a/a\r\n+++ b/a\r\n"
	  "@@ -1,2 +1,2 @@\r\n x\r\n-y\r\n+z\r\n",
	  "a > a 100644 0 12 34\n@1,2 1,2\n [x\r]\n-[y\r]\n+[z\r]\n" },
};

static void test_good(void **state)
{
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(good); i++) {
		GError *error = NULL;
		struct diff *d = parse(good[i].diff, &error);
		g_autofree char *got = NULL;

		assert_null(error);
		assert_non_null(d);
		got = dump(d);
		assert_string_equal(got, good[i].want);
		diff_free(d);
	}
}

#define HEAD "--- a/x\n+++ b/x\n"
#define TRAVERSE(p) "diff --git a/x b/x\n--- a/x\n+++ b/" p "\n@@ -1 +1 @@\n-a\n+b\n"

static const struct {
	const char *diff, *want;
} bad[] = {
	{ HEAD "@@ -1,3 +1,3 @@\n a\n-b\n+c\n",
	  "line 3 of the diff: the hunk is cut off, 1 of 3 lines are missing" },
	{ HEAD "@@ -1,3 +1,3 @@\n a\n-b\n+c\nd\n",
	  "line 7 of the diff: the hunk is corrupt (a wrapped line?)" },
	{ HEAD "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d",
	  "line 7 of the diff: the hunk is corrupt (a wrapped line?)" },
	{ HEAD "@@ -1 +1 @@\n-b\n-b\n",
	  "line 5 of the diff: the hunk is corrupt (a wrapped line?)" },
	{ HEAD "@@ -1 +1 @@\n b\n",
	  "line 5 of the diff: the hunk changes nothing" },
	{ HEAD "@@ -9999999999 +1 @@\n-b\n+a\n",
	  "line 3 of the diff: the hunk's header is corrupt" },
	{ "text\n@@ -1 +1 @@\n-b\n+a\n",
	  "line 2 of the diff: a hunk without the header of a file" },
	{ "diff --git a/x b/y\nindex 1..2\n",
	  "line 1 of the diff: the header names no file" },
	{ "diff --git a/x b/x\nindex 1..2 100644\n",
	  "line 3 of the diff: the header is followed by no change" },
	{ "diff --git a/x b/y\nrename from x\nrename to y\n--- a/z\n",
	  "line 4 of the diff: contradicts the header at line 1" },
	{ "diff --git a/x b/x\nnew file mode 1\n",
	  "line 2 of the diff: contradicts the header at line 1" },
	{ "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n"
	  "@@ -1 +1 @@\n-a\n+b\n",
	  "line 8 of the diff: a new file cannot have old lines" },
	{ TRAVERSE("../x"), "line 1 of the diff: path '../x' leaves the tree" },
	{ TRAVERSE("a/./x"), "line 1 of the diff: path 'a/./x' leaves the tree" },
	{ TRAVERSE(".Git/config"),
	  "line 1 of the diff: path '.Git/config' is in a git directory" },
	{ "--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n",
	  "line 1 of the diff: path '/etc/passwd' is absolute" },
	{ "diff --git a/x b//etc/x\nrename from x\nrename to /etc/x\n",
	  "line 1 of the diff: path '/etc/x' is absolute" },
	{ "diff --git \"a/\\000\" \"b/\\000\"\nnew file mode 100644\n",
	  "line 1 of the diff: the header names no file" },
	{ "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\n?\n\n",
	  "line 5 of the diff: the binary patch is corrupt" },
	{ "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nliteral 1\n",
	  "line 5 of the diff: the binary patch is cut off" },
	{ "diff --git a/x b/x\nindex 1..2 100644\nGIT binary patch\nrandom\n",
	  "line 4 of the diff: the binary patch has no data" },
};

static void test_bad(void **state)
{
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(bad); i++) {
		GError *error = NULL;
		struct diff *d = parse(bad[i].diff, &error);

		assert_null(d);
		assert_non_null(error);
		assert_string_equal(error->message, bad[i].want);
		g_error_free(error);
	}
}

static void test_map_line(void **state)
{
	struct diff *d = parse(HEAD "@@ -3,3 +3,4 @@\n c\n-d\n+D\n+DD\n e\n"
			       "@@ -10,0 +12,2 @@\n+k\n+l\n"
			       "@@ -20,2 +23,0 @@\n-t\n-u\n", NULL);
	static const unsigned int want[] = {
		0, 1, 2, 3, 0, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20,
		21, 22, 0, 0, 23, 24,
	};
	guint i;

	assert_non_null(d);
	for (i = 1; i < G_N_ELEMENTS(want); i++)
		assert_int_equal(file_diff_map_line(d->files->pdata[0], i), want[i]);
	diff_free(d);
}

/* Both binary patches were made by git diff --binary. */
static void test_literal(void **state)
{
	static const char text[] =
		"diff --git a/b b/b\nnew file mode 100644\n"
		"index 0000000000000000000000000000000000000000"
		"..8e5da76b24d9a89e507982011ad21f4c191580f6\n"
		"GIT binary patch\nliteral 12\nTcmc~u&B@7UD9<m-N#Ozj9g+k`\n\n"
		"literal 0\nHcmV?d00001\n\n";
	GError *error = NULL;
	struct diff *d = parse(text, &error);
	GBytes *none = g_bytes_new(NULL, 0), *got;
	struct file_diff *f;

	assert_null(error);
	f = d->files->pdata[0];
	assert_true(f->is_binary && f->forward.present && !f->forward.is_delta);
	got = binary_apply(&f->forward, none);
	assert_non_null(got);
	assert_int_equal(g_bytes_get_size(got), 12);
	assert_memory_equal(g_bytes_get_data(got, NULL), "hello\0world\n", 12);
	g_bytes_unref(got);
	/* A size that is not that of the data. */
	f->forward.size = 13;
	assert_null(binary_apply(&f->forward, none));
	g_bytes_unref(none);
	diff_free(d);
}

/* "1\n" to "400\n" and a NUL; @with: "new" in the middle */
static GBytes *numbers(bool with)
{
	GString *s = g_string_new(NULL);
	int i;

	for (i = 1; i <= 400; i++)
		g_string_append_printf(s, "%d\n%s", i,
				       with && i == 200 ? "new\n" : "");
	g_string_append_c(s, 0);
	return g_string_free_to_bytes(s);
}

static void test_delta(void **state)
{
	static const char text[] =
		"diff --git a/d b/d\n"
		"index 9afa548e0455b9477922c8bfdb7647ab1b537017"
		"..c02243ccf2504036965b3805999c60ebd540a13b 100644\n"
		"GIT binary patch\n"
		"delta 16\n"
		"Xcmcc0eUp2`7AEGr)bh=nnUt6TIx+?Y\n"
		"\n"
		"delta 12\n"
		"Tcmcb~eU*E|7N*TRm=u`-B!~pO\n"
		"\n";
	struct diff *d = parse(text, NULL);
	GBytes *old = numbers(false), *new = numbers(true), *got;
	struct file_diff *f;

	assert_non_null(d);
	f = d->files->pdata[0];
	assert_true(f->is_binary && f->forward.is_delta);
	got = binary_apply(&f->forward, old);
	assert_non_null(got);
	assert_true(g_bytes_equal(got, new));
	g_bytes_unref(got);
	/* A delta fits only the file it was made of. */
	assert_null(binary_apply(&f->forward, new));
	g_bytes_unref(old);
	g_bytes_unref(new);
	diff_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_map_line),
		cmocka_unit_test(test_literal),
		cmocka_unit_test(test_delta),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
