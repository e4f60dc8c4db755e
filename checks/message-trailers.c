// SPDX-License-Identifier: GPL-2.0
/*
 * Signed-off-by:, Reported-by: of robots and Cc: stable, by
 * Documentation/process/submitting-patches.rst and stable-kernel-rules.rst.
 */
#include "message-int.h"

static const struct trailer *find(const GPtrArray *trailers, const char *key)
{
	for (guint i = 0; i < trailers->len; i++)
		if (trailer_is(trailers->pdata[i], key))
			return trailers->pdata[i];
	return NULL;
}

static bool signed_off_by(const struct message *m, unsigned int n,
			  const struct address *a)
{
	const GPtrArray *trailers = message_trailers_of(m, n);

	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		if (t->who && trailer_is(t, "Signed-off-by") &&
		    message_same(m, a, t->who))
			return true;
	}
	return false;
}

/* "Jane Doe via B4 Relay <devnull+jane.example.org@kernel.org>": a machine
 * that passes the author's mail on. */
static bool is_relay(const struct address *a)
{
	return strstr(a->name, " via ") ||
	       g_str_has_prefix(a->email, "devnull+");
}

static void sender(struct message *m, unsigned int n,
		   const struct address *author)
{
	const struct letter *l = message_letter(m, n);
	g_autofree char *who = NULL;

	if (!l || !l->from || is_relay(l->from) ||
	    message_same(m, l->from, author) || signed_off_by(m, n, l->from))
		return;
	who = address_text(l->from);
	message_note(m, "message/sender-signoff", n, LIKELY,
		g_strdup_printf("'%s' sends a patch of '%s' and does not sign it "
				"off", who, author->name),
		g_strdup("add your own Signed-off-by: as the last one"));
}

static void signoffs(struct message *m, unsigned int n)
{
	const struct patch *p = message_patch(m, n);
	struct address author = { p->author_name, p->author_email };
	g_autofree char *who = address_text(&author);

	if (!find(message_trailers_of(m, n), "Signed-off-by")) {
		message_note(m, "message/no-signoff", n, LIKELY,
			     g_strdup("there is no Signed-off-by:"),
			     g_strdup("git commit --amend -s"));
		return;
	}
	if (!signed_off_by(m, n, &author))
		message_note(m, "message/author-signoff", n, LIKELY,
			g_strdup_printf("none of the Signed-off-by: is of the "
					"author, '%s'", who),
			g_strdup("the author signs off, or From: names another"));
	sender(m, n, &author);
}

/* Does a link follow before the next report? */
static const struct trailer *link_of(const GPtrArray *trailers, guint i)
{
	for (i++; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		if (trailer_is(t, "Closes") || trailer_is(t, "Link"))
			return t;
		if (trailer_is(t, "Reported-by"))
			return NULL;
	}
	return NULL;
}

/* The mail that @link names is an answer to the version before. */
static bool answers_earlier(const struct message *m, const struct trailer *link)
{
	const GPtrArray *earlier = m->base->earlier;

	for (guint i = 0; link && earlier && i < earlier->len; i++) {
		const struct letter *l = earlier->pdata[i];

		if (l->is_reply && l->msgid && strstr(link->value, l->msgid))
			return true;
	}
	return false;
}

/*
 * "If you fix the issue in a separate patch/commit (i.e. not just a new version
 * of the same patch/commit), kindly add following tags": one that fixes a commit
 * names it.
 */
static void new_version(struct message *m, unsigned int n,
			const struct address *robot, const struct trailer *link)
{
	bool known = answers_earlier(m, link);

	if (!known && (m->series->version < 2 ||
		       find(message_trailers_of(m, n), "Fixes") ||
		       !g_ascii_strncasecmp(robot->email, "syzbot", 6)))
		return;
	message_note(m, "message/robot-new-version", n, known ? LIKELY : HINT,
		g_strdup_printf("Reported-by: '%s' in a new version of the "
				"patch%s", robot->email, known ?
				" that was reported" : ", without Fixes:"),
		g_strdup("leave it out when the report was of an earlier "
			 "version: it is for a commit of its own"));
}

static void robots(struct message *m, unsigned int n)
{
	const GPtrArray *trailers = message_trailers_of(m, n);

	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];
		const struct trailer *link = link_of(trailers, i);

		if (!trailer_is(t, "Reported-by") || !t->who ||
		    !message_is_robot(t->who))
			continue;
		if (!link)
			message_note(m, "message/robot-closes", n, LIKELY,
				g_strdup_printf("no Closes: follows Reported-by: "
						"'%s'", t->who->email),
				g_strdup("add the Closes: (or Link:) line of "
					 "the report"));
		new_version(m, n, t->who, link);
	}
}

static bool is_stable(const char *email)
{
	return !g_ascii_strcasecmp(email, "stable@vger.kernel.org") ||
	       !g_ascii_strcasecmp(email, "stable@kernel.org") ||
	       !g_ascii_strcasecmp(email, "stable+noautosel@kernel.org");
}

/* "stable", "stable@vger.kernel.or", "Stable <stable@example.org>" */
static bool means_stable(const struct trailer *t)
{
	const char *value = t->who ? t->who->email : t->value;

	return !g_ascii_strncasecmp(value, "stable", 6) &&
	       !g_ascii_isalnum(value[6]);
}

/* What stands behind the address; "" or from the '#' on is right. */
static const char *behind(const struct trailer *t)
{
	const char *at = g_strrstr_len(t->value, strcspn(t->value, "#"),
				       t->who->email);

	if (!at)
		return "";
	at += strlen(t->who->email);
	at += *at == '>';
	return at + strspn(at, " \t");
}

static void stable_form(struct message *m, unsigned int n,
			const struct trailer *t)
{
	bool known = t->who && is_stable(t->who->email);

	if (!known && !means_stable(t))
		return;
	if (known && trailer_is(t, "Cc") && (!*behind(t) || *behind(t) == '#'))
		return;
	message_note(m, "message/stable-form", n,
		known && trailer_is(t, "Cc") ? HINT : LIKELY,
		g_strdup_printf("'%s: %s' is no form that the stable team "
				"knows", t->key, t->value),
		g_strdup("write 'Cc: stable@vger.kernel.org', with '# 6.1+' "
			 "behind it where a version is needed"));
}

/* Patches for a stable tree itself, or of what is upstream already. */
static bool is_backport(const struct message *m, unsigned int n)
{
	const struct patch *p = message_patch(m, n);
	const char *prefix = m->series->prefix;

	if (strstr(p->message, " upstream.") ||
	    strstr(p->message, "[ Upstream commit "))
		return true;
	for (; prefix && *prefix; prefix++)
		if (g_ascii_isdigit(prefix[0]) && prefix[1] == '.')
			return true;
	return prefix && strstr(m->series->prefix, "stable");
}

static bool has_stable(const GPtrArray *trailers)
{
	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		if (trailer_is(t, "Cc") && ((t->who && is_stable(t->who->email)) ||
					    means_stable(t)))
			return true;
	}
	return false;
}

/* Said when no patch has the trailer: one has, and the others are copied. */
static void stable_without(struct message *m)
{
	struct address stable = { (char *)"stable@vger.kernel.org",
				  (char *)"stable@vger.kernel.org" };

	for (unsigned int n = 1; n <= m->series->patches->len; n++)
		if (has_stable(message_trailers_of(m, n)) || is_backport(m, n))
			return;
	for (unsigned int n = 1; n <= m->series->patches->len; n++)
		if (message_mailed(m, &stable, n))
			message_note(m, "message/stable-trailer", n, LIKELY,
				g_strdup("stable@vger.kernel.org is in To or Cc, "
					 "and the patch has no 'Cc: stable'"),
				g_strdup("the stable team picks by the trailer: "
					 "add it, or leave the address out"));
}

void message_trailers(struct message *m)
{
	for (unsigned int n = 1; n <= m->series->patches->len; n++) {
		const GPtrArray *trailers = message_trailers_of(m, n);

		signoffs(m, n);
		robots(m, n);
		for (guint i = 0; i < trailers->len; i++)
			if (trailer_is(trailers->pdata[i], "Cc"))
				stable_form(m, n, trailers->pdata[i]);
	}
	stable_without(m);
}
