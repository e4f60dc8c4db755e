// SPDX-License-Identifier: GPL-2.0
#include "mail-text.h"

gsize text_line_len(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', end - p);

	return nl ? nl - p + 1 : end - p;
}

char *text_to_utf8(const char *p, gsize len, const char *charset,
		   bool *guessed, gsize *out_len)
{
	bool utf8 = !charset || !g_ascii_strcasecmp(charset, "utf-8") ||
		    !g_ascii_strcasecmp(charset, "utf8");
	char *out;

	if (!utf8) {
		out = g_convert(p, len, "UTF-8", charset, NULL, out_len, NULL);
		if (out)
			return out;
		*guessed = true;
	}
	if (g_utf8_validate_len(p, len, NULL)) {
		*out_len = len;
		return g_strndup(p, len);
	}
	/* Every byte is a latin-1 character, so this cannot fail. */
	*guessed = true;
	return g_convert(p, len, "UTF-8", "ISO-8859-1", NULL, out_len, NULL);
}

GBytes *text_unflow(GBytes *text, bool delsp)
{
	gsize size;
	const char *p = g_bytes_get_data(text, &size);
	const char *end = p + size;
	GByteArray *out = g_byte_array_sized_new(size);
	bool joining = false;

	while (p < end) {
		const char *next = p + text_line_len(p, end);
		gsize len = next - p;

		if (len && p[len - 1] == '\n')
			len--;
		if (len && p[len - 1] == '\r')
			len--;
		if (len == 3 && !memcmp(p, "-- ", 3)) {
			/* A soft break cannot run into the signature. */
			if (joining)
				g_byte_array_append(out, (void *)"\n", 1);
			g_byte_array_append(out, (void *)p, next - p);
			joining = false;
			p = next;
			continue;
		}
		if (len && *p == ' ') {
			p++;
			len--;
		}
		joining = len && p[len - 1] == ' ';
		if (joining)
			g_byte_array_append(out, (void *)p, len - delsp);
		else
			g_byte_array_append(out, (void *)p, next - p);
		p = next;
	}
	return g_byte_array_free_to_bytes(out);
}

char *text_one_space(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		bool space = g_ascii_isspace(*p) || *p == '\v';

		if (!space)
			*to++ = *p;
		else if (to == text || to[-1] != ' ')
			*to++ = ' ';
	}
	*to = '\0';
	return text;
}

char *text_stripspace(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *out = g_string_new(NULL);
	bool blank = false;

	for (char **l = lines; *l; l++) {
		g_strchomp(*l);
		if (!**l) {
			blank = true;
			continue;
		}
		if (blank && out->len)
			g_string_append_c(out, '\n');
		blank = false;
		g_string_append(out, *l);
		g_string_append_c(out, '\n');
	}
	return g_string_free(out, FALSE);
}
