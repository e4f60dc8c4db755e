// SPDX-License-Identifier: GPL-2.0
/*
 * The users of pasting macros.  A strong job's macro and pieces were among
 * what the scan looked for, so the mentions tell; of a weak job only a piece
 * was, and the text is asked for the rest.
 */
#include "impact-paste.h"

/* What @mentions has from line @from to line @to; g_hash_table_unref() it. */
static GHashTable *words_between(const GPtrArray *mentions, unsigned int from,
				 unsigned int to)
{
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < mentions->len; i++) {
		const struct mention *m = mentions->pdata[i];

		if (m->line >= from && m->line <= to)
			g_hash_table_add(set, (gpointer)m->name);
	}
	return set;
}

static bool is_made(const struct job *j, GHashTable *words)
{
	for (guint i = 0; i < j->readings->len; i++)
		if (pastes_all_in(j->readings->pdata[i], words))
			return true;
	return false;
}

/* A text in which words are looked up; many jobs ask for the same ones. */
struct lookup {
	const char *text;
	gsize len;
	GHashTable *known;	/* borrowed word -> 1: not there, 2: there */
};

static bool has_word(struct lookup *l, const char *word)
{
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(l->known, word));

	if (!known) {
		known = 1 + word_in(l->text, l->len, word);
		g_hash_table_insert(l->known, (gpointer)word,
				    GUINT_TO_POINTER(known));
	}
	return known == 2;
}

/* Are all pieces of a reading there, and the macro of the weak job? */
static bool is_weakly_made(const struct job *j, struct lookup *l)
{
	for (guint i = 0; i < j->readings->len; i++) {
		const GPtrArray *reading = j->readings->pdata[i];
		guint k = 0;

		while (k < reading->len && has_word(l, reading->pdata[k]))
			k++;
		if (k == reading->len)
			return has_word(l, j->macro);
	}
	return false;
}

/* A weak job that wants @piece and is made in @text; NULL: none. */
static const struct job *weak_job(const struct closure *cl, const char *piece,
				  const char *text, gsize len)
{
	const GPtrArray *jobs = g_hash_table_lookup(cl->pastes->by_piece,
						    piece);
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);
	struct lookup l = { text, len, known };

	for (guint i = 0; jobs && i < jobs->len; i++)
		if (is_weakly_made(jobs->pdata[i], &l))
			return jobs->pdata[i];
	return NULL;
}

static bool is_strongly_made(const struct closure *cl, GHashTable *words)
{
	GHashTableIter it;
	gpointer word;

	g_hash_table_iter_init(&it, words);
	while (g_hash_table_iter_next(&it, &word, NULL)) {
		GPtrArray *jobs = g_hash_table_lookup(cl->pastes->by_macro,
						      word);

		for (guint k = 0; jobs && k < jobs->len; k++)
			if (is_made(jobs->pdata[k], words))
				return true;
	}
	return false;
}

/* Is a weak job made anywhere in the file @path? */
static bool is_made_in_file(const struct closure *cl, const char *path,
			    GHashTable *words)
{
	g_autofree char *full = NULL, *text = NULL;
	GHashTableIter it;
	gpointer word;
	gsize len;

	g_hash_table_iter_init(&it, words);
	while (g_hash_table_iter_next(&it, &word, NULL)) {
		if (!g_hash_table_contains(cl->pastes->by_piece, word))
			continue;
		if (!text) {
			full = g_build_filename(cl->checkout, path, NULL);
			/* The scan read it a moment ago: else count it in. */
			if (!g_file_get_contents(full, &text, &len, NULL))
				return true;
		}
		if (weak_job(cl, word, text, len))
			return true;
	}
	return false;
}

bool pastes_concern(const struct closure *cl, const char *path,
		    const GPtrArray *mentions)
{
	g_autoptr(GHashTable) words = words_between(mentions, 0, G_MAXUINT);
	GHashTableIter it;
	gpointer word;

	if (path_is_source(path))
		return is_strongly_made(cl, words) ||
		       is_made_in_file(cl, path, words);
	/* In a header the macro alone counts: another may hand on to it. */
	g_hash_table_iter_init(&it, words);
	while (g_hash_table_iter_next(&it, &word, NULL)) {
		const GPtrArray *jobs =
			g_hash_table_lookup(cl->pastes->by_macro, word);

		if (jobs && jobs->len)
			return true;
	}
	return is_made_in_file(cl, path, words);
}

/* The readings of @j without the pieces that a macro's body has already. */
static GPtrArray *still_missing(const struct job *j, GHashTable *words)
{
	GPtrArray *readings = g_ptr_array_new_with_free_func(
		(GDestroyNotify)g_ptr_array_unref);

	for (guint i = 0; i < j->readings->len; i++) {
		const GPtrArray *reading = j->readings->pdata[i];
		GPtrArray *rest = g_ptr_array_new_with_free_func(g_free);

		for (guint k = 0; k < reading->len; k++)
			if (!g_hash_table_contains(words, reading->pdata[k]))
				g_ptr_array_add(rest,
						g_strdup(reading->pdata[k]));
		g_ptr_array_add(readings, rest);
	}
	return readings;
}

/* One without arguments has nothing to hand on. */
static bool has_arguments(const struct ctext *t, const struct entity *e)
{
	struct directive d;
	gsize n = 0;

	if (!ctext_directive(t, ctext_first(t, e->line), &d))
		return false;
	while (n < d.args_len && is_word_char(d.args[n]))
		n++;
	return n < d.args_len && d.args[n] == '(';
}

/* The use of a job's macro on line @m->line of a header. */
static void read_use(struct closure *cl, const char *path,
		     const struct ctext *t, const GPtrArray *mentions,
		     const struct mention *m, const struct job *j)
{
	const GPtrArray *entities = g_hash_table_lookup(cl->scanned, path);
	const struct entity *e = entity_at(entities, m->line);
	g_autoptr(GHashTable) words = NULL;
	g_autofree char *what = NULL;
	unsigned int end = m->line;

	if (e && e->kind == ENTITY_MACRO && !strcmp(e->name, m->name))
		return;
	if (e && entity_is_named(e)) {
		words = words_between(mentions, e->line, e->end);
		if (is_made(j, words))
			closure_add_name(cl, e->name);
		else if (!j->weak && e->kind == ENTITY_MACRO &&
			 has_arguments(t, e))
			pastes_add_job(cl, e->name, still_missing(j, words),
				       j->name, false);
		return;
	}
	/* A bare call: its arguments may stand on some more lines. */
	while (end < t->count && end < m->line + 10 && !ctext_blank(t, end + 1))
		end++;
	words = words_between(mentions, m->line, end);
	if (!is_made(j, words))
		return;
	what = g_strdup_printf("makes '%s'", j->name);
	closure_add_header(cl, path, m->line, m->name, what);
}

/* A weak job's piece on line @m->line of a header. */
static void read_piece(struct closure *cl, const char *path,
		       const struct ctext *t, const struct mention *m)
{
	const GPtrArray *entities = g_hash_table_lookup(cl->scanned, path);
	const struct entity *e = entity_at(entities, m->line);
	unsigned int from = m->line, to = m->line;
	const struct job *j;

	if (e && entity_is_named(e)) {
		from = e->line;
		to = e->end;
	} else {
		while (from > 1 && m->line - from < 10)
			from--;
		while (to < t->count && to - m->line < 10)
			to++;
	}
	j = weak_job(cl, m->name, t->mask + t->start[from],
		     t->start[to + 1] - t->start[from]);
	if (j && e && entity_is_named(e))
		closure_add_name(cl, e->name);
	else if (j)
		closure_add_header(cl, path, m->line, j->macro,
				   "pastes a changed name");
}

void pastes_read_header(struct closure *cl, const char *path,
			const struct ctext *t, const GPtrArray *mentions)
{
	for (guint i = 0; i < mentions->len; i++) {
		const struct mention *m = mentions->pdata[i];
		GPtrArray *jobs = g_hash_table_lookup(cl->pastes->by_macro,
						      m->name);

		if (m->line > t->count || !ctext_mentions(t, m->line, m->name))
			continue;
		for (guint k = 0; jobs && k < jobs->len; k++)
			read_use(cl, path, t, mentions, m, jobs->pdata[k]);
		if (g_hash_table_contains(cl->pastes->by_piece, m->name))
			read_piece(cl, path, t, m);
	}
}
