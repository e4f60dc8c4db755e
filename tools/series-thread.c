// SPDX-License-Identifier: GPL-2.0
#include "series-thread.h"

#include "series-mail.h"

/* A forest over ids: each points to its parent, a root to nothing. */
static const char *find_root(GHashTable *parents, const char *id)
{
	const char *up;

	while ((up = g_hash_table_lookup(parents, id)))
		id = up;
	return id;
}

static void join(GHashTable *parents, const char *a, const char *b)
{
	const char *x = find_root(parents, a), *y = find_root(parents, b);

	if (strcmp(x, y))
		g_hash_table_insert(parents, (char *)x, (char *)y);
}

/* A node for the place n/m, so that a resent patch joins both threads. */
static const char *place(GStringChunk *chunk, const struct series_mail *sm)
{
	g_autofree char *name = g_strdup_printf("place %u", sm->tag->n);

	return g_string_chunk_insert_const(chunk, name);
}

bool series_thread_is_one(const GPtrArray *mails)
{
	g_autoptr(GHashTable) parents =
		g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) named =
		g_hash_table_new(g_str_hash, g_str_equal);
	GStringChunk *chunk = g_string_chunk_new(4096);
	const char *root = NULL;
	bool one = true;

	for (guint i = 0; i < mails->len; i++) {
		const struct series_mail *sm = mails->pdata[i];
		const char *node = place(chunk, sm);
		const struct mail *m = sm->mail;

		if (m->msgid)
			join(parents, node, m->msgid);
		for (guint k = 0; k < m->refs->len; k++) {
			join(parents, node, m->refs->pdata[k]);
			g_hash_table_add(named, m->refs->pdata[k]);
		}
	}
	for (guint i = 0; i < mails->len && one; i++) {
		const struct series_mail *sm = mails->pdata[i];
		const struct mail *m = sm->mail;
		const char *own;

		if (!m->refs->len &&
		    !(m->msgid && g_hash_table_contains(named, m->msgid)))
			continue;
		own = find_root(parents, place(chunk, sm));
		one = !root || !strcmp(root, own);
		root = own;
	}
	g_string_chunk_free(chunk);
	return one;
}
