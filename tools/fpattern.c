// SPDX-License-Identifier: GPL-2.0
#include <fts.h>
#include <stdbool.h>
#include <string.h>
#include "fpattern.h"
#include "strsort.h"

/* The first of @files that is not before @text. */
static guint lower_bound(const GPtrArray *files, const char *text)
{
	guint low = 0, high = files->len;

	while (low < high) {
		guint mid = low + (high - low) / 2;

		if (strcmp(files->pdata[mid], text) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * The pattern as the script makes it: a dot is a dot, a star any text,
 * slashes too, a question mark one character, all else as in a regular
 * expression; from the start of the path.  NULL: perl would not take it either.
 */
GRegex *fpattern_regex(const char *value)
{
	g_autoptr(GString) re = g_string_new("^");

	for (const char *c = value; *c; c++) {
		if (*c == '.')
			g_string_append(re, "\\.");
		else if (*c == '*')
			g_string_append(re, ".*");
		else if (*c == '?')
			g_string_append_c(re, '.');
		else
			g_string_append_c(re, *c);
	}
	return g_regex_new(re->str, G_REGEX_RAW, 0, NULL);
}

gsize fpattern_literal(const char *value, bool *whole)
{
	gsize n = strcspn(value, "*?[](){}+|\\^$");

	*whole = !value[n];
	/* a quantifier may take the last character back */
	return !*whole && value[n] != '*' && value[n] != '?' && n ? n - 1 : n;
}

static bool matches(const char *value, const GPtrArray *files)
{
	bool whole;
	gsize n = fpattern_literal(value, &whole);
	g_autofree char *start = g_strndup(value, n);
	g_autoptr(GRegex) re = whole ? NULL : fpattern_regex(value);

	for (guint i = lower_bound(files, start); i < files->len; i++) {
		const char *file = files->pdata[i];

		if (strncmp(file, start, n))
			return false;
		if (whole || (re && g_regex_match(re, file, 0, NULL)))
			return true;
	}
	return false;
}

/* Is there anything below the directory "@value/"? */
static bool is_dir(const char *value, const GPtrArray *files)
{
	g_autofree char *slash = g_strconcat(value, "/", NULL);
	guint i = lower_bound(files, slash);

	return i < files->len && g_str_has_prefix(files->pdata[i], slash);
}

static void pattern_free(gpointer p)
{
	struct fpattern *f = p;

	g_free(f->text);
	g_free(f);
}

/* "F:\tdrivers/foo/" to "drivers/foo/"; NULL: no such line. */
static const char *value_of(const char *line)
{
	if ((line[0] != 'F' && line[0] != 'X') || line[1] != ':')
		return NULL;
	return line + 2 + strspn(line + 2, " \t");
}

GPtrArray *fpattern_unmatched(const char *text, const GPtrArray *files)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(pattern_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (guint i = 0; lines[i]; i++) {
		const char *value = value_of(lines[i]);
		g_autofree char *dir = NULL;
		struct fpattern *f;

		if (!value)
			continue;
		/* the script gives a directory its slash */
		if (*value && !g_str_has_suffix(value, "/") &&
		    is_dir(value, files))
			dir = g_strconcat(value, "/", NULL);
		if (matches(dir ?: value, files))
			continue;
		f = g_new0(struct fpattern, 1);
		f->line = i + 1;
		f->text = g_strdup(lines[i]);
		g_ptr_array_add(list, f);
	}
	return list;
}

GPtrArray *fpattern_files(const char *dir)
{
	char *paths[] = { (char *)dir, NULL };
	GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	gsize n = strlen(dir) + 1;
	FTSENT *e;

	while (fts && (e = fts_read(fts)))
		if (e->fts_info != FTS_D && e->fts_info != FTS_DP &&
		    e->fts_pathlen > n)
			g_ptr_array_add(files, g_strdup(e->fts_path + n));
	if (fts)
		fts_close(fts);
	g_ptr_array_sort(files, by_string);
	return files;
}
