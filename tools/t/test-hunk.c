// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "diff.h"
#include "hunk.h"

#define A "a\nb\nc\nd\ne\nf\ng\nh\n"
#define HEAD "--- a/x\n+++ b/x\n"
#define MID HEAD "@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n"

static const struct {
	const char *diff, *old;
	unsigned int fuzz;
	const char *want;	/* NULL: does not fit, miss says: */
	int moved;
	const char *miss;	/* "hunk line want | have" */
} cases[] = {
	{ MID, A, 0, "a\nb\nC\nd\ne\nf\ng\nh\n", 0 },
	{ MID, "0\n1\n" A, 0, "0\n1\na\nb\nC\nd\ne\nf\ng\nh\n", 2 },
	{ MID, "b\nc\nd\ne\n", 0, "b\nC\nd\ne\n", -1 },
	/* Two places, equally near: the later one, as in git. */
	{ HEAD "@@ -3,2 +3,2 @@\n b\n-c\n+C\n", "x\nb\nc\nx\n", 0, NULL, 0,
	  "1 4 the end of the file | 'x'" },
	{ HEAD "@@ -4,3 +4,3 @@\n b\n-c\n+C\n d\n", "0\nb\nc\nd\nb\nc\nd\n1\n", 0,
	  "0\nb\nc\nd\nb\nC\nd\n1\n", 1 },
	/* Without context behind: only at the end. */
	{ HEAD "@@ -7,2 +7,3 @@\n g\n h\n+i\n", A, 0,
	  "a\nb\nc\nd\ne\nf\ng\nh\ni\n", 0 },
	{ HEAD "@@ -7,2 +7,3 @@\n g\n h\n+i\n", A "z\n", 0, NULL, 0,
	  "1 9 the end of the file | 'z'" },
	/* A hunk of line 1: only at the start. */
	{ HEAD "@@ -1,2 +1,3 @@\n+0\n a\n b\n", A, 0,
	  "0\na\nb\nc\nd\ne\nf\ng\nh\n", 0 },
	{ HEAD "@@ -1,2 +1,3 @@\n+0\n a\n b\n", "z\n" A, 0, NULL, 0,
	  "1 1 the start of the file | 'z'" },
	/* The second hunk is counted in the post-image. */
	{ HEAD "@@ -1,2 +1,4 @@\n-a\n+1\n+2\n+3\n b\n@@ -6,3 +8,2 @@\n f\n-g\n h\n",
	  A, 0, "1\n2\n3\nb\nc\nd\ne\nf\nh\n", 0 },
	/* Hunks must not overlap. */
	{ HEAD "@@ -2,2 +2,2 @@\n-b\n+b\n c\n@@ -3,2 +3,2 @@\n c\n-d\n+D\n e\n", A,
	  0, NULL, 0, NULL },
	{ MID, "a\nb\nX\nd\n", 0, NULL, 0, "1 3 'c' | 'X'" },
	{ MID, "a\nb\nc\n", 0, NULL, 0, "1 4 'd' | the end of the file" },
	{ MID, "", 0, NULL, 0, "1 1 'b' | the end of the file" },
	{ MID, "a\r\nb\r\nc\r\nd\r\ne\r\n", 0, NULL, 0,
	  "1 2 'b' (ends in LF) | 'b' (ends in CRLF)" },
	/* A new file, a file emptied, no newline at the end. */
	{ "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n", "", 0, "a\nb\n", 0 },
	{ "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "a\nb\n", 0, "", 0 },
	{ "--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", "a\nb\nc\n", 0,
	  NULL, 0, "1 3 the end of the file | 'c'" },
	{ HEAD "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a", 0, "a\n", 0 },
	{ HEAD "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", "a\n", 0, "a", 0 },
	{ HEAD "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n", "a\n", 0,
	  NULL, 0, "1 1 'a' (ends in no newline) | 'a' (ends in LF)" },
	/* Fuzz: one context line differs; never a changed one. */
	{ MID, "a\nX\nc\nd\ne\n", 0, NULL, 0, "1 2 'b' | 'X'" },
	{ MID, "a\nX\nc\nd\ne\n", 1, "a\nX\nC\nd\ne\n", 0 },
	{ MID, "a\nX\nY\nd\ne\n", 2, NULL, 0, NULL },
	{ HEAD "@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e\n", "a\nX\nc\nd\ne\n", 1,
	  NULL, 0, NULL },
	{ HEAD "@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e\n", "a\nX\nc\nd\ne\n", 2,
	  "a\nX\nC\nd\ne\n", 0 },
	/* The longer side first, as in patch(1). */
	{ HEAD "@@ -2,3 +2,4 @@\n b\n c\n+C\n d\n", "a\nb\nc\nX\n", 1,
	  NULL, 0, NULL },
	{ HEAD "@@ -2,3 +2,4 @@\n b\n c\n+C\n d\n", "a\nb\nc\nX\n", 2,
	  "a\nb\nc\nC\nX\n", 0 },
};

static struct diff *parse(const char *text)
{
	GBytes *b = g_bytes_new(text, strlen(text));
	struct diff *d = diff_parse(b, NULL);

	g_bytes_unref(b);
	return d;
}

static void check(gsize i)
{
	struct diff *d = parse(cases[i].diff);
	GBytes *old = g_bytes_new(cases[i].old, strlen(cases[i].old)), *got;
	struct hunk_miss miss;
	int moved = 0;

	assert_non_null(d);
	got = hunk_apply(d->files->pdata[0], old, cases[i].fuzz, &moved, &miss);
	if (cases[i].want) {
		assert_non_null(got);
		assert_int_equal(g_bytes_get_size(got), strlen(cases[i].want));
		assert_memory_equal(g_bytes_get_data(got, NULL) ?
				    g_bytes_get_data(got, NULL) : "",
				    cases[i].want, strlen(cases[i].want));
		assert_int_equal(moved, cases[i].moved);
		assert_int_equal(miss.hunk, 0);
		g_bytes_unref(got);
	} else {
		g_autofree char *said = g_strdup_printf("%u %u %s | %s", miss.hunk,
							miss.line, miss.want,
							miss.have);

		assert_null(got);
		if (cases[i].miss)
			assert_string_equal(said, cases[i].miss);
	}
	hunk_miss_clear(&miss);
	g_bytes_unref(old);
	diff_free(d);
}

static void test_cases(void **state)
{
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(cases); i++)
		check(i);
}

/* The line of a miss is that of the pre-image, whatever hunks came before. */
static void test_miss_line(void **state)
{
	struct diff *d = parse(HEAD "@@ -1,2 +1,4 @@\n-a\n+1\n+2\n+3\n b\n"
			       "@@ -6,3 +8,2 @@\n f\n-G\n h\n");
	GBytes *old = g_bytes_new(A, strlen(A));
	struct hunk_miss miss;

	assert_null(hunk_apply(d->files->pdata[0], old, 0, NULL, &miss));
	assert_int_equal(miss.hunk, 2);
	assert_int_equal(miss.line, 7);
	assert_string_equal(miss.want, "'G'");
	assert_string_equal(miss.have, "'g'");
	hunk_miss_clear(&miss);
	g_bytes_unref(old);
	diff_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_miss_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
