// SPDX-License-Identifier: GPL-2.0
#include "series-mail.h"

#include "error.h"
#include "mail-text.h"

/* Does a line of the body quote a diff ("> diff --git", "> > @@ -1")? */
static bool quotes_diff(const struct mail *m)
{
	for (guint i = 0; i < m->parts->len; i++) {
		const struct mail_part *part = m->parts->pdata[i];
		gsize size;
		const char *p = g_bytes_get_data(part->bytes, &size);
		const char *end = p + size;

		for (; p < end; p += text_line_len(p, end)) {
			const char *q = p;

			while (q < end && (*q == '>' || *q == ' '))
				q++;
			if (*p != '>')
				continue;
			if ((end - q > 11 && !memcmp(q, "diff --git ", 11)) ||
			    (end - q > 4 && !memcmp(q, "@@ -", 4)))
				return true;
		}
	}
	return false;
}

static int leave_out(struct series_mail *sm, const char *reason)
{
	sm->kind = SERIES_MAIL_OTHER;
	sm->reason = reason;
	return 0;
}

static int fail(const struct series_mail *sm, const char *why, GError **error)
{
	g_autofree char *label = series_tag_label(sm->tag, false);

	if (sm->tag->numbered)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "'%s': patch %s %s", sm->source, label, why);
	else
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "'%s': the patch %s", sm->source, why);
	return -1;
}

/* A mail without a diff where a patch was announced, or nobody asked. */
static int no_diff(struct series_mail *sm, GError **error)
{
	if (quotes_diff(sm->mail))
		return leave_out(sm, "it quotes a diff and has none itself");
	if (sm->tag->numbered || sm->tag->has_word)
		return fail(sm, "has no diff in it", error);
	return leave_out(sm, "it has no diff");
}

/* The number in " 3 files changed, 12 insertions(+)"; 0: another line. */
static unsigned int stat_files(const char *p, gsize len)
{
	g_autofree char *line = g_strndup(p, len);
	char *end;
	guint64 files;

	if (*line != ' ' || !g_ascii_isdigit(line[1]))
		return 0;
	files = g_ascii_strtoull(line + 1, &end, 10);
	return g_str_has_prefix(end, " files changed") ||
	       g_str_has_prefix(end, " file changed") ? files : 0;
}

/*
 * A mail that was cut between two files parses without an error: only the
 * diffstat tells.  People edit patches by hand, so it is but a note.
 */
static void compare_stat(struct series_mail *sm)
{
	unsigned int files = 0;
	gsize size;
	const char *p = g_bytes_get_data(sm->info->diff, &size);
	const char *end = p + size;

	for (; p < end; p += text_line_len(p, end)) {
		unsigned int n = stat_files(p, text_line_len(p, end));

		if (n)
			files = n;
		if (end - p > 5 && !memcmp(p, "diff ", 5))
			break;
	}
	if (files && files != sm->diff->files->len)
		g_ptr_array_add(sm->mail->notes, g_strdup_printf(
				"the diffstat counts %u files, the diff has %u",
				files, sm->diff->files->len));
}

static int sort_mail(struct series_mail *sm, GError **error)
{
	const struct series_tag *tag = sm->tag;
	g_autoptr(GError) cause = NULL;
	g_autofree char *why = NULL;

	if (tag->is_reply)
		return leave_out(sm, "a reply");
	if (tag->numbered && !tag->n) {
		sm->kind = SERIES_MAIL_COVER;
		return 0;
	}
	if (!tag->numbered && !tag->has_word && sm->mail->refs->len)
		return leave_out(sm, "a reply without [PATCH] in its subject");
	sm->diff = diff_parse(sm->info->diff, &cause);
	if (!sm->diff) {
		why = g_strdup_printf("cannot be used: %s",
				      cause->message);
		return fail(sm, why, error);
	}
	if (!sm->diff->files->len)
		return no_diff(sm, error);
	if (!*sm->info->author_email)
		return fail(sm, "has no author: no From: header", error);
	compare_stat(sm);
	sm->kind = SERIES_MAIL_PATCH;
	return 0;
}

struct series_mail *series_mail_read(const struct mbox_mail *raw,
				     GError **error)
{
	g_autoptr(series_mail_t) sm = g_new0(struct series_mail, 1);

	sm->source = g_strdup(raw->source);
	sm->mail = mail_parse(raw->bytes, error);
	if (sm->mail)
		sm->info = mailinfo_read(sm->mail, error);
	if (!sm->info) {
		g_prefix_error(error, "'%s': ", raw->source);
		return NULL;
	}
	sm->tag = series_tag_parse(sm->info->raw_subject);
	return sort_mail(sm, error) ? NULL : g_steal_pointer(&sm);
}

void series_mail_free(struct series_mail *sm)
{
	if (!sm)
		return;
	g_free(sm->source);
	mail_free(sm->mail);
	mailinfo_free(sm->info);
	series_tag_free(sm->tag);
	diff_free(sm->diff);
	g_free(sm);
}

static bool same_lines(const struct hunk *a, const struct hunk *b)
{
	if (a->old_start != b->old_start || a->new_start != b->new_start ||
	    a->lines->len != b->lines->len)
		return false;
	for (guint i = 0; i < a->lines->len; i++) {
		const struct diff_line *x =
			&g_array_index(a->lines, struct diff_line, i);
		const struct diff_line *y =
			&g_array_index(b->lines, struct diff_line, i);

		if (x->op != y->op || x->no_eol != y->no_eol ||
		    x->len != y->len || memcmp(x->text, y->text, x->len))
			return false;
	}
	return true;
}

static bool same_binary(const struct binary_part *a, const struct binary_part *b)
{
	if (!a->present || !b->present)
		return a->present == b->present;
	return a->is_delta == b->is_delta && a->size == b->size &&
	       a->deflated->len == b->deflated->len &&
	       !memcmp(a->deflated->data, b->deflated->data, a->deflated->len);
}

static bool same_file(const struct file_diff *a, const struct file_diff *b)
{
	if (g_strcmp0(a->old_path, b->old_path) ||
	    g_strcmp0(a->new_path, b->new_path) ||
	    a->old_mode != b->old_mode || a->new_mode != b->new_mode ||
	    a->is_rename != b->is_rename || a->is_copy != b->is_copy ||
	    a->hunks->len != b->hunks->len ||
	    !same_binary(&a->forward, &b->forward))
		return false;
	for (guint i = 0; i < a->hunks->len; i++)
		if (!same_lines(a->hunks->pdata[i], b->hunks->pdata[i]))
			return false;
	return true;
}

bool series_mail_same_diff(const struct series_mail *a,
			   const struct series_mail *b)
{
	if (a->diff->files->len != b->diff->files->len)
		return false;
	for (guint i = 0; i < a->diff->files->len; i++)
		if (!same_file(a->diff->files->pdata[i],
			       b->diff->files->pdata[i]))
			return false;
	return true;
}
