// SPDX-License-Identifier: GPL-2.0
/*
 * series_read() over mails made here: what a series is and what is none.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib/gstdio.h>
#include <unistd.h>

#include "error.h"
#include "series.h"
#include "series-tag.h"

/* Two diffs that differ, one cut in its hunk, one quoted, none. */
#define HEAD(f) "---\n " f " | 2 +-\n 1 file changed\n\n" \
	"diff --git a/" f " b/" f "\nindex 1111111..2222222 100644\n" \
	"--- a/" f "\n+++ b/" f "\n@@ -1,2 +1,2 @@\n x\n"
#define DIFF_A HEAD("a") "-y\n+z\n-- \n2.39.5\n\n"
#define DIFF_B HEAD("b") "-y\n+w\n-- \n2.39.5\n\n"
#define CUT HEAD("a") "-y\n"
#define QUOTED "> diff --git a/a b/a\n> @@ -1,2 +1,2 @@\nNo.\n\n"
#define NONE ""

/* A mail; @id and @ref (In-Reply-To) may be NULL. */
static void add(GString *mbox, const char *subject, const char *id,
		const char *ref, const char *body)
{
	g_string_append(mbox, "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
			"From: Ada Example <ada@example.org>\n"
			"Date: Thu, 1 Jan 1970 00:00:01 +0000\n");
	g_string_append_printf(mbox, "Subject: %s\n", subject);
	if (id)
		g_string_append_printf(mbox, "Message-ID: <%s>\n", id);
	if (ref)
		g_string_append_printf(mbox, "In-Reply-To: <%s>\n", ref);
	g_string_append_printf(mbox, "\nText.\n\n%s", body);
}

static char *write_temp(const GString *text)
{
	char *path;
	int fd = g_file_open_tmp("respin-series-XXXXXX", &path, NULL);

	assert_true(fd >= 0);
	close(fd);
	assert_true(g_file_set_contents(path, text->str, text->len, NULL));
	return path;
}

static struct series *read_mbox(GString *mbox, GError **error)
{
	g_autofree char *path = write_temp(mbox);
	char *paths[] = { path, NULL };
	struct series *s = series_read(paths, false, error);

	for (guint i = 0; s && i < s->left_out->len; i++) {
		GString *line = g_string_new(s->left_out->pdata[i]);

		g_string_replace(line, path, "F", 0);
		g_free(s->left_out->pdata[i]);
		s->left_out->pdata[i] = g_string_free(line, FALSE);
	}
	if (*error) {
		GString *line = g_string_new((*error)->message);

		g_string_replace(line, path, "F", 0);
		g_free((*error)->message);
		(*error)->message = g_string_free(line, FALSE);
	}
	g_unlink(path);
	return s;
}

/* "v2 prefix|subject|cover? n:subject n:subject|left out|left out" */
static char *render(const struct series *s)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "v%u %u '%s' '%s'%s:", s->version, s->total,
			       s->prefix, s->subject, s->cover ? " cover" : "");
	for (guint i = 0; i < s->patches->len; i++) {
		const struct patch *p = s->patches->pdata[i];

		g_string_append_printf(out, " %u=%s", p->n, p->subject);
	}
	for (guint i = 0; i < s->left_out->len; i++)
		g_string_append_printf(out, "\n%s",
				       (char *)s->left_out->pdata[i]);
	return g_string_free(out, FALSE);
}

/* Reads, frees @mbox, and compares the series or the error with @want. */
static void check(GString *mbox, const char *want)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(series_t) s = read_mbox(mbox, &error);
	g_autofree char *got = s ? render(s) : g_strdup(error->message);

	g_string_free(mbox, TRUE);
	assert_true(!s == !!error);
	if (error)
		assert_true(g_error_matches(error, RESPIN_ERROR,
					    RESPIN_ERROR_INPUT));
	assert_string_equal(got, want);
}

static GString *mbox_of(const char *s1, const char *body1, const char *s2,
			const char *body2)
{
	GString *mbox = g_string_new(NULL);

	add(mbox, s1, NULL, NULL, body1);
	if (s2)
		add(mbox, s2, NULL, NULL, body2);
	return mbox;
}

static void test_whole(void **state)
{
	GString *mbox = g_string_new(NULL);

	add(mbox, "[PATCH mm-unstable v2 2/2] two", "2@x", "0@x", DIFF_B);
	add(mbox, "Re: [PATCH mm-unstable v2 1/2] one", "r@x", "1@x", DIFF_B);
	add(mbox, "[PATCH mm-unstable v2 0/2] all", "0@x", NULL, NONE);
	add(mbox, "thanks", "t@x", "0@x", NONE);
	add(mbox, "[PATCH mm-unstable v2 1/2] one", "1@x", "0@x", DIFF_A);
	check(mbox, "v2 2 'mm-unstable' 'all' cover: 1=one 2=two\n"
	      "'F (mail 2)', 'Re: [PATCH mm-unstable v2 1/2] one': a reply\n"
	      "'F (mail 4)', 'thanks': a reply without [PATCH] in its subject");
}

static void test_single(void **state)
{
	check(mbox_of("[PATCH] one", DIFF_A, NULL, NULL),
	      "v1 1 '' 'one': 1=one");
	check(mbox_of("[RFC PATCH v4] one", DIFF_A, NULL, NULL),
	      "v4 1 'RFC' 'one': 1=one");
	check(mbox_of("one without a tag", DIFF_A, NULL, NULL),
	      "v1 1 '' 'one without a tag': 1=one without a tag");
	check(mbox_of("[PATCH 1/1] one", DIFF_A, "[PATCH 0/1] all", NONE),
	      "v1 1 '' 'all' cover: 1=one");
}

static void test_missing(void **state)
{
	GString *mbox = g_string_new(NULL);

	for (int n = 0; n <= 7; n++) {
		g_autofree char *s = g_strdup_printf("[PATCH %d/7] p", n);

		if (n != 3)
			add(mbox, s, NULL, NULL, n ? DIFF_A : NONE);
	}
	check(mbox, "mbox 'F': patch 3/7 is missing; "
	      "seen: 0/7 1/7 2/7 4/7 5/7 6/7 7/7");
	check(mbox_of("[PATCH 02/3] p", DIFF_A, NULL, NULL),
	      "mail 'F': patches 1/3, 3/3 are missing; seen: 2/3");
	check(mbox_of("[PATCH 0/1] p", NONE, NULL, NULL),
	      "mail 'F': patch 1/1 is missing; seen: 0/1");
}

static void test_mixed(void **state)
{
	check(mbox_of("[PATCH v2 1/2] a", DIFF_A, "[PATCH v3 2/2] b", DIFF_B),
	      "mbox 'F': versions are mixed; give one; seen: v2 1/2 v3 2/2");
	check(mbox_of("[PATCH v2 1/2] a", DIFF_A, "[PATCH v2.1 2/2] b", DIFF_B),
	      "mbox 'F': versions are mixed; give one; seen: v2 1/2 v2.1 2/2");
	check(mbox_of("[PATCH 1/1] a", DIFF_A, "[PATCH 2/2] b", DIFF_B),
	      "mbox 'F': patches of two series; give one; seen: 1/1 2/2");
	check(mbox_of("[PATCH 1/1] a", DIFF_A, "[PATCH] b", DIFF_B),
	      "mbox 'F': patches of two series; give one; seen: 1/1 [PATCH]");
	check(mbox_of("[PATCH] a", DIFF_A, "b", DIFF_B),
	      "mbox 'F': patches without n/m, 'F (mail 1)' and 'F (mail 2)', "
	      "so their order is unknown; use git format-patch -n; "
	      "seen: [PATCH] (no tag)");
	check(mbox_of("[PATCH 3/2] a", DIFF_A, NULL, NULL),
	      "mail 'F': a patch is numbered above its total; seen: 3/2");
	check(mbox_of("[PATCH 0/1] a", NONE, "[PATCH 0/1] b", NONE),
	      "mbox 'F': two cover letters, 'F (mail 1)' and 'F (mail 2)'; "
	      "give one series; seen: 0/1 0/1");
}

static void test_threads(void **state)
{
	GString *two = g_string_new(NULL), *one = g_string_new(NULL);
	GString *chain = g_string_new(NULL), *stray = g_string_new(NULL);

	add(two, "[PATCH 1/2] a", "1@x", "0@x", DIFF_A);
	add(two, "[PATCH 2/2] b", "2@y", "0@y", DIFF_B);
	check(two, "mbox 'F': mails of two threads, so of two series; "
	      "give one; seen: 1/2 2/2");
	add(one, "[PATCH 1/2] a", "1@x", "0@x", DIFF_A);
	add(one, "[PATCH 2/2] b", "2@x", "0@x", DIFF_B);
	check(one, "v1 2 '' 'a': 1=a 2=b");
	add(chain, "[PATCH 1/2] a", "1@x", "0@x", DIFF_A);
	add(chain, "[PATCH 2/2] b", "2@x", "1@x", DIFF_B);
	check(chain, "v1 2 '' 'a': 1=a 2=b");
	add(stray, "[PATCH 1/2] a", "1@x", "0@x", DIFF_A);
	add(stray, "[PATCH 2/2] b", "2@y", NULL, DIFF_B);
	check(stray, "v1 2 '' 'a': 1=a 2=b");
}

static void test_duplicate(void **state)
{
	GString *resent = g_string_new(NULL);

	check(mbox_of("[PATCH 1/1] a", DIFF_A, "[PATCH RESEND 1/1] a", DIFF_A),
	      "v1 1 '' 'a': 1=a\n'F (mail 2)', '[PATCH RESEND 1/1] a': "
	      "the same patch as 'F (mail 1)'");
	check(mbox_of("[PATCH] a", DIFF_A, "[PATCH] a", DIFF_A "footer\n"),
	      "v1 1 '' 'a': 1=a\n'F (mail 2)', '[PATCH] a': "
	      "the same patch as 'F (mail 1)'");
	check(mbox_of("[PATCH 1/1] a", DIFF_A, "[PATCH 1/1] a", DIFF_B),
	      "mbox 'F': patch 1/1 is there twice with different diffs, "
	      "in 'F (mail 1)' and 'F (mail 2)'; seen: 1/1 1/1");
	add(resent, "[PATCH 1/1] a", "1@x", NULL, DIFF_A);
	g_string_replace(resent, "00:00:01", "00:00:02", 0);
	add(resent, "[PATCH 1/1] b", "2@x", NULL, DIFF_A);
	check(resent, "v1 1 '' 'a': 1=a\n'F (mail 2)', '[PATCH 1/1] b': the "
	      "same patch as 'F (mail 1)', whose text is newer");
}

static void test_no_diff(void **state)
{
	check(mbox_of("[PATCH 1/2] a", DIFF_A, "[PATCH 2/2] b", NONE),
	      "'F (mail 2)': patch 2/2 has no diff in it");
	check(mbox_of("[PATCH] a", NONE, NULL, NULL),
	      "'F': the patch has no diff in it");
	check(mbox_of("[PATCH 1/2] a", DIFF_A, "[PATCH 2/2] b", QUOTED),
	      "mbox 'F': patch 2/2 is missing; seen: 1/2");
	check(mbox_of("[PATCH] a", DIFF_A, "[PATCH] a", QUOTED),
	      "v1 1 '' 'a': 1=a\n'F (mail 2)', '[PATCH] a': "
	      "it quotes a diff and has none itself");
	check(mbox_of("hello", NONE, "[ANNOUNCE] x", NONE),
	      "mbox 'F': no patch in it; left out 2: 'F (mail 1)', 'hello': "
	      "it has no diff, ...");
}

/* Only the beginning: what is wrong with the hunk is said by diff.c. */
static void test_truncated(void **state)
{
	GString *mbox = mbox_of("[PATCH 1/2] a", CUT, "[PATCH 2/2] b", DIFF_B);
	g_autoptr(GError) error = NULL;

	assert_null(read_mbox(mbox, &error));
	g_string_free(mbox, TRUE);
	assert_true(g_error_matches(error, RESPIN_ERROR, RESPIN_ERROR_INPUT));
	if (!g_str_has_prefix(error->message, "'F (mail 1)': patch 1/2 "
			      "cannot be used: "))
		fail_msg("%s", error->message);
}

static void test_limit(void **state)
{
	check(mbox_of("[PATCH 1/1001] a", DIFF_A, NULL, NULL),
	      "mail 'F': a series of 1001 patches; the limit is 1000");
	check(mbox_of("[PATCH 1/99999999999999999999] a", DIFF_A, NULL, NULL),
	      "mail 'F': a series of 999999999 patches; the limit is 1000");
}

static void test_no_author(void **state)
{
	check(g_string_new("Subject: [PATCH] a\n\n" DIFF_A),
	      "'F': the patch has no author: no From: header");
}

static void test_fields(void **state)
{
	GString *mbox = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(series_t) s = NULL;
	const struct patch *p;

	add(mbox, "[PATCH net 0/1] all", "0@x", NULL,
	    "base-commit: not-an-id\n"
	    "base-commit: 0123456789012345678901234567890123456789\n"
	    "prerequisite-patch-id: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
	    "prerequisite-patch-id: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
	    "change-id: 20240416-two-abc\n\n");
	add(mbox, "[PATCH net-next 1/1] lib: one", "1@x", "0@x",
	    HEAD("a") "-y\n+z\nbase-commit: fffffff\n-- \n2.39.5\n\n");
	s = read_mbox(mbox, &error);
	g_string_free(mbox, TRUE);
	assert_null(error);
	assert_string_equal(s->author, "Ada Example");
	assert_string_equal(s->cover_msgid, "0@x");
	assert_true(g_str_has_prefix(s->cover, "Text.\n\nbase-commit: not"));
	assert_string_equal(s->base_commit,
			    "0123456789012345678901234567890123456789");
	assert_int_equal(s->prereqs->len, 2);
	assert_string_equal(s->prereqs->pdata[1],
			    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
	assert_string_equal(s->change_id, "20240416-two-abc");
	p = s->patches->pdata[0];
	assert_string_equal(p->msgid, "1@x");
	assert_null(p->commit);
	assert_string_equal(p->author_name, "Ada Example");
	assert_string_equal(p->author_email, "ada@example.org");
	assert_int_equal(p->date, 1);
	assert_string_equal(p->message, "lib: one\n\nText.\n");
	assert_int_equal(p->notes->len, 2);
	assert_string_equal(p->notes->pdata[0], "its prefix is 'net-next', "
			    "the series' is 'net'");
	assert_string_equal(p->notes->pdata[1],
			    "base-commit 'not-an-id' is no commit id");
}

/* Several files are one series, whatever their order. */
static void test_paths(void **state)
{
	GString *a = mbox_of("[PATCH 1/2] a", DIFF_A, NULL, NULL);
	GString *b = mbox_of("[PATCH 2/2] b", DIFF_B, NULL, NULL);
	g_autofree char *path_a = write_temp(a), *path_b = write_temp(b);
	char *paths[] = { path_b, path_a, NULL }, *none[] = { NULL };
	g_autoptr(GError) error = NULL;
	g_autoptr(series_t) s = series_read(paths, false, &error);
	g_autofree char *got = NULL;

	g_unlink(path_a);
	g_unlink(path_b);
	g_string_free(a, TRUE);
	g_string_free(b, TRUE);
	assert_null(error);
	got = render(s);
	assert_string_equal(got, "v1 2 '' 'a': 1=a 2=b");
	assert_string_equal(((struct patch *)s->patches->pdata[0])->source,
			    path_a);
	assert_null(series_read(none, false, &error));
	assert_string_equal(error->message,
			    "no mail, mbox or directory is named");
}

static void read_cr(bool keep_cr, const char *want)
{
	GString *mbox = mbox_of("[PATCH] a", "---\n" DIFF_A, NULL, NULL);
	g_autofree char *path = NULL;
	char *paths[] = { NULL, NULL };
	g_autoptr(GError) error = NULL;
	g_autoptr(series_t) s = NULL;
	const struct patch *p;
	gsize len;

	g_string_replace(mbox, "\n", "\r\n", 0);
	paths[0] = path = write_temp(mbox);
	s = series_read(paths, keep_cr, &error);
	g_unlink(path);
	g_string_free(mbox, TRUE);
	assert_null(error);
	p = s->patches->pdata[0];
	assert_string_equal(p->message, "a\n\nText.\n");
	assert_string_equal(p->author_email, "ada@example.org");
	assert_int_equal(p->notes->len, 0);
	assert_memory_equal(g_bytes_get_data(p->diff, &len), want, strlen(want));
	assert_int_equal(len, strlen(want));
}

static void test_keep_cr(void **state)
{
	GString *crlf = g_string_new("---\n" DIFF_A);

	read_cr(false, crlf->str);
	g_string_replace(crlf, "\n", "\r\n", 0);
	read_cr(true, crlf->str);
	g_string_free(crlf, TRUE);
}

/* Cut between two files: nothing is wrong with the diff itself. */
static void test_diffstat(void **state)
{
	GString *mbox = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(series_t) s = NULL;
	const struct patch *p;

	add(mbox, "[PATCH] a", NULL, NULL, DIFF_A);
	g_string_replace(mbox, " 1 file changed", " 2 files changed", 0);
	s = read_mbox(mbox, &error);
	g_string_free(mbox, TRUE);
	assert_null(error);
	p = s->patches->pdata[0];
	assert_int_equal(p->notes->len, 1);
	assert_string_equal(p->notes->pdata[0],
			    "the diffstat counts 2 files, the diff has 1");
}

static void test_tag(void **state)
{
	/* subject, then reply word numbered version minor label prefix */
	static const char *const cases[][2] = {
		{ "[PATCH v3 2/7] x", "0 1 1 3.0 2/7 ''" },
		{ "[RFC PATCH 2/7] x", "0 1 1 1.0 2/7 'RFC'" },
		{ "[PATCH mm-unstable v2 03/10]", "0 1 1 2.0 3/10 'mm-unstable'" },
		{ "[PATCH RFC V2 1/2] x", "0 1 1 2.0 1/2 'RFC'" },
		{ "[PATCHv3 1/2] x", "0 1 1 3.0 1/2 ''" },
		{ "[PATCH-v3 1/2] x", "0 1 1 3.0 1/2 ''" },
		{ "[PATCH/RFC 1/2] x", "0 1 1 1.0 1/2 'RFC'" },
		{ "[v3,1/2] x", "0 0 1 3.0 1/2 ''" },
		{ "[PATCH 5.10 001/345] x", "0 1 1 1.0 1/345 '5.10'" },
		{ "[PATCH v2.1 1/2] x", "0 1 1 2.1 1/2 ''" },
		{ "[PATCH] x", "0 1 0 1.0 [PATCH] ''" },
		{ "[RFC] x", "0 0 0 1.0 (no tag) 'RFC'" },
		{ "[list] [PATCH 1/2] x", "0 1 1 1.0 1/2 ''" },
		{ "RE: [PATCH 1/2] x", "1 1 1 1.0 1/2 ''" },
		{ "[list] Re: [PATCH 1/2] x", "1 1 1 1.0 1/2 ''" },
		{ "[PATCH 1/2] Re: x", "0 1 1 1.0 1/2 ''" },
		{ "Re: thanks", "1 0 0 1.0 (no tag) ''" },
		{ "regulator: [PATCH 1/2]", "0 0 0 1.0 (no tag) ''" },
		{ "[PATCH 1/2/3] x", "0 1 0 1.0 [PATCH] '1/2/3'" },
		{ "[PATCH 1/2", "0 0 0 1.0 (no tag) ''" },
		{ "[]", "0 0 0 1.0 (no tag) ''" },
		{ "", "0 0 0 1.0 (no tag) ''" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct series_tag *t = series_tag_parse(cases[i][0]);
		g_autofree char *label = series_tag_label(t, false);
		g_autofree char *got = g_strdup_printf(
			"%d %d %d %u.%u %s '%s'", t->is_reply, t->has_word,
			t->numbered, t->version, t->minor, label, t->prefix);

		series_tag_free(t);
		assert_string_equal(got, cases[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tag),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_duplicate),
		cmocka_unit_test(test_no_diff),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_no_author),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_keep_cr),
		cmocka_unit_test(test_diffstat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
