// SPDX-License-Identifier: GPL-2.0
/* From the changed lines of a file to the names they touch. */
#include "impact-priv.h"

/* Lines that stand in the place of others: either count may be 0. */
struct block {
	unsigned int old_at, old_n, new_at, new_n;
};

static void side_init(struct side *s, const char *text, gsize len,
		      const GPtrArray *entities, const char *prefix)
{
	s->text = text;
	s->t = ctext_new(text, len);
	s->entities = entities;
	s->conditions = condition_scan_ctext(s->t);
	s->types = ctype_scan(s->t, s->conditions);
	s->changed = g_new0(bool, s->t->count + 2);
	s->typed = g_new0(bool, s->t->count + 2);
	s->prefix = prefix;
}

static void side_clear(struct side *s)
{
	ctext_free(s->t);
	g_ptr_array_unref(s->conditions);
	g_ptr_array_unref(s->types);
	g_free(s->changed);
	g_free(s->typed);
}

void change_add(GPtrArray *list, const char *name, gsize len)
{
	char *copy = g_strndup(name, len);

	if (!len || g_ptr_array_find_with_equal_func(list, copy, g_str_equal,
						     NULL))
		g_free(copy);
	else
		g_ptr_array_add(list, copy);
}

/* For entity_cover(). */
struct touch {
	struct change *c;
	const struct side *s;
};

static void add_named(const struct entity *e, void *data)
{
	struct touch *touch = data;
	const struct ctext *t = touch->s->t;
	struct directive d;

	change_add(touch->c->names, e->name, strlen(e->name));
	if (e->kind == ENTITY_MACRO &&
	    ctext_directive(t, ctext_first(t, e->line), &d) &&
	    defines_object(&d))
		change_add(touch->c->macros, e->name, strlen(e->name));
}

void change_why(struct change *c, const struct side *s, unsigned int line,
		const char *reason)
{
	g_autofree char *text = NULL;

	c->whole = true;
	if (!s) {
		g_ptr_array_add(c->why, g_strdup(reason));
		return;
	}
	for (guint i = 0; i < c->why->len; i++) {
		const char *w = c->why->pdata[i];

		if (g_str_has_suffix(w, reason) &&
		    g_str_has_prefix(w, *s->prefix ? "old line" : "line"))
			return;
	}
	text = g_strdup_printf("%sline %u: %s", s->prefix, line, reason);
	g_ptr_array_add(c->why, g_steal_pointer(&text));
}

/* The runs of changed lines; false when they leave the texts. */
static bool collect_blocks(const struct file_diff *fd, const struct side *old,
			   const struct side *new, GArray *blocks)
{
	for (guint i = 0; i < fd->hunks->len; i++) {
		const struct hunk *h = fd->hunks->pdata[i];
		/* With a count of 0 the start is the line before. */
		struct block b = { h->old_start + !h->old_count, 0,
				   h->new_start + !h->new_count, 0 };

		for (guint k = 0; k <= h->lines->len; k++) {
			char op = k == h->lines->len ? ' ' :
				g_array_index(h->lines, struct diff_line, k).op;

			b.old_n += op == '-';
			b.new_n += op == '+';
			if (op != ' ')
				continue;
			if (b.old_at + b.old_n > old->t->count + 1 ||
			    b.new_at + b.new_n > new->t->count + 1)
				return false;
			if (b.old_n || b.new_n)
				g_array_append_val(blocks, b);
			b.old_at += b.old_n + 1;
			b.new_at += b.new_n + 1;
			b.old_n = 0;
			b.new_n = 0;
		}
	}
	return true;
}

/* Does each #if group that has a directive in the @n lines lie within them? */
static bool is_balanced(const struct side *s, unsigned int at, unsigned int n)
{
	for (guint i = 0; i < s->conditions->len; i++) {
		const struct condition *c = s->conditions->pdata[i];
		bool first = c->first >= at && c->first < at + n;
		bool last = c->last >= at && c->last < at + n;
		bool line = c->line >= at && c->line < at + n;

		if ((first || last || line) && !(first && last))
			return false;
	}
	return true;
}

static bool same_line(const struct side *s, unsigned int a, unsigned int b)
{
	gsize la = s->t->start[a + 1] - s->t->start[a];
	gsize lb = s->t->start[b + 1] - s->t->start[b];

	return la == lb && !memcmp(s->text + s->t->start[a],
				   s->text + s->t->start[b], la);
}

/*
 * A diff that inserts "#ifdef B x #endif" behind "#ifdef A y #endif" may as
 * well show "#endif #ifdef B x" as added.  Where the block can be moved along
 * equal lines so that its groups are whole, it is: same texts, same change.
 * Returns how far to move, 0 when there is no better place.
 */
static int slide(const struct side *s, unsigned int at, unsigned int n)
{
	if (!n || is_balanced(s, at, n))
		return 0;
	for (unsigned int a = at; a > 1 && !s->changed[a - 1] &&
	     same_line(s, a - 1, a + n - 1); a--)
		if (is_balanced(s, a - 1, n))
			return (int)(a - 1) - (int)at;
	for (unsigned int a = at; a + n <= s->t->count && !s->changed[a + n] &&
	     same_line(s, a, a + n); a++)
		if (is_balanced(s, a + 1, n))
			return (int)(a + 1 - at);
	return 0;
}

static void mark(struct side *s, unsigned int at, unsigned int n, bool value)
{
	for (unsigned int i = 0; i < n; i++)
		s->changed[at + i] = value;
}

static void mark_blocks(struct side *old, struct side *new,
			const GArray *blocks)
{
	for (guint i = 0; i < blocks->len; i++) {
		struct block *b = &g_array_index(blocks, struct block, i);

		mark(old, b->old_at, b->old_n, true);
		mark(new, b->new_at, b->new_n, true);
	}
	for (guint i = 0; i < blocks->len; i++) {
		struct block *b = &g_array_index(blocks, struct block, i);
		struct side *s = b->old_n ? old : new;
		unsigned int at = b->old_n ? b->old_at : b->new_at;
		unsigned int n = b->old_n ? b->old_n : b->new_n;
		int by = b->old_n && b->new_n ? 0 : slide(s, at, n);

		if (by) {
			mark(s, at, n, false);
			mark(s, at + by, n, true);
		}
	}
}

/*
 * A removed comment end or an added backslash changes the meaning of lines
 * that are no part of the diff: those count as changed, too.  False when the
 * unchanged lines of both images are not as many: the diff is of other files.
 */
static bool mark_drift(struct side *old, struct side *new)
{
	unsigned int o = 1, n = 1;

	for (;; o++, n++) {
		gsize lo, ln;
		const char *a, *b;

		while (o <= old->t->count && old->changed[o])
			o++;
		while (n <= new->t->count && new->changed[n])
			n++;
		if (o > old->t->count || n > new->t->count)
			return o > old->t->count && n > new->t->count;
		a = ctext_line(old->t, o, &lo);
		b = ctext_line(new->t, n, &ln);
		if (lo == ln && !memcmp(a, b, lo) &&
		    old->t->joined[o - 1] == new->t->joined[n - 1])
			continue;
		old->changed[o] = true;
		new->changed[n] = true;
	}
}

/* The group of the conditional directive @d; NULL: it has none. */
static const struct condition *group_of(const struct side *s,
					const struct directive *d)
{
	unsigned int last = ctext_last(s->t, d->line);

	for (guint i = 0; i < s->conditions->len; i++) {
		const struct condition *c = s->conditions->pdata[i];

		if (c->line == d->line ||
		    (!strcmp(d->word, "endif") && c->last == last))
			return c;
	}
	return NULL;
}

static bool group_is_changed(const struct side *s, const struct condition *c)
{
	for (unsigned int n = c->first; n <= c->last; n++)
		if (!s->changed[n] && !ctext_blank(s->t, n))
			return false;
	return true;
}

static const struct entity *function_around(const struct side *s,
					    const struct condition *c)
{
	for (guint i = 0; i < s->entities->len; i++) {
		const struct entity *e = s->entities->pdata[i];

		if (e->kind == ENTITY_FUNCTION && e->line < c->first &&
		    e->end > c->last)
			return e;
	}
	return NULL;
}

static void touch_condition(struct change *c, const struct side *s,
			    const struct directive *d)
{
	const struct condition *group = group_of(s, d);
	const struct entity *function;
	g_autofree char *reason = NULL;

	if (group && group_is_changed(s, group))
		return;
	function = group ? function_around(s, group) : NULL;
	if (function) {
		change_add(c->names, function->name, strlen(function->name));
		return;
	}
	reason = g_strconcat("#", d->word, NULL);
	change_why(c, s, d->line, reason);
}

static bool is_conditional(const char *word)
{
	return g_str_has_prefix(word, "if") || g_str_has_prefix(word, "el") ||
	       !strcmp(word, "endif");
}

static void touch_directive(struct change *c, const struct side *s,
			    const struct directive *d)
{
	g_autofree char *reason = NULL;
	struct touch touch = { c, s };
	gsize len = 0;

	if (!*d->word)
		return;
	if (is_conditional(d->word)) {
		touch_condition(c, s, d);
		return;
	}
	if (!strcmp(d->word, "define") || !strcmp(d->word, "undef")) {
		while (len < d->args_len && is_word_char(d->args[len]))
			len++;
		change_add(c->names, d->args, len);
		/* In a function's body it changes the function as well. */
		g_free(entity_cover(s->entities, d->line, add_named, &touch));
		return;
	}
	reason = g_strconcat("#", d->word, NULL);
	change_why(c, s, d->line, reason);
}

/* A type or variable outside of any other entity. */
static bool is_declaration(const struct entity *e)
{
	return !*e->scope && (e->kind == ENTITY_STRUCT ||
			      e->kind == ENTITY_UNION || e->kind == ENTITY_ENUM ||
			      e->kind == ENTITY_TYPEDEF ||
			      e->kind == ENTITY_VARIABLE);
}

static bool is_all_changed(const struct side *s, const struct entity *e)
{
	for (unsigned int n = e->line; n <= e->end && n <= s->t->count; n++)
		if (!s->changed[n] && !ctext_blank(s->t, n))
			return false;
	return true;
}

/*
 * A type or variable that is there on one side only can be felt only where
 * its name, or the name of one of its enumerators, is mentioned.
 */
static bool touch_declaration(struct change *c, const struct side *s,
			      const struct side *other, unsigned int n)
{
	const struct entity *whole = NULL;

	for (guint i = 0; i < s->entities->len && !whole; i++) {
		const struct entity *e = s->entities->pdata[i];

		if (is_declaration(e) && e->line <= n && n <= e->end)
			whole = e;
	}
	if (!whole || !is_all_changed(s, whole))
		return false;
	for (guint i = 0; i < s->entities->len; i++) {
		const struct entity *e = s->entities->pdata[i];

		if (e->line < whole->line || e->end > whole->end ||
		    e->kind == ENTITY_MEMBER)
			continue;
		if (entity_find(other->entities, e->name))
			return false;
		change_add(c->names, e->name, strlen(e->name));
	}
	return true;
}

static void touch_line(struct change *c, const struct side *s,
		       const struct side *other, unsigned int n)
{
	g_autofree char *reason = NULL;
	struct touch touch = { c, s };
	struct directive d;

	if (ctext_blank(s->t, n))
		return;
	if (ctext_directive(s->t, ctext_first(s->t, n), &d)) {
		touch_directive(c, s, &d);
		return;
	}
	if (s->typed[n] || touch_declaration(c, s, other, n))
		return;
	reason = entity_cover(s->entities, n, add_named, &touch);
	if (reason)
		change_why(c, s, n, reason);
}

static void touch_lines(struct change *c, struct side *old, struct side *new,
			const struct file_diff *fd)
{
	g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE,
					       sizeof(struct block));

	if (!collect_blocks(fd, old, new, blocks)) {
		change_why(c, NULL, 0, "the diff does not fit the file");
		return;
	}
	mark_blocks(old, new, blocks);
	if (!mark_drift(old, new)) {
		change_why(c, NULL, 0, "the diff does not fit the file");
		return;
	}
	touch_types(c, old, new);
	for (unsigned int n = 1; n <= old->t->count; n++)
		if (old->changed[n])
			touch_line(c, old, new, n);
	for (unsigned int n = 1; n <= new->t->count; n++)
		if (new->changed[n])
			touch_line(c, new, old, n);
}

/* What the file as such went through; who includes it by name cares. */
static void touch_file(struct change *c, const struct file_diff *fd)
{
	g_autofree char *reason = NULL;

	if (fd->is_binary) {
		reason = g_strdup("binary file");
	} else if (!fd->new_path) {
		reason = g_strdup("file removed");
	} else if (!fd->old_path || fd->is_copy) {
		reason = g_strdup("new file");
	} else if (strcmp(fd->old_path, fd->new_path)) {
		reason = g_strdup_printf("renamed from '%s'", fd->old_path);
	}
	if (reason)
		change_why(c, NULL, 0, reason);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_read(enum change_kind kind)
{
	return kind == CHANGE_SOURCE || kind == CHANGE_HEADER ||
	       kind == CHANGE_OTHER || kind == CHANGE_TOOLS;
}

struct change *change_classify(const struct file_diff *fd,
			       const char *old_text, gsize old_len,
			       const char *new_text, gsize new_len,
			       const GPtrArray *old_entities,
			       const GPtrArray *new_entities)
{
	struct change *c = g_new0(struct change, 1);
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	struct side old, new;

	c->path = g_strdup(file_diff_path(fd));
	c->old_path = g_strdup(fd->old_path);
	c->kind = change_kind_of(c->path);
	c->names = g_ptr_array_new_with_free_func(g_free);
	c->macros = g_ptr_array_new_with_free_func(g_free);
	c->why = g_ptr_array_new_with_free_func(g_free);
	c->members = g_ptr_array_new_with_free_func(g_free);
	c->orphans = g_ptr_array_new_with_free_func(g_free);
	c->owners = g_ptr_array_new_with_free_func(g_free);
	c->layouts = g_ptr_array_new_with_free_func(g_free);
	c->values = g_ptr_array_new_with_free_func(g_free);
	c->cases = g_ptr_array_new_with_free_func(g_free);
	if (!is_read(c->kind))
		return c;
	touch_file(c, fd);
	if (fd->is_binary)
		return c;
	side_init(&old, old_text, old_len, old_entities ? old_entities : none,
		  "old ");
	side_init(&new, new_text, new_len, new_entities ? new_entities : none,
		  "");
	touch_lines(c, &old, &new, fd);
	side_clear(&old);
	side_clear(&new);
	g_ptr_array_sort(c->names, compare_names);
	g_ptr_array_sort(c->macros, compare_names);
	g_ptr_array_sort(c->members, compare_names);
	g_ptr_array_sort(c->orphans, compare_names);
	g_ptr_array_sort(c->layouts, compare_names);
	g_ptr_array_sort(c->values, compare_names);
	g_ptr_array_sort(c->cases, compare_names);
	return c;
}
