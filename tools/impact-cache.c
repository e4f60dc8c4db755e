// SPDX-License-Identifier: GPL-2.0
/*
 * A closure costs seconds and hangs on nothing but the tree and the names, so
 * it is kept in a file of that name: a first line, then one item a line.
 */
#include <glib/gstdio.h>

#include "impact.h"

/* Raised when impact_close() finds more, or less, than before. */
#define HEAD "respin-impact 1"

static void add_words(GChecksum *sum, const char *const *words, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		g_checksum_update(sum, (const guchar *)words[i], -1);
		g_checksum_update(sum, (const guchar *)"\n", 1);
	}
	g_checksum_update(sum, (const guchar *)"\n", 1);
}

static char *cache_path(const char *dir, const char *tree,
			const GPtrArray *names, const GPtrArray *macros,
			const char *const *srcarches)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA1);

	add_words(sum, (const char *[]){ HEAD, tree }, 2);
	add_words(sum, (const char *const *)names->pdata, names->len);
	add_words(sum, (const char *const *)macros->pdata, macros->len);
	add_words(sum, srcarches, g_strv_length((char **)srcarches));
	return g_build_filename(dir, g_checksum_get_string(sum), NULL);
}

static struct impact *read_impact(const char *path)
{
	struct impact *im;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	guint n;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	n = g_strv_length(lines);
	/* The last line vouches for the rest. */
	if (n < 3 || strcmp(lines[0], HEAD) || strcmp(lines[n - 2], "end"))
		return NULL;
	im = g_new0(struct impact, 1);
	im->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	im->sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	im->headers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    g_free);
	for (guint i = 1; i < n - 2; i++) {
		const char *item = lines[i] + 1;
		char *tab = strchr(item, '\t');

		if (*lines[i] == 'n')
			g_hash_table_add(im->names, g_strdup(item));
		else if (*lines[i] == 's')
			g_hash_table_add(im->sources, g_strdup(item));
		else if (*lines[i] == 'h' && tab)
			g_hash_table_insert(im->headers, g_strndup(item, tab - item),
					    g_strdup(tab + 1));
		else
			im->capped |= *lines[i] == 'c';
	}
	return im;
}

static void write_set(GString *out, char kind, GHashTable *set)
{
	GHashTableIter it;
	gpointer key, value;

	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &key, &value))
		g_string_append_printf(out, "%c%s%s%s\n", kind, (char *)key,
				       kind == 'h' ? "\t" : "",
				       kind == 'h' ? (char *)value : "");
}

/* Not being able to keep it is no error: the next run looks again. */
static void write_impact(const char *path, const struct impact *im)
{
	g_autoptr(GString) out = g_string_new(HEAD "\n");
	g_autofree char *dir = g_path_get_dirname(path);

	write_set(out, 'n', im->names);
	write_set(out, 's', im->sources);
	write_set(out, 'h', im->headers);
	g_string_append(out, im->capped ? "c\nend\n" : "end\n");
	g_mkdir_with_parents(dir, 0755);
	g_file_set_contents(path, out->str, out->len, NULL);
}

struct impact *impact_close_kept(const char *dir, const char *tree,
				 struct incgraph *g, const char *checkout,
				 const GPtrArray *names, const GPtrArray *macros,
				 const char *const *srcarches, GError **error)
{
	g_autofree char *path = cache_path(dir, tree, names, macros, srcarches);
	struct impact *im = read_impact(path);

	if (im)
		return im;
	im = impact_close(g, checkout, names, macros, srcarches, error);
	if (im)
		write_impact(path, im);
	return im;
}
