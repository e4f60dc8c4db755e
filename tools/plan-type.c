// SPDX-License-Identifier: GPL-2.0
/*
 * Rule c for types: who spells a changed member, who holds or measures a type
 * whose layout changes, who uses enumerators of another value, who switches over
 * an enum.  A member may be called "flags", so what one patch asks for this way on
 * a variant has a bound; what is beyond is said.
 */
#include "plan.h"
#include "strsort.h"

#define RANK_FAR 6		/* only reaches the header */
#define RANK_STEP (1 << 17)	/* in the cost of a job: bytes of source */
#define MANY_MEMBERS 40
#define PASSES 3

/* One question, and who may break by its answer. */
struct wanted {
	char *what;		/* "'flags' is mentioned in 17791 files" */
	enum why why;
	struct impact *im;
	bool all;		/* im is too small: all that reach the header */
	bool alone;		/* im->headers say it themselves: rule b */
};

struct ranked {
	const struct tu *tu;
	guint rank;
	gint64 cost;
};

static void wanted_free(gpointer data)
{
	struct wanted *w = data;

	impact_free(w->im);
	g_free(w->what);
	g_free(w);
}

/* "'a', 'b' and 3 more" */
static char *quote(const GPtrArray *words)
{
	GString *s = g_string_new(NULL);
	guint n = MIN(words->len, 2);

	for (guint i = 0; i < n; i++)
		g_string_append_printf(s, "%s'%s'", !i ? "" :
				       words->len == 2 ? " and " : ", ",
				       (char *)words->pdata[i]);
	if (words->len > n)
		g_string_append_printf(s, " and %u more", words->len - n);
	return g_string_free(s, FALSE);
}

/* The TUs of @v that can reach one of the headers of @im, as sources. */
static GHashTable *reaching_any(struct plan *p, const struct variant *v,
				const struct impact *im)
{
	GHashTable *all = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter it, inner;
	gpointer path, source;

	g_hash_table_iter_init(&it, im->headers);
	while (g_hash_table_iter_next(&it, &path, NULL)) {
		g_autoptr(GHashTable) reach = incgraph_reaching(p->run->graph,
							path, v->arch->srcarch);

		g_hash_table_iter_init(&inner, reach);
		while (g_hash_table_iter_next(&inner, &source, NULL))
			g_hash_table_add(all, source);
	}
	return all;
}

static gint by_rank(gconstpointer a, gconstpointer b)
{
	const struct ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return strcmp(x->tu->object, y->tu->object);
}

/* Spells the member as one, and its type; spells it as one; only the word. */
static guint member_rank(struct plan *p, const char *source,
			 const struct change *c)
{
	g_autofree char *path = g_build_filename(p->run->cur, source, NULL);
	g_autofree char *text = NULL;
	bool used = false, typed = false;
	gsize len;

	if (!g_file_get_contents(path, &text, &len, NULL))
		return 2;
	for (guint i = 0; i < c->members->len && !used; i++) {
		g_autofree char *dot = g_strconcat(".", c->members->pdata[i],
						   NULL);

		g_autofree char *arrow = g_strconcat("->", c->members->pdata[i],
						     NULL);

		used = strstr(text, dot) || strstr(text, arrow);
	}
	for (guint i = 0; i < c->owners->len && !typed; i++)
		typed = word_in(text, len, c->owners->pdata[i]);
	return used ? !typed : 2;
}

/* Who of @v is asked by @w; likeliest, then cheapest first. */
static GArray *rank(struct plan *p, const struct variant *v,
		    const struct wanted *w, const struct change *c,
		    GHashTable *reach)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct ranked));
	g_autoptr(GHashTable) outside = w->alone ?
		g_hash_table_new(g_str_hash, g_str_equal) :
		reaching_any(p, v, w->im);

	for (guint i = 0; i < v->db->tus->len; i++) {
		struct ranked r = { .tu = v->db->tus->pdata[i] };
		const char *source = r.tu->source;

		if (reach && !g_hash_table_contains(reach, source))
			continue;
		if (g_hash_table_contains(w->im->sources, source))
			r.rank = GPOINTER_TO_UINT(g_hash_table_lookup(
						w->im->ranks, source));
		else if (g_hash_table_contains(outside, source))
			r.rank = RANK_FAR - 1;
		else if (w->all)
			r.rank = RANK_FAR;
		else
			continue;
		r.cost = plan_cost(p->run, source);
		g_array_append_val(list, r);
	}
	if (w->why == WHY_MEMBER && list->len > p->run->reach_max)
		for (guint i = 0; i < list->len; i++) {
			struct ranked *r = &g_array_index(list, struct ranked, i);

			if (r->rank < RANK_FAR)
				r->rank += member_rank(p, r->tu->source, c);
		}
	g_array_sort(list, by_rank);
	return list;
}

/* Takes of @list what the bound of variant @i leaves. */
static void take(struct plan *p, guint i, const struct wanted *w,
		 const GArray *list, const struct change *c)
{
	struct variant *v = g_ptr_array_index(p->run->variants, i);
	g_autofree char *reason = NULL;
	guint done = 0;

	for (guint k = 0; k < list->len; k++) {
		const struct ranked *r = &g_array_index(list, struct ranked, k);
		guint before = p->jobs->len;

		if (p->bounded[i] >= p->run->reach_max &&
		    !plan_has(p, v, r->tu))
			continue;
		plan_add(p, v, r->tu, NULL, w->why);
		done++;
		if (p->jobs->len == before)
			continue;
		p->bounded[i]++;
		((struct job *)p->jobs->pdata[before])->cost += r->rank *
								RANK_STEP;
	}
	if (done == list->len)
		return;
	reason = g_strdup_printf("%s: no more than %u of %u TUs%s are compiled",
				 w->what, done, list->len,
				 w->all ? " that can reach it" : "");
	run_gap(p->run, p->n, v, c->path, reason);
}

static gint by_length(gconstpointer a, gconstpointer b)
{
	const GArray *x = *(GArray *const *)a, *y = *(GArray *const *)b;

	return (x->len > y->len) - (x->len < y->len);
}

/* Small questions first: they are answered in full. */
static void ask_on(struct plan *p, guint i, const GPtrArray *questions,
		   const struct change *c)
{
	struct variant *v = g_ptr_array_index(p->run->variants, i);
	g_autoptr(GHashTable) reach = plan_reaching(p->run, c, v->arch->srcarch);
	g_autoptr(GHashTable) of = g_hash_table_new(NULL, NULL);
	g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func(
		(GDestroyNotify)g_array_unref);

	for (guint k = 0; k < questions->len; k++) {
		const struct wanted *w = questions->pdata[k];
		GArray *list = rank(p, v, w, c, reach);
		GHashTableIter it;
		gpointer path;

		g_ptr_array_add(lists, list);
		g_hash_table_insert(of, list, (gpointer)w);
		g_hash_table_iter_init(&it, w->im->headers);
		while (w->alone && g_hash_table_iter_next(&it, &path, NULL))
			plan_classes(p, i, path, reach);
	}
	g_ptr_array_sort(lists, by_length);
	for (guint k = 0; k < lists->len; k++)
		take(p, i, g_hash_table_lookup(of, lists->pdata[k]),
		     lists->pdata[k], c);
}

static GPtrArray *sorted(GHashTable *set)
{
	GPtrArray *list = g_ptr_array_new();
	GHashTableIter it;
	gpointer key;

	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &key, NULL))
		g_ptr_array_add(list, key);
	g_ptr_array_sort(list, by_string);
	return list;
}

static void add_all(GHashTable *set, GPtrArray *list, GHashTable *more)
{
	GHashTableIter it;
	gpointer key;

	for (guint i = 0; list && i < list->len; i++)
		g_hash_table_add(set, g_strdup(list->pdata[i]));
	if (!more)
		return;
	g_hash_table_iter_init(&it, more);
	while (g_hash_table_iter_next(&it, &key, NULL))
		g_hash_table_add(set, g_strdup(key));
}

/* What is asked so far for one changed file. */
struct asking {
	struct plan *p;
	GPtrArray *questions;	/* of struct wanted */
	GHashTable *members, *layouts;	/* owned words */
	char **srcarches;
	char *dir;
};

static struct impact *close_names(struct incgraph *g, const char *checkout,
				  const GPtrArray *words,
				  const char *const *srcarches, GError **error)
{
	return impact_close(g, checkout, words, NULL, srcarches, error);
}

/* @format: of the words, of the number of files. */
static int ask(struct asking *a, impact_fn fn, const char *kind, enum why why,
	       const GPtrArray *words, GError **error)
{
	struct run *run = a->p->run;
	g_autofree char *list = quote(words);
	struct wanted *w;
	struct impact *im;

	if (!words->len)
		return 0;
	im = impact_kept(fn, kind, a->dir, run_step(run, a->p->n)->tree,
			 run->graph, run->cur, words,
			 (const char *const *)a->srcarches, error);
	if (!im)
		return -1;
	w = g_new0(struct wanted, 1);
	w->im = im;
	w->why = why;
	w->all = im->capped;
	w->alone = fn != close_names;
	if (fn == impact_hold)
		w->what = g_strdup_printf("the layout of %s may change, which "
					  "many hold or measure", list);
	else if (fn == impact_switch)
		w->what = g_strdup_printf("an enum with %s has a new value", list);
	else
		w->what = g_strdup_printf("%s %s mentioned in %u files", list,
					  words->len == 1 ? "is" : "are",
					  im->files);
	g_ptr_array_add(a->questions, w);
	return 0;
}

/* A name in a member's type changes that member: words not asked for yet. */
static int ask_members(struct asking *a, GError **error)
{
	g_autoptr(GHashTable) asked = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	for (int pass = 0; pass < PASSES; pass++) {
		g_autoptr(GPtrArray) all = sorted(a->members);
		g_autoptr(GPtrArray) words = g_ptr_array_new();
		struct wanted *w;

		for (guint i = 0; i < all->len; i++)
			if (g_hash_table_add(asked, g_strdup(all->pdata[i])))
				g_ptr_array_add(words, all->pdata[i]);
		if (!words->len)
			return 0;
		if (ask(a, close_names, "names", WHY_MEMBER, words, error))
			return -1;
		w = a->questions->pdata[a->questions->len - 1];
		w->all = w->all || words->len > MANY_MEMBERS ||
			 (pass == PASSES - 1 &&
			  g_hash_table_size(w->im->members));
		add_all(a->members, NULL, w->im->members);
		add_all(a->layouts, NULL, w->im->layouts);
	}
	return 0;
}

static int ask_all(struct asking *a, const struct change *c, GError **error)
{
	g_autoptr(GPtrArray) layouts = NULL;
	struct wanted *w;

	if (ask(a, close_names, "names", WHY_LAYOUT, c->values, error) ||
	    ask(a, impact_switch, "switch", WHY_MEMBER, c->cases, error))
		return -1;
	if (c->values->len) {
		w = a->questions->pdata[0];
		add_all(a->members, NULL, w->im->members);
		add_all(a->layouts, NULL, w->im->layouts);
	}
	if (ask_members(a, error))
		return -1;
	layouts = sorted(a->layouts);
	return ask(a, impact_hold, "hold", WHY_LAYOUT, layouts, error);
}

int plan_types(struct plan *p, const struct change *c, const struct impact *im,
	       GError **error)
{
	struct asking a = { .p = p };
	int ret;

	if (!c->members->len && !c->layouts->len && !c->values->len &&
	    !c->cases->len && !(im && (g_hash_table_size(im->members) ||
				       g_hash_table_size(im->layouts))))
		return 0;
	a.questions = g_ptr_array_new_with_free_func(wanted_free);
	a.members = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	a.layouts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	a.srcarches = plan_srcarches(p->run);
	a.dir = g_build_filename(p->run->dir, "impact", NULL);
	add_all(a.members, c->members, im ? im->members : NULL);
	add_all(a.layouts, c->layouts, im ? im->layouts : NULL);
	/* Nobody has a type that nobody names. */
	if (im && im->files)
		add_all(a.members, c->orphans, NULL);
	ret = ask_all(&a, c, error);
	if (!p->bounded)
		p->bounded = g_new0(guint, p->run->variants->len);
	for (guint i = 0; !ret && i < p->run->variants->len; i++)
		ask_on(p, i, a.questions, c);
	g_ptr_array_unref(a.questions);
	g_hash_table_unref(a.members);
	g_hash_table_unref(a.layouts);
	g_free(a.srcarches);
	g_free(a.dir);
	return ret;
}
