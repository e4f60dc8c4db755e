// SPDX-License-Identifier: GPL-2.0
/* Which names the changed lines of a header use. */
#include "states-int.h"
#include "ctext.h"

#define NAMES_MAX 3000

enum { AS_MEMBER = 1, AS_NAME };

static bool add_name(GHashTable *names, guint32 name, guint how)
{
	gpointer key = GUINT_TO_POINTER(name);
	guint had = GPOINTER_TO_UINT(g_hash_table_lookup(names, key));

	if (had >= how || g_hash_table_size(names) >= NAMES_MAX)
		return false;
	g_hash_table_insert(names, key, GUINT_TO_POINTER(how));
	return true;
}

/* Words of the language: some headers' attributes look like declarations. */
static bool is_keyword(struct pp *pp, guint32 name)
{
	static const char *const words[] = {
		"sizeof", "return", "if", "else", "for", "while", "do", "goto",
		"switch", "case", "default", "break", "continue", "struct",
		"union", "enum", "static", "extern", "const", "int", "void",
		"long", "char", "short", "unsigned", "signed", "defined",
		"__attribute__", "typeof", "__typeof__", NULL
	};

	return g_strv_contains(words, pp_text(pp, name));
}

/* Behind . or -> only a macro of that name would matter. */
static bool add_tokens(struct pp *pp, GHashTable *names, const GArray *tokens,
		       guint32 first, guint32 count)
{
	bool more = false, member = false;

	for (guint32 i = first; i < first + count; i++) {
		const struct pp_token *t =
			&g_array_index(tokens, struct pp_token, i);

		if (t->kind == PP_NAME && !is_keyword(pp, t->name))
			more |= add_name(names, t->name,
					 member ? AS_MEMBER : AS_NAME);
		member = t->kind == PP_PUNCT && strchr(".m", t->punct);
	}
	return more;
}

static void add_text(struct pp *pp, GHashTable *names, const char *text,
		     gsize len)
{
	g_autoptr(GArray) tokens = g_array_new(FALSE, TRUE,
					       sizeof(struct pp_token));

	pp_lex(pp, tokens, text, len);
	add_tokens(pp, names, tokens, 0, tokens->len - 1);
}

/*
 * The body of a macro is read where the macro is used (rule c finds those
 * places); an #include names no identifier.
 */
static void add_directive(struct pp *pp, GHashTable *names,
			  const struct directive *d)
{
	gsize n = 0;

	if (g_str_has_prefix(d->word, "if") || g_str_has_prefix(d->word, "el")) {
		add_text(pp, names, d->args, d->args_len);
		return;
	}
	if (strcmp(d->word, "define") && strcmp(d->word, "undef"))
		return;
	while (n < d->args_len && is_word_char(d->args[n]))
		n++;
	add_text(pp, names, d->args, n);
}

void state_names(struct pp *pp, struct state_header *h, const char *text,
		 gsize len)
{
	g_autoptr(ctext_t) t = ctext_new(text, len);

	for (guint i = 0; i < h->lines->len; i++) {
		guint32 n = g_array_index(h->lines, guint32, i);
		struct directive d;
		const char *line;
		gsize size;

		/* what was removed at the end */
		if (n > t->count)
			continue;
		if (ctext_directive(t, ctext_first(t, n), &d)) {
			add_directive(pp, h->names, &d);
			continue;
		}
		line = ctext_line(t, n, &size);
		add_text(pp, h->names, line, size);
	}
}

struct closing {
	struct pp *pp;
	GHashTable *names;
	bool more;
};

static void close_file(struct pp_file *f, void *data)
{
	struct closing *c = data;

	for (guint i = 0; i < f->defines->len; i++) {
		const struct pp_define *d =
			&g_array_index(f->defines, struct pp_define, i);

		if (d->count && g_hash_table_contains(c->names,
						      GUINT_TO_POINTER(d->name)))
			c->more |= add_tokens(c->pp, c->names, f->tokens,
					      d->first, d->count);
	}
}

bool state_names_close(struct pp *pp, GHashTable *names)
{
	bool any = false;

	for (;;) {
		struct closing c = { pp, names, false };

		pp_each(pp, close_file, &c);
		if (!c.more)
			return any;
		any = true;
	}
}
