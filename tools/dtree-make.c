// SPDX-License-Identifier: GPL-2.0
/* What the Makefiles of device trees make, by name. */
#include <string.h>
#include "dtree.h"

static bool is_plain(const char *name)
{
	return *name && *name != '-' && !name[strspn(name,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_-+.,@/")];
}

char *dtree_target(const char *dir, const char *path)
{
	gsize n = strlen(dir);
	char *name;

	if (strncmp(path, dir, n) || path[n] != '/' ||
	    (!g_str_has_suffix(path, ".dts") && !g_str_has_suffix(path, ".dtso")))
		return NULL;
	name = g_strdup(path + n + 1);
	name[strlen(name) - (g_str_has_suffix(path, "o") ? 2 : 1)] = 'b';
	if (is_plain(name))
		return name;
	g_free(name);
	return NULL;
}

char *dtree_source(const char *dir, const char *target)
{
	char *path = g_build_filename(dir, target, NULL);

	path[strlen(path) - (g_str_has_suffix(path, "o") ? 2 : 1)] = 's';
	return path;
}

/* The Makefile of the directory of @target, lines that go on as one. */
static char *makefile_of(const char *srcdir, const char *dir,
			 const char *target)
{
	g_autofree char *below = g_path_get_dirname(target);
	g_autofree char *path = g_build_filename(srcdir, dir, below, "Makefile",
						 NULL);
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return g_strdup("");
	for (char *p = text; (p = strstr(p, "\\\n")); p += 2)
		memcpy(p, " \v", 2);
	return text;
}

/* Blanks as words are split at; '\v' stands for a newline. */
#define BLANKS " \t\v"

static bool has_word(const char *text, const char *word)
{
	g_auto(GStrv) words = g_strsplit_set(text, BLANKS, -1);

	return g_strv_contains((const char *const *)words, word);
}

static unsigned int line_of(const char *text, const char *word)
{
	gsize n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += n) {
		unsigned int line = 1;

		if ((p > text && !strchr(BLANKS "\n=", p[-1])) ||
		    !strchr(BLANKS "\n", p[n]))
			continue;
		for (const char *q = text; q < p; q++)
			line += *q == '\n' || *q == '\v';
		return line;
	}
	return 0;
}

/* The right side of "NAME-dtbs := a.dtb b.dtbo" in @line; NULL: it is none. */
static const char *parts_of(const char *line, char **name)
{
	const char *mark = strstr(line, "-dtbs"), *equals;

	if (!mark || mark == line || strcspn(line, BLANKS "=") <
	    (gsize)(mark - line) + strlen("-dtbs"))
		return NULL;
	equals = strchr(mark, '=');
	if (!equals)
		return NULL;
	*name = g_strndup(line, mark - line);
	return equals + 1;
}

void dtree_composites(const char *srcdir, const char *dir, const char *target,
		      GPtrArray *list)
{
	g_autofree char *text = makefile_of(srcdir, dir, target);
	g_autofree char *below = g_path_get_dirname(target);
	g_autofree char *base = g_path_get_basename(target);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l; l++) {
		g_autofree char *name = NULL, *made = NULL, *whole = NULL;
		const char *parts = parts_of(*l, &name);

		if (!parts || !has_word(parts, base))
			continue;
		made = g_strconcat(name, ".dtb", NULL);
		whole = strcmp(below, ".") ? g_build_filename(below, made, NULL) :
			g_strdup(made);
		if (is_plain(whole))
			g_ptr_array_add(list, g_steal_pointer(&whole));
	}
}

static bool is_composite(const char *text, const char *base)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autofree char *stem = NULL;
	bool found = false;

	if (!g_str_has_suffix(base, ".dtb"))
		return false;
	stem = g_strndup(base, strlen(base) - strlen(".dtb"));
	for (char **l = lines; !found && *l; l++) {
		g_autofree char *name = NULL;

		found = parts_of(*l, &name) && !strcmp(name, stem);
	}
	return found;
}

enum dtree_made dtree_made(const char *srcdir, const char *dir,
			   const char *target, unsigned int *line)
{
	g_autofree char *source = dtree_source(dir, target);
	g_autofree char *full = g_build_filename(srcdir, source, NULL);
	g_autofree char *text = makefile_of(srcdir, dir, target);
	g_autofree char *base = g_path_get_basename(target);

	*line = line_of(text, base);
	if (g_file_test(full, G_FILE_TEST_IS_REGULAR) || is_composite(text, base))
		return DTREE_MADE;
	return *line ? DTREE_NO_SOURCE : DTREE_NOTHING;
}

bool dtree_lists(const char *srcdir, const char *dir, const char *target)
{
	g_autofree char *text = makefile_of(srcdir, dir, target);

	/* powerpc takes whatever is there */
	if (strstr(text, "$(wildcard "))
		return false;
	return g_str_has_prefix(text, "dtb-") || strstr(text, "\ndtb-");
}
