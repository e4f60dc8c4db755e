// SPDX-License-Identifier: GPL-2.0
#include "series.h"

#include "error.h"
#include "letter.h"
#include "mail-text.h"
#include "mbox.h"
#include "series-set.h"
#include "series-trailer.h"

struct series *series_new(void)
{
	struct series *s = g_new0(struct series, 1);

	s->prereqs = g_ptr_array_new_with_free_func(g_free);
	s->left_out = g_ptr_array_new_with_free_func(g_free);
	s->letters = letter_array_new();
	s->replies = letter_array_new();
	s->patches = g_ptr_array_new_with_free_func((GDestroyNotify)patch_free);
	return s;
}

struct patch *patch_new(void)
{
	struct patch *p = g_new0(struct patch, 1);

	p->notes = g_ptr_array_new_with_free_func(g_free);
	return p;
}

void patch_free(struct patch *p)
{
	if (!p)
		return;
	g_free(p->msgid);
	g_free(p->commit);
	g_free(p->subject);
	g_free(p->author_name);
	g_free(p->author_email);
	g_free(p->message);
	g_bytes_unref(p->diff);
	g_free(p->source);
	g_ptr_array_unref(p->notes);
	g_free(p);
}

void series_free(struct series *s)
{
	if (!s)
		return;
	g_free(s->subject);
	g_free(s->author);
	g_free(s->prefix);
	g_free(s->cover);
	g_free(s->cover_msgid);
	g_free(s->base_commit);
	g_free(s->change_id);
	g_ptr_array_unref(s->prereqs);
	g_ptr_array_unref(s->patches);
	g_ptr_array_unref(s->left_out);
	g_ptr_array_unref(s->letters);
	g_ptr_array_unref(s->replies);
	g_free(s);
}

/* What messages call the input that holds so many @mails. */
static char *input_name(char *const *paths, unsigned int mails)
{
	unsigned int count = g_strv_length((char **)paths);
	const char *kind = mails == 1 ? "mail" : "mbox";

	if (count != 1)
		return g_strdup_printf("%u inputs, '%s' first", count, paths[0]);
	if (!strcmp(paths[0], "-"))
		return g_strdup("standard input");
	if (g_file_test(paths[0], G_FILE_TEST_IS_DIR))
		kind = "directory";
	return g_strdup_printf("%s '%s'", kind, paths[0]);
}

static GPtrArray *read_mails(char *const *paths, bool keep_cr,
			     GPtrArray *left_out, GError **error)
{
	g_autoptr(GPtrArray) mails = mbox_new();

	for (char *const *p = paths; *p; p++)
		if (mbox_read(*p, mails, left_out, error))
			return NULL;
	if (!keep_cr)
		mbox_drop_cr(mails);
	return g_steal_pointer(&mails);
}

static int fill_set(struct series_set *set, char *const *paths, bool keep_cr,
		    GError **error)
{
	g_autoptr(GPtrArray) mails = read_mails(paths, keep_cr, set->left_out,
						error);

	if (!mails)
		return -1;
	set->name = input_name(paths, mails->len);
	for (guint i = 0; i < mails->len; i++) {
		struct series_mail *sm = series_mail_read(mails->pdata[i],
							  error);

		if (!sm)
			return -1;
		series_set_add(set, sm);
	}
	return series_set_order(set, error);
}

/* Words that a sender may put on one patch of a series only. */
static bool same_prefix(const char *a, const char *b)
{
	g_auto(GStrv) x = g_strsplit(a, " ", -1);
	g_auto(GStrv) y = g_strsplit(b, " ", -1);
	char **const both[] = { x, y };

	for (int k = 0; k < 2; k++) {
		for (char **w = both[k]; *w; w++) {
			if (!g_ascii_strcasecmp(*w, "RESEND") || !**w ||
			    !g_ascii_strcasecmp(*w, "RFC"))
				continue;
			if (!g_strv_contains((const char *const *)both[!k], *w))
				return false;
		}
	}
	return true;
}

static struct patch *to_patch(struct series_mail *sm, const char *prefix)
{
	struct mailinfo *info = sm->info;
	struct patch *p = patch_new();

	p->n = sm->tag->n;
	p->msgid = g_strdup(sm->mail->msgid);
	p->subject = g_strdup(info->subject);
	p->author_name = g_strdup(info->author_name);
	p->author_email = g_strdup(info->author_email);
	p->date = info->date;
	p->date_offset = info->date_offset;
	p->message = g_strdup(info->message);
	p->diff = g_bytes_ref(info->diff);
	p->source = g_strdup(sm->source);
	for (guint i = 0; i < sm->mail->notes->len; i++)
		g_ptr_array_add(p->notes, g_strdup(sm->mail->notes->pdata[i]));
	if (!same_prefix(prefix, sm->tag->prefix))
		g_ptr_array_add(p->notes, g_strdup_printf(
				"its prefix is '%s', the series' is '%s'",
				sm->tag->prefix, prefix));
	return p;
}

/* The body in UTF-8. */
static char *body_text(const struct mail *m)
{
	GString *text = g_string_new(NULL);
	bool guessed = false;

	for (guint i = 0; i < m->parts->len; i++) {
		const struct mail_part *part = m->parts->pdata[i];
		gsize size, len;
		const char *data = g_bytes_get_data(part->bytes, &size);
		g_autofree char *utf8 = text_to_utf8(data, size, part->charset,
						     &guessed, &len);

		g_string_append(text, utf8);
	}
	return g_string_free(text, FALSE);
}

static void fill_head(struct series *s, const struct series_set *set)
{
	const struct series_mail *cover = set->slots->pdata[0];
	const struct series_mail *head = cover ? cover : set->slots->pdata[1];

	s->version = head->tag->version;
	s->total = head->tag->m;
	s->subject = g_strdup(head->info->subject);
	s->author = g_strdup(head->info->author_name);
	s->prefix = g_strdup(head->tag->prefix);
	if (cover) {
		s->cover = body_text(cover->mail);
		s->cover_msgid = g_strdup(cover->mail->msgid);
	}
}

/* The base is said in the cover letter, or in the first or last patch. */
static void fill_trailers(struct series *s, const struct series_set *set)
{
	const guint order[] = { 0, 1, set->slots->len - 1 };
	struct patch *first = s->patches->pdata[0];

	for (gsize i = 0; i < G_N_ELEMENTS(order); i++) {
		const struct series_mail *sm = set->slots->pdata[order[i]];

		if (sm && (i < 2 || order[i] != 1))
			series_trailer_read(s, sm->mail, first->notes);
	}
}

static void fill_letters(struct series *s, const struct series_set *set)
{
	for (guint n = 0; n < set->slots->len; n++)
		g_ptr_array_add(s->letters, set->slots->pdata[n] ?
				letter_new(set->slots->pdata[n]) : NULL);
	for (guint i = 0; i < set->others->len; i++)
		g_ptr_array_add(s->replies, letter_new(set->others->pdata[i]));
}

struct series *series_read(char *const *paths, bool keep_cr, GError **error)
{
	g_autoptr(series_t) s = series_new();
	g_autoptr(series_set_t) set = series_set_new(s->left_out);

	if (!paths[0]) {
		g_set_error_literal(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
				    "no mail, mbox or directory is named");
		return NULL;
	}
	if (fill_set(set, paths, keep_cr, error))
		return NULL;
	fill_head(s, set);
	for (guint n = 1; n < set->slots->len; n++)
		g_ptr_array_add(s->patches,
				to_patch(set->slots->pdata[n], s->prefix));
	fill_trailers(s, set);
	fill_letters(s, set);
	return g_steal_pointer(&s);
}
