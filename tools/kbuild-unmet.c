// SPDX-License-Identifier: GPL-2.0
/* kconfig's warnings of a symbol that is selected without what it depends on. */
#include <string.h>
#include "kbuild-step.h"

#define HEAD	"WARNING: unmet direct dependencies detected for "
#define NEEDS	"Depends on ["

/*
 * Without " [=n]": the values of the other symbols may change with any patch,
 * and the warning is the same.
 */
static void append_plain(GString *s, const char *text)
{
	static GRegex *values;
	g_autofree char *plain = NULL;

	if (!values)
		values = g_regex_new(" \\[=[^]]*\\]", 0, 0, NULL);
	plain = g_regex_replace_literal(values, text, -1, 0, "", 0, NULL);
	g_string_append(s, plain ? plain : text);
}

/* The lines that belong to a warning are indented. */
static char **read_one(char **l, GString *s)
{
	const char *between = "; selected by ";

	g_string_printf(s, "unmet direct dependencies of %s",
			*l + strlen(HEAD));
	for (l++; *l && g_str_has_prefix(*l, "  "); l++) {
		char *text = g_strstrip(*l);

		if (g_str_has_prefix(text, NEEDS) && strstr(text, ": ")) {
			g_string_append(s, ": it needs ");
			append_plain(s, strstr(text, ": ") + 2);
		} else if (g_str_has_prefix(text, "- ")) {
			g_string_append(s, between);
			append_plain(s, text + 2);
			between = ", ";
		}
	}
	return l;
}

void kbuild_unmet(GPtrArray *list, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GString) s = g_string_new("");

	for (char **l = lines; *l;) {
		if (!g_str_has_prefix(*l, HEAD)) {
			l++;
			continue;
		}
		l = read_one(l, s);
		if (!g_ptr_array_find_with_equal_func(list, s->str, g_str_equal,
						      NULL))
			g_ptr_array_add(list, g_strdup(s->str));
	}
}
