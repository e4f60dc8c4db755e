// SPDX-License-Identifier: GPL-2.0
/*
 * What macros can paste together (##): "#define VDEV(v) PCI_ID_##v" makes
 * PCI_ID_* out of a piece that its user passes, who never spells the name.
 */
#include "incgraph-priv.h"
#include "ctext.h"

/* Macros that paste whatever they are given: M(a, b) counts as a##b. */
static const char *const helpers[] = {
	"__PASTE", "___PASTE", "CONCATENATE", "__CONCAT", "CONCAT", "GLUE",
	"XGLUE", "HYP_CONCAT", "__HYP_CONCAT", "IO_CONCAT", "_IO_CONCAT", NULL
};

/* One #define while it is read. */
struct reader {
	const char *s, *end;
	char *macro;
	GHashTable *params;
	GString *chain;		/* "a*b": pieces pasted so far */
	unsigned int pieces;
	bool pasting;		/* ## stands before the next token */
	int depth;		/* of parentheses */
	GArray *calls;		/* of int: depths of the helpers called */
	paste_fn fn;
	void *data;
};

static void flush(struct reader *r)
{
	/* Of parameters alone it says nothing. */
	if (r->pieces > 1 && strspn(r->chain->str, "*") < r->chain->len)
		r->fn(r->macro, r->chain->str, r->data);
	g_string_truncate(r->chain, 0);
	r->pieces = 0;
	r->pasting = false;
}

static char *take_word(struct reader *r)
{
	const char *from = r->s;

	while (r->s < r->end && is_word_char(*r->s))
		r->s++;
	return g_strndup(from, r->s - from);
}

static void skip_gap(struct reader *r)
{
	while (r->s < r->end && (g_ascii_isspace(*r->s) || *r->s == '\\'))
		r->s++;
}

/* "(a, b, rest...)" of a macro with arguments. */
static void read_params(struct reader *r)
{
	if (r->s == r->end || *r->s != '(')
		return;
	for (r->s++; r->s < r->end && *r->s != ')';) {
		if (is_word_char(*r->s))
			g_hash_table_add(r->params, take_word(r));
		else
			r->s++;
	}
	g_hash_table_add(r->params, g_strdup("__VA_ARGS__"));
	if (r->s < r->end)
		r->s++;
}

static void read_word(struct reader *r)
{
	g_autofree char *word = take_word(r);
	bool param = g_hash_table_contains(r->params, word);

	skip_gap(r);
	if (g_strv_contains(helpers, word) && r->s < r->end && *r->s == '(') {
		if (!r->pasting)
			flush(r);
		r->s++;
		r->depth++;
		g_array_append_val(r->calls, r->depth);
		return;
	}
	if (!r->pasting)
		flush(r);
	g_string_append(r->chain, param ? "*" : word);
	r->pieces++;
	r->pasting = false;
}

/* Is the cursor directly within a helper's parentheses? */
static bool in_helper(const struct reader *r)
{
	return r->calls->len &&
	       g_array_index(r->calls, int, r->calls->len - 1) == r->depth;
}

static void read_other(struct reader *r)
{
	char c = *r->s++;

	if (c == '#' && r->s < r->end && *r->s == '#') {
		r->s++;
		r->pasting = true;
	} else if (c == ',' && in_helper(r)) {
		r->pasting = true;
	} else if (c == ')' && in_helper(r)) {
		g_array_set_size(r->calls, r->calls->len - 1);
		r->depth--;
	} else {
		r->depth += (c == '(') - (c == ')');
		flush(r);
	}
}

static void read_define(const struct directive *d, paste_fn fn, void *data)
{
	struct reader r = { .s = d->args, .end = d->args + d->args_len,
			    .fn = fn, .data = data };

	r.macro = take_word(&r);
	r.params = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	r.chain = g_string_new(NULL);
	r.calls = g_array_new(FALSE, FALSE, sizeof(int));
	read_params(&r);
	while (skip_gap(&r), r.s < r.end) {
		if (is_word_char(*r.s))
			read_word(&r);
		else
			read_other(&r);
	}
	flush(&r);
	g_free(r.macro);
	g_hash_table_unref(r.params);
	g_string_free(r.chain, TRUE);
	g_array_unref(r.calls);
}

/* Does the #define whose # is at @s paste? */
static bool may_paste(const char *s, const char *end)
{
	const char *nl = s;
	gsize len;

	do {
		nl = memchr(nl, '\n', end - nl);
		nl = nl ? nl + 1 : end;
	} while (nl < end && nl - s > 1 && nl[-2] == '\\');
	len = nl - s;
	if (memmem(s, len, "##", 2))
		return true;
	if (!memchr(s, '(', len))
		return false;
	for (const char *const *h = helpers; *h; h++)
		if (memmem(s, len, *h, strlen(*h)))
			return true;
	return false;
}

/* Most files have none: they are not taken apart. */
static bool any_pastes(const char *text, gsize len)
{
	const char *s = text, *end = text + len;

	while (s < end && (s = memchr(s, '#', end - s))) {
		const char *word = s + 1;

		while (word < end && (*word == ' ' || *word == '\t'))
			word++;
		if (end - word > 6 && !memcmp(word, "define", 6) &&
		    may_paste(s, end))
			return true;
		s = word;
	}
	return false;
}

void pastes_find(const char *text, gsize len, paste_fn fn, void *data)
{
	struct ctext *t;

	if (!any_pastes(text, len))
		return;
	t = ctext_new(text, len);
	for (unsigned int n = 1; n <= t->count; n = ctext_last(t, n) + 1) {
		struct directive d;

		if (ctext_directive(t, n, &d) && !strcmp(d.word, "define") &&
		    may_paste(d.args, d.args + d.args_len))
			read_define(&d, fn, data);
	}
	ctext_free(t);
}

/* A macro with a dozen parameters in a row has more readings than this. */
#define MAX_STEPS 20000

struct matching {
	GPtrArray *stack;	/* the pieces so far */
	GPtrArray *readings;
	unsigned int steps;
};

static void add_reading(struct matching *m)
{
	GPtrArray *reading = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < m->stack->len; i++)
		g_ptr_array_add(reading, g_strdup(m->stack->pdata[i]));
	g_ptr_array_add(m->readings, reading);
}

static bool match_from(struct matching *m, const char *name, const char *p)
{
	bool found = false;

	if (++m->steps > MAX_STEPS)
		return true;
	if (*p && *p != '*')
		return *name == *p && match_from(m, name + 1, p + 1);
	for (gsize n = 1; *p && n <= strlen(name); n++) {
		g_ptr_array_add(m->stack, g_strndup(name, n));
		found |= match_from(m, name + n, p + 1);
		g_ptr_array_set_size(m->stack, m->stack->len - 1);
	}
	if (*p || *name)
		return found;
	add_reading(m);
	return true;
}

GPtrArray *paste_match(const char *pattern, const char *name)
{
	g_autoptr(GPtrArray) stack = g_ptr_array_new_with_free_func(g_free);
	struct matching m = { .stack = stack };

	m.readings = g_ptr_array_new_with_free_func(
		(GDestroyNotify)g_ptr_array_unref);
	/* match_from() goes as deep as the name is long. */
	if (strlen(name) > 256)
		m.steps = MAX_STEPS + 1;
	else if (!match_from(&m, name, pattern)) {
		g_ptr_array_unref(m.readings);
		return NULL;
	}
	if (m.steps > MAX_STEPS) {
		/* Too many: as if the macro needed no piece at all. */
		g_ptr_array_set_size(m.readings, 0);
		add_reading(&(struct matching){ .stack = stack,
						.readings = m.readings });
	}
	return m.readings;
}
