// SPDX-License-Identifier: GPL-2.0
/*
 * Fixes: HEX ("subject"), at least 12 digits, on one line
 * (Documentation/process/submitting-patches.rst).
 */
#include "mail-text.h"
#include "message-int.h"

#define HEX_MIN 12
#define HEX_MAX 40
#define ID_MIN 6		/* what people shorten an id to */

/* What a Fixes: line says. */
struct fixes {
	char *hex;
	char *subject;		/* NULL: there is none, or it is not closed */
	bool right;		/* HEX ("subject") to the letter */
	bool broken;		/* goes on in the next line */
};

static void fixes_clear(struct fixes *f)
{
	g_free(f->hex);
	g_free(f->subject);
}

/* "commit 0123456789ab" and the like: where the digits begin. */
static const char *digits(const char *value)
{
	if (!g_ascii_strncasecmp(value, "commit ", 7))
		value += 7;
	return value;
}

/* "faced", "decade" are of these letters too. */
static bool is_id(const char *hex, gsize len)
{
	gsize digit = strcspn(hex, "0123456789");

	return len >= ID_MIN && (len >= HEX_MIN || digit < len) &&
	       !g_ascii_isalnum(hex[len]);
}

/* false: the line names no commit ("Fixes: a crash", an URL). */
static bool parse(const struct trailer *t, struct fixes *f)
{
	const char *hex = digits(t->value), *open, *close, *rest;
	gsize len = strspn(hex, "0123456789abcdefABCDEF");

	if (!is_id(hex, len))
		return false;
	f->hex = g_ascii_strdown(hex, len);
	rest = hex + len;
	open = strstr(rest, "(\"");
	close = strrchr(rest, '"');
	if (open && close > open + 1)
		f->subject = g_strndup(open + 2, close - open - 2);
	f->right = hex == t->value && f->subject && open == rest + 1 &&
		   *rest == ' ' && !strcmp(close, "\")");
	f->broken = open && !f->subject && strstr(t->next, "\")");
	return true;
}

static void form(struct message *m, unsigned int n, const struct trailer *t,
		 const struct fixes *f)
{
	gsize len = strlen(f->hex);
	const char *why = NULL;

	if (f->broken)
		why = "goes on in the next line";
	else if (len < HEX_MIN)
		why = "has less than 12 digits";
	else if (len > HEX_MAX)
		why = "has more than 40 digits";
	else if (!f->right)
		why = "has not the form HEX (\"subject\")";
	if (why)
		message_note(m, "message/fixes-form", n, LIKELY,
			g_strdup_printf("'Fixes: %s' %s", t->value, why),
			g_strdup("git log -1 --abbrev=12 --format='Fixes: %h "
				 "(\"%s\")' COMMIT, on one line"));
}

static bool same_subject(const char *a, const char *b)
{
	g_autofree char *x = g_strstrip(text_one_space(g_strdup(a)));
	g_autofree char *y = g_strstrip(text_one_space(g_strdup(b)));

	return !strcmp(x, y);
}

/* false: it is not there, and the repository has not all that upstream has. */
static bool look_up(struct message *m, unsigned int n, const struct fixes *f)
{
	const struct message_base *b = m->base;
	g_autofree char *subject = b->subject ? b->subject(f->hex, b->data) :
				   NULL;

	if (!subject && b->history)
		message_note(m, "message/fixes-unknown", n, LIKELY,
			g_strdup_printf("Fixes: %s is no commit of this "
					"repository", f->hex),
			g_strdup("an id from before a rebase, or of a tree that "
				 "was not fetched? name upstream's"));
	if (subject && f->subject && !same_subject(subject, f->subject))
		message_note(m, "message/fixes-subject", n, LIKELY,
			g_strdup_printf("Fixes: %.12s is \"%s\", the line says "
					"\"%s\"", f->hex, subject, f->subject),
			g_strdup("the id or the subject is of another commit"));
	return subject || b->history;
}

void message_fixes(struct message *m)
{
	bool blind = false;

	for (unsigned int n = 1; n <= m->series->patches->len; n++) {
		const GPtrArray *trailers = message_trailers_of(m, n);

		for (guint i = 0; i < trailers->len; i++) {
			const struct trailer *t = trailers->pdata[i];
			struct fixes f = { 0 };

			if (trailer_is(t, "Fixes") && parse(t, &f)) {
				form(m, n, t, &f);
				blind |= strlen(f.hex) <= HEX_MAX &&
					 !look_up(m, n, &f);
			}
			fixes_clear(&f);
		}
	}
	if (blind)
		g_ptr_array_add(m->out->unchecked, g_strdup("whether the commits "
			"of Fixes: exist (the repository has not all of "
			"upstream's history)"));
}
