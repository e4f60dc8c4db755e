// SPDX-License-Identifier: GPL-2.0
/*
 * What changed in a type, member by member: two versions are compared as
 * parsed, not as lines.  A member whose declaration is on one side only is felt
 * by those who spell it; another sequence of types by those who measure or hold
 * the type; another enumerator by those who spell it or switch over the enum.
 */
#include "impact-priv.h"

/* The same type in both images. */
struct pair {
	struct change *c;
	const struct side *old, *new;
	const struct ctype *was, *is;
};

static bool is_touched(const struct side *s, const struct ctype *t)
{
	for (unsigned int n = t->line; n <= t->end && n <= s->t->count; n++)
		if (s->changed[n] && !ctext_blank(s->t, n))
			return true;
	return false;
}

static bool shares_item(const struct ctype *a, const struct ctype *b)
{
	for (guint i = 0; i < a->items->len; i++) {
		const struct ctype_item *x = a->items->pdata[i];

		for (guint k = 0; k < b->items->len; k++) {
			const struct ctype_item *y = b->items->pdata[k];

			if (*x->name && !strcmp(x->name, y->name))
				return true;
		}
	}
	return false;
}

static bool is_same(const struct ctype *a, const struct ctype *b)
{
	if (a->kind != b->kind || strcmp(a->tag, b->tag))
		return false;
	if (*a->tag)
		return true;
	if (a->aliases->len || b->aliases->len)
		return a->aliases->len && b->aliases->len &&
		       !strcmp(a->aliases->pdata[0], b->aliases->pdata[0]);
	return shares_item(a, b);
}

/* The one of @others that stands for @t; NULL: none, or it is not sure. */
static const struct ctype *counterpart(const struct ctype *t,
				       const GPtrArray *mine,
				       const GPtrArray *others)
{
	const struct ctype *found = NULL;
	int nth = 0, count = 0, there = 0;

	/* There may be one for each branch of an #if. */
	for (guint i = 0; i < mine->len; i++) {
		if (!is_same(t, mine->pdata[i]))
			continue;
		count++;
		if (mine->pdata[i] == t)
			nth = count;
	}
	for (guint i = 0; i < others->len; i++)
		if (is_same(t, others->pdata[i]) && ++there == nth)
			found = others->pdata[i];
	return there == count ? found : NULL;
}

/* The items of @a that @b has not, counted; of struct ctype_item, borrowed. */
static GPtrArray *items_less(const GPtrArray *a, const GPtrArray *b)
{
	g_autoptr(GHashTable) left = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	GPtrArray *less = g_ptr_array_new();

	for (guint i = 0; i < b->len; i++) {
		const struct ctype_item *item = b->pdata[i];
		char *id = g_strdup_printf("%s %s", item->name, item->key);
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(left, id));

		g_hash_table_replace(left, id, GUINT_TO_POINTER(n + 1));
	}
	for (guint i = 0; i < a->len; i++) {
		const struct ctype_item *item = a->pdata[i];
		char *id = g_strdup_printf("%s %s", item->name, item->key);
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(left, id));

		if (!n)
			g_ptr_array_add(less, (gpointer)item);
		g_hash_table_replace(left, id, GUINT_TO_POINTER(n ? n - 1 : 0));
	}
	return less;
}

static const struct ctype_item *find_item(const struct ctype *t,
					  const char *name)
{
	for (guint i = 0; i < t->items->len; i++) {
		const struct ctype_item *item = t->items->pdata[i];

		if (!strcmp(item->name, name))
			return item;
	}
	return NULL;
}

static void add_word(GPtrArray *list, const char *word)
{
	change_add(list, word, strlen(word));
}

static void add_odd(struct pair *p, const struct side *s, const struct ctype *t,
		    const struct ctype_item *item)
{
	g_autofree char *label = ctype_label(t);
	g_autofree char *reason = g_strdup_printf("no plain member of '%s'",
						  label);

	change_why(p->c, s, item->line, reason);
}

/* All but attributes: a variable that is declared with the type. */
static bool is_attributes(const char *s)
{
	while (*s) {
		gsize n = 0;

		while (is_word_char(s[n]))
			n++;
		if (n && strncmp(s, "__", 2))
			return false;
		s += n;
		if (*s == '(') {
			int depth = 0;

			do
				depth += (*s == '(') - (*s == ')');
			while (*s++ && depth > 0 && *s);
		} else if (*s && !n) {
			if (!strchr(", ", *s))
				return false;
			s++;
		}
	}
	return true;
}

static bool same_layout(const struct ctype *a, const struct ctype *b)
{
	if (a->items->len != b->items->len || a->kind != b->kind ||
	    strcmp(a->head, b->head) || strcmp(a->tail, b->tail))
		return false;
	for (guint i = 0; i < a->items->len; i++) {
		const struct ctype_item *x = a->items->pdata[i];
		const struct ctype_item *y = b->items->pdata[i];

		/* Renamed is as it was; with another it changed places. */
		if (strcmp(x->key, y->key) ||
		    (*x->name && strcmp(x->name, y->name) &&
		     find_item(b, x->name)))
			return false;
	}
	return true;
}

static void add_layouts(struct change *c, const struct ctype *t)
{
	for (guint i = 0; i < t->tags->len; i++) {
		g_autofree char *label = g_strconcat("struct ",
						     t->tags->pdata[i], NULL);

		add_word(c->layouts, label);
	}
	for (guint i = 0; i < t->aliases->len; i++)
		add_word(c->layouts, t->aliases->pdata[i]);
}

static void add_owners(struct change *c, const struct ctype *t)
{
	for (guint i = 0; i < t->tags->len; i++)
		add_word(c->owners, t->tags->pdata[i]);
	for (guint i = 0; i < t->aliases->len; i++)
		add_word(c->owners, t->aliases->pdata[i]);
}

/* Tags of @a that @b has not: of a type that was renamed, or one nested. */
static void add_tags_less(struct change *c, const struct ctype *a,
			  const struct ctype *b)
{
	for (guint i = 0; i < a->tags->len; i++)
		if (!g_ptr_array_find_with_equal_func(b->tags, a->tags->pdata[i],
						      g_str_equal, NULL))
			add_word(c->names, a->tags->pdata[i]);
}

static void compare_members(struct pair *p)
{
	g_autoptr(GPtrArray) gone = items_less(p->was->items, p->is->items);
	g_autoptr(GPtrArray) come = items_less(p->is->items, p->was->items);

	add_owners(p->c, p->is);
	add_tags_less(p->c, p->was, p->is);
	add_tags_less(p->c, p->is, p->was);

	for (guint i = 0; i < gone->len; i++) {
		const struct ctype_item *item = gone->pdata[i];

		if (item->odd)
			add_odd(p, p->old, p->was, item);
		else if (*item->name)
			add_word(p->c->members, item->name);
	}
	for (guint i = 0; i < come->len; i++) {
		const struct ctype_item *item = come->pdata[i];

		if (item->odd)
			add_odd(p, p->new, p->is, item);
		else if (*item->name && find_item(p->was, item->name))
			add_word(p->c->members, item->name);
	}
	if (same_layout(p->was, p->is))
		return;
	add_layouts(p->c, p->was);
	add_layouts(p->c, p->is);
	if (!p->is->tags->len && !p->is->aliases->len)
		change_why(p->c, p->new, p->is->line, "a type without a name");
	if (strcmp(p->was->tail, p->is->tail) &&
	    !(is_attributes(p->was->tail) && is_attributes(p->is->tail)))
		change_why(p->c, p->new, p->is->end, "what a type's end declares");
}

/* What an enumerator's value rests on: as far as the text says. */
struct value {
	const char *base;	/* the last value that was written */
	guint offset, where;	/* from there, and under which conditions */
};

static GArray *values_of(const struct ctype *t)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(struct value));
	struct value v = { "", 0, 0 };

	for (guint i = 0; i < t->items->len; i++) {
		const struct ctype_item *item = t->items->pdata[i];

		if (*item->key && !item->odd) {
			v.base = item->key;
			v.offset = v.where = 0;
		}
		g_array_append_val(values, v);
		v.offset++;
		v.where = v.where * 31 + g_str_hash(item->where);
		v.where += item->odd ? g_str_hash(item->key) : 0;
	}
	return values;
}

static bool mentions_any(const char *text, const GPtrArray *words)
{
	for (guint i = 0; i < words->len; i++)
		if (word_in(text, strlen(text), words->pdata[i]))
			return true;
	return false;
}

static void compare_values(struct pair *p)
{
	g_autoptr(GArray) was = values_of(p->was), is = values_of(p->is);

	for (guint i = 0; i < p->is->items->len; i++) {
		const struct ctype_item *item = p->is->items->pdata[i];
		struct value *b = &g_array_index(is, struct value, i), *a = NULL;

		for (guint k = 0; !item->odd && k < p->was->items->len; k++) {
			const struct ctype_item *o = p->was->items->pdata[k];

			if (!o->odd && !strcmp(o->name, item->name))
				a = &g_array_index(was, struct value, k);
		}
		if (a && (strcmp(a->base, b->base) || a->offset != b->offset ||
			  a->where != b->where ||
			  mentions_any(b->base, p->c->values)))
			add_word(p->c->values, item->name);
	}
}

/* A switch over the enum without a case for what is new may warn. */
static void add_cases(struct pair *p)
{
	g_autofree char *tag = g_strconcat("enum ", p->is->tag, NULL);

	for (guint i = 0; i < p->is->items->len; i++) {
		const struct ctype_item *item = p->is->items->pdata[i];

		if (!item->odd && find_item(p->was, item->name))
			add_word(p->c->cases, item->name);
	}
	if (*p->is->tag)
		add_word(p->c->cases, tag);
	for (guint i = 0; i < p->is->aliases->len; i++) {
		g_free(tag);
		tag = g_strconcat("enum ", p->is->aliases->pdata[i], NULL);
		add_word(p->c->cases, tag);
	}
}

/* Enumerators of @a that @b has not, or only under other conditions. */
static bool enumerators_less(struct pair *p, const struct ctype *a,
			     const struct ctype *b)
{
	bool any = false;

	for (guint i = 0; i < a->items->len; i++) {
		const struct ctype_item *item = a->items->pdata[i];
		const struct ctype_item *other = find_item(b, item->name);

		if (item->odd || (other && !strcmp(item->where, other->where)))
			continue;
		add_word(p->c->names, item->name);
		any = true;
	}
	return any;
}

static void compare_enums(struct pair *p)
{
	g_autoptr(GPtrArray) gone = items_less(p->was->items, p->is->items);
	g_autoptr(GPtrArray) come = items_less(p->is->items, p->was->items);

	for (guint i = 0; i < gone->len; i++) {
		const struct ctype_item *item = gone->pdata[i];

		if (item->odd)
			add_odd(p, p->old, p->was, item);
	}
	for (guint i = 0; i < come->len; i++) {
		const struct ctype_item *item = come->pdata[i];

		if (item->odd)
			add_odd(p, p->new, p->is, item);
	}
	if (strcmp(p->was->head, p->is->head) ||
	    strcmp(p->was->tail, p->is->tail))
		change_why(p->c, p->new, p->is->line, "attributes of an enum");
	enumerators_less(p, p->was, p->is);
	if (enumerators_less(p, p->is, p->was))
		add_cases(p);
	compare_values(p);
}

static void compare_typedefs(struct pair *p)
{
	if (!strcmp(p->was->head, p->is->head))
		return;
	for (guint i = 0; i < p->is->aliases->len; i++)
		add_word(p->c->names, p->is->aliases->pdata[i]);
	if (!p->was->indirect || !p->is->indirect)
		add_layouts(p->c, p->is);
}

static void mark(const struct side *s, const struct ctype *t)
{
	for (unsigned int n = t->line; n <= t->end && n <= s->t->count; n++)
		s->typed[n] = true;
}

static void compare(struct pair *p)
{
	mark(p->old, p->was);
	mark(p->new, p->is);
	if (p->is->kind == CTYPE_ENUM)
		compare_enums(p);
	else if (p->is->kind == CTYPE_TYPEDEF)
		compare_typedefs(p);
	else
		compare_members(p);
}

/* The touched types of @s that the other image has not; NULL: not just one. */
static const struct ctype *only_one(const struct side *s,
				    const struct side *other)
{
	const struct ctype *one = NULL;

	for (guint i = 0; i < s->types->len; i++) {
		const struct ctype *t = s->types->pdata[i];

		if (!is_touched(s, t) ||
		    counterpart(t, s->types, other->types))
			continue;
		if (one)
			return NULL;
		one = t;
	}
	return one;
}

/* "struct a {" became "struct b {": both names are changed ones. */
static void compare_renamed(struct change *c, struct side *old,
			    struct side *new)
{
	const struct ctype *was = only_one(old, new), *is = only_one(new, old);
	struct pair p = { c, old, new, was, is };

	if (!was || !is || was->kind != is->kind || !*was->tag || !*is->tag ||
	    !shares_item(was, is))
		return;
	add_word(c->names, was->tag);
	add_word(c->names, is->tag);
	compare(&p);
}

/* A type that is gone: it may be elsewhere now, where not all find it. */
static void add_orphans(struct change *c, const struct ctype *t)
{
	add_layouts(c, t);
	for (guint i = 0; i < t->items->len; i++) {
		const struct ctype_item *item = t->items->pdata[i];

		if (*item->name)
			add_word(c->orphans, item->name);
	}
}

void touch_types(struct change *c, struct side *old, struct side *new)
{
	for (guint i = 0; i < old->types->len; i++) {
		const struct ctype *was = old->types->pdata[i];
		const struct ctype *is = counterpart(was, old->types, new->types);
		struct pair p = { c, old, new, was, is };

		if (is && (is_touched(old, was) || is_touched(new, is)))
			compare(&p);
	}
	compare_renamed(c, old, new);
	for (guint i = 0; i < old->types->len; i++) {
		const struct ctype *t = old->types->pdata[i];

		if (!old->typed[MIN(t->line, old->t->count)] &&
		    is_touched(old, t) && t->kind != CTYPE_ENUM &&
		    t->kind != CTYPE_TYPEDEF)
			add_orphans(c, t);
	}
}
