// SPDX-License-Identifier: GPL-2.0
/*
 * Generated files that a patch changes are touched files: a source is compiled
 * itself, a header by the names that differ, or by all that include it.
 */
#include <string.h>
#include "follow.h"
#include "madediff.h"
#include "plan.h"

static guint index_of(const struct run *run, const struct variant *v)
{
	guint i = 0;

	while (i < run->variants->len && run->variants->pdata[i] != v)
		i++;
	return i;
}

/* The main sources that can reach the generated file. */
static GHashTable *reaching(const struct plan *p, const struct made_change *m)
{
	const char *srcarch = m->variant->arch->srcarch;
	GHashTable *all = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) first = incgraph_naming(p->run->graph, m->path,
						     srcarch);

	for (guint i = 0; i < first->len; i++) {
		g_autoptr(GHashTable) reach = incgraph_reaching(p->run->graph,
						first->pdata[i], srcarch);
		GHashTableIter it;
		gpointer path;

		g_hash_table_add(all, first->pdata[i]);
		g_hash_table_iter_init(&it, reach);
		while (g_hash_table_iter_next(&it, &path, NULL))
			g_hash_table_add(all, path);
	}
	return all;
}

static void add_tus(struct plan *p, const struct made_change *m,
		    const GPtrArray *tus, enum why why)
{
	for (guint i = 0; tus && i < tus->len; i++)
		plan_add(p, m->variant, tus->pdata[i], NULL, why);
}

static int plan_one(struct plan *p, const struct made_change *m, GError **error)
{
	g_autofree char *source = g_strconcat("O/", m->path, NULL);
	guint v = index_of(p->run, m->variant);
	g_autoptr(GHashTable) reach = NULL;
	g_autoptr(GPtrArray) names = NULL;
	struct plan_reach r = { .v = v, .path = source };

	add_tus(p, m, compdb_by_source(m->variant->db, source), WHY_SOURCE);
	add_tus(p, m, m->tus, WHY_SOURCE);
	reach = reaching(p, m);
	if (!g_hash_table_size(reach))
		return 0;
	names = madediff_names(m->was, m->is, &r.whole);
	r.sources = reach;
	r.names = names;
	r.why = m->was ? m->is ? "a generated file that changes" :
		"a generated file that goes" : "a generated file that comes";
	return plan_reach(p, &r, error);
}

int plan_made(struct plan *p, GError **error)
{
	const struct followed *f = p->followed;

	for (guint i = 0; i < f->made->len; i++)
		if (plan_one(p, f->made->pdata[i], error))
			return -1;
	return 0;
}
