// SPDX-License-Identifier: GPL-2.0
/* The walk over all TUs that can reach a touched header. */
#include "states-int.h"

static guint64 mix(guint64 h, guint64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

/*
 * Which of several headers declares a name makes no difference; where it is not
 * certain that one does, it may.  A macro's home is its definition.
 */
static guint64 mix_status(guint32 name, guint how, const struct pp_status *st)
{
	guint64 h = mix(mix(name, st->macro), st->macro_home);

	if (how < 2)
		return h;
	h = mix(h, st->decl | st->tag << 2);
	if (st->decl == PP_MAYBE)
		h = mix(h, st->decl_home);
	return st->tag == PP_MAYBE ? mix(h, st->tag_home) : h;
}

/* One more point: how all names stand there, unless as at the one before. */
void state_on_line(struct pp_walk *w, struct pp_target *t, guint line,
		   enum pp_known active)
{
	struct state_visit *sv = t->data;
	guint64 sum = mix(1, active);
	guint from = sv->parts->len;
	GHashTableIter it;
	gpointer name, how;

	sv->lines = mix(sv->lines, line << 2 | active);
	if (active)
		g_hash_table_add(sv->active, GUINT_TO_POINTER(line + 1));
	g_array_append_val(sv->parts, sum);
	g_hash_table_iter_init(&it, sv->header->names);
	while (active && g_hash_table_iter_next(&it, &name, &how)) {
		struct pp_status st;
		guint64 part;

		pp_walk_status(w, GPOINTER_TO_UINT(name), &st);
		part = mix_status(GPOINTER_TO_UINT(name),
				  GPOINTER_TO_UINT(how), &st);
		g_array_append_val(sv->parts, part);
	}
	if (from >= sv->parts->len - from &&
	    !memcmp(&g_array_index(sv->parts, guint64, from),
		    &g_array_index(sv->parts, guint64, 2 * from - sv->parts->len),
		    (sv->parts->len - from) * sizeof(guint64)))
		g_array_set_size(sv->parts, from);
}

/* By which header of its cycle, if any that is not finished, it is reached. */
void state_on_enter(struct pp_walk *w, struct pp_target *t)
{
	struct state_visit *sv = t->data;
	const GPtrArray *open = pp_walk_open(w);

	sv->reached = MAX(sv->reached, pp_walk_in_doubt(w) ? PP_MAYBE :
			  PP_THERE);
	if (!sv->cycle)
		sv->cycle = pp_walk_reached(w, sv->file);
	for (guint i = 0; i < open->len && !sv->entry; i++) {
		const struct pp_file *f = g_ptr_array_index(open, i);

		if (f->home && g_hash_table_contains(sv->cycle, f))
			sv->entry = f->home;
	}
}

/* One that is planned anyway stands for @key, else the cheapest. */
static void stand_for(GHashTable *table, gint64 key, const struct tu *tu,
		      bool planned)
{
	if (planned || !g_hash_table_contains(table, &key))
		g_hash_table_replace(table, g_memdup2(&key, sizeof(key)),
				     (gpointer)tu);
}

struct tu_state *state_new(struct state_visit *sv, const guint64 *parts,
			   gsize n, GHashTable *active)
{
	struct tu_state *st = g_new0(struct tu_state, 1);

	st->number = sv->order->len;
	st->parts = g_array_sized_new(FALSE, FALSE, sizeof(guint64), n);
	g_array_append_vals(st->parts, parts, n);
	st->active = active;
	g_hash_table_insert(sv->states, g_bytes_new(parts, n * sizeof(guint64)),
			    st);
	g_ptr_array_add(sv->order, st);
	return st;
}

static const struct tu_state *state_of(struct state_visit *sv)
{
	g_autoptr(GBytes) key = g_bytes_new_static(sv->parts->data,
			sv->parts->len * sizeof(guint64));
	struct tu_state *st = g_hash_table_lookup(sv->states, key);

	if (st)
		return st;
	st = state_new(sv, (const guint64 *)sv->parts->data, sv->parts->len,
		       sv->active);
	sv->active = g_hash_table_new(NULL, NULL);
	return st;
}

/* What the walk of TU number @tu found. */
static void record(struct state_visit *sv, guint32 tu, guint32 toggles)
{
	struct state_seen seen = { .tu = tu, .toggles = toggles,
				   .entry = sv->entry, .reached = sv->reached };

	/* Names may stand alike where fewer lines count. */
	g_array_append_val(sv->parts, sv->lines);
	seen.state = state_of(sv)->number;
	g_array_append_val(sv->seen, seen);
}

/* Who stands for what, by what is planned already. */
static void settle(struct state_round *r, struct state_visit *sv,
		   const struct state_seen *seen)
{
	const struct tu *tu = r->tus->pdata[seen->tu];
	bool planned = plan_has(r->p, sv->variant, tu);
	struct tu_state *st = sv->order->pdata[seen->state];

	st->count++;
	if (!st->tu || (planned && !st->planned))
		st->tu = tu;
	st->planned |= planned;
	if (!seen->reached)
		return;
	g_ptr_array_add(sv->reach->tus, (gpointer)tu);
	stand_for(sv->classes, (gint64)tu->class << 32 | seen->toggles, tu,
		  planned);
	if (seen->entry)
		stand_for(sv->entries, seen->entry, tu, planned);
}

static void settle_all(struct state_round *r)
{
	for (guint i = r->from; i < r->to; i++) {
		struct state_visit *sv = g_ptr_array_index(r->s->visits, i);

		for (guint k = 0; k < sv->seen->len; k++)
			settle(r, sv, &g_array_index(sv->seen,
						     struct state_seen, k));
	}
}

static void begin_tu(GPtrArray *visits)
{
	for (guint i = 0; i < visits->len; i++) {
		struct state_visit *sv = g_ptr_array_index(visits, i);

		g_array_set_size(sv->parts, 0);
		g_hash_table_remove_all(sv->active);
		sv->reached = PP_ABSENT;
		sv->lines = 0;
		sv->entry = 0;
		sv->target.over = false;
	}
}

static char *source_of(const struct state_round *r, const struct tu *now)
{
	return g_str_has_prefix(now->source, "O/") ?
		g_build_filename(r->v->odir, now->source + 2, NULL) :
		g_build_filename(r->p->run->cur, now->source, NULL);
}

static void walk_tu(struct state_round *r, guint number, bool keep)
{
	const struct tu *tu = r->tus->pdata[number];
	GPtrArray *visits = g_hash_table_lookup(r->wanted, tu);
	const struct tu *now = compdb_at(tu, r->p->n);
	const struct variant *v = r->v;
	g_autofree char *source = NULL;
	g_auto(GStrv) argv = NULL;

	if (!now)
		return;
	argv = compdb_argv(v->db, now, r->p->run->cur, "o", "d", NULL);
	source = source_of(r, now);
	do
		begin_tu(visits);
	while (!pp_walk_tu(r->s->walk, argv, v->odir, source, visits->len) &&
	       keep);
	for (guint i = 0; keep && i < visits->len; i++)
		record(visits->pdata[i], number, pp_walk_toggles(r->s->walk));
}

static void collect(struct state_round *r)
{
	r->wanted = g_hash_table_new_full(NULL, NULL, NULL,
					  (GDestroyNotify)g_ptr_array_unref);
	r->tus = g_ptr_array_new();
	for (guint i = r->from; i < r->to; i++) {
		struct state_visit *sv = g_ptr_array_index(r->s->visits, i);

		for (guint k = 0; k < sv->cands->len; k++) {
			const struct tu *tu = g_array_index(sv->cands,
						struct candidate, k).tu;
			GPtrArray *list = g_hash_table_lookup(r->wanted, tu);

			if (!list) {
				list = g_ptr_array_new();
				g_hash_table_insert(r->wanted, (gpointer)tu, list);
				g_ptr_array_add(r->tus, (gpointer)tu);
			}
			g_ptr_array_add(list, sv);
		}
	}
}

static void mark_files(struct state_round *r, bool set)
{
	for (guint i = r->from; i < r->to; i++) {
		struct state_visit *sv = g_ptr_array_index(r->s->visits, i);
		g_autofree char *full = g_build_filename(r->p->run->cur,
						sv->header->path, NULL);

		sv->file = pp_file(r->s->pp, full);
		if (sv->file)
			sv->file->mark = set ? &sv->target : NULL;
	}
}

static bool close_names(struct states *s)
{
	bool more = false;
	GHashTableIter it;
	gpointer name;

	for (guint i = 0; i < s->headers->len; i++) {
		struct state_header *h = g_ptr_array_index(s->headers, i);

		more |= state_names_close(s->pp, h->names);
		g_hash_table_iter_init(&it, h->names);
		while (g_hash_table_iter_next(&it, &name, NULL))
			pp_set_trait(s->pp, GPOINTER_TO_UINT(name), PP_WATCHED);
	}
	return more;
}

void states_forget(struct state_round *r)
{
	for (guint i = r->from; i < r->to; i++) {
		struct state_visit *sv = g_ptr_array_index(r->s->visits, i);

		g_hash_table_remove_all(sv->states);
		g_ptr_array_set_size(sv->order, 0);
		g_array_set_size(sv->seen, 0);
	}
}

/*
 * Which names count is known when all files were read: what a macro on a
 * changed line is made of.  A few TUs read nearly all; should a later one
 * bring more, all are walked once more.
 */
#define SAMPLE 40

/* What is asked for is known before the first walk, or that is in vain. */
static void read_sources(struct state_round *r)
{
	for (guint i = 0; i < r->tus->len && !proc_interrupted(); i++) {
		const struct tu *now = compdb_at(r->tus->pdata[i], r->p->n);
		g_autofree char *source = now ? source_of(r, now) : NULL;

		if (source)
			pp_source(r->s->pp, source);
	}
}

static void walk_all(struct state_round *r)
{
	guint step = MAX(r->tus->len / SAMPLE, 1);

	read_sources(r);
	for (guint i = 0; i < r->tus->len && !proc_interrupted(); i += step)
		walk_tu(r, i, false);
	close_names(r->s);
	for (int pass = 0; pass < 3; pass++) {
		states_forget(r);
		for (guint i = 0; i < r->tus->len && !proc_interrupted(); i++)
			walk_tu(r, i, true);
		if (!close_names(r->s) || proc_interrupted())
			return;
	}
}

/* The visits @from up to @to are those of one variant. */
static void plan_variant(struct plan *p, struct states *s, guint from, guint to)
{
	const struct state_visit *first = g_ptr_array_index(s->visits, from);
	struct state_round r = { .p = p, .s = s, .v = first->variant,
				 .from = from, .to = to };
	gint64 start = g_get_monotonic_time();
	bool known;

	collect(&r);
	known = states_recall(&r);
	if (!known) {
		mark_files(&r, true);
		walk_all(&r);
		mark_files(&r, false);
		states_remember(&r);
	}
	g_debug("states: %s: %u TUs %s in %.2f s", r.v->name, r.tus->len,
		known ? "recalled" : "walked",
		(g_get_monotonic_time() - start) / 1e6);
	settle_all(&r);
	for (guint i = from; i < to; i++)
		states_pick(p, g_ptr_array_index(s->visits, i));
	g_hash_table_unref(r.wanted);
	g_ptr_array_unref(r.tus);
}

static gint by_variant(gconstpointer a, gconstpointer b)
{
	const struct state_visit *x = *(struct state_visit *const *)a;
	const struct state_visit *y = *(struct state_visit *const *)b;

	return strcmp(x->variant->name, y->variant->name);
}

void states_plan(struct plan *p)
{
	struct states *s = p->run->states;
	guint from = 0;

	if (!s || s->n != p->n || s->stage != p->run->stage)
		return;
	g_ptr_array_sort(s->visits, by_variant);
	for (guint i = 1; i <= s->visits->len; i++) {
		const struct state_visit *a = g_ptr_array_index(s->visits, from);
		const struct state_visit *b = i < s->visits->len ?
			g_ptr_array_index(s->visits, i) : NULL;

		if (b && b->variant == a->variant)
			continue;
		plan_variant(p, s, from, i);
		from = i;
	}
}
