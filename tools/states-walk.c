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

static struct tu_state *state_of(struct state_visit *sv, const struct tu *tu)
{
	g_autoptr(GBytes) key = g_bytes_new(sv->parts->data,
			sv->parts->len * sizeof(guint64));
	struct tu_state *st = g_hash_table_lookup(sv->states, key);

	if (st)
		return st;
	st = g_new0(struct tu_state, 1);
	st->tu = tu;
	st->parts = g_array_sized_new(FALSE, FALSE, sizeof(guint64),
				      sv->parts->len);
	g_array_append_vals(st->parts, sv->parts->data, sv->parts->len);
	st->active = g_steal_pointer(&sv->active);
	sv->active = g_hash_table_new(NULL, NULL);
	g_hash_table_insert(sv->states, g_bytes_ref(key), st);
	g_ptr_array_add(sv->order, st);
	return st;
}

/* What the walk of @tu found is added to what is known of all. */
static void record(struct plan *p, struct state_visit *sv, const struct tu *tu,
		   guint32 toggles)
{
	bool planned = plan_has(p, sv->variant, tu);
	struct tu_state *st;

	/* Names may stand alike where fewer lines count. */
	g_array_append_val(sv->parts, sv->lines);
	st = state_of(sv, tu);
	st->count++;
	if (planned && !st->planned)
		st->tu = tu;
	st->planned |= planned;
	if (!sv->reached)
		return;
	g_ptr_array_add(sv->reach->tus, (gpointer)tu);
	stand_for(sv->classes, (gint64)tu->class << 32 | toggles, tu, planned);
	if (sv->entry)
		stand_for(sv->entries, sv->entry, tu, planned);
}

/* The TUs of the visits @from up to @to (one variant), each once. */
struct round {
	struct plan *p;
	struct states *s;
	const struct variant *v;
	GHashTable *wanted;	/* tu -> GPtrArray of struct state_visit */
	GPtrArray *tus;		/* in order of cost */
};

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

static void walk_tu(struct round *r, const struct tu *tu, bool keep)
{
	GPtrArray *visits = g_hash_table_lookup(r->wanted, tu);
	const struct tu *now = compdb_at(tu, r->p->n);
	const struct variant *v = r->v;
	g_autofree char *source = NULL;
	g_auto(GStrv) argv = NULL;

	if (!now)
		return;
	argv = compdb_argv(v->db, now, r->p->run->cur, "o", "d", NULL);
	source = g_str_has_prefix(now->source, "O/") ?
		g_build_filename(v->odir, now->source + 2, NULL) :
		g_build_filename(r->p->run->cur, now->source, NULL);
	begin_tu(visits);
	pp_walk_tu(r->s->walk, argv, v->odir, source, visits->len);
	for (guint i = 0; keep && i < visits->len; i++)
		record(r->p, visits->pdata[i], tu, pp_walk_toggles(r->s->walk));
}

static void collect(struct round *r, guint from, guint to)
{
	r->wanted = g_hash_table_new_full(NULL, NULL, NULL,
					  (GDestroyNotify)g_ptr_array_unref);
	r->tus = g_ptr_array_new();
	for (guint i = from; i < to; i++) {
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

static void mark_files(struct round *r, guint from, guint to, bool set)
{
	for (guint i = from; i < to; i++) {
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

static void forget_records(struct round *r, guint from, guint to)
{
	for (guint i = from; i < to; i++) {
		struct state_visit *sv = g_ptr_array_index(r->s->visits, i);

		g_hash_table_remove_all(sv->states);
		g_ptr_array_set_size(sv->order, 0);
		g_hash_table_remove_all(sv->entries);
		g_hash_table_remove_all(sv->classes);
		g_ptr_array_set_size(sv->reach->tus, 0);
	}
}

/*
 * Which names count is known when all files were read: what a macro on a
 * changed line is made of.  A few TUs read nearly all; should a later one
 * bring more, all are walked once more.
 */
#define SAMPLE 40

static void walk_all(struct round *r, guint from, guint to)
{
	guint step = MAX(r->tus->len / SAMPLE, 1);

	for (guint i = 0; i < r->tus->len && !proc_interrupted(); i += step)
		walk_tu(r, r->tus->pdata[i], false);
	close_names(r->s);
	for (int pass = 0; pass < 3; pass++) {
		forget_records(r, from, to);
		for (guint i = 0; i < r->tus->len && !proc_interrupted(); i++)
			walk_tu(r, r->tus->pdata[i], true);
		if (!close_names(r->s) || proc_interrupted())
			return;
	}
}

/* The visits from @from up to @to are those of one variant. */
static void plan_variant(struct plan *p, struct states *s, guint from, guint to)
{
	const struct state_visit *first = g_ptr_array_index(s->visits, from);
	struct round r = { .p = p, .s = s, .v = first->variant };
	gint64 start = g_get_monotonic_time();

	collect(&r, from, to);
	mark_files(&r, from, to, true);
	walk_all(&r, from, to);
	mark_files(&r, from, to, false);
	g_debug("states: %s: %u TUs walked in %.2f s", r.v->name, r.tus->len,
		(g_get_monotonic_time() - start) / 1e6);
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

	if (!s || s->n != p->n)
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
