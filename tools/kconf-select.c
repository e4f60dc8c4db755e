// SPDX-License-Identifier: GPL-2.0
/*
 * A look into Kconfig files for names only: what a line means is for kconfig
 * to say (kconfig-language.rst).
 */
#include <string.h>
#include "kconf.h"

/* The word that follows @keyword at the start of @line; NULL.  g_free() */
static char *word_after(const char *line, const char *keyword)
{
	gsize n = strlen(keyword);

	line += strspn(line, " \t");
	if (strncmp(line, keyword, n) || !strchr(" \t", line[n]) || !line[n])
		return NULL;
	line += n + strspn(line + n, " \t");
	return g_strndup(line, strcspn(line, " \t\n#"));
}

/* Does @line open an entry?  Its name goes to @name. */
static bool opens(const char *line, char **name)
{
	char *word = word_after(line, "config");

	if (!word)
		word = word_after(line, "menuconfig");
	if (!word)
		return false;
	g_free(*name);
	*name = word;
	return true;
}

void kconf_selectors(GPtrArray *list, const char *text, const char *name)
{
	g_auto(GStrv) lines = strstr(text, name) ? g_strsplit(text, "\n", -1) :
				g_new0(char *, 1);
	g_autofree char *inside = NULL;

	for (char **l = lines; *l; l++) {
		g_autofree char *word = NULL;

		if (opens(*l, &inside))
			continue;
		word = word_after(*l, "select");
		if (inside && word && !strcmp(word, name) &&
		    !g_ptr_array_find_with_equal_func(list, inside, g_str_equal,
						      NULL))
			g_ptr_array_add(list, g_strdup(inside));
	}
}

bool kconf_is_tristate(const char *text, const char *name)
{
	g_auto(GStrv) lines = strstr(text, name) ? g_strsplit(text, "\n", -1) :
				g_new0(char *, 1);
	g_autofree char *inside = NULL;

	for (char **l = lines; *l; l++) {
		const char *p = *l + strspn(*l, " \t");

		if (!opens(*l, &inside) && inside && !strcmp(inside, name) &&
		    (g_str_has_prefix(p, "tristate") ||
		     g_str_has_prefix(p, "def_tristate")))
			return true;
	}
	return false;
}
