// SPDX-License-Identifier: GPL-2.0
#include "ctext.h"
#include "kconf.h"

#define PREFIX "CONFIG_"
#define DEPTH 4			/* composites in composites */

void kconf_change_free(struct kconf_change *c)
{
	g_free(c->name);
	g_free(c->was);
	g_free(c->is);
	g_free(c);
}

GHashTable *kconf_read(const char *text)
{
	GHashTable *values = g_hash_table_new_full(g_str_hash, g_str_equal,
						   g_free, g_free);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l; l++) {
		char *equal = strchr(*l, '=');

		if (!g_str_has_prefix(*l, PREFIX) || !equal ||
		    !strcmp(equal, "=n"))
			continue;
		g_hash_table_replace(values, g_strndup(*l + strlen(PREFIX),
				equal - *l - strlen(PREFIX)), g_strdup(equal + 1));
	}
	return values;
}

static void add_change(GPtrArray *list, const char *name, const char *was,
		       const char *is)
{
	struct kconf_change *c = g_new0(struct kconf_change, 1);

	c->name = g_strdup(name);
	c->was = g_strdup(was);
	c->is = g_strdup(is);
	g_ptr_array_add(list, c);
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	const struct kconf_change *x = *(struct kconf_change *const *)a;
	const struct kconf_change *y = *(struct kconf_change *const *)b;

	return strcmp(x->name, y->name);
}

GPtrArray *kconf_diff(const char *before, const char *after)
{
	GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)
							 kconf_change_free);
	g_autoptr(GHashTable) was = kconf_read(before), is = kconf_read(after);
	GHashTableIter it;
	gpointer name, value;

	g_hash_table_iter_init(&it, was);
	while (g_hash_table_iter_next(&it, &name, &value)) {
		const char *now = g_hash_table_lookup(is, name);

		if (g_strcmp0(value, now))
			add_change(list, name, value, now);
	}
	g_hash_table_iter_init(&it, is);
	while (g_hash_table_iter_next(&it, &name, &value))
		if (!g_hash_table_contains(was, name))
			add_change(list, name, NULL, value);
	g_ptr_array_sort(list, by_name);
	return list;
}

void kconf_used(GHashTable *set, const char *text, gsize len)
{
	const char *p = text, *end = text + len;

	while ((p = memmem(p, end - p, PREFIX, strlen(PREFIX)))) {
		bool word = p == text || !is_word_char(p[-1]);
		const char *name = p + strlen(PREFIX);

		for (p = name; p < end && is_word_char(*p);)
			p++;
		/* "CONFIG_##x" and "CONFIG_*" in a text are no symbols. */
		if (word && p > name && !(p < end && (*p == '#' || *p == '*')))
			g_hash_table_add(set, g_strndup(name, p - name));
	}
}

gsize kconf_strip(const char *line, gsize len)
{
	for (gsize i = 0; i < len; i++)
		if (line[i] == '#' && (!i || line[i - 1] != '\\'))
			return i;
	return len;
}

void kconf_defined(GHashTable *set, const char *text)
{
	static const char *const words[] = { "config", "menuconfig" };
	const char *p = text;

	while (*p) {
		const char *eol = strchrnul(p, '\n');

		p += strspn(p, " \t");
		for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
			gsize n = strlen(words[i]);
			const char *name = p + n;
			g_autofree char *symbol = NULL, *module = NULL;

			if (strncmp(p, words[i], n) || !strchr(" \t", *name))
				continue;
			name += strspn(name, " \t");
			symbol = g_strndup(name, strcspn(name, " \t\n#"));
			module = g_strconcat(symbol, "_MODULE", NULL);
			g_hash_table_remove(set, symbol);
			g_hash_table_remove(set, module);
		}
		p = *eol ? eol + 1 : eol;
	}
}

char **kconf_lines(const char *text)
{
	g_autoptr(GString) s = g_string_new("");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l; l++) {
		gsize len = kconf_strip(*l, strlen(*l));
		bool goes_on = len && len == strlen(*l) && (*l)[len - 1] == '\\';

		g_string_append_len(s, *l, goes_on ? len - 1 : len);
		g_string_append_c(s, goes_on ? ' ' : '\n');
	}
	return g_strsplit(s->str, "\n", -1);
}

/* Is @word one of the words right of the assignment in @line? */
static bool assigns(const char *line, const char *word)
{
	const char *equal = strchr(line, '=');
	gsize n = strlen(word);

	for (const char *p = equal; p && (p = strstr(p, word)); p += n)
		if (g_ascii_isspace(p[-1]) || p[-1] == '=' ||
		    (p[-1] == '/' && p[-2] == '.'))
			if (!p[n] || g_ascii_isspace(p[n]))
				return true;
	return false;
}

/* "obj", "foo-objs", "foo": what is left of the last '-' of the target. */
static char *target_of(const char *line, char **symbol)
{
	g_autofree char *left = g_strndup(line, strcspn(line, "+:=?"));
	char *open = strstr(left, "$(" PREFIX), *dash;

	g_strstrip(left);
	*symbol = NULL;
	if (open) {
		*symbol = g_strndup(open + 2, strcspn(open + 2, ")"));
		*open = '\0';
	}
	dash = strrchr(left, '-');
	if (dash)
		*dash = '\0';
	return g_strdup(left);
}

static char *decides(char **lines, const char *word, int depth)
{
	static const char *const lists[] = { "obj", "lib", "extra", "always",
		"subdir", "core", "drivers", "libs", "net", "virt" };
	char *found = NULL;

	for (char **l = lines; *l && depth && !(found && !*found); l++) {
		g_autofree char *symbol = NULL, *target = NULL, *whole = NULL;
		bool is_list = false;
		char *outer;

		if (!assigns(*l, word))
			continue;
		target = target_of(*l, &symbol);
		for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
			is_list |= !strcmp(target, lists[i]);
		whole = g_strconcat(target, ".o", NULL);
		outer = is_list || !strcmp(whole, word) ? g_strdup("") :
			decides(lines, whole, depth - 1);
		if (!outer)
			continue;
		g_free(found);
		found = symbol ? g_strconcat(symbol, *outer ? " && " : "",
					     outer, NULL) : g_strdup(outer);
		g_free(outer);
	}
	return found;
}

char *kconf_decides(const char *text, const char *word)
{
	g_auto(GStrv) lines = kconf_lines(text);

	return decides(lines, word, DEPTH);
}

unsigned int kconf_line(const char *text, const char *word)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	gsize n = strlen(word);

	for (guint i = 0; lines[i]; i++) {
		lines[i][kconf_strip(lines[i], strlen(lines[i]))] = '\0';
		for (const char *p = lines[i]; (p = strstr(p, word)); p += n)
			if ((p == lines[i] || strchr(" \t/=", p[-1])) &&
			    (!p[n] || strchr(" \t\\", p[n])))
				return i + 1;
	}
	return 0;
}
