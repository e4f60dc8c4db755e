// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "toplevel.h"

static const struct top_token nothing = { .text = "" };

void toplevel_init(struct toplevel *top, const struct ctext *t)
{
	*top = (struct toplevel){ .t = t, .line = 1 };
	top->tokens = g_array_new(FALSE, FALSE, sizeof(struct top_token));
}

void toplevel_release(struct toplevel *top)
{
	g_clear_pointer(&top->tokens, g_array_unref);
}

const struct top_token *toplevel_at(const struct toplevel *top, guint i)
{
	return i < top->tokens->len ?
	       &g_array_index(top->tokens, struct top_token, i) : &nothing;
}

bool top_is(const struct top_token *token, const char *word)
{
	return token->len == strlen(word) &&
	       !strncmp(token->text, word, token->len);
}

guint toplevel_close(const struct toplevel *top, guint open)
{
	unsigned int depth = toplevel_at(top, open)->depth;

	for (guint i = open + 1; i < top->tokens->len; i++) {
		const struct top_token *token = toplevel_at(top, i);

		if (token->kind == ')' && token->depth == depth)
			return i;
	}
	return top->tokens->len;
}

static bool at_line_start(const struct toplevel *top)
{
	return top->at == 0 || top->t->mask[top->at - 1] == '\n';
}

/* To the start of line @n; behind the last one is the end. */
static void go_to_line(struct toplevel *top, unsigned int n)
{
	top->line = n;
	top->at = n <= top->t->count ? top->t->start[n] : top->t->len;
}

/* At the start of a line: passes a directive over. */
static bool skip_directive(struct toplevel *top)
{
	struct directive d;

	if (top->line > top->t->count ||
	    !ctext_directive(top->t, top->line, &d))
		return false;
	if (top->on_directive)
		top->on_directive(&d, top->data);
	go_to_line(top, ctext_last(top->t, top->line) + 1);
	return true;
}

/* Behind a string or character that begins at top->at. */
static void skip_quoted(struct toplevel *top)
{
	const char *mask = top->t->mask;
	char quote = mask[top->at++];

	while (top->at < top->t->len && mask[top->at] != quote) {
		/* not closed on its line: an apostrophe in an #if 0, say */
		if (mask[top->at] == '\n')
			return;
		if (mask[top->at] == '\\' && top->at + 1 < top->t->len) {
			top->at++;
			top->line += mask[top->at] == '\n';
		}
		top->at++;
	}
	if (top->at < top->t->len)
		top->at++;
}

/* Behind the '}' that closes the '{' before top->at. */
static void skip_body(struct toplevel *top)
{
	const char *mask = top->t->mask;
	unsigned int depth = 1;

	while (top->at < top->t->len && depth) {
		char c = mask[top->at];

		if (at_line_start(top) && c == '}')
			depth = 1;
		if (at_line_start(top) && skip_directive(top))
			continue;
		if (c == '"' || c == '\'') {
			skip_quoted(top);
			continue;
		}
		depth += c == '{';
		depth -= c == '}';
		top->line += c == '\n';
		top->at++;
	}
}

static gsize word_length(const char *p, gsize room)
{
	gsize n = 0;

	while (n < room && is_word_char(p[n]))
		n++;
	return n;
}

/* A body is a function's when a "(...)" stands before it and no "=". */
static bool is_function(const struct toplevel *top)
{
	bool parens = false;

	for (guint i = 0; i < top->tokens->len; i++) {
		const struct top_token *token = toplevel_at(top, i);

		if (token->kind == '=' && !token->depth)
			return false;
		parens |= token->kind == '(';
	}
	return parens;
}

/* The token at top->at, which is no blank. */
static struct top_token take(struct toplevel *top, unsigned int depth)
{
	const char *p = top->t->mask + top->at;
	struct top_token token = { .text = p, .len = 1, .depth = depth,
				   .line = top->line, .kind = *p };

	if (is_word_char(*p)) {
		token.len = word_length(p, top->t->len - top->at);
		token.kind = g_ascii_isdigit(*p) ? '0' : 'a';
		top->at += token.len;
	} else if (*p == '"' || *p == '\'') {
		gsize from = top->at;

		skip_quoted(top);
		token.kind = '"';
		token.len = top->at - from;
	} else {
		top->at++;
	}
	return token;
}

bool toplevel_next(struct toplevel *top)
{
	unsigned int depth = 0;

	g_array_set_size(top->tokens, 0);
	top->body = false;
	while (top->at < top->t->len) {
		struct top_token token;
		char c = top->t->mask[top->at];

		if (at_line_start(top) && skip_directive(top))
			continue;
		if (g_ascii_isspace(c) || c == '\\') {
			top->line += c == '\n';
			top->at++;
			continue;
		}
		token = take(top, depth);
		if (token.kind == ')' && depth)
			token.depth = --depth;
		depth += token.kind == '(';
		if (token.kind == '{') {
			top->body = !depth && is_function(top);
			skip_body(top);
		}
		/* a stray brace: what was before it is no statement */
		if (token.kind == '}')
			g_array_set_size(top->tokens, 0);
		else
			g_array_append_val(top->tokens, token);
		if (top->body || (token.kind == ';' && !depth))
			return true;
		if (token.kind == '}')
			depth = 0;
	}
	return top->tokens->len > 0;
}
