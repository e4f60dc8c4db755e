// SPDX-License-Identifier: GPL-2.0
/* Rules b to d: the TUs that are worth a compile when a header changes. */
#include "check.h"
#include "neigh.h"
#include "plan.h"
#include "states.h"

static gint by_cost(gconstpointer a, gconstpointer b)
{
	const struct candidate *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return strcmp(x->tu->object, y->tu->object);
}

/* The TUs of @v whose main source is in @sources, cheapest first. */
static GArray *candidates(struct plan *p, const struct variant *v,
			  GHashTable *sources)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct candidate));

	for (guint i = 0; i < v->db->tus->len; i++) {
		struct candidate c = { .tu = g_ptr_array_index(v->db->tus, i) };

		if (!g_hash_table_contains(sources, c.tu->source))
			continue;
		c.cost = plan_cost(p->run, c.tu->source);
		g_array_append_val(list, c);
	}
	g_array_sort(list, by_cost);
	return list;
}

static void add_classes(struct plan *p, const struct variant *v,
			const GArray *cands)
{
	g_autofree bool *have = g_new0(bool, v->db->classes->len);

	for (guint i = 0; i < cands->len; i++) {
		const struct tu *tu =
			g_array_index(cands, struct candidate, i).tu;

		if (have[tu->class])
			continue;
		have[tu->class] = true;
		plan_add(p, v, tu, NULL, WHY_CLASS);
	}
}

/* C only: an assembler source does not see declarations. */
static const struct tu *first_c(const GArray *cands)
{
	for (guint i = 0; i < cands->len; i++) {
		const struct tu *tu =
			g_array_index(cands, struct candidate, i).tu;

		/* one of the base has a parent to be compared with */
		if (g_str_has_suffix(tu->source, ".c") && compdb_at(tu, 0))
			return tu;
	}
	return NULL;
}

static void add_reach(struct plan *p, const struct variant *v,
		      const GArray *cands, const char *path, const char *why)
{
	g_autofree char *reason = NULL;

	guint max = p->run->exhaustive ? G_MAXUINT : p->run->reach_max;

	for (guint i = 0; i < MIN(cands->len, max); i++)
		plan_add(p, v, g_array_index(cands, struct candidate, i).tu, NULL,
			WHY_REACH);
	if (cands->len <= max)
		return;
	reason = g_strdup_printf("%s: all %u TUs that can reach it would have to "
		"be compiled; the %u cheapest were", why, cands->len,
		p->run->reach_max);
	run_gap(p->run, p->n, v, path, reason);
}

/* The TUs of @v that mention a changed name, rule c. */
static void add_mentions(struct plan *p, const struct variant *v,
			 GHashTable *sources)
{
	for (guint i = 0; i < v->db->tus->len; i++) {
		const struct tu *tu = g_ptr_array_index(v->db->tus, i);

		if (g_hash_table_contains(sources, tu->source))
			plan_add(p, v, tu, NULL, WHY_MENTION);
	}
}

GHashTable *plan_reaching(const struct run *run, const struct change *c,
			  const char *srcarch)
{
	const char *old = c->old_path ? c->old_path : c->path;
	g_autoptr(GHashTable) before = NULL;
	GHashTable *now;
	GHashTableIter it;
	gpointer path;

	if (!incgraph_has(run->graph, c->path) &&
	    !(run->graph_before && incgraph_has(run->graph_before, old)))
		return NULL;
	now = incgraph_reaching(run->graph, c->path, srcarch);
	if (!run->graph_before)
		return now;
	before = incgraph_reaching(run->graph_before, old, srcarch);
	g_hash_table_iter_init(&it, before);
	while (g_hash_table_iter_next(&it, &path, NULL))
		g_hash_table_add(now, path);
	return now;
}

static void plan_header_on(struct plan *p, guint i, const struct change *c)
{
	struct variant *v = g_ptr_array_index(p->run->variants, i);
	g_autoptr(GHashTable) reach = plan_reaching(p->run, c, v->arch->srcarch);
	g_autoptr(GArray) cands = NULL;
	const struct tu *tu;

	if (!reach)
		return;
	cands = candidates(p, v, reach);
	tu = first_c(cands);
	run_cell(p->run, p->n, i)->reachable += cands->len;
	if (!cands->len)
		return;
	plan_compiled(p, c->path);
	if (tu && g_str_has_suffix(c->path, ".h") &&
	    incgraph_has(p->run->graph, c->path))
		plan_add(p, v, tu, c->path, WHY_ALONE);
	add_classes(p, v, cands);
	if (c->whole || p->run->exhaustive)
		add_reach(p, v, cands, c->path, c->whole ?
			  g_ptr_array_index(c->why, 0) : "--exhaustive");
	states_add(p, v, c, cands);
}

void plan_classes(struct plan *p, guint i, const char *path, GHashTable *reach)
{
	struct variant *v = g_ptr_array_index(p->run->variants, i);
	g_autoptr(GHashTable) both = incgraph_reaching(p->run->graph, path,
						       v->arch->srcarch);
	g_autoptr(GArray) cands = NULL;
	GHashTableIter it;
	const struct tu *tu;
	gpointer source;

	g_hash_table_iter_init(&it, both);
	while (g_hash_table_iter_next(&it, &source, NULL))
		if (reach && !g_hash_table_contains(reach, source))
			g_hash_table_iter_remove(&it);
	cands = candidates(p, v, both);
	tu = first_c(cands);
	if (tu && g_str_has_suffix(path, ".h"))
		plan_add(p, v, tu, path, WHY_ALONE);
	add_classes(p, v, cands);
}

/* A header that mentions a changed name outside of any entity: rule d. */
static void add_reach_of(struct plan *p, const char *path, const char *why)
{
	for (guint i = 0; i < p->run->variants->len; i++) {
		struct variant *v = g_ptr_array_index(p->run->variants, i);
		g_autoptr(GHashTable) reach = incgraph_reaching(p->run->graph,
						path, v->arch->srcarch);
		g_autoptr(GArray) cands = candidates(p, v, reach);

		add_reach(p, v, cands, path, why);
	}
}

int plan_reach(struct plan *p, const struct plan_reach *r, GError **error)
{
	struct variant *v = g_ptr_array_index(p->run->variants, r->v);
	const char *here[] = { v->arch->srcarch, NULL };
	g_autoptr(GArray) cands = candidates(p, v, r->sources);
	g_autofree char *dir = g_build_filename(p->run->dir, "impact", NULL);
	g_autoptr(impact_t) im = NULL;
	GHashTableIter it;
	gpointer path, why;

	run_cell(p->run, p->n, r->v)->reachable += cands->len;
	if (r->whole || p->run->exhaustive) {
		add_reach(p, v, cands, r->path, r->whole ? r->why :
			  "--exhaustive");
		return 0;
	}
	im = impact_close_kept(dir, run_step(p->run, p->n)->tree, p->run->graph,
			       p->run->cur, r->names, r->names, here, error);
	if (!im)
		return -1;
	add_mentions(p, v, im->sources);
	/* #define lines alone are read alike by all: one TU that reads them */
	if (cands->len && r->names->len)
		plan_add(p, v, g_array_index(cands, struct candidate, 0).tu,
			 NULL, WHY_CLASS);
	g_hash_table_iter_init(&it, im->headers);
	while (g_hash_table_iter_next(&it, &path, &why)) {
		g_autoptr(GHashTable) reach = incgraph_reaching(p->run->graph,
						path, v->arch->srcarch);
		g_autoptr(GArray) those = candidates(p, v, reach);

		add_reach(p, v, those, path, why);
	}
	if (im->capped)
		run_gap(p->run, p->n, v, r->path, "too many names hang on what "
			"it changes: not all that mention them were compiled");
	return 0;
}

char **plan_srcarches(const struct run *run)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = g_ptr_array_index(run->variants, i);

		if (!g_ptr_array_find_with_equal_func(list, v->arch->srcarch,
						      g_str_equal, NULL))
			g_ptr_array_add(list, (char *)v->arch->srcarch);
	}
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

int plan_names(struct plan *p, const struct change *c, GError **error)
{
	g_autofree char **arches_here = plan_srcarches(p->run);
	g_autofree char *dir = g_build_filename(p->run->dir, "impact", NULL);
	g_autoptr(impact_t) im = NULL;
	GHashTableIter it;
	gpointer path, why;

	if (!c->names->len)
		return plan_types(p, c, NULL, error);
	im = impact_close_kept(dir, run_step(p->run, p->n)->tree, p->run->graph,
			       p->run->cur, c->names, c->macros,
			       (const char *const *)arches_here, error);
	if (!im)
		return -1;
	neigh_names(p->run, p->n, im->names, p->jobs);
	for (guint i = 0; i < p->run->variants->len; i++)
		add_mentions(p, g_ptr_array_index(p->run->variants, i),
			     im->sources);
	g_hash_table_iter_init(&it, im->headers);
	while (g_hash_table_iter_next(&it, &path, &why))
		add_reach_of(p, path, why);
	if (im->capped)
		run_gap(p->run, p->n, NULL, c->path, "too many names hang on what "
			"it changes: not all that mention them were compiled");
	return plan_types(p, c, im, error);
}

int plan_header(struct plan *p, const struct change *c, GError **error)
{
	/* Nothing but comments or blank lines. */
	if (change_is_empty(c)) {
		plan_compiled(p, c->path);
		return 0;
	}
	for (guint i = 0; i < p->run->variants->len; i++)
		plan_header_on(p, i, c);
	if (c->whole)
		neigh_header(p->run, p->n, c->path, p->jobs);
	return plan_names(p, c, error);
}
