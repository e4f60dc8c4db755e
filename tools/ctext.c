// SPDX-License-Identifier: GPL-2.0
#include "ctext.h"

bool is_word_char(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Blanks from @i up to @end; newlines and the line structure stay. */
static void blank_out(char *mask, gsize i, gsize end)
{
	for (; i < end; i++)
		if (mask[i] != '\n')
			mask[i] = ' ';
}

static gsize block_comment_end(const char *text, gsize i, gsize len)
{
	for (i += 2; i + 1 < len; i++)
		if (text[i] == '*' && text[i + 1] == '/')
			return i + 2;
	return len;
}

/* Offset of the '\n' that ends the logical line at @i, or @len. */
static gsize line_comment_end(const char *text, gsize i, gsize len)
{
	while (i < len && (text[i] != '\n' || text[i - 1] == '\\'))
		i++;
	return i;
}

/*
 * Behind the literal that opens at @i.  One that is not closed on its line is
 * an apostrophe in an #error or in assembler: it ends there, so that the rest
 * of the file is still read.
 */
static gsize literal_end(const char *text, gsize i, gsize len)
{
	char quote = text[i++];

	for (; i < len && text[i] != '\n'; i++) {
		if (text[i] == quote)
			return i + 1;
		if (text[i] == '\\' && i + 1 < len)
			i++;
	}
	return i;
}

/* @open: for each byte, may be NULL; set where a '\n' is within a comment. */
static void mask_comments(char *mask, const char *text, gsize len, GArray *open)
{
	gsize i = 0, end;

	while (i < len) {
		if (text[i] == '"' || text[i] == '\'') {
			i = literal_end(text, i, len);
		} else if (i + 1 < len && text[i] == '/' &&
			   text[i + 1] == '*') {
			end = block_comment_end(text, i, len);
			for (gsize k = i; k < end; k++)
				if (text[k] == '\n')
					g_array_append_val(open, k);
			blank_out(mask, i, end);
			i = end;
		} else if (i + 1 < len && text[i] == '/' &&
			   text[i + 1] == '/') {
			end = line_comment_end(text, i, len);
			blank_out(mask, i, end);
			i = end;
		} else {
			i++;
		}
	}
}

static void index_lines(struct ctext *t)
{
	gsize n = 2;

	for (gsize i = 0; i < t->len; i++)
		n += t->mask[i] == '\n';
	t->start = g_new0(gsize, n + 1);
	t->joined = g_new0(bool, n + 1);
	for (gsize i = 0; i < t->len;) {
		const char *nl = memchr(t->mask + i, '\n', t->len - i);

		t->start[++t->count] = i;
		i = nl ? (gsize)(nl - t->mask) + 1 : t->len;
	}
	t->start[t->count + 1] = t->len;
}

struct ctext *ctext_new(const char *text, gsize len)
{
	struct ctext *t = g_new0(struct ctext, 1);
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(gsize));
	guint k = 0;

	t->len = len;
	t->mask = g_malloc(len + 1);
	if (len)
		memcpy(t->mask, text, len);
	t->mask[len] = '\0';
	mask_comments(t->mask, text, len, open);
	index_lines(t);
	for (unsigned int n = 1; n < t->count; n++) {
		gsize nl = t->start[n + 1] - 1;

		if (k < open->len && g_array_index(open, gsize, k) == nl) {
			t->joined[n] = true;
			k++;
		} else {
			/* From the text: a // comment has its \ blanked. */
			t->joined[n] = nl && text[nl - 1] == '\\';
		}
	}
	return t;
}

void ctext_free(struct ctext *t)
{
	if (!t)
		return;
	g_free(t->mask);
	g_free(t->start);
	g_free(t->joined);
	g_free(t);
}

const char *ctext_line(const struct ctext *t, unsigned int n, gsize *len)
{
	gsize from, to;

	g_assert(n >= 1 && n <= t->count);
	from = t->start[n];
	to = t->start[n + 1];
	if (to > from && t->mask[to - 1] == '\n')
		to--;
	*len = to - from;
	return t->mask + from;
}

bool ctext_blank(const struct ctext *t, unsigned int n)
{
	gsize len;
	const char *s = ctext_line(t, n, &len);

	for (gsize i = 0; i < len; i++)
		if (!g_ascii_isspace(s[i]))
			return false;
	return true;
}

unsigned int ctext_first(const struct ctext *t, unsigned int n)
{
	while (n > 1 && t->joined[n - 1])
		n--;
	return n;
}

unsigned int ctext_last(const struct ctext *t, unsigned int n)
{
	while (n < t->count && t->joined[n])
		n++;
	return n;
}

bool word_in(const char *text, gsize len, const char *name)
{
	gsize n = strlen(name);
	const char *s = text, *end = text + len;

	while (n && (s = memmem(s, end - s, name, n))) {
		if ((s == text || !is_word_char(s[-1])) &&
		    (s + n == end || !is_word_char(s[n])))
			return true;
		s++;
	}
	return false;
}

bool ctext_mentions(const struct ctext *t, unsigned int n, const char *name)
{
	gsize len;
	const char *s = ctext_line(t, n, &len);

	return word_in(s, len, name);
}

/* Past blanks, newlines and the backslashes that join lines. */
static const char *skip_blanks(const char *s, const char *end)
{
	while (s < end && (g_ascii_isspace(*s) ||
			   (*s == '\\' && s + 1 < end && s[1] == '\n')))
		s++;
	return s;
}

static bool is_directive_word(const char *word)
{
	static const char *const words[] = {
		"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else",
		"endif", "define", "undef", "include", "include_next", "import",
		"error", "warning", "pragma", "line", "ident", "", NULL
	};

	return g_strv_contains(words, word);
}

bool ctext_directive(const struct ctext *t, unsigned int first,
		     struct directive *d)
{
	const char *s = t->mask + t->start[first];
	const char *end = t->mask + t->start[ctext_last(t, first) + 1];
	gsize n = 0;

	s = skip_blanks(s, end);
	if (s == end || *s != '#')
		return false;
	d->line = first;
	while (t->start[d->line + 1] <= (gsize)(s - t->mask))
		d->line++;
	s = skip_blanks(s + 1, end);
	while (s < end && is_word_char(*s) && n < sizeof(d->word) - 1)
		d->word[n++] = *s++;
	d->word[n] = '\0';
	d->args = skip_blanks(s, end);
	d->args_len = end - d->args;
	/* A lone # is the null directive; "# 12 bytes" is assembler. */
	return is_directive_word(d->word) && (n || d->args == end);
}
