// SPDX-License-Identifier: GPL-2.0
/* Directives, and the tokens of conditions and macro bodies. */
#include "ppfile.h"
#include <string.h>
#include "ctext.h"

void pp_add(struct pp_file *f, enum pp_op op, guint32 line, guint32 arg)
{
	struct pp_item it = { .op = op, .line = line, .arg = arg };

	g_array_append_val(f->items, it);
}

static const char *skip_blanks(const char *s, const char *end)
{
	while (s < end && g_ascii_isspace(*s))
		s++;
	return s;
}

static gsize word_len(const char *s, const char *end)
{
	gsize n = 0;

	while (s + n < end && is_word_char(s[n]))
		n++;
	return n;
}

/* Two characters that are one operator; 0: they are not. */
static char pair(char a, char b)
{
	static const char pairs[][4] = {
		"&&a", "||o", "==e", "!=n", "<=l", ">=g", "<<L", ">>R", "##h",
		"->m",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++)
		if (pairs[i][0] == a && pairs[i][1] == b)
			return pairs[i][2];
	return 0;
}

static const char *skip_literal(const char *s, const char *end)
{
	char quote = *s++;

	for (; s < end && *s != quote; s++)
		if (*s == '\\' && s + 1 < end)
			s++;
	return s < end ? s + 1 : end;
}

static const char *lex_number(struct pp_token *t, const char *s, const char *end)
{
	gsize n = word_len(s, end);
	g_autofree char *digits = g_strndup(s, n);
	char *rest;

	t->number = g_ascii_strtoull(digits, &rest, 0);
	t->kind = strspn(rest, "uUlL") == strlen(rest) ? PP_NUMBER : PP_OTHER;
	return s + n;
}

guint32 pp_lex(struct pp *pp, GArray *tokens, const char *text, gsize len)
{
	const char *s = text, *end = text + len;
	guint32 first = tokens->len;
	struct pp_token last = { .kind = PP_END };

	while ((s = skip_blanks(s, end)) < end) {
		struct pp_token t = { .kind = PP_PUNCT, .punct = *s };
		gsize n = word_len(s, end);

		if (g_ascii_isdigit(*s)) {
			s = lex_number(&t, s, end);
		} else if (n) {
			t.kind = PP_NAME;
			t.name = pp_name(pp, s, n);
			s += n;
		} else if (*s == '"' || *s == '\'') {
			t.kind = PP_OTHER;
			s = skip_literal(s, end);
		} else {
			char two = s + 1 < end ? pair(s[0], s[1]) : 0;

			if (two)
				t.punct = two;
			s += two ? 2 : 1;
		}
		g_array_append_val(tokens, t);
	}
	g_array_append_val(tokens, last);
	return first;
}

/* @s: "name" or <name>; its name as a number, 0: neither. */
static guint32 lex_spec(struct pp *pp, const char *s, const char *end,
			bool *quoted)
{
	const char *close;

	if (s == end || (*s != '"' && *s != '<'))
		return 0;
	*quoted = *s == '"';
	close = memchr(s + 1, *quoted ? '"' : '>', end - s - 1);
	return close && close > s + 1 ? pp_name(pp, s + 1, close - s - 1) : 0;
}

static void add_include(struct pp *pp, struct pp_file *f, const char *s,
			const char *end, bool next, guint32 line)
{
	struct pp_include inc = { .next = next };
	guint32 at = f->includes->len;
	gsize n = word_len(s, end);

	inc.spec = lex_spec(pp, s, end, &inc.quoted);
	if (!inc.spec && n) {
		inc.computed = true;
		inc.spec = pp_name(pp, s, n);
		pp_set_trait(pp, inc.spec, PP_ASKED);
	}
	g_array_append_val(f->includes, inc);
	pp_add(f, PP_INCLUDE, line, at);
}

/* The names of arguments are no names of the body. */
static void drop_arguments(GArray *tokens, guint32 from, guint32 body)
{
	for (guint32 i = body; i < tokens->len; i++) {
		struct pp_token *t = &g_array_index(tokens, struct pp_token, i);

		for (guint32 k = from; t->kind == PP_NAME && k < body; k++) {
			const struct pp_token *arg =
				&g_array_index(tokens, struct pp_token, k);

			if (arg->kind == PP_NAME && arg->name == t->name)
				t->kind = PP_OTHER;
		}
	}
}

static void add_define(struct pp *pp, struct pp_file *f, const char *s,
		       const char *end, guint32 line)
{
	gsize n = word_len(s, end);
	struct pp_define d = { .name = pp_name(pp, s, n) };
	guint32 at = f->defines->len, args = 0;
	const char *close;

	if (!n)
		return;
	s += n;
	d.function = s < end && *s == '(';
	if (d.function) {
		close = memchr(s, ')', end - s);
		close = close ? close + 1 : end;
		args = pp_lex(pp, f->tokens, s, close - s);
		s = close;
	}
	s = skip_blanks(s, end);
	d.spec = lex_spec(pp, s, end, &d.quoted);
	d.first = pp_lex(pp, f->tokens, s, end - s);
	d.count = f->tokens->len - 1 - d.first;
	if (d.function)
		drop_arguments(f->tokens, args, d.first);
	/* one with arguments is not expanded, but for #include NAME */
	if (!d.function || d.count == 1)
		pp_ask_tokens(pp, f->tokens, d.first);
	pp_set_trait(pp, d.name, PP_DEFINED);
	g_array_append_val(f->defines, d);
	pp_add(f, PP_DEFINE, line, at);
}

/* #ifdef X as an expression; with @not, #ifndef. */
static guint32 lex_defined(struct pp *pp, GArray *tokens, const char *s,
			   gsize n, bool not)
{
	g_autofree char *text = g_strdup_printf("%sdefined(%.*s)",
						not ? "!" : "", (int)n, s);

	return pp_lex(pp, tokens, text, strlen(text));
}

/* defined(NAME) and !defined(NAME), as nearly all conditions are. */
static void note_simple(struct pp_file *f, guint32 expr)
{
	const struct pp_token *t =
		&g_array_index(f->tokens, struct pp_token, expr);
	struct pp_item *it = &g_array_index(f->items, struct pp_item,
					    f->items->len - 1);
	guint count = f->tokens->len - expr;

	it->not = count == 6 && t->kind == PP_PUNCT && t->punct == '!';
	t += it->not;
	if (count == 5u + it->not && t[0].kind == PP_NAME &&
	    t[1].kind == PP_PUNCT && t[1].punct == '(' &&
	    t[2].kind == PP_NAME && t[3].kind == PP_PUNCT)
		it->name = t[2].name;
}

static void add_condition(struct pp *pp, struct pp_file *f, const char *word,
			  const char *s, const char *end, guint32 line)
{
	enum pp_op op = *word == 'i' ? PP_IF : PP_ELIF;
	guint32 expr;

	if (g_str_has_suffix(word, "def"))
		expr = lex_defined(pp, f->tokens, s, word_len(s, end),
				   g_str_has_suffix(word, "ndef"));
	else
		expr = pp_lex(pp, f->tokens, s, end - s);
	pp_ask_tokens(pp, f->tokens, expr);
	pp_add(f, op, line, expr);
	note_simple(f, expr);
}

void pp_directive(struct pp *pp, struct pp_file *f, const char *text,
		  guint32 line)
{
	static const char *const conditions[] = {
		"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", NULL
	};
	const char *end = text + strlen(text), *s = skip_blanks(text, end);
	gsize n = word_len(s, end);
	g_autofree char *word = g_strndup(s, n);

	s = skip_blanks(s + n, end);
	if (g_strv_contains(conditions, word))
		add_condition(pp, f, word, s, end, line);
	else if (!strcmp(word, "else"))
		pp_add(f, PP_ELSE, line, 0);
	else if (!strcmp(word, "endif"))
		pp_add(f, PP_ENDIF, line, 0);
	else if (!strcmp(word, "include") || !strcmp(word, "include_next"))
		add_include(pp, f, s, end, n > 7, line);
	else if (!strcmp(word, "define"))
		add_define(pp, f, s, end, line);
	else if (!strcmp(word, "undef") && word_len(s, end))
		pp_add(f, PP_UNDEF, line, pp_name(pp, s, word_len(s, end)));
}
