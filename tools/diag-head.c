// SPDX-License-Identifier: GPL-2.0
#include "diag-internal.h"

/* gcc writes severities in lower case, the assembler with a capital. */
static const struct severity {
	const char *word;
	enum diag_kind kind;
	bool note, fatal, internal, assembler;
} severities[] = {
	{ "error: ", DIAG_ERROR },
	{ "warning: ", DIAG_WARNING },
	{ "note: ", DIAG_WARNING, .note = true },
	{ "fatal error: ", DIAG_ERROR, .fatal = true },
	{ "internal compiler error: ", DIAG_ERROR, .fatal = true,
	  .internal = true },
	{ "sorry, unimplemented: ", DIAG_ERROR },
	{ "Error: ", DIAG_ERROR, .assembler = true },
	{ "Warning: ", DIAG_WARNING, .assembler = true },
	{ "Fatal error: ", DIAG_ERROR, .fatal = true, .assembler = true },
	{ "Internal error: ", DIAG_ERROR, .fatal = true, .internal = true,
	  .assembler = true },
	{ "Info: ", DIAG_WARNING, .note = true, .assembler = true },
};

/* Lines without a severity that say that the compiler died. */
static const char *const deaths[] = {
	"out of memory allocating ",
	"out of memory",
	"virtual memory exhausted",
	"memory exhausted",
	"Cannot allocate memory",
	"Internal error in ",
};

/* Takes ":digits" off the end of @s. */
static bool take_number(const char *s, gsize *len, unsigned int *n)
{
	gsize start = *len;

	*n = 0;
	while (start && g_ascii_isdigit(s[start - 1]))
		start--;
	if (start == *len || start < 2 || s[start - 1] != ':' ||
	    *len - start > 9)
		return false;
	*n = g_ascii_strtoull(s + start, NULL, 10);
	*len = start - 1;
	return true;
}

static bool is_source(const char *s, gsize len)
{
	return len > 2 && s[len - 2] == '.' && strchr("chsSi", s[len - 1]);
}

void diag_read_location(const char *s, gsize len, struct diag_location *at)
{
	unsigned int last, before;
	bool numbered = take_number(s, &len, &last);

	at->line = last;
	at->column = 0;
	if (numbered && take_number(s, &len, &before)) {
		at->line = before;
		at->column = last;
	}
	at->file_len = len;
	/* "mm/x.c: error: ..." has no line, "cc1: error: ..." no file */
	at->tool = !numbered && !is_source(s, len) && s[0] != '<';
}

/* /tmp/ccAbCdEf.s, as gcc's make_temp_file() names it */
static bool is_temporary(const char *s, gsize len)
{
	const char *base = s + len - strlen("ccXXXXXX.s");

	return len > strlen("/ccXXXXXX.s") && base[-1] == '/' &&
	       !strncmp(base, "cc", 2) && !strncmp(s + len - 2, ".s", 2);
}

/*
 * The temporary file of the assembler has a name of chance, and its line is
 * moved by any change: neither says anything.  The same line can come with
 * the bare name of a .file directive or as "{standard input}"; a source has
 * its directory.
 */
static void drop_temporary(const char *line, struct diag_location *at)
{
	if (!is_temporary(line, at->file_len) && memchr(line, '/', at->file_len))
		return;
	at->file_len = 0;
	at->line = 0;
	at->column = 0;
	at->tool = false;
}

/* @word is where the severity stands in the line. */
static void fill(struct diag_head *h, const struct severity *s,
		 const char *word)
{
	h->kind = s->kind;
	h->note = s->note;
	h->fatal = s->fatal;
	h->internal = s->internal;
	h->assembler = s->assembler;
	/* without its severity "Segmentation fault" would say the wrong thing */
	h->message = s->internal ? word : word + strlen(s->word);
}

static const struct severity *severity_at(const char *s)
{
	for (guint i = 0; i < G_N_ELEMENTS(severities); i++)
		if (g_str_has_prefix(s, severities[i].word))
			return &severities[i];
	return NULL;
}

bool diag_read_head(const char *line, struct diag_head *h)
{
	const struct severity *s;

	memset(h, 0, sizeof(*h));
	/* "Fatal error: can't create x.o", below "Assembler messages:" */
	s = severity_at(line);
	if (s && s->assembler) {
		h->at.tool = true;
		fill(h, s, line);
		return true;
	}
	if (g_ascii_isspace(*line))
		return false;
	for (const char *c = line; (c = strstr(c, ": ")); c++) {
		const char *word = c + 1 + strspn(c + 1, " ");

		s = severity_at(word);
		if (!s)
			continue;
		diag_read_location(line, c - line, &h->at);
		if (s->assembler && !h->at.tool)
			drop_temporary(line, &h->at);
		fill(h, s, word);
		return true;
	}
	return false;
}

bool diag_read_death(const char *line, struct diag_head *h)
{
	for (guint i = 0; i < G_N_ELEMENTS(deaths); i++) {
		if (!strstr(line, deaths[i]))
			continue;
		memset(h, 0, sizeof(*h));
		h->kind = DIAG_ERROR;
		h->fatal = true;
		h->at.tool = true;
		h->message = line;
		return true;
	}
	return false;
}
