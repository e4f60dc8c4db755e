/* SPDX-License-Identifier: GPL-2.0 */
/* A series out of mails made here, and all that is said about its messages. */
#ifndef RESPIN_MESSAGE_CASE_H
#define RESPIN_MESSAGE_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "letter.h"
#include "message.h"

#define ADA "Ada Example <ada@example.org>"
#define SOB "Signed-off-by: " ADA "\n"
#define DIFF(f) "---\n f\n\ndiff --git a/" f " b/" f "\nindex 1..2 100644\n" \
	"--- a/" f "\n+++ b/" f "\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n-- \n2.39.5\n\n"

/* A mail of Ada's; @headers are lines (To:, Cc:), "" for none. */
static inline void mail(GString *mbox, const char *subject, const char *headers,
			const char *body)
{
	g_string_append_printf(mbox,
		"From mboxrd@z Thu Jan  1 00:00:00 1970\n%s"
		"Date: Thu, 1 Jan 1970 00:00:01 +0000\nSubject: %s\n%s\n%s",
		strstr(headers, "From: ") ? "" : "From: " ADA "\n", subject,
		headers, body);
}

static inline char *mbox_file(const char *text)
{
	char *path;
	int fd = g_file_open_tmp("respin-message-XXXXXX", &path, NULL);

	assert_true(fd >= 0);
	close(fd);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

/* "0,1 rule: text -> todo", "1 rule (hint): ...", "? unchecked", "! gap" */
static inline char *render(const struct messages *m)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < m->notes->len; i++) {
		const struct note *n = m->notes->pdata[i];

		for (guint k = 0; k < n->patches->len; k++)
			g_string_append_printf(s, "%s%u", k ? "," : "",
				g_array_index(n->patches, unsigned int, k));
		g_string_append_printf(s, " %s%s: %s -> %s\n", n->rule,
				       n->hint ? " (hint)" : "", n->text, n->todo);
	}
	for (guint i = 0; i < m->unchecked->len; i++)
		g_string_append_printf(s, "? %s\n",
				       (char *)m->unchecked->pdata[i]);
	if (m->gap)
		g_string_append_printf(s, "! %s\n", m->gap);
	return g_string_free(s, FALSE);
}

static inline void expect_base(const char *text, const struct message_base *b,
			       const char *want)
{
	g_autofree char *path = mbox_file(text), *got = NULL;
	char *paths[] = { path, NULL };
	g_autoptr(GError) error = NULL;
	struct series *s = series_read(paths, false, &error);
	struct messages *m;

	assert_null(error);
	m = message_check(s, b);
	got = render(m);
	assert_string_equal(got, want);
	messages_free(m);
	series_free(s);
	g_unlink(path);
}

/* One patch of Ada's to f, sent to nobody yet; @trailers end its message. */
static inline void expect_trailers(const char *subject, const char *trailers,
				   const struct message_base *b,
				   const char *want)
{
	g_autoptr(GString) mbox = g_string_new(NULL);
	g_autofree char *body = g_strconcat("Text.\n\n", trailers, DIFF("f"),
					    NULL);

	mail(mbox, subject, "To: x@example.org\n", body);
	expect_base(mbox->str, b, want);
}

#endif
