// SPDX-License-Identifier: GPL-2.0
#include "mailinfo.h"
#include "mail-text.h"

/*
 * Takes the quotes off "..." and the backslashes inside quotes and comments;
 * the parentheses of a comment stay.
 */
static char *unquote(const char *in)
{
	GString *out = g_string_new(NULL);
	bool quoted = false;
	int depth = 0;

	for (; *in; in++) {
		if (*in == '\\' && (quoted || depth)) {
			if (in[1])
				g_string_append_c(out, *++in);
			continue;
		}
		if (*in == '"' && !depth) {
			quoted = !quoted;
			continue;
		}
		if (!quoted && *in == '(')
			depth++;
		else if (!quoted && *in == ')' && depth)
			depth--;
		g_string_append_c(out, *in);
	}
	return g_string_free(out, FALSE);
}

static char *sane_name(const char *name, const char *email)
{
	gsize len = strlen(name);
	bool odd = !len || len > 60 || strpbrk(name, "@<>");

	return g_strdup(odd ? email : name);
}

/* "Jane Doe <jane>": no '@', so only the brackets tell the address. */
static void bogus_author(const char *from, char **name, char **email)
{
	const char *bra = strchr(from, '<');
	const char *ket = bra ? strchr(bra, '>') : NULL;
	g_autofree char *text = NULL;

	if (!ket) {
		*name = g_strdup("");
		*email = g_strdup("");
		return;
	}
	*email = g_strndup(bra + 1, ket - bra - 1);
	text = g_strstrip(g_strndup(from, bra - from));
	*name = sane_name(text, *email);
}

void mailinfo_author(const char *from, char **name, char **email)
{
	g_autofree char *text = unquote(from);
	g_autofree char *rest = NULL;
	char *at = strchr(text, '@');
	gsize len, tail;

	if (!at) {
		bogus_author(from, name, email);
		return;
	}
	while (at > text && !g_ascii_isspace(at[-1]) && at[-1] != '<')
		at--;
	if (at > text && at[-1] == '<')
		at[-1] = ' ';
	len = strcspn(at, " \n\t\r\v\f>");
	*email = g_strndup(at, len);
	tail = len + (at[len] ? 1 : 0);
	*at = '\0';
	rest = g_strconcat(text, at + tail, NULL);
	g_strstrip(text_one_space(rest));
	/* "jane@example.org (Jane Doe)" */
	len = strlen(rest);
	if (len > 1 && rest[0] == '(' && rest[len - 1] == ')') {
		rest[len - 1] = '\0';
		*name = sane_name(rest + 1, *email);
		return;
	}
	*name = sane_name(rest, *email);
}
