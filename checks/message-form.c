// SPDX-License-Identifier: GPL-2.0
/* What a reader needs to place the series: its base, and what is new in it. */
#include "message-int.h"

static void base_commit(struct message *m)
{
	const struct series *s = m->series;

	if (s->base_commit || s->patches->len < 2 || !s->letters->len)
		return;
	message_note(m, "message/no-base", s->cover ? 0 : 1, HINT,
		     g_strdup("no base-commit: says what the series goes on"),
		     g_strdup("git format-patch --base=auto"));
}

/* "v1 -> v2:", "Changes since v1", "Changelog:", "v3:", a link to v1 */
static bool has_changelog(const char *text)
{
	static GRegex *regex;

	if (!regex)
		regex = g_regex_new("\\bv[0-9]+(\\.[0-9]+)?\\b|change ?log|"
			"\\bchanges?\\b[^\\n]*:|changed (since|from|in)|"
			"(since|previous|last|first) (version|revision|rfc)|"
			"\\brfc ?(->|=>)", G_REGEX_CASELESS | G_REGEX_RAW, 0,
			NULL);
	return text && g_regex_match(regex, text, 0, NULL);
}

static void changelog(struct message *m)
{
	const struct series *s = m->series;

	if (s->version < 2 || !s->letters->len || has_changelog(s->cover))
		return;
	for (unsigned int n = 1; n <= s->patches->len; n++)
		if (has_changelog(message_letter(m, n)->below) ||
		    has_changelog(message_patch(m, n)->message))
			return;
	message_note(m, "message/no-changelog", s->cover ? 0 : 1, LIKELY,
		g_strdup_printf("nothing says what is new in v%u", s->version),
		g_strdup_printf("list it in the cover letter or below the "
				"\"---\" of each patch (\"v%u: ...\")",
				s->version));
}

void message_form(struct message *m)
{
	base_commit(m);
	changelog(m);
}
