// SPDX-License-Identifier: GPL-2.0
/*
 * A walk over the declarations of a file.  It need not understand all: what it
 * does not take for a type is left to others, who then look at the whole file.
 */
#include "ctype-int.h"

static void item_free(gpointer data)
{
	struct ctype_item *item = data;

	g_free(item->name);
	g_free(item->key);
	g_free(item->where);
	g_free(item);
}

static void ctype_free(gpointer data)
{
	struct ctype *c = data;

	g_free(c->tag);
	g_ptr_array_unref(c->tags);
	g_ptr_array_unref(c->aliases);
	g_free(c->head);
	g_free(c->tail);
	g_ptr_array_unref(c->items);
	g_free(c);
}

static struct ctype *ctype_new(enum ctype_kind kind, const char *tag)
{
	struct ctype *c = g_new0(struct ctype, 1);

	c->kind = kind;
	c->tag = g_strdup(tag);
	c->tags = g_ptr_array_new_with_free_func(g_free);
	c->aliases = g_ptr_array_new_with_free_func(g_free);
	c->items = g_ptr_array_new_with_free_func(item_free);
	c->head = g_strdup("");
	c->tail = g_strdup("");
	if (*tag)
		g_ptr_array_add(c->tags, g_strdup(tag));
	return c;
}

/* Directives and the insides of literals as blanks; offsets stay. */
static char *blank_code(const struct ctext *t)
{
	char *code = g_malloc(t->len + 1);
	struct directive d;

	for (gsize i = 0; i <= t->len; i++)
		code[i] = t->mask[i] ? t->mask[i] : ' ';

	for (unsigned int n = 1, last; n <= t->count; n = last + 1) {
		last = ctext_last(t, n);
		if (!ctext_directive(t, n, &d))
			continue;
		for (gsize i = t->start[n]; i < t->start[last + 1]; i++)
			if (code[i] != '\n')
				code[i] = ' ';
	}
	for (gsize i = 0; i < t->len; i++) {
		char quote = code[i];

		if (quote != '"' && quote != '\'')
			continue;
		for (i++; i < t->len && code[i] != quote && code[i] != '\n'; i++) {
			if (code[i] == '\\' && i + 1 < t->len &&
			    code[i + 1] != '\n')
				code[i++] = ' ';
			code[i] = ' ';
		}
	}
	return code;
}

unsigned int ctype_line_of(const struct creader *r, gsize i)
{
	unsigned int lo = 1, hi = r->t->count;

	while (lo < hi) {
		unsigned int mid = (lo + hi + 1) / 2;

		if (r->t->start[mid] <= i)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

gsize ctype_word(const struct creader *r, gsize i, gsize to)
{
	gsize n = i;

	if (i > 0 && is_word_char(r->code[i - 1]))
		return 0;
	while (n < to && is_word_char(r->code[n]))
		n++;
	return n - i;
}

/* The branches of an #if may open more than they close: a '}' in the first
 * column ends all, as the kernel is written. */
gsize ctype_match(const struct creader *r, gsize i, gsize to)
{
	int depth = 0;

	for (; i < to; i++) {
		char c = r->code[i];

		if (c == '}' && (!i || r->code[i - 1] == '\n'))
			return i + 1;
		if (strchr("([{", c))
			depth++;
		else if (strchr(")]}", c) && --depth == 0)
			return i + 1;
	}
	return to;
}

gsize ctype_find(const struct creader *r, gsize i, gsize to, char c)
{
	while (i < to && r->code[i] != c)
		i = strchr("([{", r->code[i]) ? ctype_match(r, i, to) : i + 1;
	return i;
}

char *ctype_erase(const char *s, gsize len, const char *name)
{
	GString *out = g_string_sized_new(len);
	gsize n = name ? strlen(name) : 0;

	for (gsize i = 0; i < len; i++) {
		bool begins = !i || !is_word_char(s[i - 1]);

		if (n && begins && i + n <= len && !memcmp(s + i, name, n) &&
		    (i + n == len || !is_word_char(s[i + n]))) {
			g_string_append_c(out, '@');
			i += n - 1;
		} else if (!g_ascii_isspace(s[i]) && s[i] != '\\') {
			if (out->len && i && g_ascii_isspace(s[i - 1]) &&
			    is_word_char(s[i]) &&
			    is_word_char(out->str[out->len - 1]))
				g_string_append_c(out, ' ');
			g_string_append_c(out, s[i]);
		}
	}
	return g_string_free(out, FALSE);
}

char *ctype_squeeze(const char *s, gsize len)
{
	return ctype_erase(s, len, NULL);
}

void ctype_open_clear(struct ctype_open *open)
{
	g_clear_pointer(&open->tag, g_free);
	g_clear_pointer(&open->attributes, g_free);
}

static bool keyword_kind(const char *s, gsize len, enum ctype_kind *kind)
{
	static const char *const words[] = { "struct", "union", "enum" };

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (len == strlen(words[i]) && !memcmp(s, words[i], len)) {
			*kind = CTYPE_STRUCT + i;
			return true;
		}
	return false;
}

/* Back over blanks and "(...)"; false when the brackets do not fit. */
static bool step_back(const struct creader *r, gsize from, gsize *i,
		      bool *parens)
{
	*parens = false;
	for (;;) {
		while (*i > from && g_ascii_isspace(r->code[*i - 1]))
			--*i;
		if (*i == from || r->code[*i - 1] != ')')
			return true;
		*parens = true;
		for (int depth = 0; *i > from; --*i) {
			depth += r->code[*i - 1] == ')';
			depth -= r->code[*i - 1] == '(';
			if (!depth)
				break;
		}
		if (*i == from)
			return false;
		--*i;
	}
}

/* "struct [attributes] [tag] [attributes] {": only attributes have brackets. */
bool ctype_open(const struct creader *r, gsize from, gsize brace,
		struct ctype_open *open)
{
	g_autofree char *tag = NULL;
	gsize i = brace;

	for (int words = 0; words < 6; words++) {
		bool parens;
		gsize end;

		if (!step_back(r, from, &i, &parens))
			return false;
		end = i;
		while (i > from && is_word_char(r->code[i - 1]))
			i--;
		if (i == end)
			return false;
		if (keyword_kind(r->code + i, end - i, &open->kind)) {
			open->at = i;
			open->tag = tag ? g_steal_pointer(&tag) : g_strdup("");
			open->attributes = ctype_erase(r->code + end, brace - end,
						       open->tag);
			return !parens;
		}
		if (parens && strncmp(r->code + i, "__", 2))
			return false;
		if (!parens && (!tag || g_str_has_prefix(tag, "__"))) {
			g_free(tag);
			tag = g_strndup(r->code + i, end - i);
		}
	}
	return false;
}

/* Where a "typedef" stands in the text from @from to @to; @to: nowhere. */
static gsize find_typedef(const struct creader *r, gsize from, gsize to)
{
	for (gsize i = from; i < to; i++)
		if (ctype_word(r, i, to) == 7 &&
		    !memcmp(r->code + i, "typedef", 7))
			return i;
	return to;
}

static void add_typedef(const struct creader *r, gsize from, gsize to,
			GPtrArray *types)
{
	gsize at = find_typedef(r, from, to), i = at + 7;
	g_autofree char *text = NULL, *where = NULL;
	const char *name;
	struct ctype *c;

	if (at == to)
		return;
	c = ctype_new(CTYPE_TYPEDEF, "");
	ctype_names(r, i, to, true, c->aliases);
	name = c->aliases->len ? c->aliases->pdata[0] : NULL;
	text = ctype_erase(r->code + i, to - i, name);
	where = ctype_where(r, at);
	g_free(c->head);
	c->head = g_strconcat(text, "|", where, NULL);
	c->indirect = strpbrk(text, "*(") && !strchr(text, '[');
	c->line = ctype_line_of(r, at);
	c->end = ctype_line_of(r, to);
	g_ptr_array_add(types, c);
}

/* The type that opens at @brace; returns the offset behind its ';'. */
static gsize add_type(const struct creader *r, const struct ctype_open *open,
		      gsize from, gsize brace, GPtrArray *types)
{
	gsize close = ctype_match(r, brace, r->len);
	gsize end = ctype_find(r, close, r->len, ';');
	gsize at = find_typedef(r, from, open->at);
	struct ctype *c = ctype_new(open->kind, open->tag);

	g_free(c->head);
	g_free(c->tail);
	c->head = g_strdup(open->attributes);
	c->tail = ctype_squeeze(r->code + close, end - close);
	if (at < open->at) {
		ctype_names(r, close, end, false, c->aliases);
		for (guint i = 0; i < c->aliases->len; i++) {
			char *tail = ctype_erase(c->tail, strlen(c->tail),
						 c->aliases->pdata[i]);

			g_free(c->tail);
			c->tail = tail;
		}
	}
	if (c->kind == CTYPE_ENUM)
		ctype_enumerators(r, c, brace + 1, close - 1);
	else
		ctype_members(r, c, brace + 1, close - 1, "");
	c->line = ctype_line_of(r, at < open->at ? at : open->at);
	c->end = ctype_line_of(r, end);
	g_ptr_array_add(types, c);
	return MIN(end + 1, r->len);
}

/* extern "C" { }: what is in it is at top level all the same. */
static bool opens_block(const struct creader *r, gsize from, gsize brace)
{
	while (brace > from && g_ascii_isspace(r->code[brace - 1]))
		brace--;
	return brace > from && r->code[brace - 1] == '"';
}

static void scan(const struct creader *r, GPtrArray *types)
{
	gsize from = 0, i = 0;
	bool assigned = false;

	while (i < r->len) {
		struct ctype_open open = { 0 };
		char c = r->code[i];

		if (c == '{' && ctype_open(r, from, i, &open)) {
			from = i = add_type(r, &open, from, i, types);
			ctype_open_clear(&open);
			assigned = false;
		} else if (c == '{' && !opens_block(r, from, i)) {
			i = ctype_match(r, i, r->len);
			from = assigned ? from : i;
		} else if (c == '(' || c == '[') {
			i = ctype_match(r, i, r->len);
		} else {
			if (c == ';')
				add_typedef(r, from, i, types);
			i++;
			if (strchr(";{}", c)) {
				from = i;
				assigned = false;
			}
			assigned |= c == '=';
		}
	}
}

GPtrArray *ctype_scan(const struct ctext *t, const GPtrArray *conditions)
{
	GPtrArray *types = g_ptr_array_new_with_free_func(ctype_free);
	struct creader r = { .t = t, .conditions = conditions, .len = t->len };

	r.code = blank_code(t);
	scan(&r, types);
	g_free(r.code);
	return types;
}

const struct ctype *ctype_at(const GPtrArray *types, unsigned int line)
{
	for (guint i = 0; i < types->len; i++) {
		const struct ctype *c = types->pdata[i];

		if (c->line <= line && line <= c->end)
			return c;
	}
	return NULL;
}

char *ctype_label(const struct ctype *c)
{
	static const char *const words[] = { "struct", "union", "enum",
					     "typedef" };

	if (*c->tag)
		return g_strdup_printf("%s %s", words[c->kind], c->tag);
	if (c->aliases->len)
		return g_strdup(c->aliases->pdata[0]);
	return g_strdup_printf("%s without a name", words[c->kind]);
}
