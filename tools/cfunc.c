// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "cfunc.h"
#include "toplevel.h"

static void cfunc_free(gpointer data)
{
	struct cfunc *f = data;

	g_free(f->name);
	g_free(f->type);
	g_free(f->params);
	g_free(f->value);
	g_free(f);
}

/* "unsigned long addr , pte_t * ptep" */
static char *join(const struct toplevel *top, guint from, guint to)
{
	GString *s = g_string_new(NULL);

	for (guint i = from; i < to; i++) {
		const struct top_token *token = toplevel_at(top, i);

		if (s->len)
			g_string_append_c(s, ' ');
		g_string_append_len(s, token->text, token->len);
	}
	return g_string_free(s, FALSE);
}

/* Words that say how, not what: alone before a name they are no type. */
static bool is_storage(const struct top_token *token)
{
	static const char *const words[] = { "static", "extern", "inline",
		"__inline", "__inline__", "__always_inline", "return", "else",
		"typedef", "noinline", "asmlinkage", "notrace" };

	for (guint i = 0; i < G_N_ELEMENTS(words); i++)
		if (top_is(token, words[i]))
			return true;
	return false;
}

/* The index of the function's name; 0: it is none. */
static guint name_of(const struct toplevel *top)
{
	for (guint i = 1; i + 1 < top->tokens->len; i++) {
		const struct top_token *token = toplevel_at(top, i);
		const struct top_token *before = toplevel_at(top, i - 1);

		if (token->depth == 0 && token->kind == '=')
			return 0;
		if (token->kind == 'a' && !token->depth &&
		    toplevel_at(top, i + 1)->kind == '(' &&
		    !g_str_has_prefix(token->text, "__attribute") &&
		    (before->kind == '*' ||
		     (before->kind == 'a' && !is_storage(before))))
			return i;
	}
	return 0;
}

/* Where the statement begins behind macro calls that have no semicolon. */
static guint start_of(const struct toplevel *top, guint name)
{
	guint i = name;

	while (i > 0 && (toplevel_at(top, i - 1)->kind == 'a' ||
			 toplevel_at(top, i - 1)->kind == '*'))
		i--;
	return i;
}

static void add_function(GPtrArray *all, const struct toplevel *top)
{
	guint name = name_of(top), close;
	const struct top_token *token = toplevel_at(top, name);
	struct cfunc *f;

	if (!name || top_is(toplevel_at(top, 0), "typedef"))
		return;
	close = toplevel_close(top, name + 1);
	f = g_new0(struct cfunc, 1);
	f->name = g_strndup(token->text, token->len);
	f->kind = top->body ? CFUNC_BODY : CFUNC_PROTOTYPE;
	f->line = token->line;
	f->type = join(top, start_of(top, name), name);
	f->params = join(top, name + 2, close);
	if (top->body) {
		f->from = toplevel_at(top, top->tokens->len - 1)->text -
			  top->t->mask;
		f->to = top->at;
	}
	g_ptr_array_add(all, f);
}

/* @s without the backslashes at the ends of its lines, blanks as one. */
static char *one_line(const char *s, gsize len)
{
	GString *out = g_string_new(NULL);

	for (gsize i = 0; i < len; i++) {
		bool blank = g_ascii_isspace(s[i]) ||
			     (s[i] == '\\' && i + 1 < len && s[i + 1] == '\n');

		if (!blank)
			g_string_append_c(out, s[i]);
		else if (out->len && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	return g_strchomp(g_string_free(out, FALSE));
}

static void on_directive(const struct directive *d, void *data)
{
	const char *s = d->args, *end = d->args + d->args_len, *rest;
	struct cfunc *f;

	if (strcmp(d->word, "define"))
		return;
	while (s < end && is_word_char(*s))
		s++;
	if (s == d->args)
		return;
	f = g_new0(struct cfunc, 1);
	f->name = g_strndup(d->args, s - d->args);
	f->kind = CFUNC_MACRO;
	f->line = d->line;
	f->type = g_strdup("");
	rest = s;
	if (s < end && *s == '(') {
		const char *close = memchr(s, ')', end - s);

		rest = close ? close + 1 : end;
		f->params = one_line(s + 1, (close ?: end) - s - 1);
	}
	f->value = one_line(rest, end - rest);
	g_ptr_array_add(data, f);
}

static gint by_line(gconstpointer a, gconstpointer b)
{
	const struct cfunc *x = *(struct cfunc *const *)a;
	const struct cfunc *y = *(struct cfunc *const *)b;

	return x->line < y->line ? -1 : x->line > y->line;
}

GPtrArray *cfunc_scan(const struct ctext *t)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(cfunc_free);
	struct toplevel top;

	toplevel_init(&top, t);
	top.on_directive = on_directive;
	top.data = all;
	while (toplevel_next(&top))
		add_function(all, &top);
	toplevel_release(&top);
	/* the macros in a body came before its function */
	g_ptr_array_sort(all, by_line);
	return all;
}

static unsigned int line_of(const struct ctext *t, gsize at)
{
	unsigned int low = 1, high = t->count;

	while (low < high) {
		unsigned int middle = (low + high + 1) / 2;

		if (t->start[middle] <= at)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Behind the quoted text that begins at @i, or at the end of its line. */
static gsize skip_quoted(const char *s, gsize i, gsize end)
{
	char quote = s[i++];

	while (i < end && s[i] != quote && s[i] != '\n')
		i += s[i] == '\\' ? 2 : 1;
	return i + 1;
}

/* Is the word at @i of @s a member, by what stands before it? */
static bool is_member(const char *s, gsize i, gsize from)
{
	while (i > from && g_ascii_isspace(s[i - 1]))
		i--;
	return i > from && (s[i - 1] == '.' ||
			    (s[i - 1] == '>' && i - 1 > from && s[i - 2] == '-'));
}

void cfunc_calls(const struct ctext *t, const struct cfunc *f,
		 cfunc_call_fn fn, void *data)
{
	const char *s = t->mask;
	unsigned int line = line_of(t, f->from);
	gsize i = f->from;

	while (i < f->to) {
		gsize n = 0, k;
		struct directive d;

		if (s[i] == '\n') {
			line++;
			i++;
			if (line <= t->count && ctext_directive(t, line, &d)) {
				line = ctext_last(t, line) + 1;
				i = line <= t->count ? t->start[line] : t->len;
			}
			continue;
		}
		if (s[i] == '"' || s[i] == '\'') {
			i = skip_quoted(s, i, f->to);
			continue;
		}
		while (i + n < f->to && is_word_char(s[i + n]))
			n++;
		if (!n) {
			i++;
			continue;
		}
		k = i + n;
		while (k < f->to && g_ascii_isspace(s[k]))
			k++;
		if (k < f->to && s[k] == '(' && !is_member(s, i, f->from)) {
			g_autofree char *name = g_strndup(s + i, n);

			fn(name, line, data);
		}
		i += n;
	}
}
