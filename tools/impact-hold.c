// SPDX-License-Identifier: GPL-2.0
/*
 * Who feels that a type has another size or layout.  A pointer to it does not
 * hang on that; what embeds it by value, and what measures it, does.  Rounds as
 * in impact-close.c: each looks for the types and names that the last one added.
 */
#include "impact-priv.h"

/*
 * How a type is used at a place, as far as the text there says; and what it does
 * to one who uses a name: points to it, measures it, holds one (or asserts).
 */
enum use { USE_NONE, USE_POINTER, USE_MEASURE, USE_HOLD };

struct holding {
	struct closure cl;
	GHashTable *tags;	/* words after "struct" or "union" */
	GHashTable *aliases;	/* names of typedefs */
	GHashTable *uses;	/* of im->names -> enum use */
	GHashTable *seen;	/* labels of layouts that were looked for */
};

struct place {
	struct holding *h;
	const char *path;
	struct ctext *t;
	const GPtrArray *entities;
	GPtrArray *types;
	bool asserts, measures;	/* of the whole file */
};

/* "struct s" or "alias_t"; what the next round looks for. */
static void add_type(struct holding *h, const char *label)
{
	const char *space = strchr(label, ' ');
	const char *word = space ? space + 1 : label;

	if (!g_hash_table_add(h->seen, g_strdup(label)))
		return;
	g_hash_table_add(h->cl.im->layouts, g_strdup(label));
	if (g_hash_table_size(h->seen) > IMPACT_NAMES)
		h->cl.im->capped = true;
	g_hash_table_add(space ? h->tags : h->aliases, g_strdup(word));
	g_hash_table_add(h->cl.fresh, g_strdup(word));
}

static void add_types(struct holding *h, const struct ctype *c)
{
	g_autoptr(GHashTable) set = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	GHashTableIter it;
	gpointer label;

	closure_add_types(set, c);
	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &label, NULL))
		add_type(h, label);
}

static enum use use_of(const struct holding *h, const char *name)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(h->uses, name));
}

static void add_name(struct holding *h, const char *name, enum use use)
{
	struct impact *im = h->cl.im;

	if (use_of(h, name) >= use)
		return;
	g_hash_table_replace(h->uses, g_strdup(name), GUINT_TO_POINTER(use));
	g_hash_table_add(im->names, g_strdup(name));
	g_hash_table_add(h->cl.fresh, g_strdup(name));
	if (g_hash_table_size(im->names) > IMPACT_NAMES)
		im->capped = true;
}

static void add_rank(struct holding *h, const char *path, guint rank)
{
	GHashTable *ranks = h->cl.im->ranks;
	gpointer old;

	if (g_hash_table_lookup_extended(ranks, path, NULL, &old) &&
	    GPOINTER_TO_UINT(old) <= rank)
		return;
	g_hash_table_replace(ranks, g_strdup(path), GUINT_TO_POINTER(rank));
	g_hash_table_add(h->cl.im->sources, g_strdup(path));
}

static const char *const assertions[] = {
	"BUILD_BUG", "tatic_assert", "ompiletime_assert", NULL
};
static const char *const measures[] = {
	"sizeof", "offsetof", "__aligned", "__alignof", "container_of", NULL
};

static bool has_any(const char *s, gsize len, const char *const *words)
{
	for (; *words; words++)
		if (g_strstr_len(s, len, *words))
			return true;
	return false;
}

static bool lines_have(const struct ctext *t, unsigned int from,
		       unsigned int to, const char *const *words)
{
	to = MIN(to, t->count);
	return from <= to && has_any(t->mask + t->start[from],
				     t->start[to + 1] - t->start[from], words);
}

/* Is the word before offset @at "struct" or "union" ("enum", "goto"): @words? */
static bool follows(const struct ctext *t, gsize at, const char *const *words)
{
	gsize end = at, from;

	while (end && g_ascii_isspace(t->mask[end - 1]))
		end--;
	for (from = end; from && is_word_char(t->mask[from - 1]); from--)
		;
	for (; *words; words++)
		if (end - from == strlen(*words) &&
		    !memcmp(t->mask + from, *words, end - from))
			return true;
	return false;
}

/* Behind qualifiers and blanks from @i on. */
static gsize skip_qualifiers(const struct ctext *t, gsize i)
{
	for (;;) {
		gsize n = 0;

		while (i < t->len && (g_ascii_isspace(t->mask[i]) ||
				      t->mask[i] == '\\'))
			i++;
		while (i + n < t->len && is_word_char(t->mask[i + n]))
			n++;
		if (!n || (strncmp(t->mask + i, "__", 2) &&
			   strncmp(t->mask + i, "const", n) &&
			   strncmp(t->mask + i, "volatile", n)))
			return i;
		i += n;
	}
}

/* The word @at as the name of a type: a pointer to it, or the type itself? */
static enum use use_at(const struct place *p, const char *word, gsize at)
{
	static const char *const tag_words[] = { "struct", "union", NULL };
	static const char *const other[] = { "struct", "union", "enum", "goto",
					     NULL };
	const struct ctext *t = p->t;
	bool is_tag = follows(t, at, tag_words);
	gsize i;

	if (is_tag ? !g_hash_table_contains(p->h->tags, word) :
	    !g_hash_table_contains(p->h->aliases, word) ||
	    follows(t, at, other) || (at && strchr(".>", t->mask[at - 1])))
		return USE_NONE;
	i = skip_qualifiers(t, at + strlen(word));
	if (i < t->len && t->mask[i] == '*')
		return USE_POINTER;
	/* A declaration, or the definition that made it one of ours; or a
	 * variable of that name. */
	if (i < t->len && strchr(is_tag ? "{;" : ";=.", t->mask[i]))
		return USE_NONE;
	/* sizeof(struct s), offsetof(struct s, m), but (struct s) { } */
	if (i < t->len && strchr("),", t->mask[i]) &&
	    t->mask[skip_qualifiers(t, i + 1)] != '{')
		return USE_MEASURE;
	return USE_HOLD;
}

static enum use use_on(const struct place *p, const struct mention *m)
{
	gsize len, size = strlen(m->name);
	const char *line = ctext_line(p->t, m->line, &len), *s = line;
	enum use best = USE_NONE;

	while ((s = memmem(s, line + len - s, m->name, size))) {
		gsize at = s - p->t->mask;
		enum use use;

		s += size;
		if ((at && is_word_char(p->t->mask[at - 1])) ||
		    is_word_char(*s))
			continue;
		use = use_at(p, m->name, at);
		best = MAX(best, use);
	}
	return best;
}

static const struct entity *macro_at(const GPtrArray *entities,
				     unsigned int line)
{
	for (guint i = 0; i < entities->len; i++) {
		const struct entity *e = entities->pdata[i];

		if (e->kind == ENTITY_MACRO && e->line <= line && line <= e->end)
			return e;
	}
	return NULL;
}

static void read_macro(struct place *p, const struct mention *m, enum use use)
{
	const struct entity *e = macro_at(p->entities, m->line);

	if (!e)
		return;
	if (lines_have(p->t, e->line, e->end, assertions) ||
	    lines_have(p->t, e->line, e->end, measures))
		use = MAX(use, USE_MEASURE);
	add_name(p->h, e->name, use);
}

/* Asserts it, or declares it: all that reach the header see that. */
static void read_outside(struct place *p, const struct mention *m)
{
	const struct entity *e = entity_at(p->entities, m->line);

	if (e && e->kind == ENTITY_VARIABLE) {
		add_name(p->h, e->name, USE_HOLD);
		return;
	}
	closure_add_header(&p->h->cl, p->path, m->line, m->name,
			   e ? e->name : "outside of any function");
}

/* Does the type stand before the function's name?  Then that may return one. */
static bool is_returned(const struct place *p, const struct entity *e,
			const struct mention *m)
{
	gsize len;
	const char *line = ctext_line(p->t, m->line, &len);
	const char *name = memmem(line, len, e->name, strlen(e->name));
	const char *type = memmem(line, len, m->name, strlen(m->name));

	return m->line == e->line && (!name || type < name);
}

/* What is measured in a function is nothing to its callers, unless asserted. */
static void read_function(struct place *p, const struct entity *e,
			  const struct mention *m, enum use use)
{
	if (use == USE_HOLD || lines_have(p->t, e->line, e->end, assertions))
		add_name(p->h, e->name, USE_HOLD);
	else if (use == USE_POINTER && is_returned(p, e, m))
		add_name(p->h, e->name, USE_POINTER);
}

/* A mention of a type, or of a name that points to, measures or holds one. */
static void read_mention(struct place *p, const struct mention *m)
{
	struct holding *h = p->h;
	const struct entity *e;
	const struct ctype *c;
	struct directive d;
	enum use use;

	if (m->line > p->t->count || !ctext_mentions(p->t, m->line, m->name))
		return;
	use = MAX(use_on(p, m), use_of(h, m->name));
	if (use == USE_NONE)
		return;
	if (ctext_directive(p->t, ctext_first(p->t, m->line), &d)) {
		if (!strcmp(d.word, "define"))
			read_macro(p, m, use);
		return;
	}
	e = entity_at(p->entities, m->line);
	c = ctype_at(p->types, m->line);
	if (e && e->kind == ENTITY_FUNCTION)
		read_function(p, e, m, use);
	else if (c && use >= USE_MEASURE)
		add_types(h, c);
	else if (e && e->kind == ENTITY_PROTOTYPE) {
		if (use == USE_HOLD)
			add_name(h, e->name, USE_HOLD);
	} else if (!c && use >= USE_MEASURE)
		read_outside(p, m);
}

static void read_source(struct place *p, const GPtrArray *mentions)
{
	struct holding *h = p->h;

	for (guint i = 0; i < mentions->len; i++) {
		const struct mention *m = mentions->pdata[i];
		enum use use, named = use_of(h, m->name);

		if (m->line > p->t->count ||
		    !ctext_mentions(p->t, m->line, m->name))
			continue;
		use = use_on(p, m);
		if (p->asserts && (use || named))
			add_rank(h, p->path, named == USE_POINTER && !use);
		else if (use == USE_HOLD || named >= USE_MEASURE)
			add_rank(h, p->path, 1);
		else if (use == USE_MEASURE || (use && p->measures))
			add_rank(h, p->path, 2);
	}
}

static int read_file(struct holding *h, const char *path,
		     const GPtrArray *mentions, bool header, GError **error)
{
	struct place p = { .h = h, .path = path };
	GPtrArray *conditions;

	p.t = closure_text(&h->cl, path, error);
	if (!p.t)
		return -1;
	p.asserts = has_any(p.t->mask, p.t->len, assertions);
	p.measures = has_any(p.t->mask, p.t->len, measures);
	if (path_is_source(path))
		read_source(&p, mentions);
	if (header) {
		conditions = condition_scan_ctext(p.t);
		p.types = ctype_scan(p.t, conditions);
		p.entities = g_hash_table_lookup(h->cl.scanned, path);
		for (guint i = 0; i < mentions->len; i++)
			read_mention(&p, mentions->pdata[i]);
		g_ptr_array_unref(p.types);
		g_ptr_array_unref(conditions);
	}
	ctext_free(p.t);
	return 0;
}

static int compare_paths(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int read_files(struct holding *h, GHashTable *mentions, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	g_autoptr(GPtrArray) headers = g_ptr_array_new();
	GHashTableIter it;
	gpointer path;

	g_hash_table_iter_init(&it, mentions);
	while (g_hash_table_iter_next(&it, &path, NULL)) {
		if (closure_is_foreign(&h->cl, path))
			continue;
		g_ptr_array_add(paths, path);
		if (!path_is_source(path) || closure_is_included(&h->cl, path))
			g_ptr_array_add(headers, path);
	}
	if (headers->len > IMPACT_HEADERS)
		h->cl.im->capped = true;
	if (h->cl.im->capped)
		g_ptr_array_set_size(headers, 0);
	if (closure_scan(&h->cl, headers, error) < 0)
		return -1;
	g_ptr_array_sort(paths, compare_paths);
	for (guint i = 0; i < paths->len; i++)
		if (read_file(h, paths->pdata[i],
			      g_hash_table_lookup(mentions, paths->pdata[i]),
			      g_ptr_array_find(headers, paths->pdata[i], NULL),
			      error) < 0)
			return -1;
	return 0;
}

static int run_round(struct holding *h, GError **error)
{
	g_autoptr(GHashTable) wanted = h->cl.fresh;
	GHashTable *mentions;
	int ret;

	h->cl.fresh = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	mentions = incgraph_mentions(h->cl.g, h->cl.checkout, wanted, error);
	if (!mentions)
		return -1;
	if (!h->cl.im->rounds++)
		h->cl.im->files = g_hash_table_size(mentions);
	ret = read_files(h, mentions, error);
	g_hash_table_unref(mentions);
	return ret;
}

struct impact *impact_hold(struct incgraph *g, const char *checkout,
			   const GPtrArray *layouts,
			   const char *const *srcarches, GError **error)
{
	g_autoptr(impact_t) im = impact_new();
	struct holding h = { .cl = { .im = im, .g = g, .checkout = checkout,
				     .srcarches = srcarches } };
	GHashTable **sets[] = { &h.cl.fresh, &h.tags, &h.aliases, &h.uses,
				&h.seen };
	int ret = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(sets); i++)
		*sets[i] = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						 NULL);
	h.cl.scanned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     (GDestroyNotify)g_ptr_array_unref);
	for (guint i = 0; i < layouts->len; i++)
		add_type(&h, layouts->pdata[i]);
	while (!ret && !im->capped && g_hash_table_size(h.cl.fresh)) {
		if (im->rounds == IMPACT_ROUNDS)
			im->capped = true;
		else
			ret = run_round(&h, error);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(sets); i++)
		g_hash_table_unref(*sets[i]);
	g_hash_table_unref(h.cl.scanned);
	return ret < 0 ? NULL : g_steal_pointer(&im);
}
