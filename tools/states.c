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
	g_hash_table_unref(st->active);
	g_free(st);
}

static void visit_free(gpointer data)
{
	struct state_visit *sv = data;

	g_array_unref(sv->cands);
	g_array_unref(sv->parts);
	g_array_unref(sv->seen);
	g_hash_table_unref(sv->active);
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
	g_ptr_array_unref(sr->readers);
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

void states_init(struct run *run, unsigned int n)
{
	struct states *s = run->states;

	if (s)
		return;
	s = g_new0(struct states, 1);
	s->pp = pp_new();
	s->walk = pp_walk_new(s->pp);
	s->step = n;
	s->headers = g_ptr_array_new_with_free_func(header_free);
	s->visits = g_ptr_array_new_with_free_func(visit_free);
	s->reaches = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   reach_free);
	run->states = s;
}

static struct states *states_of(struct plan *p)
{
	states_init(p->run, p->n);
	move(p->run->states, p->run, p->n);
	return p->run->states;
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

/* A later stage comes to the same step with other variants. */
static void begin_step(struct states *s, unsigned int n, unsigned int stage)
{
	if (s->n == n && s->stage == stage)
		return;
	g_ptr_array_set_size(s->visits, 0);
	g_ptr_array_set_size(s->headers, 0);
	pp_clear_trait(s->pp, PP_WATCHED);
	/* what make generates on demand may be there now */
	pp_forget_missing(s->pp);
	pp_walk_forget(s->walk);
	s->n = n;
	s->stage = stage;
}

static struct state_reach *reach_new(struct states *s, const struct variant *v,
				     const char *path)
{
	struct state_reach *sr = g_new0(struct state_reach, 1);

	sr->variant = v;
	sr->path = g_strdup(path);
	sr->tus = g_ptr_array_new();
	sr->readers = g_ptr_array_new();
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
	begin_step(s, p->n, p->run->stage);
	sv = g_new0(struct state_visit, 1);
	sv->header = header_of(p, s, c);
	sv->variant = v;
	sv->cands = g_array_ref(cands);
	sv->target.lines = sv->header->lines;
	sv->target.at = state_on_line;
	sv->target.enter = state_on_enter;
	sv->target.data = sv;
	sv->parts = g_array_new(FALSE, FALSE, sizeof(guint64));
	sv->seen = g_array_new(FALSE, FALSE, sizeof(struct state_seen));
	sv->active = g_hash_table_new(NULL, NULL);
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
