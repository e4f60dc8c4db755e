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

/* All that stands on the line must be plain declarations of other names. */
static bool is_plain(const struct ctype *c, const struct mention *m)
{
	bool any = false;

	for (guint i = 0; i < c->items->len; i++) {
		const struct ctype_item *item = c->items->pdata[i];

		if (!holds(item, m->line))
			continue;
		if (item->odd || item->macro || !strcmp(item->name, m->name))
			return false;
		any = true;
	}
	return any;
}

static void change_members(struct closure *cl, const struct ctype *c,
			   const struct mention *m)
{
	closure_add_types(cl->im->layouts, c);
	for (guint i = 0; i < c->items->len; i++) {
		const struct ctype_item *item = c->items->pdata[i];

		if (holds(item, m->line) && *item->name)
			g_hash_table_add(cl->im->members, g_strdup(item->name));
	}
}

/* The enumerator and those that count on from it. */
static void change_values(struct closure *cl, const struct ctype *c,
			  const struct mention *m)
{
	bool changed = false;

	for (guint i = 0; i < c->items->len; i++) {
		const struct ctype_item *item = c->items->pdata[i];

		if (*item->key || item->odd)
			changed = false;
		changed = changed || holds(item, m->line);
		if (changed && *item->name)
			closure_add_name(cl, item->name);
	}
}

bool closure_in_type(struct closure *cl, const GPtrArray *types,
		     const struct mention *m)
{
	const struct ctype *c = ctype_at(types, m->line);

	if (!c)
		return false;
	if (c->kind == CTYPE_TYPEDEF) {
		for (guint i = 0; i < c->aliases->len; i++)
			closure_add_name(cl, c->aliases->pdata[i]);
		if (!c->indirect)
			closure_add_types(cl->im->layouts, c);
		return c->aliases->len > 0;
	}
	if (!is_plain(c, m))
		return false;
	if (c->kind == CTYPE_ENUM)
		change_values(cl, c, m);
	else
		change_members(cl, c, m);
	return true;
}
