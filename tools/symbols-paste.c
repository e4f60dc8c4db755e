// SPDX-License-Identifier: GPL-2.0
/*
 * Names that a macro pastes together stand nowhere as such: "GEN(rax)" makes
 * __x86_indirect_thunk_rax.  The patterns of all macros say who may make one.
 */
#include <string.h>
#include "symbols-int.h"
#include "toplevel.h"

#define LITERAL 6		/* "*_str" could make anything */

/* A macro that can make the name. */
struct maker {
	const char *path;	/* interned: where it is defined */
	const char *macro;	/* interned */
	const char *pattern;	/* interned */
};

static void note(const char *path, const char *macro, const char *pattern,
		 void *data)
{
	struct maker m = { g_intern_string(path), g_intern_string(macro),
			   g_intern_string(pattern) };
	gsize literal = 0;

	for (const char *p = pattern; *p; p++)
		literal += *p != '*';
	if (literal >= LITERAL && strchr(pattern, '*'))
		g_array_append_val(data, m);
}

static GArray *patterns(struct symbols *s)
{
	if (s->pasted && s->pasted_of == s->run->graph)
		return s->pasted;
	g_clear_pointer(&s->pasted, g_array_unref);
	s->pasted = g_array_new(FALSE, FALSE, sizeof(struct maker));
	s->pasted_of = s->run->graph;
	incgraph_pastes(s->run->graph, note, s->pasted);
	return s->pasted;
}

/* The makers of @name on @v, with the pieces that each takes. */
static GArray *makers_of(struct symbols *s, const struct variant *v,
			 const char *name, GPtrArray *pieces)
{
	const GArray *all = patterns(s);
	GArray *makers = g_array_new(FALSE, FALSE, sizeof(struct maker));

	for (guint i = 0; i < all->len; i++) {
		const struct maker *m = &g_array_index(all, struct maker, i);
		GPtrArray *readings;

		if (path_is_foreign(m->path, v->arch->srcarch) ||
		    !g_pattern_match_simple(m->pattern, name))
			continue;
		readings = paste_match(m->pattern, name);
		if (!readings)
			continue;
		g_array_append_vals(makers, m, 1);
		g_ptr_array_add(pieces, readings);
	}
	return makers;
}

void symbols_pasters(struct symbols *s, const struct variant *v,
		     const char *name, GPtrArray *paths)
{
	g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(
					(GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GArray) makers = makers_of(s, v, name, pieces);

	for (guint i = 0; i < makers->len; i++) {
		const struct maker *m = &g_array_index(makers, struct maker, i);

		if (path_is_source(m->path))
			g_ptr_array_add(paths, (gpointer)m->path);
	}
}

static bool is_piece(const struct top_token *token, const GPtrArray *readings)
{
	for (guint i = 0; i < readings->len; i++) {
		const GPtrArray *pieces = readings->pdata[i];

		for (guint k = 0; k < pieces->len; k++)
			if (top_is(token, pieces->pdata[k]))
				return true;
	}
	return false;
}

/* Does a statement of @path call @macro with one of the pieces? */
static bool calls(struct symbols *s, const char *path, unsigned int step,
		  const char *macro, const GPtrArray *readings)
{
	g_autoptr(GBytes) bytes = symindex_text(s->index, path, step);
	g_autoptr(ctext_t) t = NULL;
	struct toplevel top;
	const char *text = NULL;
	bool found = false;
	gsize len;

	if (bytes)
		text = g_bytes_get_data(bytes, &len);
	if (!text)
		return false;
	t = ctext_new(text, len);
	toplevel_init(&top, t);
	while (!found && toplevel_next(&top)) {
		bool call = false, piece = false;

		for (guint i = 0; i < top.tokens->len; i++) {
			call |= top_is(toplevel_at(&top, i), macro);
			piece |= is_piece(toplevel_at(&top, i), readings);
		}
		found = call && piece;
	}
	toplevel_release(&top);
	return found;
}

int symbols_pasted(struct symbols *s, const struct doubt *d, GPtrArray *paths,
		   GError **error)
{
	unsigned int step = d->world->step;
	g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func(
					(GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GArray) makers = makers_of(s, d->world->view->v, d->name,
					     pieces);
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < makers->len; i++)
		g_hash_table_add(names, (char *)g_array_index(makers,
						struct maker, i).macro);
	if (!makers->len)
		return 0;
	if (symbols_mentions(s, names, error))
		return -1;
	for (guint i = 0; i < makers->len; i++) {
		const struct maker *m = &g_array_index(makers, struct maker, i);
		const GPtrArray *users = symbols_mentioning(s, m->macro);

		if (path_is_source(m->path))
			g_ptr_array_add(paths, (gpointer)m->path);
		for (guint k = 0; k < users->len; k++)
			if (calls(s, users->pdata[k], step, m->macro,
				  pieces->pdata[i]))
				g_ptr_array_add(paths, users->pdata[k]);
	}
	return 0;
}
