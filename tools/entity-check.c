// SPDX-License-Identifier: GPL-2.0
/*
 * ctags guesses: it takes PAGEFLAG(Foo, foo) without a semicolon for the head
 * of a function and swallows everything up to the next body, and may take an
 * attribute for the name.  A function that is named wrongly would send the
 * search for its users the wrong way, so each is held against the text and
 * becomes ENTITY_OTHER unless it reads "type name(args)" and then '{' or ';'.
 */
#include "entity.h"

/* A cursor over the masked text. */
struct cursor {
	const char *s, *end;
};

static void skip_space(struct cursor *c)
{
	while (c->s < c->end && (g_ascii_isspace(*c->s) || *c->s == '\\'))
		c->s++;
}

/* Past the group that opens at the cursor; false when it is not closed. */
static bool skip_parens(struct cursor *c)
{
	int depth = 0;

	for (; c->s < c->end; c->s++) {
		if (*c->s == '(')
			depth++;
		else if (*c->s == ')' && --depth == 0) {
			c->s++;
			return true;
		}
	}
	return false;
}

static gsize word_len(const struct cursor *c)
{
	const char *s = c->s;

	while (s < c->end && is_word_char(*s))
		s++;
	return s - c->s;
}

/* __attribute__((x)), __must_check, asm("x"), NOT_ALL_CAPS(x) and the like. */
static bool is_attribute(const char *word, gsize len)
{
	if (len >= 2 && word[0] == '_' && word[1] == '_')
		return true;
	if ((len == 3 && !memcmp(word, "asm", 3)) ||
	    (len == 7 && !memcmp(word, "notrace", 7)) ||
	    (len == 8 && !memcmp(word, "noinline", 8)))
		return true;
	return false;
}

/* After the arguments only attributes may stand before '{' or ';'. */
static bool tail_fits(struct cursor c, enum entity_kind kind)
{
	gsize len;

	for (;;) {
		skip_space(&c);
		if (c.s == c.end)
			return false;
		if (*c.s == (kind == ENTITY_FUNCTION ? '{' : ';'))
			return true;
		len = word_len(&c);
		if (!is_attribute(c.s, len))
			return false;
		c.s += len;
		skip_space(&c);
		if (c.s < c.end && *c.s == '(' && !skip_parens(&c))
			return false;
	}
}

/* Words that say how, not what: alone before a name they are no type. */
static bool is_type_word(const char *word, gsize len)
{
	static const char *const storage[] = {
		"static", "extern", "inline", "const", "volatile", "noinline",
		"notrace", "noinstr", "asmlinkage", "register", "return",
		"else", NULL
	};
	g_autofree char *w = g_strndup(word, len);

	if (g_strv_contains(storage, w))
		return false;
	if (!g_str_has_prefix(w, "__"))
		return true;
	/* __u32, __le16, __be64, __poll_t, __wsum, __kernel_*: types */
	return g_str_has_suffix(w, "_t") || g_str_has_prefix(w, "__kernel_") ||
	       !strcmp(w, "__wsum") || !strcmp(w, "__sum16") ||
	       g_ascii_isdigit(w[strlen(w) - 1]);
}

/* Is there a type among the words from @s up to the name? */
static bool head_fits(const char *s, const char *name)
{
	bool type = false;
	struct cursor c = { s, name };

	while (c.s < c.end) {
		gsize len = word_len(&c);

		if (len) {
			type = type || is_type_word(c.s, len);
			c.s += len;
		} else if (*c.s == '(') {
			/* __printf(1, 2) void f(): its arguments are no type */
			if (!skip_parens(&c))
				return false;
		} else if (strchr("*[] \t\n", *c.s)) {
			c.s++;
		} else {
			return false;
		}
	}
	return type;
}

/* Only words and stars, one of them not in capitals: part of a type. */
static bool is_type_line(const struct ctext *t, unsigned int n)
{
	gsize len;
	const char *s = ctext_line(t, n, &len);
	bool lower = false;

	for (gsize i = 0; i < len; i++) {
		if (!is_word_char(s[i]) && !strchr("* \t", s[i]))
			return false;
		lower = lower || g_ascii_islower(s[i]);
	}
	return lower;
}

static const char *find_word(const char *s, const char *end, const char *name)
{
	gsize n = strlen(name);
	const char *from = s;

	while ((s = memmem(s, end - s, name, n))) {
		if ((s == from || !is_word_char(s[-1])) &&
		    (s + n == end || !is_word_char(s[n])))
			return s;
		s++;
	}
	return NULL;
}

/* A '}' in the first column before the end: more than one body was taken. */
static bool has_inner_end(const struct entity *e, const struct ctext *t)
{
	for (unsigned int n = e->line; n < e->end; n++)
		if (t->mask[t->start[n]] == '}')
			return true;
	return false;
}

static bool reads_as_function(struct entity *e, const struct ctext *t)
{
	gsize len;
	const char *line, *name;
	struct cursor c;

	if (e->line < 1 || e->line > t->count || e->end > t->count)
		return false;
	line = ctext_line(t, e->line, &len);
	name = find_word(line, line + len, e->name);
	if (!name)
		return false;
	while (e->line > 1 && is_type_line(t, e->line - 1))
		e->line--;
	if (!head_fits(t->mask + t->start[e->line], name))
		return false;
	c.s = name + strlen(e->name);
	c.end = t->mask + t->start[e->end + 1];
	skip_space(&c);
	if (c.s == c.end || *c.s != '(' || !skip_parens(&c))
		return false;
	return tail_fits(c, e->kind) &&
	       (e->kind != ENTITY_FUNCTION || !has_inner_end(e, t));
}

void entity_check(struct entity *e, const struct ctext *t)
{
	if (e->kind != ENTITY_FUNCTION && e->kind != ENTITY_PROTOTYPE)
		return;
	if (!reads_as_function(e, t))
		e->kind = ENTITY_OTHER;
}

void entity_add_macros(GPtrArray *entities, const struct ctext *t)
{
	for (unsigned int n = 1; n <= t->count; n++) {
		unsigned int last = ctext_last(t, n);
		struct directive d;

		if (ctext_directive(t, n, &d) && !strcmp(d.word, "define")) {
			struct cursor c = { d.args, d.args + d.args_len };
			g_autofree char *name = g_strndup(c.s, word_len(&c));

			if (*name)
				g_ptr_array_add(entities,
						entity_new(name, ENTITY_MACRO,
							   d.line, last, ""));
		}
		n = last;
	}
}
