// SPDX-License-Identifier: GPL-2.0
/*
 * What the version before brought: who answered it, and the tags they gave.
 * Known by the answers among the mails, and by the thread that was given.
 */
#include "message-int.h"

static bool is_own(const struct message *m, const struct address *a)
{
	for (unsigned int n = 1; n <= m->series->patches->len; n++) {
		const struct patch *p = message_patch(m, n);
		struct address author = { p->author_name, p->author_email };
		const struct letter *l = message_letter(m, n);

		if (message_same(m, a, &author) ||
		    (l && l->from && message_same(m, a, l->from)))
			return true;
	}
	return message_is_robot(a);
}

static bool is_mailed(const struct message *m, const struct address *a)
{
	for (unsigned int n = 0; n < m->series->letters->len; n++)
		if (message_mailed(m, a, n))
			return true;
	return false;
}

static void reviewer(struct message *m, const struct address *a, unsigned int n,
		     enum sure sure, const char *what)
{
	g_autofree char *who = NULL;

	if (!m->addressed || is_own(m, a) || is_mailed(m, a))
		return;
	who = address_text(a);
	message_note(m, "message/missing-reviewer", n, sure,
		     g_strdup_printf("'%s' %s and is not in To or Cc", who, what),
		     g_strdup("add them to Cc of the whole series"));
}

/* The patch of this series that @l is of or answers; 0: the cover letter or
 * none (*@found tells). */
static unsigned int patch_for(const struct message *m, const struct letter *l,
			      bool *found)
{
	for (unsigned int n = 1; n <= m->series->patches->len; n++) {
		*found = !g_ascii_strcasecmp(l->subject,
					     message_patch(m, n)->subject);
		if (*found)
			return n;
	}
	*found = m->series->cover &&
		 !g_ascii_strcasecmp(l->subject, m->series->subject);
	return 0;
}

static bool has_tag(const struct message *m, const GPtrArray *trailers,
		    const struct trailer *tag)
{
	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		if (t->who && trailer_is(t, tag->key) &&
		    message_same(m, t->who, tag->who))
			return true;
	}
	return false;
}

/* A line that speaks of dropped tags: "drop Reviewed-by of 3/7, it changed". */
static bool says_dropped(const char *text)
{
	static GRegex *regex;

	if (!regex)
		regex = g_regex_new("\\b(drop|remov|not carr|did not (keep|collect))"
			"[^\\n]*(-by\\b|\\br-?b\\b|\\btags?\\b)",
			G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL);
	return text && g_regex_match(regex, text, 0, NULL);
}

static void lost(struct message *m, unsigned int n, const struct trailer *tag,
		 enum sure sure)
{
	const struct letter *l = message_letter(m, n);
	g_autofree char *who = NULL;

	if (has_tag(m, message_trailers_of(m, n), tag) ||
	    has_tag(m, m->for_all, tag) || says_dropped(m->series->cover) ||
	    (l && says_dropped(l->below)))
		return;
	who = address_text(tag->who);
	message_note(m, "message/lost-tag", n, sure,
		g_strdup_printf("%s: '%s', given to v%u, is not there", tag->key,
				who, m->series->version - 1),
		g_strdup("add it, or say in the changelog that it was dropped "
			 "and why"));
}

/* The lines of the hunks, without their places: is it the same change? */
static char *change_of(GBytes *bytes)
{
	g_autoptr(diff_t) d = bytes ? diff_parse(bytes, NULL) : NULL;
	GString *s = g_string_new(NULL);

	for (guint i = 0; d && i < d->files->len; i++) {
		const struct file_diff *f = d->files->pdata[i];

		g_string_append_printf(s, "%s\n", file_diff_path(f));
		for (guint k = 0; k < f->hunks->len; k++) {
			const struct hunk *h = f->hunks->pdata[k];

			for (guint j = 0; j < h->lines->len; j++) {
				const struct diff_line *l = &g_array_index(
					h->lines, struct diff_line, j);

				if (l->op == ' ')
					continue;
				g_string_append_c(s, l->op);
				g_string_append_len(s, l->text, l->len);
			}
		}
	}
	return g_string_free(s, FALSE);
}

/* Patch @n as the version before had it, among @letters; NULL: not there. */
static const struct letter *before(const struct message *m,
				   const GPtrArray *letters, unsigned int n)
{
	for (guint i = 0; i < letters->len; i++) {
		const struct letter *l = letters->pdata[i];

		if (l->is_patch && l->version + 1 == m->series->version &&
		    !g_ascii_strcasecmp(l->subject, message_patch(m, n)->subject))
			return l;
	}
	return NULL;
}

/* A tag is lost for sure only where the patch is still the same. */
static enum sure how_sure(const struct message *m, const GPtrArray *letters,
			  unsigned int n)
{
	const struct letter *l = before(m, letters, n);
	g_autofree char *old = NULL, *new = NULL;

	if (!l)
		return HINT;
	old = change_of(l->diff);
	new = change_of(message_patch(m, n)->diff);
	return strcmp(old, new) ? HINT : LIKELY;
}

static void tags_of(struct message *m, const GPtrArray *letters,
		    const struct letter *l)
{
	g_autofree char *text = g_strconcat("\n\n", l->log, "\n", l->below, NULL);
	g_autoptr(GPtrArray) tags = trailers_of(text);
	bool found;
	unsigned int n = patch_for(m, l, &found);
	unsigned int last = n ? n : m->series->patches->len;

	for (guint i = 0; found && i < tags->len; i++) {
		const struct trailer *t = tags->pdata[i];

		if (!t->who || !trailer_is_review(t) || message_is_robot(t->who))
			continue;
		for (unsigned int k = n ? n : 1; k <= last; k++)
			lost(m, k, t, how_sure(m, letters, k));
	}
}

/* Does @l answer a mail of this version?  Its subject may not say. */
static bool answers_this(const struct message *m, const struct letter *l)
{
	for (unsigned int n = 0; n < m->series->letters->len; n++) {
		const struct letter *own = message_letter(m, n);

		if (own && own->msgid &&
		    g_ptr_array_find_with_equal_func(l->refs, own->msgid,
						     g_str_equal, NULL))
			return true;
	}
	return false;
}

/* Returns whether there was any mail of the version before. */
static bool read_thread(struct message *m, const GPtrArray *letters)
{
	bool any = false;

	for (guint i = 0; i < letters->len; i++) {
		const struct letter *l = letters->pdata[i];
		bool found;
		unsigned int n;

		if (l->version + 1 != m->series->version || answers_this(m, l))
			continue;
		any = true;
		n = patch_for(m, l, &found);
		tags_of(m, letters, l);
		if (l->is_reply && l->from)
			reviewer(m, l->from, n, LIKELY, "answered the version "
				 "before");
	}
	return any;
}

static void taggers(struct message *m, const GPtrArray *trailers, unsigned int n)
{
	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		if (t->who && trailer_is_review(t))
			reviewer(m, t->who, n, HINT, "gave a tag");
	}
}

void message_earlier(struct message *m)
{
	if (m->base->earlier && !read_thread(m, m->base->earlier))
		g_ptr_array_add(m->out->unchecked, g_strdup_printf("the version "
			"before (no mail of v%u in what was given)",
			m->series->version - 1));
	read_thread(m, m->series->replies);
	taggers(m, m->for_all, 0);
	for (unsigned int n = 1; n <= m->series->patches->len; n++)
		taggers(m, message_trailers_of(m, n), n);
}
