// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "ctext.h"
#include "madediff.h"
#include "strsort.h"

/* A text as its macros and all the rest. */
struct parts {
	GHashTable *macros;	/* name -> char *: its definitions, each with
				   the number of conditional lines before it */
	GString *rest;
	unsigned int conditions;
};

static void parts_clear(struct parts *p)
{
	g_hash_table_unref(p->macros);
	g_string_free(p->rest, TRUE);
}

static void add_macro(struct parts *p, const struct directive *d,
		      const char *text, gsize len)
{
	gsize n = 0;
	g_autofree char *name = NULL;
	const char *before;

	while (n < d->args_len && is_word_char(d->args[n]))
		n++;
	name = g_strndup(d->args, n);
	before = g_hash_table_lookup(p->macros, name);
	/* the name comes first: what follows it is the definition */
	g_hash_table_replace(p->macros, g_strdup(name),
		g_strdup_printf("%s%u %.*s\n", before ? before : "",
				p->conditions, (int)len, text));
}

/* The logical line from @n on; returns the line behind it. */
static unsigned int add_line(struct parts *p, const struct ctext *t,
			     const char *text, unsigned int n)
{
	unsigned int last = ctext_last(t, n);
	const char *from = text + t->start[n];
	gsize len = t->start[last + 1] - t->start[n];
	struct directive d;

	if (ctext_directive(t, n, &d)) {
		if (!strcmp(d.word, "define")) {
			add_macro(p, &d, from, len);
			return last + 1;
		}
		p->conditions++;
	}
	for (; n <= last; n++)
		if (!ctext_blank(t, n))
			g_string_append_len(p->rest, text + t->start[n],
					    t->start[n + 1] - t->start[n]);
	return last + 1;
}

static void parts_read(struct parts *p, const char *text)
{
	g_autoptr(ctext_t) t = NULL;

	p->macros = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  g_free);
	p->rest = g_string_new("");
	p->conditions = 0;
	if (!text)
		return;
	t = ctext_new(text, strlen(text));
	for (unsigned int n = 1; n <= t->count;)
		n = add_line(p, t, text, n);
}

/* Adds to @names what @a defines and @b does not, or otherwise. */
static void add_different(GPtrArray *names, GHashTable *a, GHashTable *b)
{
	GHashTableIter it;
	gpointer name, text;

	g_hash_table_iter_init(&it, a);
	while (g_hash_table_iter_next(&it, &name, &text))
		if (g_strcmp0(text, g_hash_table_lookup(b, name)) &&
		    !g_ptr_array_find_with_equal_func(names, name, g_str_equal,
						      NULL))
			g_ptr_array_add(names, g_strdup(name));
}

GPtrArray *madediff_names(const char *was, const char *is, bool *whole)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	struct parts a, b;

	parts_read(&a, was);
	parts_read(&b, is);
	*whole = !was || !is || !g_string_equal(a.rest, b.rest);
	if (!*whole) {
		add_different(names, a.macros, b.macros);
		add_different(names, b.macros, a.macros);
		g_ptr_array_sort(names, by_string);
	}
	parts_clear(&a);
	parts_clear(&b);
	return names;
}
