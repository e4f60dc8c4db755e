// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "ctext.h"
#include "kconf.h"
#include "kconf-needs.h"

#define DEPTH 10		/* files that source files */

struct kfiles *kfiles_new(void)
{
	struct kfiles *k = g_new0(struct kfiles, 1);

	k->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return k;
}

void kfiles_free(struct kfiles *k)
{
	if (!k)
		return;
	g_hash_table_unref(k->texts);
	g_free(k);
}

void kfiles_add(struct kfiles *k, const char *path, char *text)
{
	g_hash_table_replace(k->texts, g_strdup(path), text);
}

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool defines(const char *text, const char *symbol)
{
	g_autoptr(GHashTable) set = NULL;

	if (!strstr(text, symbol))
		return false;
	set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_hash_table_add(set, g_strdup(symbol));
	kconf_defined(set, text);
	return !g_hash_table_size(set);
}

GPtrArray *kfiles_defining(const struct kfiles *k, const char *symbol)
{
	GPtrArray *paths = g_ptr_array_new();
	GHashTableIter it;
	gpointer path, text;

	g_hash_table_iter_init(&it, k->texts);
	while (g_hash_table_iter_next(&it, &path, &text))
		if (defines(text, symbol))
			g_ptr_array_add(paths, path);
	g_ptr_array_sort(paths, by_text);
	return paths;
}

GPtrArray *kfiles_selectors(const struct kfiles *k, const char *symbol)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter it;
	gpointer path, text;

	g_hash_table_iter_init(&it, k->texts);
	while (g_hash_table_iter_next(&it, &path, &text))
		kconf_selectors(list, text, symbol);
	g_ptr_array_sort(list, by_text);
	return list;
}

bool kfiles_is_tristate(const struct kfiles *k, const char *symbol)
{
	GHashTableIter it;
	gpointer path, text;

	g_hash_table_iter_init(&it, k->texts);
	while (g_hash_table_iter_next(&it, &path, &text))
		if (kconf_is_tristate(text, symbol))
			return true;
	return false;
}

/* "=y" and "!=n" say what a bare name says, "=n" the contrary. */
static void put_name(GString *s, const char *word, const char **p)
{
	const char *q = *p + strspn(*p, " \t");
	bool not = g_str_has_prefix(q, "!="), equal = not || *q == '=';
	const char *value = equal ? q + 1 + not : q;

	value += equal ? strspn(value, " \t") : 0;
	if (equal && strchr("nym", *value) && *value && !is_word_char(value[1])) {
		*p = value + 1;
		if (not != (*value == 'n'))
			g_string_append_c(s, '!');
	}
	g_string_append_printf(s, "IS_ENABLED(CONFIG_%s)", word);
}

char *kconf_condition(const char *expr)
{
	GString *s = g_string_new("");
	const char *p = expr;

	while (*p && *p != '#') {
		gsize n = 0;

		while (is_word_char(p[n]))
			n++;
		if (!n) {
			g_string_append_c(s, *p++);
			continue;
		}
		g_autofree char *word = g_strndup(p, n);

		p += n;
		if (n == 1 && strchr("ym", *word))
			g_string_append_c(s, '1');
		else if (n == 1 && *word == 'n')
			g_string_append_c(s, '0');
		else
			put_name(s, word, &p);
	}
	g_strstrip(s->str);
	return g_string_free(s, FALSE);
}

/* A block that is open: an if with its condition, or a menu with those of its
 * "depends on" lines. */
struct block {
	bool is_if;
	GPtrArray *exprs;	/* of char * */
};

static void block_free(gpointer data)
{
	struct block *b = data;

	g_ptr_array_unref(b->exprs);
	g_free(b);
}

static struct block *open_block(GPtrArray *stack, bool is_if)
{
	struct block *b = g_new0(struct block, 1);

	b->is_if = is_if;
	b->exprs = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(stack, b);
	return b;
}

static const char *after(const char *line, const char *word)
{
	gsize n = strlen(word);

	if (strncmp(line, word, n) || (line[n] && !strchr(" \t", line[n])))
		return NULL;
	return line + n + strspn(line + n, " \t");
}

struct reader {
	GPtrArray *stack;	/* of struct block */
	GPtrArray *needs;	/* out: of char *, of the entry that is meant */
	bool found;		/* it was there */
	bool inside;		/* ... and its lines are being read */
	bool in_menu;		/* the lines of a menu, before its first entry */
};

static void take_blocks(struct reader *r)
{
	for (guint i = 0; i < r->stack->len; i++) {
		const struct block *b = r->stack->pdata[i];

		for (guint k = 0; k < b->exprs->len; k++)
			g_ptr_array_add(r->needs, g_strdup(b->exprs->pdata[k]));
	}
}

static void take_depends(struct reader *r, const char *expr)
{
	struct block *b;

	if (r->inside) {
		g_ptr_array_add(r->needs, kconf_condition(expr));
	} else if (r->in_menu && r->stack->len) {
		b = r->stack->pdata[r->stack->len - 1];
		g_ptr_array_add(b->exprs, kconf_condition(expr));
	}
}

static bool read_block(struct reader *r, const char *line)
{
	const char *rest = after(line, "if");
	struct block *b;

	if (rest) {
		b = open_block(r->stack, true);
		g_ptr_array_add(b->exprs, kconf_condition(rest));
	} else if (after(line, "menu") || after(line, "choice")) {
		open_block(r->stack, false);
		r->in_menu = true;
		r->inside = false;
		return true;
	} else if (after(line, "endif") || after(line, "endmenu") ||
		   after(line, "endchoice")) {
		if (r->stack->len)
			g_ptr_array_remove_index(r->stack, r->stack->len - 1);
	} else {
		return false;
	}
	r->in_menu = r->inside = false;
	return true;
}

static guint indent_of(const char *line)
{
	guint n = 0;

	for (; *line == ' ' || *line == '\t'; line++)
		n += *line == '\t' ? 8 - n % 8 : 1;
	return n;
}

/* Help texts may say "if ..." at the start of a line; returns where they end. */
static char **skip_help(char **l)
{
	char **next = l + 1;
	guint indent;

	while (*next && !**next)
		next++;
	indent = *next ? indent_of(*next) : 0;
	while (*next && indent && ((*next)[strspn(*next, " \t")] == '\0' ||
				   indent_of(*next) >= indent))
		next++;
	return next - 1;
}

/*
 * Reads @text up to the entry "config @symbol" (or the line that sources
 * @path, when @symbol is NULL).
 */
static void read_file(struct reader *r, const char *text, const char *symbol,
		      const char *path)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l; l++) {
		const char *rest;

		g_strstrip(*l);
		if (after(*l, "help"))
			l = skip_help(l);
		if (read_block(r, *l))
			continue;
		rest = after(*l, "config");
		rest = rest ? rest : after(*l, "menuconfig");
		if (rest || after(*l, "comment") || after(*l, "source"))
			r->inside = r->in_menu = false;
		if (rest && symbol && !r->found && !strcmp(rest, symbol)) {
			r->found = r->inside = true;
			take_blocks(r);
		}
		rest = after(*l, "source");
		if (rest && !symbol && !r->found && strstr(rest, path)) {
			r->found = true;
			take_blocks(r);
		}
		rest = after(*l, "depends on");
		if (rest)
			take_depends(r, rest);
	}
}

static bool read_one(const char *text, const char *symbol, const char *path,
		     GPtrArray *needs)
{
	struct reader r = { .needs = needs };

	r.stack = g_ptr_array_new_with_free_func(block_free);
	read_file(&r, text, symbol, path);
	g_ptr_array_unref(r.stack);
	return r.found;
}

/* What is around the line that sources @path, from file to file. */
static void add_sourced(const struct kfiles *k, const char *path,
			GPtrArray *needs, int depth)
{
	g_autofree char *quoted = g_strdup_printf("\"%s\"", path);
	GHashTableIter it;
	gpointer other, text;

	g_hash_table_iter_init(&it, k->texts);
	while (depth && g_hash_table_iter_next(&it, &other, &text)) {
		if (!strstr(text, quoted) || !strcmp(other, path))
			continue;
		if (read_one(text, NULL, quoted, needs)) {
			add_sourced(k, other, needs, depth - 1);
			return;
		}
	}
}

GPtrArray *kfiles_needs(const struct kfiles *k, const char *symbol)
{
	g_autoptr(GPtrArray) paths = kfiles_defining(k, symbol);
	GPtrArray *needs = g_ptr_array_new_with_free_func(g_free);

	if (!paths->len)
		return needs;
	read_one(g_hash_table_lookup(k->texts, paths->pdata[0]), symbol, NULL,
		 needs);
	add_sourced(k, paths->pdata[0], needs, DEPTH);
	return needs;
}
