// SPDX-License-Identifier: GPL-2.0
/*
 * mail.c, mailinfo.c, mail-text.c.  A case is NAME.mail in t/data/mail with
 * NAME.expect (author, date, notes, message) and NAME.diff (the bytes).  They
 * were compared with git mailinfo when they were made; ci/t/0100 does it anew.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "error.h"
#include "mail-text.h"
#include "mailinfo.h"
#include "mbox.h"

static GBytes *load(const char *name, const char *suffix)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");
	g_autofree char *path = g_strdup_printf("%s/mail/%s%s",
						dir ? dir : "tools/t/data",
						name, suffix);
	char *data;
	gsize len;

	if (!g_file_get_contents(path, &data, &len, NULL))
		fail_msg("cannot read '%s'", path);
	return g_bytes_new_take(data, len);
}

static char *render(const struct mail *m, const struct mailinfo *mi)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "%s <%s>\n%" G_GINT64_FORMAT " %d\n",
			       mi->author_name, mi->author_email, mi->date,
			       mi->date_offset);
	for (guint i = 0; i < m->notes->len; i++)
		g_string_append_printf(out, "note: %s\n",
				       (char *)m->notes->pdata[i]);
	g_string_append_printf(out, "\n%s", mi->message);
	return g_string_free(out, FALSE);
}

static void test_case(void **state)
{
	const char *name = *state;
	g_autoptr(GBytes) raw = load(name, ".mail");
	g_autoptr(GBytes) expect = load(name, ".expect");
	g_autoptr(GBytes) diff = load(name, ".diff");
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) mails = mbox_new();
	g_autoptr(mail_t) m = NULL;
	g_autoptr(mailinfo_t) mi = NULL;
	g_autofree char *got = NULL;
	const char *want;
	gsize len;

	mbox_split(raw, name, mails, &error);
	assert_null(error);
	mbox_drop_cr(mails);
	m = mail_parse(((struct mbox_mail *)mails->pdata[0])->bytes, &error);
	assert_null(error);
	mi = mailinfo_read(m, &error);
	assert_null(error);
	got = render(m, mi);
	want = g_bytes_get_data(expect, &len);
	assert_int_equal(strlen(got), len);
	assert_memory_equal(got, want, len);
	assert_int_equal(g_bytes_get_size(mi->diff), g_bytes_get_size(diff));
	assert_true(g_bytes_equal(mi->diff, diff));
}

/* The message of the error that parsing @text gives; NULL: none. */
static char *error_of(const char *text, gsize len)
{
	g_autoptr(GBytes) raw = g_bytes_new_static(text, len);
	g_autoptr(GError) error = NULL;
	g_autoptr(mail_t) m = mail_parse(raw, &error);
	g_autoptr(mailinfo_t) mi = m ? mailinfo_read(m, &error) : NULL;

	if (!error)
		return NULL;
	assert_null(mi);
	assert_true(g_error_matches(error, RESPIN_ERROR, RESPIN_ERROR_INPUT));
	return g_strdup(error->message);
}

static void expect_error(const char *text, gsize len, const char *want)
{
	g_autofree char *got = error_of(text, len);

	if (!want)
		assert_null(got);
	else
		assert_string_equal(got ? got : "(none)", want);
}

static void test_errors(void **state)
{
	static const char nul[] = "Subject: x\n\na \0 byte\n---\n";
	static const char no_nul[] = "Subject: x\n\nbyte\n---\na \0 byte\n";

	expect_error("", 0, "no mail header");
	expect_error("no header here\n\ntext\n", 22, "no mail header");
	expect_error(nul, sizeof(nul) - 1, "the log message has a NUL byte");
	expect_error(no_nul, sizeof(no_nul) - 1, NULL);
}

#define MULTI "Subject: x\n" \
	"Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n"

static void test_cut_off(void **state)
{
	expect_error(MULTI, strlen(MULTI),
		     "a multipart has no closing boundary: the mail is cut off");
	expect_error(MULTI "--b--\n", strlen(MULTI "--b--\n"), NULL);
}

/* @depth multiparts in each other, a text in the innermost. */
static char *nested(int depth)
{
	GString *s = g_string_new("Subject: x\n");

	for (int i = 0; i < depth; i++)
		g_string_append_printf(s, "Content-Type: multipart/mixed; "
				       "boundary=b%d.\n\n--b%d.\n", i, i);
	g_string_append(s, "\ntext\n");
	for (int i = depth - 1; i >= 0; i--)
		g_string_append_printf(s, "--b%d.--\n", i);
	return g_string_free(s, FALSE);
}

static void test_nesting(void **state)
{
	g_autofree char *most = nested(MAIL_MAX_DEPTH);
	g_autofree char *more = nested(MAIL_MAX_DEPTH + 1);
	g_autofree char *lots = nested(3000);

	expect_error(most, strlen(most), NULL);
	expect_error(more, strlen(more),
		     "multiparts are nested more than 16 deep");
	expect_error(lots, strlen(lots),
		     "multiparts are nested more than 16 deep");
}

static void test_parts(void **state)
{
	GString *s = g_string_new("Subject: x\nContent-Type: multipart/mixed; "
				  "boundary=b\n\n");

	for (int i = 0; i < MAIL_MAX_PARTS; i++)
		g_string_append(s, "--b\n\ntext\n");
	g_string_append(s, "--b--\n");
	expect_error(s->str, s->len, NULL);
	g_string_truncate(s, s->len - 6);
	g_string_append(s, "--b\n\ntext\n--b--\n");
	expect_error(s->str, s->len, "more than 1000 parts in one mail");
	g_string_free(s, TRUE);
}

static void test_size(void **state)
{
	gsize len = MAIL_MAX_BYTES;
	char *text = g_malloc0(len + 1);

	memset(text, 'x', len + 1);
	memcpy(text, "Subject: x\n\n---\n", 16);
	expect_error(text, len, NULL);
	expect_error(text, len + 1, "the mail has more than 64 MiB");
	g_free(text);
}

static void test_ids(void **state)
{
	static const char text[] =
		"Message-ID: <own@example.org>\nSubject: x\n"
		"References: <a@example.org>\n <b@example.org>\n"
		"In-Reply-To: <c@example.org> (of today)\n\n";
	g_autoptr(GBytes) raw = g_bytes_new_static(text, strlen(text));
	g_autoptr(mail_t) m = mail_parse(raw, NULL);

	assert_string_equal(m->msgid, "own@example.org");
	assert_int_equal(m->refs->len, 3);
	assert_string_equal(m->refs->pdata[0], "a@example.org");
	assert_string_equal(m->refs->pdata[1], "b@example.org");
	assert_string_equal(m->refs->pdata[2], "c@example.org");
}

/* What the CRs of the mail's own lines become: kept but in the header. */
static void test_crlf(void **state)
{
	static const char text[] =
		"Subject: a\r\n b\r\nContent-Type: multipart/mixed; boundary=b\r\n"
		"\r\n--b\r\n\r\none\r\n--b\r\n"
		"Content-Type: text/plain\r\n\r\ntwo\n\r\n--b--\r\n";
	g_autoptr(GBytes) raw = g_bytes_new_static(text, strlen(text));
	g_autoptr(mail_t) m = mail_parse(raw, NULL);
	const struct mail_part *part;
	gsize len;

	assert_string_equal(m->subject, "a b");
	assert_int_equal(m->notes->len, 0);
	assert_int_equal(m->parts->len, 2);
	part = m->parts->pdata[0];
	assert_memory_equal(g_bytes_get_data(part->bytes, &len), "one\r\n", 5);
	assert_int_equal(len, 5);
	part = m->parts->pdata[1];
	assert_memory_equal(g_bytes_get_data(part->bytes, &len), "two\n\r\n", 6);
	assert_int_equal(len, 6);
}

static void test_author(void **state)
{
	static const char *const cases[][3] = {
		{ "Jane Doe <jd@x.org>", "Jane Doe", "jd@x.org" },
		{ "jd@x.org (Jane Doe)", "Jane Doe", "jd@x.org" },
		{ "Jane (zzz) Doe <jd@x.org> (Comment)",
		  "Jane (zzz) Doe (Comment)", "jd@x.org" },
		{ "\"Doe, \\\"J\\\" Jane\" <jd@x.org>", "Doe, \"J\" Jane",
		  "jd@x.org" },
		{ "<jd@x.org>", "jd@x.org", "jd@x.org" },
		{ "jd@x.org", "jd@x.org", "jd@x.org" },
		{ "Jane Doe <jane>", "Jane Doe", "jane" },
		{ "Jane Doe", "", "" },
		{ "", "", "" },
		{ "<@>", "@", "@" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *name = NULL, *email = NULL;

		mailinfo_author(cases[i][0], &name, &email);
		assert_string_equal(name, cases[i][1]);
		assert_string_equal(email, cases[i][2]);
	}
}

static void test_subject(void **state)
{
	static const char *const cases[][2] = {
		{ "[PATCH v2 1/2] mm: x", "mm: x" },
		{ "Re: [list] [PATCH] mm:  x ", "mm: x" },
		{ "[PATCH]: mm: x", "mm: x" },
		{ "regulator: x", "regulator: x" },
		{ "[not closed", "[not closed" },
		{ "mm: [x] y", "mm: [x] y" },
		{ "[PATCH]", "" },
		{ "", "" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *s =
			mailinfo_clean_subject(g_strdup(cases[i][0]));

		assert_string_equal(s, cases[i][1]);
	}
}

static void test_stripspace(void **state)
{
	g_autofree char *a = text_stripspace("\n\n a \t\n\n\n\nb\n\n");
	g_autofree char *b = text_stripspace(" \n\t\n");

	assert_string_equal(a, " a\n\nb\n");
	assert_string_equal(b, "");
}

static void test_unflow(void **state)
{
	static const char in[] = "a \nb\n  c\nd \n-- \nsig\nend ";
	g_autoptr(GBytes) text = g_bytes_new_static(in, strlen(in));
	g_autoptr(GBytes) kept = text_unflow(text, false);
	g_autoptr(GBytes) gone = text_unflow(text, true);
	static const char want[] = "a b\n c\nd \n-- \nsig\nend ";
	static const char want_gone[] = "ab\n c\nd\n-- \nsig\nend";

	assert_int_equal(g_bytes_get_size(kept), strlen(want));
	assert_memory_equal(g_bytes_get_data(kept, NULL), want, strlen(want));
	assert_int_equal(g_bytes_get_size(gone), strlen(want_gone));
	assert_memory_equal(g_bytes_get_data(gone, NULL), want_gone,
			    strlen(want_gone));
}

static void test_date(void **state)
{
	gint64 when = 1;
	int offset = 1;

	assert_false(mail_decode_date("never", &when, &offset));
	assert_int_equal(when, 1);
	assert_true(mail_decode_date("Thu, 1 Jan 1970 00:00:00 -0130", &when,
				     &offset));
	assert_int_equal(when, 5400);
	assert_int_equal(offset, -90);
}

#define CASE(name) { name, test_case, NULL, NULL, name }

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE("plain"), CASE("crlf"), CASE("qp"), CASE("qp-crlf"),
		CASE("base64"), CASE("bytes-8bit"), CASE("latin1"),
		CASE("raw-latin1"), CASE("false-utf8"), CASE("odd-charset"),
		CASE("inbody"), CASE("inbody-separator"), CASE("folded"),
		CASE("no-name"), CASE("no-blank"), CASE("flowed"),
		CASE("flowed-delsp"), CASE("attach"), CASE("signed"),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_crlf),
		cmocka_unit_test(test_author),
		cmocka_unit_test(test_subject),
		cmocka_unit_test(test_stripspace),
		cmocka_unit_test(test_unflow),
		cmocka_unit_test(test_date),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
