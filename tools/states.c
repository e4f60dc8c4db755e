// SPDX-License-Identifier: GPL-2.0
#include "states-int.h"

static void header_free(gpointer data)
{
	struct state_header *h = data;

	g_free(h->path);
	g_array_unref(h->lines);
	g_hash_table_unref(h->names);
	g_free(h);
}

static void state_free(gpointer data)
{
	struct tu_state *st = data;

	g_array_unref(st->parts);
	g_free(st);
}

static void visit_free(gpointer data)
{
	struct state_visit *sv = data;

	g_array_unref(sv->cands);
	g_array_unref(sv->parts);
	g_clear_pointer(&sv->cycle, g_hash_table_unref);
	g_hash_table_unref(sv->states);
	g_ptr_array_unref(sv->order);
	g_hash_table_unref(sv->entries);
	g_hash_table_unref(sv->classes);
	g_free(sv);
}

static void reach_free(gpointer data)
{
	struct state_reach *sr = data;

	g_free(sr->path);
	g_ptr_array_unref(sr->tus);
	g_free(sr);
}

char *state_reach_key(const struct variant *v, const char *path)
{
	return g_strdup_printf("%s %s", v->name, path);
}

void states_free(struct states *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->visits);
	g_ptr_array_unref(s->headers);
	g_hash_table_unref(s->reaches);
	pp_walk_free(s->walk);
	pp_free(s->pp);
	g_free(s);
}

/* The checkout moved: what differs is read again. */
static void move(struct states *s, struct run *run, unsigned int n)
{
	const struct diff *d;

	if (s->step == n)
		return;
	d = run_change(run, MIN(s->step, n), MAX(s->step, n));
	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = g_ptr_array_index(d->files, i);
		const char *paths[] = { fd->old_path, fd->new_path };

		for (int k = 0; k < 2; k++) {
			g_autofree char *full = paths[k] ? g_build_filename(
				run->cur, paths[k], NULL) : NULL;

			if (full)
				pp_forget(s->pp, full);
		}
	}
	pp_walk_forget(s->walk);
	s->step = n;
}

static struct states *states_of(struct plan *p)
{
	struct states *s = p->run->states;

	if (!s) {
		s = g_new0(struct states, 1);
		s->pp = pp_new();
		s->walk = pp_walk_new(s->pp);
		s->step = p->n;
		s->headers = g_ptr_array_new_with_free_func(header_free);
		s->visits = g_ptr_array_new_with_free_func(visit_free);
		s->reaches = g_hash_table_new_full(g_str_hash, g_str_equal,
						   g_free, reach_free);
		p->run->states = s;
	}
	move(s, p->run, p->n);
	return s;
}

static const struct file_diff *diff_of(struct plan *p, const char *path)
{
	const struct diff *d = run_change(p->run, p->n - 1, p->n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = g_ptr_array_index(d->files, i);

		if (!strcmp(file_diff_path(fd), path))
			return fd;
	}
	return NULL;
}

/* Added lines, and where lines were removed. */
static GArray *changed_lines(const struct file_diff *fd)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(guint32));

	for (guint i = 0; fd && i < fd->hunks->len; i++) {
		const struct hunk *h = g_ptr_array_index(fd->hunks, i);
		guint32 at = h->new_start + !h->new_count;

		for (guint k = 0; k < h->lines->len; k++) {
			char op = g_array_index(h->lines, struct diff_line, k).op;
			guint32 last = lines->len ? g_array_index(lines, guint32,
							lines->len - 1) : 0;

			if (op != ' ' && op != '\\' && at != last)
				g_array_append_val(lines, at);
			at += op == ' ' || op == '+';
		}
	}
	return lines;
}

static struct state_header *header_of(struct plan *p, struct states *s,
				      const struct change *c)
{
	g_autofree char *full = g_build_filename(p->run->cur, c->path, NULL);
	g_autofree char *text = NULL;
	struct state_header *h;
	gsize len;

	for (guint i = 0; i < s->headers->len; i++) {
		h = g_ptr_array_index(s->headers, i);
		if (!strcmp(h->path, c->path))
			return h;
	}
	h = g_new0(struct state_header, 1);
	h->path = g_strdup(c->path);
	h->lines = changed_lines(diff_of(p, c->path));
	h->names = g_hash_table_new(NULL, NULL);
	if (g_file_get_contents(full, &text, &len, NULL))
		state_names(s->pp, h, text, len);
	g_ptr_array_add(s->headers, h);
	return h;
}

static void on_line(struct pp_walk *w, struct pp_target *t, guint line,
		    enum pp_known active);
static void on_enter(struct pp_walk *w, struct pp_target *t);

static void begin_step(struct states *s, unsigned int n)
{
	if (s->n == n)
		return;
	g_ptr_array_set_size(s->visits, 0);
	g_ptr_array_set_size(s->headers, 0);
	pp_clear_trait(s->pp, PP_WATCHED);
	/* what make generates on demand may be there now */
	pp_forget_missing(s->pp);
	pp_walk_forget(s->walk);
	s->n = n;
}

static struct state_reach *reach_new(struct states *s, const struct variant *v,
				     const char *path)
{
	struct state_reach *sr = g_new0(struct state_reach, 1);

	sr->variant = v;
	sr->path = g_strdup(path);
	sr->tus = g_ptr_array_new();
	g_hash_table_replace(s->reaches, state_reach_key(v, path), sr);
	return sr;
}

void states_add(struct plan *p, const struct variant *v,
		const struct change *c, GArray *cands)
{
	struct states *s;
	struct state_visit *sv;

	/* All are compiled anyway. */
	if (p->run->exhaustive ||
	    (c->whole && cands->len <= p->run->reach_max))
		return;
	s = states_of(p);
	begin_step(s, p->n);
	sv = g_new0(struct state_visit, 1);
	sv->header = header_of(p, s, c);
	sv->variant = v;
	sv->cands = g_array_ref(cands);
	sv->target.lines = sv->header->lines;
	sv->target.at = on_line;
	sv->target.enter = on_enter;
	sv->target.data = sv;
	sv->parts = g_array_new(FALSE, FALSE, sizeof(guint64));
	sv->states = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
				(GDestroyNotify)g_bytes_unref, state_free);
	sv->order = g_ptr_array_new();
	sv->entries = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					    NULL);
	sv->classes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					    NULL);
	sv->reach = reach_new(s, v, c->path);
	g_ptr_array_add(s->visits, sv);
}

static guint64 mix(guint64 h, guint64 v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

static guint64 mix_status(guint32 name, guint how, const struct pp_status *st)
{
	guint64 h = mix(name, st->macro | st->decl << 2 | st->tag << 4);

	if (how < 2)
		return mix(mix(name, st->macro), st->macro_home);
	return mix(mix(mix(h, st->macro_home), st->decl_home), st->tag_home);
}

/* One more point: how all names stand there, unless as at the one before. */
static void on_line(struct pp_walk *w, struct pp_target *t, guint line,
		    enum pp_known active)
{
	struct state_visit *sv = t->data;
	guint64 sum = mix(1, active);
	guint from = sv->parts->len;
	GHashTableIter it;
	gpointer name, how;

	sv->reached = MAX(sv->reached, active);
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
static void on_enter(struct pp_walk *w, struct pp_target *t)
{
	struct state_visit *sv = t->data;
	const GPtrArray *open = pp_walk_open(w);

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
	g_hash_table_insert(sv->states, g_bytes_ref(key), st);
	g_ptr_array_add(sv->order, st);
	return st;
}

/* What the walk of @tu found is added to what is known of all. */
static void record(struct plan *p, struct state_visit *sv, const struct tu *tu,
		   guint32 toggles)
{
	struct tu_state *st = state_of(sv, tu);
	bool planned = plan_has(p, sv->variant, tu);

	st->count++;
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
		sv->reached = PP_ABSENT;
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

	for (guint i = 0; i < r->tus->len; i += step)
		walk_tu(r, r->tus->pdata[i], false);
	close_names(r->s);
	for (int pass = 0; pass < 3; pass++) {
		forget_records(r, from, to);
		for (guint i = 0; i < r->tus->len; i++)
			walk_tu(r, r->tus->pdata[i], true);
		if (!close_names(r->s))
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
