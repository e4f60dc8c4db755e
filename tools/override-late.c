// SPDX-License-Identifier: GPL-2.0
/*
 * What the compiler is asked: the types of helpers that are replaced, and what
 * the preprocessor meets too late, by the output of -E -dD.
 */
#include <stdlib.h>
#include <string.h>
#include "override.h"

/* # 12 "/src/include/linux/mm.h" 2 3: the file, taken over; NULL: no marker */
static char *read_marker(const char *line, const char *srcdir, unsigned int *at,
			 bool *back)
{
	const char *quote = strchr(line, '"');
	const char *end = quote ? strchr(quote + 1, '"') : NULL;
	gsize n = strlen(srcdir);

	if (!g_str_has_prefix(line, "# ") || !end)
		return NULL;
	*at = strtoul(line + 2, NULL, 10);
	*back = end[1] == ' ' && end[2] == '2';
	if (!strncmp(quote + 1, srcdir, n) && quote[1 + n] == '/')
		quote += n + 1;
	return g_strndup(quote + 1, end - quote - 1);
}

/* The helper whose guard @line defines; NULL: none. */
static const struct helper *defined_by(const struct helpers *h, const char *line)
{
	const char *name = line + strlen("#define ");
	gsize n = strcspn(name, " (\t");

	for (guint i = 0; i < h->list->len; i++) {
		const struct helper *helper = h->list->pdata[i];

		if (strlen(helper->guard) == n &&
		    !strncmp(helper->guard, name, n))
			return helper;
	}
	return NULL;
}

void override_late(const char *text, const char *srcdir, const char *generic,
		   const struct helpers *h, override_late_fn fn, void *data)
{
	g_autofree char *file = g_strdup("");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	unsigned int at = 0;
	bool done = false, back;

	for (char **l = lines; *l; l++, at++) {
		char *next = read_marker(*l, srcdir, &at, &back);
		const struct helper *helper;

		if (next) {
			done |= back && !strcmp(file, generic) &&
				strcmp(next, generic);
			g_free(file);
			file = next;
			at--;	/* the marker is about the line after it */
			continue;
		}
		if (!done || !g_str_has_prefix(*l, "#define ") ||
		    !strcmp(file, generic))
			continue;
		helper = defined_by(h, *l);
		if (helper)
			fn(helper, file, at, data);
	}
}

char *override_probe(const struct helpers *h, const char *include,
		     const char *path)
{
	GString *s = g_string_new("#include <linux/mm.h>\n");

	g_string_append(s, include);
	for (guint i = 0; i < h->list->len; i++) {
		const struct helper *helper = h->list->pdata[i];
		g_auto(GStrv) dots = g_strsplit(helper->params, ". . .", -1);
		g_autofree char *params = g_strjoinv("...", dots);

		for (guint k = 0; k < helper->conditions->len; k++)
			g_string_append_printf(s, "#if %s\n",
				(char *)helper->conditions->pdata[k]);
		g_string_append_printf(s, "#ifdef %s\n# %u \"%s\"\n"
			"extern %s respin_%u(%s); _Static_assert("
			"__builtin_types_compatible_p(typeof(%s), "
			"typeof(respin_%u)), \"helper %s\");\n#endif\n",
			helper->guard, helper->line, path, helper->type, i,
			params, helper->name, i, helper->name);
		for (guint k = 0; k < helper->conditions->len; k++)
			g_string_append(s, "#endif\n");
	}
	return g_string_free(s, FALSE);
}
