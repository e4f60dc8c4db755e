// SPDX-License-Identifier: GPL-2.0
/*
 * libgit2 1.5 compares the case of what it looks for, git does not; so what is
 * looked for is written in lower case, in the file and in the question.
 */
#include "mailmap.h"
#include "repo-internal.h"

struct mailmap {
	git_mailmap *git;	/* NULL: there is none */
};

/*
 * "New <new> Old <old>": what stands behind the first address is looked for, or
 * that where it is alone.  libgit2 leaves out a line that goes on after two; git
 * reads what it knows.
 */
static void normalise(char *line)
{
	char *first = strchr(line, '>');
	char *second = first ? strchr(first + 1, '>') : NULL;
	char *from = second ? first : first ? strchr(line, '<') : NULL;

	if (!from || *line == '#')
		return;
	if (second)
		second[1] = '\0';
	for (; *from; from++)
		*from = g_ascii_tolower(*from);
}

struct mailmap *mailmap_new(const char *text)
{
	struct mailmap *map = g_new0(struct mailmap, 1);
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
	g_autofree char *all = NULL;

	git_libgit2_init();
	for (char **l = lines; *l; l++)
		normalise(*l);
	all = g_strjoinv("\n", lines);
	if (git_mailmap_from_buffer(&map->git, all, strlen(all)) < 0)
		map->git = NULL;
	return map;
}

void mailmap_free(struct mailmap *map)
{
	if (!map)
		return;
	git_mailmap_free(map->git);
	git_libgit2_shutdown();
	g_free(map);
}

char *mailmap_email(const struct mailmap *map, const char *name,
		    const char *email)
{
	g_autofree char *low_name = g_ascii_strdown(name, -1);
	g_autofree char *low = g_ascii_strdown(email, -1);
	const char *real_name, *real;

	if (!map->git || git_mailmap_resolve(&real_name, &real, map->git,
					     low_name, low) < 0 ||
	    !strcmp(real, low))
		return g_strdup(email);
	return g_strdup(real);
}
