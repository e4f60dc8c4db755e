// SPDX-License-Identifier: GPL-2.0
#include "mailinfo.h"

#include "error.h"
#include "mail-text.h"

enum field { FROM, SUBJECT, DATE, NR_FIELDS };

static const char *const field_names[NR_FIELDS] = {
	"From:", "Subject:", "Date:",
};

/* The state of git-mailinfo(1)'s pass over the lines of the body. */
struct scan {
	bool in_header;		/* headers in the body may still come */
	bool in_diff;
	GString *accum;		/* such a header, with its folded lines */
	char *inbody[NR_FIELDS];
	GString *log;
	GByteArray *diff;
	bool guessed;
};

static void note(struct mail *m, const char *text)
{
	g_ptr_array_add(m->notes, g_strdup(text));
}

static bool starts(const char *p, gsize len, const char *prefix)
{
	gsize n = strlen(prefix);

	return len >= n && !memcmp(p, prefix, n);
}

static bool is_field(const char *line, enum field f)
{
	gsize n = strlen(field_names[f]);

	return !g_ascii_strncasecmp(line, field_names[f], n);
}

/* Where the log message ends: "---" alone or before a name, or a diff. */
static bool is_patch_break(const char *p, gsize len)
{
	if (starts(p, len, "diff -") || starts(p, len, "Index: "))
		return true;
	if (len < 4 || !starts(p, len, "---"))
		return false;
	if (p[3] == ' ' && len > 4 && !g_ascii_isspace(p[4]))
		return true;
	for (gsize i = 3; i < len; i++) {
		if (p[i] == '\n')
			return true;
		if (!g_ascii_isspace(p[i]))
			return false;
	}
	return false;
}

/* The first line of git format-patch's output, quoted by a mail program. */
static bool is_quoted_separator(const char *line)
{
	static const char tail[] = " Mon Sep 17 00:00:00 2001\n";

	return g_str_has_prefix(line, ">From ") &&
	       strspn(line + 6, "0123456789abcdef") == 40 &&
	       !strcmp(line + 46, tail);
}

static void flush_header(struct scan *s)
{
	for (int f = 0; f < NR_FIELDS && s->accum->len; f++) {
		if (!is_field(s->accum->str, f))
			continue;
		s->inbody[f] = g_strstrip(text_one_space(mail_decode_header(
				s->accum->str + strlen(field_names[f]))));
		g_string_truncate(s->accum, 0);
	}
}

/* Is this line of the body a header?  The first of each name counts. */
static bool take_header(struct scan *s, const char *line)
{
	if (s->accum->len && (*line == ' ' || *line == '\t')) {
		if (s->accum->str[s->accum->len - 1] == '\n')
			g_string_truncate(s->accum, s->accum->len - 1);
		g_string_append(s->accum, line);
		return true;
	}
	flush_header(s);
	if (g_str_has_prefix(line, ">From"))
		return is_quoted_separator(line);
	if (g_str_has_prefix(line, "[PATCH]") && g_ascii_isspace(line[7])) {
		g_free(s->inbody[SUBJECT]);
		s->inbody[SUBJECT] = g_strstrip(g_strdup(line));
		return true;
	}
	for (int f = 0; f < NR_FIELDS; f++) {
		if (!s->inbody[f] && is_field(line, f)) {
			g_string_append(s->accum, line);
			return true;
		}
	}
	return false;
}

/* Returns true when the line begins the diff. */
static bool log_line(struct scan *s, const char *p, gsize len,
		     const char *charset)
{
	gsize n;
	g_autofree char *line =
		text_to_utf8(p, len, charset, &s->guessed, &n);

	if (s->in_header && (!n || (n == 1 && *line == '\n'))) {
		s->in_header = !s->accum->len;
		flush_header(s);
		return false;
	}
	if (s->in_header) {
		s->in_header = take_header(s, line);
		if (s->in_header)
			return false;
	}
	if (is_patch_break(line, n))
		return true;
	g_string_append_len(s->log, line, n);
	return false;
}

static void scan_part(struct scan *s, const struct mail_part *part)
{
	gsize size;
	const char *p = g_bytes_get_data(part->bytes, &size);
	const char *end = p + size;

	while (p < end && !s->in_diff) {
		gsize len = text_line_len(p, end);

		s->in_diff = log_line(s, p, len, part->charset);
		if (!s->in_diff)
			p += len;
	}
	if (p < end)
		g_byte_array_append(s->diff, (const void *)p, end - p);
}

char *mailinfo_clean_subject(char *subject)
{
	char *p = subject;

	for (;;) {
		p += strspn(p, " \t:");
		if (!g_ascii_strncasecmp(p, "re:", 3))
			p += 3;
		else if (*p == '[' && strchr(p, ']'))
			p = strchr(p, ']') + 1;
		else
			break;
	}
	memmove(subject, p, strlen(p) + 1);
	return g_strstrip(text_one_space(subject));
}

static const char *field(struct scan *s, struct mail *m, enum field f)
{
	const char *const header[NR_FIELDS] = { m->from, m->subject, m->date };

	if (s->inbody[f])
		return s->inbody[f];
	return header[f] ? header[f] : "";
}

static void fill(struct mailinfo *mi, struct scan *s, struct mail *m)
{
	const char *date = field(s, m, DATE);
	g_autofree char *text = NULL;

	mi->raw_subject = g_strdup(m->subject ? m->subject :
				   field(s, m, SUBJECT));
	mi->subject = mailinfo_clean_subject(g_strdup(field(s, m, SUBJECT)));
	mailinfo_author(field(s, m, FROM), &mi->author_name, &mi->author_email);
	if (!mail_decode_date(date, &mi->date, &mi->date_offset))
		note(m, *date ? "the Date: header is no date; 1970 is taken" :
			"no Date: header; 1970 is taken");
	text = g_strconcat(mi->subject, "\n\n", s->log->str, NULL);
	mi->message = text_stripspace(text);
	mi->log = g_strdup(s->log->str);
	if (s->guessed)
		note(m, "the log message is in no charset that the mail "
			"names; read as UTF-8 or latin-1");
}

struct mailinfo *mailinfo_read(struct mail *m, GError **error)
{
	struct scan s = {
		.in_header = true,
		.accum = g_string_new(NULL),
		.log = g_string_new(NULL),
		.diff = g_byte_array_new(),
	};
	struct mailinfo *mi = g_new0(struct mailinfo, 1);

	for (guint i = 0; i < m->parts->len; i++)
		scan_part(&s, m->parts->pdata[i]);
	flush_header(&s);
	mi->diff = g_byte_array_free_to_bytes(s.diff);
	fill(mi, &s, m);
	if (memchr(s.log->str, '\0', s.log->len)) {
		g_set_error_literal(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
				    "the log message has a NUL byte");
		g_clear_pointer(&mi, mailinfo_free);
	}
	for (int f = 0; f < NR_FIELDS; f++)
		g_free(s.inbody[f]);
	g_string_free(s.accum, TRUE);
	g_string_free(s.log, TRUE);
	return mi;
}

void mailinfo_free(struct mailinfo *mi)
{
	if (!mi)
		return;
	g_free(mi->subject);
	g_free(mi->raw_subject);
	g_free(mi->author_name);
	g_free(mi->author_email);
	g_free(mi->log);
	g_free(mi->message);
	g_bytes_unref(mi->diff);
	g_free(mi);
}
