// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib/gstdio.h>

#include "error.h"
#include "mbox.h"

#define FROM "From jd@example.org Tue Apr 16 11:34:55 2024\n"

static void test_from_line(void **state)
{
	static const struct {
		const char *line;
		bool is;
	} cases[] = {
		{ "From mboxrd@z Thu Jan  1 00:00:00 1970\n", true },
		{ "From mboxrd@z Thu Jan  1 00:00:00 90\n", false },
		{ "From 0123 Mon Sep 17 00:00:00 2001\n", true },
		{ "From x Mon Sep 17 00:00:00 2001 +0200\n", true },
		{ "From x Mon Sep 17 00:00:00 99\n", true },
		{ "From x Mon Sep 17 00:00 2001\n", true },
		{ "From x Mon Sep 17 2001\n", false },
		{ "From now on this does not split\n", false },
		{ "From 12:34:56 on it is 2020: late\n", false },
		{ "From the sea at 12:34:56 2020\n", true },
		{ ">From x Mon Sep 17 00:00:00 2001\n", false },
		{ "from x Mon Sep 17 00:00:00 2001\n", false },
		{ "From :::::::::::::::::::", false },
		{ "From 00:00:00 2001\n", false },
		{ "From ", false },
		{ "", false },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		if (mbox_is_from_line(cases[i].line, strlen(cases[i].line)) !=
		    cases[i].is)
			fail_msg("wrong for '%s'", cases[i].line);
}

/* "source|bytes" of each mail, joined by "%%". */
static char *render(const GPtrArray *mails)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < mails->len; i++) {
		const struct mbox_mail *m = mails->pdata[i];
		gsize len;
		const char *data = g_bytes_get_data(m->bytes, &len);

		g_string_append_printf(out, "%s%s|", i ? "%%" : "", m->source);
		g_string_append_len(out, data, len);
	}
	return g_string_free(out, FALSE);
}

static void split(const char *in, const char *want)
{
	g_autoptr(GBytes) text = g_bytes_new_static(in, strlen(in));
	g_autoptr(GPtrArray) mails = mbox_new();
	g_autoptr(GError) error = NULL;
	g_autofree char *got = NULL;

	mbox_split(text, "x", mails, &error);
	if (error)
		assert_true(g_error_matches(error, RESPIN_ERROR,
					    RESPIN_ERROR_INPUT));
	got = error ? g_strdup(error->message) : render(mails);
	assert_string_equal(got, want);
}

static void test_split(void **state)
{
	split(FROM "A: 1\n\nFrom now on\n" FROM "B: 2\n\n",
	      "x (mail 1)|" FROM "A: 1\n\nFrom now on\n"
	      "%%x (mail 2)|" FROM "B: 2\n\n");
	split(FROM "A: 1\n\nb\n", "x|" FROM "A: 1\n\nb\n");
	split("A: 1\n\nbody", "x|A: 1\n\nbody");
	split("\n \nA: 1\r\n\r\nbody\r\n\r\r\n",
	      "x|A: 1\r\n\r\nbody\r\n\r\r\n");
	split(FROM "A: 1\n\n>From x\n>" FROM,
	      "x|" FROM "A: 1\n\n>From x\n>" FROM);
}

static void test_drop_cr(void **state)
{
	static const char in[] = FROM "A: 1\r\n\r\nb\rc\r\n\r\r\n\r" FROM "B: 2\n\n";
	g_autoptr(GBytes) text = g_bytes_new_static(in, strlen(in));
	g_autoptr(GPtrArray) mails = mbox_new();
	g_autofree char *got = NULL;

	assert_int_equal(mbox_split(text, "x", mails, NULL), 0);
	mbox_drop_cr(mails);
	got = render(mails);
	assert_string_equal(got, "x|" FROM "A: 1\n\nb\rc\n\r\n\r" FROM "B: 2\n\n");
}

/* The first From line was lost, the second is there. */
static void test_split_bare(void **state)
{
	split("A: 1\n\nbody\n\n" FROM "B: 2\n\nbody\n",
	      "x (mail 1)|A: 1\n\nbody\n\n%%x (mail 2)|" FROM "B: 2\n\nbody\n");
	split("A: 1\n\nbody\n" FROM "B: 2\n\nbody\n",
	      "x|A: 1\n\nbody\n" FROM "B: 2\n\nbody\n");
	split("A: 1\n\nbody\n\n" FROM "no header\n",
	      "x|A: 1\n\nbody\n\n" FROM "no header\n");
}

static void test_no_mail(void **state)
{
	split("", "'x' is empty");
	split(" \n\n", "'x' is empty");
	split("\x1f\x8b\x08 zipped", "'x' is compressed; run gunzip on it first");
	split("diff --git a/f b/f\n--- a/f\n+++ b/f\n",
	      "'x' is a bare diff without a log message; "
	      "make the patch with git format-patch");
	split("fix it\n--- f.orig\n+++ f\n@@ -1 +1 @@\n",
	      "'x' is a bare diff without a log message; "
	      "make the patch with git format-patch");
	split("some text\n",
	      "'x' is no mail and no mbox: it begins without a header");
}

static void test_limit(void **state)
{
	GString *s = g_string_new(NULL);
	g_autoptr(GPtrArray) mails = mbox_new();
	g_autoptr(GPtrArray) more = mbox_new();
	g_autoptr(GBytes) text = NULL, text_more = NULL;
	g_autoptr(GError) error = NULL;

	for (unsigned int i = 0; i < MBOX_MAX_MAILS; i++)
		g_string_append(s, FROM "A: 1\n\n");
	text = g_bytes_new(s->str, s->len);
	g_string_append(s, FROM "A: 1\n\n");
	text_more = g_bytes_new(s->str, s->len);
	g_string_free(s, TRUE);
	assert_int_equal(mbox_split(text, "x", mails, &error), 0);
	assert_int_equal(mails->len, MBOX_MAX_MAILS);
	assert_int_equal(mbox_split(text_more, "x", more, &error), -1);
	assert_string_equal(error->message, "'x (mail 10001)': more than 10000 "
			    "mails; give only the series");
}

/* A directory for one test, with the files that it puts there. */
struct sandbox {
	char *dir;
	GPtrArray *files, *dirs;
};

static int setup(void **state)
{
	struct sandbox *s = g_new0(struct sandbox, 1);

	s->dir = g_dir_make_tmp("respin-mbox-XXXXXX", NULL);
	s->files = g_ptr_array_new_with_free_func(g_free);
	s->dirs = g_ptr_array_new_with_free_func(g_free);
	*state = s;
	return s->dir ? 0 : -1;
}

static int teardown(void **state)
{
	struct sandbox *s = *state;

	for (guint i = 0; i < s->files->len; i++)
		g_remove(s->files->pdata[i]);
	for (guint i = 0; i < s->dirs->len; i++)
		g_rmdir(s->dirs->pdata[i]);
	g_rmdir(s->dir);
	g_ptr_array_unref(s->files);
	g_ptr_array_unref(s->dirs);
	g_free(s->dir);
	g_free(s);
	return 0;
}

static void put_file(struct sandbox *s, const char *name, const char *text)
{
	char *path = g_build_filename(s->dir, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
	g_ptr_array_add(s->files, path);
}

static void put_dir(struct sandbox *s, const char *name)
{
	char *path = g_build_filename(s->dir, name, NULL);

	assert_int_equal(g_mkdir(path, 0700), 0);
	g_ptr_array_add(s->dirs, path);
}

/* Reads the directory; in what comes out its name is replaced by "DIR". */
static void read_dir(struct sandbox *s, const char *want, const char *want_out)
{
	g_autoptr(GPtrArray) mails = mbox_new();
	g_autoptr(GPtrArray) out = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GError) error = NULL;
	GString *got = g_string_new(NULL), *left = g_string_new(NULL);
	g_autofree char *text = NULL;

	mbox_read(s->dir, mails, out, &error);
	text = error ? g_strdup(error->message) : render(mails);
	g_string_append(got, text);
	g_string_replace(got, s->dir, "DIR", 0);
	for (guint i = 0; i < out->len; i++)
		g_string_append_printf(left, "%s\n", (char *)out->pdata[i]);
	g_string_replace(left, s->dir, "DIR", 0);
	assert_string_equal(got->str, want);
	assert_string_equal(left->str, want_out);
	g_string_free(got, TRUE);
	g_string_free(left, TRUE);
}

static void test_dir(void **state)
{
	put_file(*state, "b $(ls) 'x'.patch", "B: 2\n\n");
	put_file(*state, "a\nb.eml", "A: 1\n\n");
	put_file(*state, "README", "just text\n");
	put_file(*state, ".hidden", "H: 1\n\n");
	put_dir(*state, "sub");
	read_dir(*state, "DIR/a\nb.eml|A: 1\n\n"
		 "%%DIR/b $(ls) 'x'.patch|B: 2\n\n",
		 "'DIR/README' is no mail and no mbox: it begins without a "
		 "header\n'DIR/sub' is a directory in a directory\n");
}

/* A stray text does no harm, a patch that cannot be read does. */
static void test_dir_bare_diff(void **state)
{
	put_file(*state, "a.patch", "A: 1\n\n");
	put_file(*state, "b.patch", "diff --git a/f b/f\n");
	read_dir(*state, "'DIR/b.patch' is a bare diff without a log message; "
		 "make the patch with git format-patch", "");
}

static void test_maildir(void **state)
{
	put_dir(*state, "cur");
	put_dir(*state, "new");
	put_dir(*state, "tmp");
	put_file(*state, "cur/1:2,S", "A: 1\n\n");
	put_file(*state, "new/2", "B: 2\n\n");
	put_file(*state, "tmp/3", "C: 3\n\n");
	read_dir(*state, "DIR/cur/1:2,S|A: 1\n\n%%DIR/new/2|B: 2\n\n", "");
}

static void test_missing(void **state)
{
	g_autoptr(GPtrArray) mails = mbox_new();
	g_autoptr(GPtrArray) out = g_ptr_array_new();
	g_autoptr(GError) error = NULL;

	assert_int_equal(mbox_read("/no/such", mails, out, &error), -1);
	assert_true(g_error_matches(error, RESPIN_ERROR, RESPIN_ERROR_IO));
	assert_string_equal(error->message,
			    "cannot open '/no/such': No such file or directory");
}

#define IN_DIR(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_from_line),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_drop_cr),
		cmocka_unit_test(test_split_bare),
		cmocka_unit_test(test_no_mail),
		cmocka_unit_test(test_limit),
		IN_DIR(test_dir),
		IN_DIR(test_dir_bare_diff),
		IN_DIR(test_maildir),
		cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
