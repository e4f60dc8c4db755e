// SPDX-License-Identifier: GPL-2.0
/* What a changed name in a type's definition changes of the type. */
#include "impact-priv.h"

void closure_add_types(GHashTable *set, const struct ctype *c)
{
	for (guint i = 0; c->kind != CTYPE_ENUM && i < c->tags->len; i++)
		g_hash_table_add(set, g_strconcat("struct ", c->tags->pdata[i],
						  NULL));
	for (guint i = 0; i < c->aliases->len; i++)
		g_hash_table_add(set, g_strdup(c->aliases->pdata[i]));
}

static bool holds(const struct ctype_item *item, unsigned int line)
{
	return item->line <= line && line <= item->end;
}

/*
 * All that stands on the line must be plain declarations.  The preprocessor also
 * replaces what a member is called.
 */
static bool is_plain(const struct closure *cl, const struct ctype *c,
		     const struct mention *m)
{
	bool macro = g_hash_table_contains(cl->macros, m->name);
	bool any = false;

	for (guint i = 0; i < c->items->len; i++) {
		const struct ctype_item *item = c->items->pdata[i];

		if (!holds(item, m->line))
			continue;
		if (item->odd || item->macro ||
		    (macro && !strcmp(item->name, m->name)))
			return false;
		any = true;
	}
	return any;
}

static void change_members(struct closure *cl, const struct ctype *c,
			   unsigned int line)
{
	closure_add_types(cl->im->layouts, c);
	for (guint i = 0; i < c->items->len; i++) {
		const struct ctype_item *item = c->items->pdata[i];

		if (holds(item, line) && *item->name)
			g_hash_table_add(cl->im->members, g_strdup(item->name));
	}
}

/*
 * The enumerators that count on from one whose value has the name.  Those that
 * the name belongs to have changed already.  False: what is it there?
 */
static bool change_values(struct closure *cl, const struct ctype *c,
			  const struct mention *m)
{
	bool changed = false, known = false;

	for (guint i = 0; i < c->items->len; i++) {
		const struct ctype_item *item = c->items->pdata[i];
		bool here = holds(item, m->line);

		if (here && item->odd)
			return false;
		if (*item->key || item->odd)
			changed = here && word_in(item->key, strlen(item->key),
						  m->name);
		known = known || (here && !strcmp(item->name, m->name)) ||
			(here && changed);
		if (changed)
			closure_add_name(cl, item->name);
	}
	return known;
}

/* The type's own name, where it is defined. */
static bool is_own_name(const struct ctype *c, const struct mention *m)
{
	bool own = !strcmp(c->tag, m->name) ||
		   g_ptr_array_find_with_equal_func(c->aliases, m->name,
						    g_str_equal, NULL);

	for (guint i = 0; own && i < c->items->len; i++) {
		const struct ctype_item *item = c->items->pdata[i];

		own = !holds(item, m->line) ||
		      !word_in(item->key, strlen(item->key), m->name);
	}
	return own;
}

static void change_aliases(struct closure *cl, const struct ctype *c)
{
	for (guint i = 0; i < c->aliases->len; i++)
		closure_add_name(cl, c->aliases->pdata[i]);
	if (!c->indirect)
		closure_add_types(cl->im->layouts, c);
}

bool closure_in_type(struct closure *cl, const GPtrArray *types,
		     const struct mention *m)
{
	const struct ctype *c = ctype_at(types, m->line);

	if (!c)
		return false;
	if (c->kind == CTYPE_TYPEDEF) {
		change_aliases(cl, c);
		return c->aliases->len > 0;
	}
	/* What the preprocessor replaces is no name of a type. */
	if (g_hash_table_contains(cl->macros, m->name) && !is_plain(cl, c, m))
		return false;
	if (is_own_name(c, m))
		return true;
	if (c->kind == CTYPE_ENUM)
		return change_values(cl, c, m);
	if (!is_plain(cl, c, m))
		return false;
	change_members(cl, c, m->line);
	return true;
}

bool closure_in_branch(struct closure *cl, const GPtrArray *types,
		       unsigned int line)
{
	const struct ctype *c = ctype_at(types, line);
	bool any = false;

	/* What the lines around a type's members say is another matter. */
	if (!c || c->kind == CTYPE_ENUM || line == c->line || line == c->end)
		return false;
	for (guint i = 0; i < c->items->len; i++) {
		const struct ctype_item *item = c->items->pdata[i];

		if (holds(item, line) && item->odd)
			return false;
		any = any || holds(item, line);
	}
	if (any)
		change_members(cl, c, line);
	return any;
}
