// SPDX-License-Identifier: GPL-2.0
/*
 * The closure of changed names over headers, a round per scan of the tree:
 * each round looks for the names that the one before added.
 */
#include "impact-priv.h"
#include "error.h"

/* One file that is read for its mentions. */
struct reading {
	struct closure *cl;
	const char *path;
	struct ctext *t;
	const GPtrArray *entities;
	GPtrArray *conditions;
	GPtrArray *types;
	bool is_c;		/* a .c that others include */
};

bool closure_is_foreign(const struct closure *cl, const char *path)
{
	/* A file of tools/ is mentioned only when the kernel includes it. */
	if (!cl->srcarches || g_str_has_prefix(path, "tools/"))
		return false;
	for (const char *const *a = cl->srcarches; *a; a++)
		if (!path_is_foreign(path, *a))
			return false;
	return true;
}

bool closure_is_included(const struct closure *cl, const char *path)
{
	static const char *const any[] = { "", NULL };
	const char *const *a = cl->srcarches ? cl->srcarches : any;

	for (; *a; a++)
		if (incgraph_is_included(cl->g, path, *a))
			return true;
	return false;
}

void closure_add_name(struct closure *cl, const char *name)
{
	char *copy;

	if (g_hash_table_contains(cl->im->names, name))
		return;
	if (g_hash_table_size(cl->im->names) >= IMPACT_NAMES) {
		cl->im->capped = true;
		return;
	}
	copy = g_strdup(name);
	g_hash_table_add(cl->im->names, copy);
	g_hash_table_add(cl->fresh, copy);
}

void closure_add_header(struct closure *cl, const char *path,
			unsigned int line, const char *name, const char *what)
{
	if (g_hash_table_contains(cl->im->headers, path))
		return;
	g_hash_table_insert(cl->im->headers, g_strdup(path),
			    g_strdup_printf("line %u: '%s' %s", line, name,
					    what));
}

/* In a .c only what other files of the TU can use: macros and inlines. */
static bool is_shared(const struct reading *r, const struct entity *e)
{
	if (!r->is_c || e->kind == ENTITY_MACRO)
		return true;
	for (unsigned int n = e->line; n <= e->end; n++) {
		gsize len;
		const char *s = ctext_line(r->t, n, &len);

		if (word_in(s, len, "inline") ||
		    word_in(s, len, "__always_inline"))
			return true;
		if (memchr(s, '(', len))
			break;
	}
	return false;
}

static void name_entity(const struct entity *e, void *data)
{
	struct reading *r = data;

	if (is_shared(r, e))
		closure_add_name(r->cl, e->name);
}

/* The nearest character that is no blank, from @i by @step; '\0': none. */
static char near(const struct ctext *t, gssize i, int step)
{
	while (i >= 0 && i < (gssize)t->len && g_ascii_isspace(t->mask[i]))
		i += step;
	return i >= 0 && i < (gssize)t->len ? t->mask[i] : '\0';
}

/*
 * Does @name stand on line @n only where a declaration puts the name of a
 * member or a parameter ("int name;", "(*name)(int)", "long name, ...")?
 */
static bool is_declared(const struct ctext *t, unsigned int n, const char *name)
{
	gsize len, size = strlen(name);
	const char *line = ctext_line(t, n, &len), *s = line;

	while ((s = memmem(s, line + len - s, name, size))) {
		gssize at = s - t->mask;
		char before = near(t, at - 1, -1);
		char after = near(t, at + size, 1);

		s += size;
		if (!word_in(t->mask + at - (at > 0), size + 1 + (at > 0),
			     name))
			continue;
		if (!after || !strchr(");,[:", after) ||
		    (before != '*' && !is_word_char(before)))
			return false;
	}
	return true;
}

/*
 * In a type, what the preprocessor does not replace and what stands where a
 * member's or a parameter's name does is no use of the name.
 */
static bool is_only_a_name(const struct reading *r, const struct mention *m)
{
	const struct entity *e = entity_at(r->entities, m->line);

	if (!e || g_hash_table_contains(r->cl->macros, m->name) ||
	    ctext_mentions(r->t, m->line, "typeof") ||
	    ctext_mentions(r->t, m->line, "sizeof") ||
	    !is_declared(r->t, m->line, m->name))
		return false;
	return e->kind == ENTITY_MEMBER || e->kind == ENTITY_STRUCT ||
	       e->kind == ENTITY_UNION || e->kind == ENTITY_TYPEDEF ||
	       e->kind == ENTITY_PROTOTYPE;
}

static bool names_file(const struct directive *d)
{
	return d->args_len && (*d->args == '<' || *d->args == '"');
}

/* A mention in a directive that is no condition. */
static void read_directive(struct reading *r, const struct mention *m,
			   const struct directive *d)
{
	if (!strcmp(d->word, "define")) {
		g_free(entity_cover(r->entities, m->line, name_entity, r));
	} else if (!strcmp(d->word, "pragma") ||
		   (g_str_has_prefix(d->word, "include") && !names_file(d))) {
		closure_add_header(r->cl, r->path, m->line, m->name,
			   "in a directive");
	}
	/* #undef is about the name itself; #error and #warning are prose. */
}

static void read_mention(struct reading *r, const struct mention *m)
{
	g_autofree char *what = NULL, *text = NULL;
	struct directive d;

	if (m->line > r->t->count || !ctext_mentions(r->t, m->line, m->name))
		return;
	if (ctext_directive(r->t, ctext_first(r->t, m->line), &d)) {
		read_directive(r, m, &d);
		return;
	}
	if (is_only_a_name(r, m))
		return;
	what = entity_cover(r->entities, m->line, name_entity, r);
	if (!what || closure_in_type(r->cl, r->types, m))
		return;
	text = g_strdup_printf(strchr(what, '\'') ? "in %s" : "%s", what);
	closure_add_header(r->cl, r->path, m->line, m->name, text);
}

/* All that stands in the branch @c of a condition that names @name. */
static void read_branch(struct reading *r, const struct condition *c,
			const char *name)
{
	for (unsigned int n = c->start; n <= c->end && n <= r->t->count; n++) {
		g_autofree char *what = NULL;
		struct directive d;

		if (ctext_blank(r->t, n))
			continue;
		if (ctext_directive(r->t, ctext_first(r->t, n), &d) &&
		    strcmp(d.word, "define") && strcmp(d.word, "undef")) {
			if (!g_str_has_prefix(d.word, "include") &&
			    strcmp(d.word, "pragma"))
				continue;
			what = g_strconcat("#", d.word, NULL);
		} else {
			what = entity_cover(r->entities, n, name_entity, r);
		}
		if (what && !closure_in_branch(r->cl, r->types, n)) {
			g_autofree char *text =
				g_strconcat("guards ", what, NULL);

			closure_add_header(r->cl, r->path, c->line, name, text);
			if (g_hash_table_size(r->cl->fresh) > IMPACT_NAMES)
				return;
		}
	}
}

static void read_conditions(struct reading *r, GPtrArray *mentions)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter it;
	gpointer name;

	for (guint i = 0; i < mentions->len; i++) {
		const struct mention *m = mentions->pdata[i];

		g_hash_table_add(names, (gpointer)m->name);
	}
	for (guint i = 0; i < r->conditions->len; i++) {
		const struct condition *c = r->conditions->pdata[i];

		g_hash_table_iter_init(&it, names);
		while (g_hash_table_iter_next(&it, &name, NULL))
			if (word_in(c->text, strlen(c->text), name)) {
				read_branch(r, c, name);
				break;
			}
	}
}

struct ctext *closure_text(const struct closure *cl, const char *path,
			   GError **error)
{
	g_autofree char *full = g_build_filename(cl->checkout, path, NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) err = NULL;
	gsize len;

	if (g_file_get_contents(full, &text, &len, &err))
		return ctext_new(text, len);
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
		    "cannot read '%s': %s", full, err->message);
	return NULL;
}

/* Which of the names mentioned in @t are macros that replace them? */
static void find_macros(struct closure *cl, const struct ctext *t,
			const GPtrArray *mentions)
{
	for (guint i = 0; i < mentions->len; i++) {
		const struct mention *m = mentions->pdata[i];
		gsize len = strlen(m->name);
		struct directive d;

		if (m->line <= t->count &&
		    ctext_directive(t, ctext_first(t, m->line), &d) &&
		    defines_object(&d) && d.args_len >= len &&
		    !memcmp(d.args, m->name, len) &&
		    (d.args_len == len || !is_word_char(d.args[len])))
			g_hash_table_add(cl->macros, g_strdup(m->name));
	}
}

static void read_header(struct closure *cl, const char *path, struct ctext *t,
			GPtrArray *mentions)
{
	struct reading r = { .cl = cl, .path = path, .t = t };

	r.entities = g_hash_table_lookup(cl->scanned, path);
	r.conditions = condition_scan_ctext(t);
	r.types = ctype_scan(t, r.conditions);
	r.is_c = path_is_source(path);
	for (guint i = 0; i < mentions->len; i++)
		read_mention(&r, mentions->pdata[i]);
	read_conditions(&r, mentions);
	g_ptr_array_unref(r.types);
	g_ptr_array_unref(r.conditions);
}

int closure_scan(struct closure *cl, const GPtrArray *headers, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	g_autoptr(GHashTable) found = NULL;
	GHashTableIter it;
	gpointer path, entities;

	for (guint i = 0; i < headers->len; i++)
		if (!g_hash_table_contains(cl->scanned, headers->pdata[i]))
			g_ptr_array_add(paths, headers->pdata[i]);
	found = entity_scan_many(cl->checkout, paths, error);
	if (!found)
		return -1;
	g_hash_table_iter_init(&it, found);
	while (g_hash_table_iter_next(&it, &path, &entities))
		g_hash_table_insert(cl->scanned, g_strdup(path),
				    g_ptr_array_ref(entities));
	return 0;
}

static int compare_paths(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The mentions of @names in @all; NULL: none. */
static GPtrArray *select_mentions(GPtrArray *all, GHashTable *names)
{
	GPtrArray *some = NULL;

	for (guint i = 0; all && i < all->len; i++) {
		struct mention *m = all->pdata[i];

		if (!g_hash_table_contains(names, m->name))
			continue;
		if (!some)
			some = g_ptr_array_new();
		g_ptr_array_add(some, m);
	}
	return some;
}

/* One round: what is looked for and where it was found. */
struct round {
	GHashTable *names;	/* changed names, new since the last round */
	GHashTable *mentions;	/* path -> of these and of pasting macros */
	GPtrArray *headers;	/* paths that must be read */
	GHashTable *pasted;	/* paths in which macros may make a name */
};

static void sort_file(struct closure *cl, struct round *r, const char *path,
		      GPtrArray *all)
{
	g_autoptr(GPtrArray) direct = select_mentions(all, r->names);
	const struct mention *first = direct ? direct->pdata[0] : NULL;
	bool pasted;

	if (closure_is_foreign(cl, path))
		return;
	pasted = pastes_concern(cl, path, all);
	if (!direct && !pasted)
		return;
	if (pasted)
		g_hash_table_add(r->pasted, (gpointer)path);
	if (path_is_source(path)) {
		g_hash_table_add(cl->im->sources, g_strdup(path));
		if (!closure_is_included(cl, path))
			return;
		if (first)
			closure_add_header(cl, path, first->line, first->name,
					   "in a .c that others include");
	}
	g_ptr_array_add(r->headers, (gpointer)path);
}

static void sort_files(struct closure *cl, struct round *r)
{
	GHashTableIter it;
	gpointer path, all;

	g_hash_table_iter_init(&it, r->mentions);
	while (g_hash_table_iter_next(&it, &path, &all))
		sort_file(cl, r, path, all);
	g_ptr_array_sort(r->headers, compare_paths);
}

/* First all #define lines: they say how the mentions are to be read. */
static int read_headers(struct closure *cl, struct round *r, GError **error)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(
		(GDestroyNotify)ctext_free);

	if (closure_scan(cl, r->headers, error) < 0)
		return -1;
	for (guint i = 0; i < r->headers->len; i++) {
		const char *path = r->headers->pdata[i];
		struct ctext *t = closure_text(cl, path, error);

		if (!t)
			return -1;
		g_ptr_array_add(texts, t);
		find_macros(cl, t, g_hash_table_lookup(r->mentions, path));
	}
	for (guint i = 0; i < r->headers->len; i++) {
		const char *path = r->headers->pdata[i];
		GPtrArray *all = g_hash_table_lookup(r->mentions, path);
		g_autoptr(GPtrArray) direct = select_mentions(all, r->names);

		if (direct)
			read_header(cl, path, texts->pdata[i], direct);
		if (g_hash_table_contains(r->pasted, path))
			pastes_read_header(cl, path, texts->pdata[i], all);
	}
	return 0;
}

static int run_round(struct closure *cl, GError **error)
{
	struct round r = { .names = cl->fresh };
	g_autoptr(GHashTable) wanted = g_hash_table_new(g_str_hash,
							g_str_equal);
	GHashTableIter it;
	gpointer name;
	int ret = -1;

	g_hash_table_iter_init(&it, r.names);
	while (g_hash_table_iter_next(&it, &name, NULL))
		g_hash_table_add(wanted, name);
	pastes_begin(cl, wanted);
	cl->fresh = g_hash_table_new(g_str_hash, g_str_equal);
	r.headers = g_ptr_array_new();
	r.pasted = g_hash_table_new(g_str_hash, g_str_equal);
	r.mentions = incgraph_mentions(cl->g, cl->checkout, wanted, error);
	if (r.mentions) {
		cl->im->rounds++;
		if (!cl->im->files)
			cl->im->files = g_hash_table_size(r.mentions);
		pastes_prune(cl, r.mentions);
		sort_files(cl, &r);
		/* So many hold more names than are followed. */
		if (r.headers->len > IMPACT_HEADERS)
			cl->im->capped = true;
		ret = cl->im->capped ? 0 : read_headers(cl, &r, error);
		g_hash_table_unref(r.mentions);
	}
	g_ptr_array_unref(r.headers);
	g_hash_table_unref(r.pasted);
	g_hash_table_unref(r.names);
	return ret;
}

struct impact *impact_new(void)
{
	struct impact *im = g_new0(struct impact, 1);

	im->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  NULL);
	im->sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	im->headers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    g_free);
	im->members = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	im->layouts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	im->ranks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  NULL);
	return im;
}

void impact_free(struct impact *im)
{
	if (!im)
		return;
	g_hash_table_unref(im->names);
	g_hash_table_unref(im->sources);
	g_hash_table_unref(im->headers);
	g_hash_table_unref(im->members);
	g_hash_table_unref(im->layouts);
	g_hash_table_unref(im->ranks);
	g_free(im);
}

struct impact *impact_close(struct incgraph *g, const char *checkout,
			    const GPtrArray *names, const GPtrArray *macros,
			    const char *const *srcarches, GError **error)
{
	g_autoptr(impact_t) im = impact_new();
	struct closure cl = { .im = im, .g = g, .checkout = checkout,
			      .srcarches = srcarches };
	int ret = 0;

	cl.fresh = g_hash_table_new(g_str_hash, g_str_equal);
	cl.macros = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  NULL);
	cl.scanned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   (GDestroyNotify)g_ptr_array_unref);
	for (guint i = 0; i < names->len; i++)
		closure_add_name(&cl, names->pdata[i]);
	for (guint i = 0; macros && i < macros->len; i++)
		g_hash_table_add(cl.macros, g_strdup(macros->pdata[i]));
	cl.pastes = pastes_new(&cl);
	while (!ret && !im->capped &&
	       (g_hash_table_size(cl.fresh) || pastes_pending(&cl))) {
		if (im->rounds == IMPACT_ROUNDS)
			im->capped = true;
		else
			ret = run_round(&cl, error);
	}
	pastes_free(cl.pastes);
	g_hash_table_unref(cl.fresh);
	g_hash_table_unref(cl.macros);
	g_hash_table_unref(cl.scanned);
	return ret < 0 ? NULL : g_steal_pointer(&im);
}
