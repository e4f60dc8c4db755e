// SPDX-License-Identifier: GPL-2.0
#include "letter.h"
#include "mail-text.h"

/* Where the first line "diff ..." of the @size bytes at @p is, or their end. */
static gsize diff_start(const char *p, gsize size)
{
	const char *at = p, *end = p + size;

	for (; at < end; at += text_line_len(at, end))
		if (end - at > 5 && !memcmp(at, "diff ", 5))
			break;
	return at - p;
}

static void split_diff(struct letter *l, GBytes *bytes)
{
	gsize size, start;
	const char *p = g_bytes_get_data(bytes, &size);
	g_autofree char *text = NULL;

	start = diff_start(p, size);
	text = g_strndup(p ? p : "", start);
	l->below = g_utf8_make_valid(text, -1);
	l->diff = g_bytes_new_from_bytes(bytes, start, size - start);
}

struct letter *letter_new(const struct series_mail *sm)
{
	const struct mail *m = sm->mail;
	struct letter *l = g_new0(struct letter, 1);

	l->subject = g_strdup(sm->info->subject);
	l->prefix = g_strdup(sm->tag->prefix);
	l->version = sm->tag->version;
	l->n = sm->tag->n;
	l->is_reply = sm->kind == SERIES_MAIL_OTHER;
	l->is_patch = sm->kind == SERIES_MAIL_PATCH;
	l->msgid = g_strdup(m->msgid);
	l->refs = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < m->refs->len; i++)
		g_ptr_array_add(l->refs, g_strdup(m->refs->pdata[i]));
	l->from = m->from ? address_parse(m->from) : NULL;
	l->to = address_array_new();
	l->cc = address_array_new();
	if (m->to)
		address_list(l->to, m->to);
	if (m->cc)
		address_list(l->cc, m->cc);
	l->log = g_strdup(sm->info->log);
	split_diff(l, sm->info->diff);
	return l;
}

void letter_free(struct letter *l)
{
	if (!l)
		return;
	g_free(l->subject);
	g_free(l->prefix);
	g_free(l->msgid);
	g_ptr_array_unref(l->refs);
	address_free(l->from);
	g_ptr_array_unref(l->to);
	g_ptr_array_unref(l->cc);
	g_free(l->log);
	g_free(l->below);
	g_bytes_unref(l->diff);
	g_free(l);
}

GPtrArray *letter_array_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)letter_free);
}

GPtrArray *letters_read(char *const *paths, GError **error)
{
	g_autoptr(GPtrArray) letters = letter_array_new();
	g_autoptr(GPtrArray) mails = mbox_new();
	g_autoptr(GPtrArray) left_out = g_ptr_array_new_with_free_func(g_free);

	for (char *const *p = paths; *p; p++)
		if (mbox_read(*p, mails, left_out, error))
			return NULL;
	mbox_drop_cr(mails);
	for (guint i = 0; i < mails->len; i++) {
		g_autoptr(series_mail_t) sm =
			series_mail_read(mails->pdata[i], NULL);

		if (sm)
			g_ptr_array_add(letters, letter_new(sm));
	}
	return g_steal_pointer(&letters);
}
