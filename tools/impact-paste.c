// SPDX-License-Identifier: GPL-2.0
/*
 * Names that nobody spells: PCI_VDEVICE(AMD, x) mentions PCI_VENDOR_ID_AMD,
 * since its body pastes PCI_VENDOR_ID_##vend.  For each changed name, each
 * macro that can make it is looked for together with the pieces that are
 * missing; a macro that hands its arguments on to such a macro is one, too.
 *
 * Patterns like *_* (register fields, mostly) fit every name.  Of these only
 * the use in one file is looked for, with all pieces in it, none of them
 * shorter than three characters: where the longest piece is found, the file is
 * read for the others.  A piece that is itself pasted is not seen.
 */
#include "impact-paste.h"

/* More than this and the search is given up as capped. */
#define MAX_JOBS 4000

static void job_free(gpointer data)
{
	struct job *j = data;

	g_free(j->macro);
	g_ptr_array_unref(j->readings);
	g_free(j);
}

static void collect_pattern(const char *path, const char *macro,
			    const char *pattern, void *data)
{
	struct closure *cl = data;

	if (!closure_is_foreign(cl, path))
		g_hash_table_add(cl->pastes->patterns,
				 g_strconcat(macro, " ", pattern, NULL));
}

struct pastes *pastes_new(struct closure *cl)
{
	struct pastes *p = g_new0(struct pastes, 1);

	p->patterns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	p->seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	p->next = g_ptr_array_new_with_free_func(job_free);
	p->jobs = g_ptr_array_new_with_free_func(job_free);
	p->by_macro = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					    (GDestroyNotify)g_ptr_array_unref);
	p->by_piece = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					    (GDestroyNotify)g_ptr_array_unref);
	cl->pastes = p;
	incgraph_pastes(cl->g, collect_pattern, cl);
	return p;
}

void pastes_free(struct pastes *p)
{
	g_hash_table_unref(p->by_macro);
	g_hash_table_unref(p->by_piece);
	g_hash_table_unref(p->patterns);
	g_hash_table_unref(p->seen);
	g_ptr_array_unref(p->next);
	g_ptr_array_unref(p->jobs);
	g_free(p);
}

bool pastes_pending(const struct closure *cl)
{
	return cl->pastes->next->len > 0;
}

void pastes_add_job(struct closure *cl, const char *macro, GPtrArray *readings,
		    const char *name, bool weak)
{
	struct pastes *p = cl->pastes;
	struct job *j;

	/* What makes the name by itself is as good as the name. */
	for (guint i = 0; i < readings->len; i++)
		if (!((GPtrArray *)readings->pdata[i])->len) {
			closure_add_name(cl, macro);
			goto out;
		}
	if (!readings->len || g_hash_table_contains(cl->im->names, macro) ||
	    !g_hash_table_add(p->seen, g_strconcat(macro, weak ? " w " : " ",
						   name, NULL)))
		goto out;
	if (g_hash_table_size(p->seen) > MAX_JOBS) {
		cl->im->capped = true;
		goto out;
	}
	j = g_new0(struct job, 1);
	j->macro = g_strdup(macro);
	j->readings = g_ptr_array_ref(readings);
	j->name = name;
	j->weak = weak;
	g_ptr_array_add(p->next, j);
out:
	g_ptr_array_unref(readings);
}

/* Less than two letters of the name come from the macro. */
static bool is_weak(const char *pattern)
{
	unsigned int letters = 0;

	for (const char *p = pattern; *p; p++)
		letters += *p != '*' && *p != '_';
	return letters < 2;
}

static void drop_short(GPtrArray *readings)
{
	for (guint i = readings->len; i > 0; i--) {
		const GPtrArray *reading = readings->pdata[i - 1];
		bool is_short = false;

		for (guint k = 0; k < reading->len; k++)
			is_short |= strlen(reading->pdata[k]) < 3;
		if (is_short)
			g_ptr_array_remove_index_fast(readings, i - 1);
	}
}

static void match_name(struct closure *cl, const char *name)
{
	GHashTableIter it;
	gpointer key;

	g_hash_table_iter_init(&it, cl->pastes->patterns);
	while (g_hash_table_iter_next(&it, &key, NULL)) {
		const char *gap = strchr(key, ' ');
		GPtrArray *readings = paste_match(gap + 1, name);
		g_autofree char *macro = g_strndup(key, gap - (char *)key);
		bool weak = is_weak(gap + 1);

		if (readings && weak)
			drop_short(readings);
		if (readings)
			pastes_add_job(cl, macro, readings, name, weak);
	}
}

static void index_job(GHashTable *index, const char *key, struct job *j)
{
	GPtrArray *list = g_hash_table_lookup(index, key);

	if (!list) {
		list = g_ptr_array_new();
		g_hash_table_insert(index, (gpointer)key, list);
	}
	if (!g_ptr_array_find(list, j, NULL))
		g_ptr_array_add(list, j);
}

static void want_strong(struct pastes *p, GHashTable *names, struct job *j)
{
	index_job(p->by_macro, j->macro, j);
	g_hash_table_add(names, j->macro);
	for (guint i = 0; i < j->readings->len; i++) {
		const GPtrArray *reading = j->readings->pdata[i];

		for (guint k = 0; k < reading->len; k++)
			g_hash_table_add(names, reading->pdata[k]);
	}
}

static void want_weak(struct pastes *p, GHashTable *names, struct job *j)
{
	for (guint i = 0; i < j->readings->len; i++) {
		const GPtrArray *reading = j->readings->pdata[i];
		const char *longest = reading->pdata[0];

		for (guint k = 1; k < reading->len; k++)
			if (strlen(reading->pdata[k]) > strlen(longest))
				longest = reading->pdata[k];
		index_job(p->by_piece, longest, j);
		g_hash_table_add(names, (gpointer)longest);
	}
}

void pastes_begin(struct closure *cl, GHashTable *names)
{
	struct pastes *p = cl->pastes;
	g_autoptr(GList) fresh = g_hash_table_get_keys(cl->fresh);

	for (GList *l = fresh; l; l = l->next)
		match_name(cl, l->data);
	g_hash_table_remove_all(p->by_macro);
	g_hash_table_remove_all(p->by_piece);
	g_ptr_array_set_size(p->jobs, 0);
	for (guint i = 0; i < p->next->len; i++) {
		struct job *j = p->next->pdata[i];

		if (j->weak)
			want_weak(p, names, j);
		else
			want_strong(p, names, j);
	}
	g_ptr_array_extend_and_steal(p->jobs, p->next);
	p->next = g_ptr_array_new_with_free_func(job_free);
}

static void add_spelled(const struct closure *cl, GHashTable *mentions,
			GHashTable *spelled)
{
	GHashTableIter it;
	gpointer path, value;

	g_hash_table_iter_init(&it, mentions);
	while (g_hash_table_iter_next(&it, &path, &value)) {
		GPtrArray *list = value;

		if (closure_is_foreign(cl, path))
			continue;
		for (guint i = 0; i < list->len; i++) {
			struct mention *m = list->pdata[i];

			g_hash_table_add(spelled, (gpointer)m->name);
		}
	}
}

bool pastes_all_in(const GPtrArray *pieces, GHashTable *set)
{
	for (guint i = 0; i < pieces->len; i++)
		if (!g_hash_table_contains(set, pieces->pdata[i]))
			return false;
	return true;
}

/* A piece that no file spells is passed by nobody. */
void pastes_prune(struct closure *cl, GHashTable *mentions)
{
	struct pastes *p = cl->pastes;
	g_autoptr(GHashTable) spelled = g_hash_table_new(g_str_hash,
							 g_str_equal);

	add_spelled(cl, mentions, spelled);
	for (guint i = 0; i < p->jobs->len; i++) {
		struct job *j = p->jobs->pdata[i];

		if (j->weak)
			continue;
		for (guint k = j->readings->len; k > 0; k--)
			if (!pastes_all_in(j->readings->pdata[k - 1], spelled))
				g_ptr_array_remove_index_fast(j->readings,
							      k - 1);
		if (!j->readings->len)
			g_ptr_array_remove(g_hash_table_lookup(p->by_macro,
							       j->macro), j);
	}
}
