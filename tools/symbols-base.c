// SPDX-License-Identifier: GPL-2.0
/*
 * Doubts that an object of the base answers: that of the same TU, which needs
 * the symbol too, or that of a TU that may define it ("#ifndef __HAVE_ARCH_X").
 * Few objects answer most, so those that answer more go first.
 */
#include "plan.h"
#include "symbols-int.h"

/* An object of the base that may answer doubts. */
struct offer {
	const struct tu *tu;
	GHashTable *keys;	/* of char *, owned: "image name" */
	gint64 cost;
};

static void offer_free(gpointer data)
{
	struct offer *o = data;

	g_hash_table_unref(o->keys);
	g_free(o);
}

static void add_key(struct symbols *s, GHashTable *offers, const struct tu *tu,
		    const char *key)
{
	struct offer *o = g_hash_table_lookup(offers, tu);

	if (!o) {
		o = g_new0(struct offer, 1);
		o->tu = tu;
		o->keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
		/* what every compile costs, small as its source may be */
		o->cost = 20000 + plan_cost(s->run, tu->source);
		g_hash_table_insert(offers, (gpointer)tu, o);
	}
	g_hash_table_add(o->keys, g_strdup(key));
}

static bool can_ask(const struct view *view, const struct tu *tu)
{
	return compdb_at(tu, 0) && !g_hash_table_contains(view->asked, tu);
}

/* Who may define the name on the base, by its text. */
static void offer_definers(struct symbols *s, const struct doubt *d,
			   const struct image *a, const char *key,
			   GHashTable *offers)
{
	struct view *view = d->world->view;
	g_autoptr(GArray) hits = symindex_find(s->index, d->name, 0);

	for (guint i = 0; i < hits->len; i++) {
		const struct symindex_hit *hit = &g_array_index(hits,
						struct symindex_hit, i);
		g_autoptr(GPtrArray) tus = symbols_tus(view->v, hit->source, 0);

		for (guint k = 0; k < tus->len; k++) {
			struct image b = symbols_image(view, tus->pdata[k], 0);

			if (can_ask(view, tus->pdata[k]) &&
			    symbols_gives(a, &b, hit->item->kind ==
					  SYMTEXT_EXPORT) &&
			    symindex_compiled(s->index, view->v, hit, 0))
				add_key(s, offers, tus->pdata[k], key);
		}
	}
}

/* GEN(rax) of arch/x86/lib/retpoline.S makes what nearly every TU needs. */
static void offer_pasters(struct symbols *s, const struct doubt *d,
			  const struct image *a, const char *key,
			  GHashTable *offers)
{
	struct view *view = d->world->view;
	g_autoptr(GPtrArray) paths = g_ptr_array_new();

	symbols_pasters(s, view->v, d->name, paths);
	for (guint i = 0; i < paths->len; i++) {
		g_autoptr(GPtrArray) tus = symbols_tus(view->v, paths->pdata[i],
						       0);

		for (guint k = 0; k < tus->len; k++) {
			struct image b = symbols_image(view, tus->pdata[k], 0);

			if (can_ask(view, tus->pdata[k]) &&
			    symbols_gives(a, &b, true))
				add_key(s, offers, tus->pdata[k], key);
		}
	}
}

static GHashTable *offers_of(struct symbols *s, struct view *view,
			     const GPtrArray *doubts)
{
	GHashTable *offers = g_hash_table_new_full(NULL, NULL, NULL, offer_free);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	for (guint i = 0; i < doubts->len; i++) {
		const struct doubt *d = doubts->pdata[i];
		struct image a;
		g_autofree char *key = NULL;

		if (d->world->view != view ||
		    symbols_lost(view, d->name, d->world->step))
			continue;
		a = symbols_image(view, d->job->tu, d->world->step);
		key = symbols_key(&a, d->name);
		if (can_ask(view, d->job->tu))
			add_key(s, offers, d->job->tu, key);
		if (!g_hash_table_add(seen, g_strdup(key)))
			continue;
		offer_definers(s, d, &a, key, offers);
		offer_pasters(s, d, &a, key, offers);
	}
	return offers;
}

static guint count_open(const struct offer *o, GHashTable *covered)
{
	GHashTableIter it;
	gpointer key;
	guint n = 0;

	g_hash_table_iter_init(&it, o->keys);
	while (g_hash_table_iter_next(&it, &key, NULL))
		n += !g_hash_table_contains(covered, key);
	return n;
}

static struct offer *best_offer(GHashTable *offers, GHashTable *covered)
{
	struct offer *best = NULL;
	double score = 0;
	GHashTableIter it;
	gpointer data;

	g_hash_table_iter_init(&it, offers);
	while (g_hash_table_iter_next(&it, NULL, &data)) {
		struct offer *o = data;
		double one = count_open(o, covered) / (double)o->cost;

		if (one > score || (one > 0 && one == score &&
				    strcmp(o->tu->object, best->tu->object) < 0)) {
			best = o;
			score = one;
		}
	}
	return best;
}

/* Objects that may answer all that can be answered, one each. */
static GPtrArray *pick(struct symbols *s, struct view *view,
		       const GPtrArray *doubts)
{
	GPtrArray *tus = g_ptr_array_new();
	g_autoptr(GHashTable) offers = offers_of(s, view, doubts);
	g_autoptr(GHashTable) covered = g_hash_table_new(g_str_hash, g_str_equal);
	struct offer *o;

	while ((o = best_offer(offers, covered))) {
		GHashTableIter it;
		gpointer key;

		g_hash_table_iter_init(&it, o->keys);
		while (g_hash_table_iter_next(&it, &key, NULL))
			g_hash_table_add(covered, key);
		g_ptr_array_add(tus, (gpointer)o->tu);
	}
	return tus;
}

static void drop_settled(struct symbols *s, GPtrArray *doubts)
{
	for (guint i = doubts->len; i > 0; i--) {
		struct doubt *d = doubts->pdata[i - 1];

		if (symbols_based(s, d->world, d->job, d->name) ||
		    symbols_vouched(s, d->world, d->job, d->name))
			g_ptr_array_remove_index(doubts, i - 1);
	}
}

static int ask(struct symbols *s, struct view *view, const GPtrArray *tus,
	       GError **error)
{
	struct world *base = symbols_world(s, view->v, 0);

	if (symbols_compile(s, view->v, tus, 0, error))
		return -1;
	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];
		const struct job *job = g_hash_table_lookup(base->jobs, tu);

		g_hash_table_add(view->asked, (gpointer)tu);
		if (job)
			symbols_learn(view, job);
		else
			g_hash_table_add(view->blind, (gpointer)tu);
	}
	return 0;
}

int symbols_ask_base(struct symbols *s, GPtrArray *doubts, GError **error)
{
	bool any;

	do {
		any = false;
		for (guint i = 0; i < s->views->len; i++) {
			struct view *view = s->views->pdata[i];
			g_autoptr(GPtrArray) tus = pick(s, view, doubts);

			if (tus->len && ask(s, view, tus, error))
				return -1;
			any |= tus->len > 0;
		}
		drop_settled(s, doubts);
	} while (any);
	return 0;
}
