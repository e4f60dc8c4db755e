// SPDX-License-Identifier: GPL-2.0
#include "shwords.h"

static const char *single_quoted(const char *p, const char *end, GString *word)
{
	const char *q = memchr(p, '\'', end - p);

	if (!q)
		q = end;
	g_string_append_len(word, p, q - p);
	return MIN(q + 1, end);
}

static const char *double_quoted(const char *p, const char *end, GString *word)
{
	for (; p < end && *p != '"'; p++) {
		if (*p == '\\' && end - p > 1 && strchr("\"\\$`", p[1]))
			p++;
		g_string_append_c(word, *p);
	}
	return MIN(p + 1, end);
}

static bool is_op(char c)
{
	return c && strchr(";&|<>()\n", c);
}

static bool is_plain(char c)
{
	return !is_op(c) && c != ' ' && c != '\t' && c != '\'' && c != '"' &&
	       c != '\\';
}

enum shword shword_next(const char **pos, const char *end, GString *word)
{
	const char *p = *pos, *q;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	g_string_truncate(word, 0);
	if (p == end) {
		*pos = p;
		return SHWORD_END;
	}
	if (is_op(*p)) {
		*pos = p + 1;
		return SHWORD_OP;
	}
	while (p < end && !is_op(*p) && *p != ' ' && *p != '\t') {
		if (*p == '\'') {
			p = single_quoted(p + 1, end, word);
		} else if (*p == '"') {
			p = double_quoted(p + 1, end, word);
		} else if (*p == '\\') {
			if (++p < end)
				g_string_append_c(word, *p++);
		} else {
			for (q = p; q < end && is_plain(*q); q++)
				;
			g_string_append_len(word, p, q - p);
			p = q;
		}
	}
	*pos = p;
	return SHWORD_WORD;
}
