// SPDX-License-Identifier: GPL-2.0
/*
 * What a walk over all TUs found, kept for a later run.  A walk reads the
 * sources of the step and of O=, by the commands of the TUs, and looks at
 * the changed lines: the key is made of these and of nothing that stands for
 * them.  What is planned for other reasons is no part of it: that is settled
 * once more each time.
 */
#include "run-keep.h"
#include "states-int.h"

#define KIND "states"

/* A visit: its states (parts, active lines), then the fields of all
 * struct state_seen. */
#define VISIT "(a(atau)au)"
G_STATIC_ASSERT(sizeof(struct state_seen) ==
		STATE_SEEN_FIELDS * sizeof(guint32));
/* Not worth its place on disk. */
#define BYTES_MAX (16 << 20)

static void add_visit(GChecksum *key, const struct state_visit *sv)
{
	const GArray *lines = sv->header->lines;

	/* the names are those of these lines, in the text of the step */
	kept_add(key, sv->header->path);
	kept_add_data(key, lines->data, lines->len * sizeof(guint32));
	kept_add_number(key, sv->cands->len);
	for (guint i = 0; i < sv->cands->len; i++)
		kept_add(key, g_array_index(sv->cands, struct candidate,
					    i).tu->object);
}

GChecksum *states_key(const struct state_round *r)
{
	unsigned int n = r->p->n;
	GChecksum *key = run_keep_key(KIND, r->p->run, r->v, n);

	kept_add_number(key, r->tus->len);
	for (guint i = 0; i < r->tus->len; i++)
		run_keep_add_tu(key, r->v->db, r->tus->pdata[i], n);
	for (guint i = r->from; i < r->to; i++)
		add_visit(key, g_ptr_array_index(r->s->visits, i));
	return key;
}

static GVariant *numbers(const GVariantType *type, gconstpointer data, gsize n,
			 gsize size)
{
	/* that of GLib refuses NULL */
	return g_variant_new_fixed_array(type, n ? data : "", n, size);
}

static GVariant *pack_state(const struct tu_state *st)
{
	g_autoptr(GArray) active = g_array_new(FALSE, FALSE, sizeof(guint32));
	GVariant *both[2];
	GHashTableIter it;
	gpointer line;

	g_hash_table_iter_init(&it, st->active);
	while (g_hash_table_iter_next(&it, &line, NULL)) {
		guint32 n = GPOINTER_TO_UINT(line);

		g_array_append_val(active, n);
	}
	both[0] = numbers(G_VARIANT_TYPE_UINT64, st->parts->data,
			  st->parts->len, sizeof(guint64));
	both[1] = numbers(G_VARIANT_TYPE_UINT32, active->data, active->len,
			  sizeof(guint32));
	return g_variant_new_tuple(both, 2);
}

static GVariant *pack_visit(const struct state_visit *sv)
{
	g_autoptr(GPtrArray) states = g_ptr_array_new();
	GVariant *both[2];

	for (guint i = 0; i < sv->order->len; i++)
		g_ptr_array_add(states, pack_state(sv->order->pdata[i]));
	both[0] = g_variant_new_array(G_VARIANT_TYPE("(atau)"),
				      (GVariant **)states->pdata, states->len);
	both[1] = numbers(G_VARIANT_TYPE_UINT32, sv->seen->data,
			  sv->seen->len * STATE_SEEN_FIELDS, sizeof(guint32));
	return g_variant_new_tuple(both, 2);
}

void states_remember(struct state_round *r)
{
	g_autoptr(GPtrArray) visits = g_ptr_array_new();
	g_autoptr(GVariant) all = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(GChecksum) key = NULL;

	if (proc_interrupted())
		return;
	for (guint i = r->from; i < r->to; i++)
		g_ptr_array_add(visits, pack_visit(r->s->visits->pdata[i]));
	all = g_variant_ref_sink(g_variant_new_array(G_VARIANT_TYPE(VISIT),
					(GVariant **)visits->pdata, visits->len));
	bytes = g_variant_get_data_as_bytes(all);
	if (g_bytes_get_size(bytes) > BYTES_MAX)
		return;
	key = states_key(r);
	run_keep_put(r->p->run, key, bytes);
}

static void unpack_state(GVariant *v, struct state_visit *sv)
{
	g_autoptr(GVariant) parts = g_variant_get_child_value(v, 0);
	g_autoptr(GVariant) lines = g_variant_get_child_value(v, 1);
	GHashTable *active = g_hash_table_new(NULL, NULL);
	const guint64 *p;
	const guint32 *l;
	gsize n, count;

	p = g_variant_get_fixed_array(parts, &n, sizeof(guint64));
	l = g_variant_get_fixed_array(lines, &count, sizeof(guint32));
	for (gsize i = 0; i < count; i++)
		g_hash_table_add(active, GUINT_TO_POINTER(l[i]));
	state_new(sv, p, n, active);
}

static bool unpack_visit(GVariant *v, struct state_visit *sv, guint tus)
{
	g_autoptr(GVariant) states = g_variant_get_child_value(v, 0);
	g_autoptr(GVariant) column = g_variant_get_child_value(v, 1);
	gsize n;
	const guint32 *all = g_variant_get_fixed_array(column, &n,
						       sizeof(guint32));

	for (gsize i = 0; i < g_variant_n_children(states); i++) {
		g_autoptr(GVariant) one = g_variant_get_child_value(states, i);

		unpack_state(one, sv);
	}
	if (n % STATE_SEEN_FIELDS ||
	    g_hash_table_size(sv->states) != sv->order->len)
		return false;
	g_array_append_vals(sv->seen, all, n / STATE_SEEN_FIELDS);
	for (guint i = 0; i < sv->seen->len; i++) {
		const struct state_seen *seen = &g_array_index(sv->seen,
						struct state_seen, i);

		if (seen->tu >= tus || seen->state >= sv->order->len)
			return false;
	}
	return true;
}

static bool unpack(struct state_round *r, GVariant *all)
{
	bool ok = g_variant_is_normal_form(all) &&
		  g_variant_n_children(all) == r->to - r->from;

	for (guint i = r->from; ok && i < r->to; i++) {
		g_autoptr(GVariant) v = g_variant_get_child_value(all,
								  i - r->from);

		ok = unpack_visit(v, r->s->visits->pdata[i], r->tus->len);
	}
	return ok;
}

bool states_recall(struct state_round *r)
{
	g_autoptr(GChecksum) key = states_key(r);
	g_autoptr(GBytes) bytes = run_keep_get(r->p->run, key);
	g_autoptr(GVariant) all = NULL;

	if (!bytes)
		return false;
	all = g_variant_ref_sink(g_variant_new_from_bytes(
				G_VARIANT_TYPE("a" VISIT), bytes, FALSE));
	if (unpack(r, all))
		return true;
	states_forget(r);
	return false;
}
