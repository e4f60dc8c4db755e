// SPDX-License-Identifier: GPL-2.0
/*
 * A closure costs seconds and hangs on nothing but the tree and the names, so
 * it is kept in a file of that name: a first line, then one item a line.
 */
#include <glib/gstdio.h>

#include "impact.h"

/* Raised when a closure finds more, or less, than before. */
#define HEAD "respin-impact 3"

static void add_words(GChecksum *sum, const char *const *words, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		g_checksum_update(sum, (const guchar *)words[i], -1);
		g_checksum_update(sum, (const guchar *)"\n", 1);
	}
	g_checksum_update(sum, (const guchar *)"\n", 1);
}

static char *cache_path(const char *kind, const char *dir, const char *tree,
			const GPtrArray *names, const GPtrArray *macros,
			const char *const *srcarches)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA1);

	add_words(sum, (const char *[]){ HEAD, kind, tree }, 3);
	add_words(sum, (const char *const *)names->pdata, names->len);
	if (macros)
		add_words(sum, (const char *const *)macros->pdata, macros->len);
	add_words(sum, srcarches, g_strv_length((char **)srcarches));
	return g_build_filename(dir, g_checksum_get_string(sum), NULL);
}

static void read_line(struct impact *im, char kind, const char *item)
{
	char *tab = strchr(item, '\t');

	if (kind == 'n')
		g_hash_table_add(im->names, g_strdup(item));
	else if (kind == 's')
		g_hash_table_add(im->sources, g_strdup(item));
	else if (kind == 'm')
		g_hash_table_add(im->members, g_strdup(item));
	else if (kind == 'l')
		g_hash_table_add(im->layouts, g_strdup(item));
	else if (kind == 'h' && tab)
		g_hash_table_insert(im->headers, g_strndup(item, tab - item),
				    g_strdup(tab + 1));
	else if (kind == 'r' && tab)
		g_hash_table_insert(im->ranks, g_strndup(item, tab - item),
				    GUINT_TO_POINTER(atoi(tab + 1)));
	else if (kind == 'f')
		im->files = atoi(item);
	else
		im->capped |= kind == 'c';
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
	im = impact_new();
	for (guint i = 1; i < n - 2; i++)
		read_line(im, *lines[i], lines[i] + 1);
	return im;
}

static void write_set(GString *out, char kind, GHashTable *set)
{
	GHashTableIter it;
	gpointer key, value;

	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &key, &value)) {
		if (kind == 'h')
			g_string_append_printf(out, "h%s\t%s\n", (char *)key,
					       (char *)value);
		else if (kind == 'r')
			g_string_append_printf(out, "r%s\t%u\n", (char *)key,
					       GPOINTER_TO_UINT(value));
		else
			g_string_append_printf(out, "%c%s\n", kind,
					       (char *)key);
	}
}

/* Not being able to keep it is no error: the next run looks again. */
static void write_impact(const char *path, const struct impact *im)
{
	g_autoptr(GString) out = g_string_new(HEAD "\n");
	g_autofree char *dir = g_path_get_dirname(path);

	write_set(out, 'n', im->names);
	write_set(out, 's', im->sources);
	write_set(out, 'h', im->headers);
	write_set(out, 'm', im->members);
	write_set(out, 'l', im->layouts);
	write_set(out, 'r', im->ranks);
	g_string_append_printf(out, "f%u\n", im->files);
	g_string_append(out, im->capped ? "c\nend\n" : "end\n");
	g_mkdir_with_parents(dir, 0755);
	g_file_set_contents(path, out->str, out->len, NULL);
}

struct impact *impact_close_kept(const char *dir, const char *tree,
				 struct incgraph *g, const char *checkout,
				 const GPtrArray *names, const GPtrArray *macros,
				 const char *const *srcarches, GError **error)
{
	g_autofree char *path = cache_path("names", dir, tree, names, macros,
					   srcarches);
	struct impact *im = read_impact(path);

	if (im)
		return im;
	im = impact_close(g, checkout, names, macros, srcarches, error);
	if (im)
		write_impact(path, im);
	return im;
}

struct impact *impact_kept(impact_fn fn, const char *kind, const char *dir,
			   const char *tree, struct incgraph *g,
			   const char *checkout, const GPtrArray *words,
			   const char *const *srcarches, GError **error)
{
	g_autofree char *path = cache_path(kind, dir, tree, words, NULL,
					   srcarches);
	struct impact *im = read_impact(path);

	if (im)
		return im;
	im = fn(g, checkout, words, srcarches, error);
	if (im)
		write_impact(path, im);
	return im;
}
