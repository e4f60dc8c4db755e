// SPDX-License-Identifier: GPL-2.0
#include "condition.h"

/* An #if group that is open while the file is read. */
struct group {
	GPtrArray *branches;	/* of struct condition, borrowed */
	GString *negated;	/* the branches so far: "!(A) && !(B)" */
	char *own;		/* condition of the open branch alone; NULL
				   after #else */
};

static void condition_free(gpointer data)
{
	struct condition *c = data;

	g_free(c->text);
	g_free(c);
}

static void group_free(gpointer data)
{
	struct group *g = data;

	g_ptr_array_unref(g->branches);
	g_string_free(g->negated, TRUE);
	g_free(g->own);
	g_free(g);
}

/* The argument with comments gone, lines joined, each run of blanks one. */
static char *tidy(const struct directive *d)
{
	GString *s = g_string_new(NULL);

	for (gsize i = 0; i < d->args_len; i++) {
		char c = d->args[i];

		if (c == '\\' && i + 1 < d->args_len && d->args[i + 1] == '\n')
			c = ' ';
		if (!g_ascii_isspace(c))
			g_string_append_c(s, c);
		else if (s->len && s->str[s->len - 1] != ' ')
			g_string_append_c(s, ' ');
	}
	if (s->len && s->str[s->len - 1] == ' ')
		g_string_truncate(s, s->len - 1);
	return g_string_free(s, FALSE);
}

static char *expression(const struct directive *d)
{
	char *args = tidy(d), *text;

	if (!g_str_has_suffix(d->word, "def"))
		return args;
	/* ifdef, ifndef, elifdef, elifndef */
	text = g_strdup_printf("%sdefined(%s)",
			       g_str_has_suffix(d->word, "ndef") ? "!" : "",
			       args);
	g_free(args);
	return text;
}

static void close_branch(struct group *g, unsigned int end)
{
	struct condition *c = g->branches->pdata[g->branches->len - 1];

	c->end = end;
	if (g->own)
		g_string_append_printf(g->negated, "%s!(%s)",
				       g->negated->len ? " && " : "", g->own);
	g_clear_pointer(&g->own, g_free);
}

/* Opens a branch whose own condition is @own (taken; NULL for an #else). */
static void open_branch(struct group *g, GPtrArray *all, char *own,
			const struct directive *d, unsigned int last)
{
	struct condition *c = g_new0(struct condition, 1);

	c->line = d->line;
	c->start = last + 1;
	if (!own)
		c->text = g_strdup(g->negated->str);
	else if (g->negated->len)
		c->text = g_strdup_printf("%s && (%s)", g->negated->str, own);
	else
		c->text = g_strdup(own);
	g->own = own;
	g_ptr_array_add(g->branches, c);
	g_ptr_array_add(all, c);
}

static void close_group(GPtrArray *stack, unsigned int end, unsigned int last)
{
	struct group *g = stack->pdata[stack->len - 1];
	unsigned int first = ((struct condition *)g->branches->pdata[0])->line;

	close_branch(g, end);
	for (guint i = 0; i < g->branches->len; i++) {
		struct condition *c = g->branches->pdata[i];

		c->first = first;
		c->last = last;
	}
	g_ptr_array_remove_index(stack, stack->len - 1);
}

static struct group *group_new(void)
{
	struct group *g = g_new0(struct group, 1);

	g->branches = g_ptr_array_new();
	g->negated = g_string_new(NULL);
	return g;
}

/* @last: the last line of the directive. */
static void scan_directive(const struct directive *d, unsigned int last,
			   GPtrArray *stack, GPtrArray *all)
{
	struct group *g;

	if (g_str_has_prefix(d->word, "if")) {
		g = group_new();
		g_ptr_array_add(stack, g);
		open_branch(g, all, expression(d), d, last);
		return;
	}
	if (!stack->len)
		return;
	g = stack->pdata[stack->len - 1];
	if (g_str_has_prefix(d->word, "elif")) {
		close_branch(g, d->line - 1);
		open_branch(g, all, expression(d), d, last);
	} else if (!strcmp(d->word, "else")) {
		close_branch(g, d->line - 1);
		open_branch(g, all, NULL, d, last);
	} else if (!strcmp(d->word, "endif")) {
		close_group(stack, d->line - 1, last);
	}
}

GPtrArray *condition_scan_ctext(const struct ctext *t)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(condition_free);
	g_autoptr(GPtrArray) stack = g_ptr_array_new_with_free_func(group_free);

	for (unsigned int n = 1; n <= t->count; n++) {
		unsigned int last = ctext_last(t, n);
		struct directive d;

		if (ctext_directive(t, n, &d))
			scan_directive(&d, last, stack, all);
		n = last;
	}
	while (stack->len)
		close_group(stack, t->count, t->count);
	return all;
}

GPtrArray *condition_scan(const char *text, gsize len)
{
	g_autoptr(ctext_t) t = ctext_new(text, len);

	return condition_scan_ctext(t);
}

GPtrArray *condition_at(const GPtrArray *conditions, unsigned int line)
{
	GPtrArray *at = g_ptr_array_new();

	for (guint i = 0; i < conditions->len; i++) {
		struct condition *c = conditions->pdata[i];

		if (c->start <= line && line <= c->end)
			g_ptr_array_add(at, c);
	}
	return at;
}
