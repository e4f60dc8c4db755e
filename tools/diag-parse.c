// SPDX-License-Identifier: GPL-2.0
#include "diag-internal.h"

/*
 * gcc prints the function and the include chain only when they differ from
 * those of the message before, so they are kept until something replaces
 * them.  Notes can change the function too.
 */
struct parser {
	const char *srcdir, *odir;
	GPtrArray *diags;
	GHashTable *seen;	/* printed form -> struct diag of diags */
	GHashTable *chains;	/* file -> chain */
	GHashTable *quotes;	/* "file:line" -> the source line */
	char *function;		/* "" at top level */
	GPtrArray *frames;	/* of struct diag_place: "inlined from" */
	char *chain;		/* announced, for the file printed next; or NULL */
	struct diag *d;		/* the one being read, or NULL */
	GString *printed;	/* d as printed, with its notes and callers */
	bool expanding;		/* only macro notes have followed d so far */
	unsigned int uses;	/* of macros, in d's places */
	char *quoting;		/* "file:line" of the last head or note */
	unsigned int quoting_line;
};

static GPtrArray *place_array_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)diag_place_free);
}

/* The path of @h in @line; an announced chain is that of this file. */
static char *head_path(struct parser *p, const char *line,
		       const struct diag_head *h)
{
	g_autofree char *name = g_strndup(line, h->at.file_len);
	char *file = diag_path(name, p->srcdir, p->odir);

	if (p->chain)
		g_hash_table_insert(p->chains, g_strdup(file),
				    g_steal_pointer(&p->chain));
	return file;
}

static char *parser_path(const struct parser *p, const char *file, gsize len)
{
	g_autofree char *name = g_strndup(file, len);

	return diag_path(name, p->srcdir, p->odir);
}

/* What is quoted next is line @line of @file. */
static void set_quoting(struct parser *p, const char *file, unsigned int line)
{
	g_free(p->quoting);
	p->quoting = g_strdup_printf("%s:%u", file, line);
	p->quoting_line = line;
}

/* gcc does not quote a line again that it has just quoted. */
static void fill_text(struct parser *p, char **text, const char *file,
		      unsigned int line)
{
	g_autofree char *key = g_strdup_printf("%s:%u", file, line);
	const char *quote = g_hash_table_lookup(p->quotes, key);

	if (!quote)
		return;
	g_free(*text);
	*text = g_strdup(quote);
}

/* Ends the diagnostic being read: an exact repetition is only counted. */
static void parser_flush(struct parser *p)
{
	struct diag *d = p->d, *first;

	p->d = NULL;
	if (!d)
		return;
	fill_text(p, &d->text, d->file, d->line);
	for (guint i = 0; i < d->places->len; i++) {
		struct diag_place *place = d->places->pdata[i];

		fill_text(p, &place->text, place->file, place->line);
	}
	first = g_hash_table_lookup(p->seen, p->printed->str);
	if (first) {
		first->repeats++;
		diag_free(d);
		return;
	}
	g_hash_table_insert(p->seen, g_strdup(p->printed->str), d);
	g_ptr_array_add(p->diags, d);
}

static void set_function(struct parser *p, const char *name, gsize len)
{
	const char *dot = memchr(name, '.', len);

	/* f.isra.0, f.constprop.0: clones that gcc makes of f */
	if (dot)
		len = dot - name;
	g_free(p->function);
	p->function = g_strndup(name, len);
	g_ptr_array_set_size(p->frames, 0);
}

/* "F: In function 'x':", "In function 'x'," and "F: At top level:" */
static bool read_function(struct parser *p, const char *line)
{
	static const char *const in[] = {
		"In function '", "In member function '", "In constructor '",
	};
	const char *s, *end;

	if (g_str_has_suffix(line, ": At top level:") ||
	    !strcmp(line, "At top level:")) {
		set_function(p, "", 0);
		return true;
	}
	for (guint i = 0; i < G_N_ELEMENTS(in); i++) {
		s = strstr(line, in[i]);
		if (!s || (s != line && (s - line < 2 || s[-2] != ':')))
			continue;
		s += strlen(in[i]);
		end = strchr(s, '\'');
		if (!end || (strcmp(end, "':") && strcmp(end, "',")))
			return false;
		set_function(p, s, end - s);
		return true;
	}
	return false;
}

/* "    inlined from 'b' at F:L:C," */
static bool read_inlined(struct parser *p, const char *line)
{
	static const char start[] = "    inlined from '";
	struct diag_location at;
	struct diag_place *frame;
	const char *name, *end;
	gsize len;

	if (!g_str_has_prefix(line, start))
		return false;
	name = line + strlen(start);
	end = strstr(name, "' at ");
	if (!end)
		return true;
	frame = diag_place_new();
	frame->inlined = true;
	g_free(frame->via);
	frame->via = g_strndup(name, strcspn(name, "'."));
	end += strlen("' at ");
	len = strlen(end);
	while (len && (end[len - 1] == ',' || end[len - 1] == ':'))
		len--;
	diag_read_location(end, len, &at);
	g_free(frame->file);
	frame->file = parser_path(p, end, at.file_len);
	frame->line = at.line;
	frame->column = at.column;
	g_ptr_array_add(p->frames, frame);
	return true;
}

/* "In file included from F:L," and its continuation lines */
static bool read_chain(struct parser *p, const char *line)
{
	static const char start[] = "In file included from ";
	struct diag_location at;
	g_autofree char *file = NULL;
	gsize len;

	if (g_str_has_prefix(line, "                 from "))
		return true;
	if (!g_str_has_prefix(line, start))
		return false;
	line += strlen(start);
	len = strlen(line);
	while (len && (line[len - 1] == ',' || line[len - 1] == ':'))
		len--;
	diag_read_location(line, len, &at);
	file = parser_path(p, line, at.file_len);
	g_free(p->chain);
	p->chain = at.line ? g_strdup_printf("%s:%u", file, at.line) :
			     g_steal_pointer(&file);
	return true;
}

/* "  905 |     pte = ..." below a message that named line 905 */
static bool read_quoted(struct parser *p, const char *line)
{
	const char *s = line + strspn(line, " ");
	char *end;
	guint64 number;

	if (s == line && !g_ascii_isdigit(*s))
		return false;
	if (*s == '|')
		return true;
	if (!g_ascii_isdigit(*s))
		return false;
	number = g_ascii_strtoull(s, &end, 10);
	if (strncmp(end, " |", 2))
		return false;
	if (p->quoting && number == p->quoting_line)
		g_hash_table_insert(p->quotes, g_strdup(p->quoting),
				    g_strstrip(g_strdup(end + 2)));
	return true;
}

/* A macro use is a place of the diagnostic as long as only such notes came. */
static void add_expansion(struct parser *p, const char *file,
			  const struct diag_head *h)
{
	static const char use[] = "in expansion of macro '";
	struct diag_place *place;
	const char *name;

	if (!g_str_has_prefix(h->message, use)) {
		if (!g_str_has_prefix(h->message, "in definition of macro '"))
			p->expanding = false;
		return;
	}
	if (!p->expanding)
		return;
	name = h->message + strlen(use);
	place = diag_place_new();
	g_free(place->file);
	place->file = g_strdup(file);
	place->line = h->at.line;
	place->column = h->at.column;
	g_free(place->via);
	place->via = g_strndup(name, strcspn(name, "'"));
	/* before the callers it was inlined into */
	g_ptr_array_insert(p->d->places, p->uses++, place);
}

static void add_note(struct parser *p, const struct diag_head *h,
		     const char *line)
{
	g_autofree char *file = head_path(p, line, h);

	set_quoting(p, file, h->at.line);
	/* comes after any diagnostic and has nothing to do with it */
	if (!p->d || (h->at.tool && !p->d->tool) ||
	    strstr(h->message, "may have been intended to silence"))
		return;
	g_string_append_printf(p->printed, "\n%s", line);
	if (h->at.tool || !*file)
		g_ptr_array_add(p->d->notes, g_strdup(h->message));
	else
		g_ptr_array_add(p->d->notes,
				g_strdup_printf("%s:%u: %s", file, h->at.line,
						h->message));
	add_expansion(p, file, h);
}

/* Splits "text [-Werror=x]" into message and rule "-Wx". */
static void set_message(struct diag *d, const char *message)
{
	const char *open = strrchr(message, '[');
	gsize len = strlen(message);

	g_free(d->message);
	if (!open || open == message || open[-1] != ' ' || len < 4 ||
	    message[len - 1] != ']' || strpbrk(open, " '\"") ||
	    (strncmp(open, "[-W", 3) && strncmp(open, "[-f", 3) &&
	     strcmp(open, "[-pedantic]"))) {
		d->message = g_strdup(message);
		return;
	}
	d->message = g_strndup(message, open - 1 - message);
	open++;
	g_free(d->rule);
	if (g_str_has_prefix(open, "-Werror="))
		d->rule = g_strdup_printf("-W%.*s", (int)strlen(open) - 9,
					  open + 8);
	else
		d->rule = g_strndup(open, strlen(open) - 1);
}

static void add_frames(struct parser *p, struct diag *d)
{
	for (guint i = 0; i < p->frames->len; i++) {
		const struct diag_place *f = p->frames->pdata[i];
		char *note = g_strdup_printf("%s:%u: inlined from '%s'",
					     f->file, f->line, f->via);

		g_ptr_array_add(d->places, diag_place_copy(f));
		g_ptr_array_add(d->notes, note);
		g_string_append_printf(p->printed, "\n%s:%u", note, f->column);
	}
}

static void start_diag(struct parser *p, const struct diag_head *h,
		       const char *line)
{
	struct diag *d = diag_new();
	const char *chain;

	parser_flush(p);
	p->d = d;
	p->expanding = true;
	p->uses = 0;
	g_string_printf(p->printed, "%s\n%s", p->function, line);
	d->kind = h->kind;
	d->fatal = h->fatal;
	d->tool = h->at.tool || h->internal;
	d->line = h->at.line;
	d->column = h->at.column;
	set_message(d, h->message);
	if (h->at.tool)
		return;
	g_free(d->file);
	d->file = head_path(p, line, h);
	/* the assembler runs after cc1 and knows no function */
	if (!h->assembler) {
		g_free(d->function);
		d->function = g_strdup(p->function);
		add_frames(p, d);
	} else {
		g_ptr_array_set_size(p->frames, 0);
	}
	chain = g_hash_table_lookup(p->chains, d->file);
	if (chain) {
		g_free(d->chain);
		d->chain = g_strdup(chain);
	}
	set_quoting(p, d->file, d->line);
}

/*
 * Heads come before functions and deaths: no message can pose as one of
 * those, whatever an #error in a patch says.
 */
static void read_line(struct parser *p, const char *line)
{
	struct diag_head h;

	if (!*line || read_quoted(p, line) || read_chain(p, line) ||
	    read_inlined(p, line))
		return;
	if (!diag_read_head(line, &h) &&
	    (read_function(p, line) || !diag_read_death(line, &h)))
		return;
	if (h.note)
		add_note(p, &h, line);
	else
		start_diag(p, &h, line);
}

GPtrArray *diag_parse(const char *text, const char *srcdir, const char *odir)
{
	/* the store is JSON, and a source line may be in any charset */
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	struct parser p = {
		.srcdir = srcdir,
		.odir = odir,
		.diags = diag_array_new(),
		.seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					      NULL),
		.chains = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						g_free),
		.quotes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						g_free),
		.function = g_strdup(""),
		.frames = place_array_new(),
		.printed = g_string_new(NULL),
	};

	for (char *line = valid, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		g_strchomp(line);
		read_line(&p, line);
	}
	parser_flush(&p);
	g_hash_table_unref(p.seen);
	g_hash_table_unref(p.chains);
	g_hash_table_unref(p.quotes);
	g_free(p.function);
	g_free(p.quoting);
	g_free(p.chain);
	g_ptr_array_unref(p.frames);
	g_string_free(p.printed, TRUE);
	return p.diags;
}
