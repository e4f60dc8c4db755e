// SPDX-License-Identifier: GPL-2.0
/* Which TUs stand for the states of a header, and for what else rule b asks. */
#include "check.h"
#include "states-int.h"

/* Parts of states that a planned TU has. */
static guint new_parts(GHashTable *have, const struct tu_state *st, bool add)
{
	guint n = 0;

	for (guint i = 0; i < st->parts->len; i++) {
		const gint64 *part = &g_array_index(st->parts, gint64, i);

		if (g_hash_table_contains(have, part))
			continue;
		n++;
		if (add)
			g_hash_table_add(have, (gpointer)part);
	}
	return n;
}

/*
 * The next state to plan: the one that shows most names in a way that no
 * planned one does, since an error hangs on one or two names; of those the one
 * that most TUs share.
 */
static struct tu_state *best(const struct state_visit *sv, GHashTable *have)
{
	struct tu_state *found = NULL;
	guint most = 0;

	for (guint i = 0; i < sv->order->len; i++) {
		struct tu_state *st = g_ptr_array_index(sv->order, i);
		guint n = st->planned ? 0 : new_parts(have, st, false);

		if (st->planned || (found && (n < most ||
				(n == most && st->count <= found->count))))
			continue;
		found = st;
		most = n;
	}
	return found;
}

static void plan_tu(struct plan *p, const struct state_visit *sv,
		    const struct tu *tu, enum why why)
{
	if (!plan_has(p, sv->variant, tu))
		plan_add(p, sv->variant, tu, NULL, why);
}

static void say_too_many(struct plan *p, struct state_visit *sv, guint left)
{
	g_autofree char *reason = g_strdup_printf("the names that its changed "
		"lines use stand in %u ways in the TUs that include it; %u of "
		"these were not compiled", sv->order->len, left);

	sv->reach->capped = true;
	run_gap(p->run, p->n, sv->variant, sv->header->path, reason);
}

static void pick_states(struct plan *p, struct state_visit *sv)
{
	g_autoptr(GHashTable) have = g_hash_table_new(g_int64_hash,
						      g_int64_equal);
	struct tu_state *st;
	guint left = sv->order->len;

	for (guint i = 0; i < sv->order->len; i++) {
		st = g_ptr_array_index(sv->order, i);
		if (!st->planned)
			continue;
		new_parts(have, st, true);
		left--;
	}
	for (guint n = 0; n < STATES_MAX && (st = best(sv, have)); n++) {
		plan_tu(p, sv, st->tu, WHY_STATE);
		new_parts(have, st, true);
		st->planned = true;
		left--;
	}
	if (left)
		say_too_many(p, sv, left);
}

/* Of the planned states those that compile lines which no other did. */
static void pick_readers(struct state_visit *sv)
{
	g_autoptr(GHashTable) have = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < sv->order->len; i++) {
		const struct tu_state *st = g_ptr_array_index(sv->order, i);
		guint before = g_hash_table_size(have);
		GHashTableIter it;
		gpointer line;

		if (!st->planned)
			continue;
		g_hash_table_iter_init(&it, st->active);
		while (g_hash_table_iter_next(&it, &line, NULL))
			g_hash_table_add(have, line);
		if (g_hash_table_size(have) > before)
			g_ptr_array_add(sv->reach->readers, (gpointer)st->tu);
	}
}

const GPtrArray *states_readers(const struct run *run, const struct variant *v,
				const char *path)
{
	g_autofree char *key = state_reach_key(v, path);
	const struct state_reach *sr = run->states ?
		g_hash_table_lookup(run->states->reaches, key) : NULL;

	return sr ? sr->readers : NULL;
}

void states_pick(struct plan *p, struct state_visit *sv)
{
	GHashTableIter it;
	gpointer key, tu;

	g_hash_table_iter_init(&it, sv->classes);
	while (g_hash_table_iter_next(&it, &key, &tu))
		plan_tu(p, sv, tu, WHY_CLASS);
	pick_states(p, sv);
	pick_readers(sv);
	g_hash_table_iter_init(&it, sv->entries);
	while (g_hash_table_iter_next(&it, &key, &tu))
		plan_tu(p, sv, tu, WHY_STATE);
	g_debug("states: %s %s: %u TUs, %u get there, %u names, %u states, %u entries, %u classes",
		sv->variant->name, sv->header->path, sv->cands->len,
		sv->reach->tus->len, g_hash_table_size(sv->header->names),
		sv->order->len, g_hash_table_size(sv->entries),
		g_hash_table_size(sv->classes));
}
