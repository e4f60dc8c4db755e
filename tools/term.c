// SPDX-License-Identifier: GPL-2.0
#include <sys/ioctl.h>
#include <unistd.h>
#include "term.h"

/*
 * Cf is bidirectional overrides and isolates (CVE-2021-42574), zero-width
 * characters and the byte order mark; Zl and Zp break a line.
 */
static bool is_harmless(gunichar c)
{
	switch (g_unichar_type(c)) {
	case G_UNICODE_CONTROL:
		return c == '\t';
	case G_UNICODE_FORMAT:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR:
		return false;
	default:
		return true;
	}
}

static void append_escaped(GString *s, gunichar c)
{
	switch (c) {
	case '\n':
		g_string_append(s, "\\n");
		break;
	case '\r':
		g_string_append(s, "\\r");
		break;
	default:
		if (c < 0x80)
			g_string_append_printf(s, "\\x%02x", c);
		else if (c <= 0xffff)
			g_string_append_printf(s, "\\u%04x", c);
		else
			g_string_append_printf(s, "\\U%08x", c);
	}
}

char *term_escape(const char *text)
{
	GString *s = g_string_sized_new(strlen(text) + 16);

	while (*text) {
		gunichar c = g_utf8_get_char_validated(text, -1);
		const char *next;

		if (c == (gunichar)-1 || c == (gunichar)-2) {
			g_string_append_printf(s, "\\x%02x",
					       (unsigned char)*text++);
			continue;
		}
		next = g_utf8_next_char(text);
		if (is_harmless(c))
			g_string_append_len(s, text, next - text);
		else
			append_escaped(s, c);
		text = next;
	}
	return g_string_free(s, FALSE);
}

static unsigned int char_width(gunichar c)
{
	if (g_unichar_iszerowidth(c))
		return 0;
	return g_unichar_iswide(c) ? 2 : 1;
}

unsigned int term_width(const char *text)
{
	unsigned int width = 0;

	for (; *text; text = g_utf8_next_char(text))
		width += char_width(g_utf8_get_char(text));
	return width;
}

char *term_cut(const char *text, unsigned int columns)
{
	unsigned int width = 0;
	const char *p = text;

	if (term_width(text) <= columns)
		return g_strdup(text);
	if (!columns)
		return g_strdup("");
	/* The mark takes one column. */
	while (width + char_width(g_utf8_get_char(p)) < columns) {
		width += char_width(g_utf8_get_char(p));
		p = g_utf8_next_char(p);
	}
	return g_strdup_printf("%.*s…", (int)(p - text), text);
}

char *term_pad(const char *text, unsigned int columns)
{
	unsigned int width = term_width(text);

	return g_strdup_printf("%s%*s", text,
			       width < columns ? (int)(columns - width) : 0, "");
}

unsigned int term_columns(FILE *out)
{
	const char *env = g_getenv("COLUMNS");
	struct winsize size;
	guint64 columns;

	if (!ioctl(fileno(out), TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	if (env && g_ascii_string_to_unsigned(env, 10, 1, 10000, &columns, NULL))
		return columns;
	return 80;
}

bool term_is_live(FILE *out)
{
	return isatty(fileno(out)) && g_strcmp0(g_getenv("TERM"), "dumb");
}

bool term_has_colour(FILE *out)
{
	const char *env = g_getenv("NO_COLOR");

	return !(env && *env) && term_is_live(out);
}

static const char *sequence(FILE *out, const char *on)
{
	return term_has_colour(out) ? on : "";
}

const char *term_red(FILE *out)
{
	return sequence(out, "\033[31m");
}

const char *term_green(FILE *out)
{
	return sequence(out, "\033[32m");
}

const char *term_yellow(FILE *out)
{
	return sequence(out, "\033[33m");
}

const char *term_off(FILE *out)
{
	return sequence(out, "\033[0m");
}
