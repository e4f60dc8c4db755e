// SPDX-License-Identifier: GPL-2.0
#include <fts.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include "madetree.h"
#include "strsort.h"

/* The configuration has ways of its own to be compared: symbol by symbol. */
static bool is_left_out(const char *path)
{
	static const char *const names[] = {
		"include/generated/autoconf.h", "include/generated/rustc_cfg",
		"source", "Makefile", NULL
	};

	return g_strv_contains(names, path);
}

static bool is_left_out_dir(const char *path)
{
	static const char *const names[] = {
		"include/config", "scripts", "tools", NULL
	};

	return g_strv_contains(names, path);
}

static bool is_text_name(const char *base)
{
	static const char *const ends[] = {
		".o", ".a", ".ko", ".cmd", ".d", ".mod", ".order", ".so", ".dbg",
		".symvers", ".builtin", NULL
	};

	for (guint i = 0; ends[i]; i++)
		if (g_str_has_suffix(base, ends[i]))
			return false;
	return *base != '.';
}

static bool is_program(const char *text, gsize len)
{
	return len >= 4 && !memcmp(text, "\177ELF", 4);
}

/* What make did not write again has its old time. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool differs(const char *here, const struct stat *st, const char *there)
{
	g_autofree char *a = NULL, *b = NULL;
	struct stat other;
	gsize a_len, b_len;

	if (!stat(there, &other) && is_same_file(st, &other))
		return false;
	if (!g_file_get_contents(here, &a, &a_len, NULL) || is_program(a, a_len))
		return false;
	return !g_file_get_contents(there, &b, &b_len, NULL) ||
	       a_len != b_len || memcmp(a, b, a_len);
}

/* Adds to @set what is in @dir and not so in @other. */
static void walk(GHashTable *set, const char *dir, const char *other)
{
	char *paths[] = { (char *)dir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	gsize n = strlen(dir) + 1;
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		const char *path = e->fts_level ? e->fts_path + n : "";
		g_autofree char *there = NULL;

		if (e->fts_info == FTS_D && is_left_out_dir(path))
			fts_set(fts, e, FTS_SKIP);
		if (e->fts_info != FTS_F || !is_text_name(e->fts_name) ||
		    is_left_out(path) || g_hash_table_contains(set, path))
			continue;
		there = g_build_filename(other, path, NULL);
		if (differs(e->fts_path, e->fts_statp, there))
			g_hash_table_add(set, g_strdup(path));
	}
	if (fts)
		fts_close(fts);
}

static int by_entry(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void sum_file(GChecksum *sum, const FTSENT *e, gsize skip)
{
	g_autofree char *text = NULL;
	guint64 size[2] = { strlen(e->fts_path + skip) };
	gsize len;

	if (!g_file_get_contents(e->fts_path, &text, &len, NULL) ||
	    is_program(text, len))
		return;
	size[1] = len;
	g_checksum_update(sum, (const guchar *)size, sizeof(size));
	g_checksum_update(sum, (const guchar *)e->fts_path + skip, size[0]);
	g_checksum_update(sum, (const guchar *)text, len);
}

char *madetree_sum(const char *odir)
{
	char *paths[] = { (char *)odir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_entry);
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	gsize n = strlen(odir) + 1;
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		/* empty files, one for each symbol: nobody includes them */
		if (e->fts_info == FTS_D && e->fts_level &&
		    !strcmp(e->fts_path + n, "include/config"))
			fts_set(fts, e, FTS_SKIP);
		if (e->fts_info == FTS_F && is_text_name(e->fts_name))
			sum_file(sum, e, n);
	}
	if (fts)
		fts_close(fts);
	return g_strdup(g_checksum_get_string(sum));
}

GPtrArray *madetree_changed(const char *was, const char *is)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) set = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter it;
	gpointer path;

	walk(set, is, was);
	walk(set, was, is);
	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &path, NULL))
		g_ptr_array_add(list, path);
	g_ptr_array_sort(list, by_string);
	return list;
}
