// SPDX-License-Identifier: GPL-2.0
/* Paths as they stand in a diff: prefixes, quoting, what is refused. */
#include "diff-internal.h"

/* Undoes git's C-style quoting from @p (after the '"'); NULL: corrupt. */
static const char *unquote(const char *p, const char *end, GString *out)
{
	static const char from[] = "abfnrtv\"\\", to[] = "\a\b\f\n\r\t\v\"\\";

	while (p < end && *p != '"') {
		const char *known;
		int i, value = 0;

		if (*p != '\\') {
			g_string_append_c(out, *p++);
			continue;
		}
		if (++p == end)
			return NULL;
		known = *p ? strchr(from, *p) : NULL;
		if (known) {
			g_string_append_c(out, to[known - from]);
			p++;
			continue;
		}
		for (i = 0; i < 3; i++, p++) {
			if (p == end || *p < '0' || *p > '7')
				return NULL;
			value = value * 8 + *p - '0';
		}
		/* A NUL cannot be in a path. */
		if (value == 0 || value > 255)
			return NULL;
		g_string_append_c(out, (char)value);
	}
	return p < end ? p + 1 : NULL;
}

char *name_of_line(const char *text, gsize len, bool tab_ends)
{
	g_autoptr(GString) out = g_string_new(NULL);
	gsize n;

	if (len && *text == '"') {
		if (!unquote(text + 1, text + len, out))
			return NULL;
		return g_strdup(out->str);
	}
	for (n = 0; n < len; n++)
		if (text[n] == '\n' || text[n] == '\r' || !text[n] ||
		    (tab_ends && text[n] == '\t'))
			break;
	return n ? g_strndup(text, n) : NULL;
}

/* Takes the first component off (-p1) and makes one slash of many. */
char *name_strip(const char *name)
{
	const char *p = name ? strchr(name, '/') : NULL;
	GString *out;

	/* Kept as it is, so that name_unsafe() sees that it is absolute. */
	if (p == name && p)
		return g_strdup(name);
	if (!p)
		return NULL;
	while (*p == '/')
		p++;
	out = g_string_new(NULL);
	for (; *p; p++)
		if (*p != '/' || p[1] != '/')
			g_string_append_c(out, *p);
	return g_string_free(out, out->len == 0);
}

static char *default_quoted(const char *text, gsize len)
{
	g_autoptr(GString) first = g_string_new(NULL);
	g_autofree char *a = NULL, *second = NULL, *b = NULL;
	const char *p = unquote(text + 1, text + len, first);

	if (!p || p == text + len || *p != ' ')
		return NULL;
	second = name_of_line(p + 1, text + len - p - 1, false);
	a = name_strip(first->str);
	b = name_strip(second);
	return a && b && !strcmp(a, b) ? g_steal_pointer(&a) : NULL;
}

/*
 * The name of "diff --git a/NAME b/NAME".  The line says it only when both
 * are the same: a blank may be part of a name, so every split is tried.
 */
char *name_default(const char *text, gsize len)
{
	gsize i;

	while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		len--;
	if (len && *text == '"')
		return default_quoted(text, len);
	for (i = 1; i + 1 < len; i++) {
		g_autofree char *first = NULL, *second = NULL, *a = NULL, *b = NULL;

		if (text[i] != ' ' && text[i] != '\t')
			continue;
		first = g_strndup(text, i);
		second = name_of_line(text + i + 1, len - i - 1, false);
		a = name_strip(first);
		b = name_strip(second);
		if (a && b && !strcmp(a, b))
			return g_steal_pointer(&a);
	}
	return NULL;
}

bool name_is_dev_null(const char *text, gsize len)
{
	return len >= 9 && !memcmp(text, "/dev/null", 9) &&
	       (len == 9 || g_ascii_isspace(text[9]));
}

/*
 * diff -N dates a file that does not exist at the epoch, in the local zone:
 * "\t1970-01-01 01:00:00.000000000 +0100".
 */
bool name_is_epoch(const char *text, gsize len)
{
	const char *tab = memchr(text, '\t', len);
	g_autofree char *stamp = NULL;
	int y, mon, d, h, min, s, zone, days, used = 0;
	char *p;

	if (!tab)
		return false;
	stamp = g_strndup(tab + 1, text + len - tab - 1);
	if (sscanf(stamp, "%4d-%2d-%2d %2d:%2d:%2d%n", &y, &mon, &d, &h, &min,
		   &s, &used) != 6 || !used)
		return false;
	p = stamp + used;
	if (*p == '.')
		for (p++; *p == '0'; p++)
			;
	if (sscanf(p, " %5d", &zone) != 1)
		return false;
	if (y == 1970 && mon == 1 && d == 1)
		days = 0;
	else if (y == 1969 && mon == 12 && d == 31)
		days = -1;
	else
		return false;
	return s == 0 && (days * 24 + h) * 60 + min ==
			 zone / 100 * 60 + zone % 100;
}

const char *name_unsafe(const char *path)
{
	g_auto(GStrv) part = NULL;
	int i;

	if (*path == '/')
		return "is absolute";
	part = g_strsplit(path, "/", -1);
	for (i = 0; part[i]; i++) {
		if (!*part[i])
			return "has an empty component";
		if (!strcmp(part[i], ".") || !strcmp(part[i], ".."))
			return "leaves the tree";
		if (!g_ascii_strcasecmp(part[i], ".git"))
			return "is in a git directory";
	}
	return NULL;
}
