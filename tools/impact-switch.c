// SPDX-License-Identifier: GPL-2.0
/*
 * Who has a switch over an enum: -Wswitch wants a case for each value where there
 * is no default.  An enumerator may have another name by a macro.
 */
#include "impact-priv.h"

struct switching {
	struct closure cl;
	GHashTable *tags;	/* words of cl.im->names that stand after "enum",
				   or are a typedef's name */
};

static void add_word(struct switching *s, const char *word, bool tag)
{
	if (!g_hash_table_add(s->cl.im->names, g_strdup(word)))
		return;
	g_hash_table_add(s->cl.fresh, g_strdup(word));
	if (tag)
		g_hash_table_add(s->tags, g_strdup(word));
	if (g_hash_table_size(s->cl.im->names) > 4 * IMPACT_NAMES)
		s->cl.im->capped = true;
}

static void add_macro(struct switching *s, const struct directive *d)
{
	g_autofree char *name = NULL;
	gsize n = 0;

	while (n < d->args_len && is_word_char(d->args[n]))
		n++;
	name = g_strndup(d->args, n);
	if (n)
		add_word(s, name, false);
}

/* 0: in a case label, 1: the type's name where there is a switch, 2: neither. */
static guint rank_of(const struct switching *s, const struct ctext *t,
		     const struct mention *m)
{
	if (g_hash_table_contains(s->tags, m->name))
		return word_in(t->mask, t->len, "switch") ? 1 : 2;
	/* "case A: case B:" may be broken over lines: look at the one before. */
	if (ctext_mentions(t, m->line, "case"))
		return 0;
	return m->line > 1 && ctext_mentions(t, m->line - 1, "case") ? 0 : 2;
}

static void read_mentions(struct switching *s, const char *path,
			  const struct ctext *t, const GPtrArray *mentions)
{
	bool header = !path_is_source(path) ||
		      closure_is_included(&s->cl, path);
	guint best = 2;

	for (guint i = 0; i < mentions->len; i++) {
		const struct mention *m = mentions->pdata[i];
		struct directive d;
		guint rank;

		if (m->line > t->count || !ctext_mentions(t, m->line, m->name))
			continue;
		if (ctext_directive(t, ctext_first(t, m->line), &d)) {
			if (header && !strcmp(d.word, "define") &&
			    !g_hash_table_contains(s->tags, m->name))
				add_macro(s, &d);
			continue;
		}
		rank = rank_of(s, t, m);
		best = MIN(best, rank);
		if (header && !rank)
			closure_add_header(&s->cl, path, m->line, m->name,
					   "in a case label");
	}
	if (best == 2 || !path_is_source(path))
		return;
	g_hash_table_add(s->cl.im->sources, g_strdup(path));
	g_hash_table_replace(s->cl.im->ranks, g_strdup(path),
			     GUINT_TO_POINTER(best));
}

static int run_round(struct switching *s, GError **error)
{
	g_autoptr(GHashTable) wanted = s->cl.fresh;
	g_autoptr(GHashTable) mentions = NULL;
	GHashTableIter it;
	gpointer path, list;

	s->cl.fresh = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	mentions = incgraph_mentions(s->cl.g, s->cl.checkout, wanted, error);
	if (!mentions)
		return -1;
	if (!s->cl.im->rounds++)
		s->cl.im->files = g_hash_table_size(mentions);
	g_hash_table_iter_init(&it, mentions);
	while (g_hash_table_iter_next(&it, &path, &list)) {
		struct ctext *t;

		if (closure_is_foreign(&s->cl, path))
			continue;
		t = closure_text(&s->cl, path, error);
		if (!t)
			return -1;
		read_mentions(s, path, t, list);
		ctext_free(t);
	}
	return 0;
}

struct impact *impact_switch(struct incgraph *g, const char *checkout,
			     const GPtrArray *cases,
			     const char *const *srcarches, GError **error)
{
	g_autoptr(impact_t) im = impact_new();
	struct switching s = { .cl = { .im = im, .g = g, .checkout = checkout,
				       .srcarches = srcarches } };
	int ret = 0;

	s.cl.fresh = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	s.tags = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < cases->len; i++) {
		const char *word = cases->pdata[i];
		bool tag = g_str_has_prefix(word, "enum ");

		add_word(&s, tag ? word + strlen("enum ") : word, tag);
	}
	while (!ret && !im->capped && g_hash_table_size(s.cl.fresh)) {
		if (im->rounds == IMPACT_ROUNDS)
			im->capped = true;
		else
			ret = run_round(&s, error);
	}
	g_hash_table_unref(s.cl.fresh);
	g_hash_table_unref(s.tags);
	return ret < 0 ? NULL : g_steal_pointer(&im);
}
