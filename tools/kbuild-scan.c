// SPDX-License-Identifier: GPL-2.0
/*
 * Which Makefiles a change concerns that did not change themselves: those that
 * mention a symbol, include a changed file, or ask a changed program.
 */
#include <string.h>
#include "ctext.h"
#include "kbuild-todo.h"
#include "kconf.h"
#include "kdir.h"

static const char *const version_words[] = {
	"VERSION", "PATCHLEVEL", "SUBLEVEL", "EXTRAVERSION", "KERNELVERSION",
	"KERNELRELEASE",
};

/* One Makefile on the way through all. */
struct scan {
	struct kbuild_todo *t;
	const char *path;
	char *dir;
	bool touched;
};

static bool has_word(const char *line, const char *word)
{
	gsize n = strlen(word);

	for (const char *p = line; (p = strstr(p, word)); p += n)
		if ((p == line || !is_word_char(p[-1])) && !is_word_char(p[n]))
			return true;
	return false;
}

/* A name that is put together of "CONFIG_A_" and what make has to say. */
static bool has_computed(const char *line, GHashTable *symbols)
{
	for (const char *p = line; (p = strstr(p, "CONFIG_"));) {
		const char *name = p + strlen("CONFIG_"), *end = name;
		GHashTableIter it;
		gpointer symbol;

		while (is_word_char(*end))
			end++;
		p = end;
		if (*end != '$' && *end != '%')
			continue;
		g_hash_table_iter_init(&it, symbols);
		while (g_hash_table_iter_next(&it, &symbol, NULL))
			if (!strncmp(symbol, name, end - name))
				return true;
	}
	return false;
}

static bool has_symbol(const char *line, GHashTable *symbols)
{
	g_autoptr(GHashTable) used = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	GHashTableIter it;
	gpointer symbol;

	if (!g_hash_table_size(symbols) || !strstr(line, "CONFIG_"))
		return false;
	kconf_used(used, line, strlen(line));
	g_hash_table_iter_init(&it, used);
	while (g_hash_table_iter_next(&it, &symbol, NULL))
		if (g_hash_table_contains(symbols, symbol))
			return true;
	return has_computed(line, symbols);
}

/*
 * "obj-$(CONFIG_X) += foo/ bar/" concerns what is below these and nothing else
 * in the directory; false: the line says more than that.
 */
static bool take_subdirs(const struct scan *s, const char *line)
{
	g_autofree char *makefile = NULL;
	g_auto(GStrv) words = NULL;
	const char *equal = strchr(line, '=');

	if (!g_str_has_prefix(line, "obj-$(CONFIG_") || !equal ||
	    strchr(equal, '$') || strchr(line, '$') != strrchr(line, '$'))
		return false;
	words = g_strsplit_set(equal + 1, " \t", -1);
	for (char **w = words; *w; w++)
		if (**w && (!g_str_has_suffix(*w, "/") || strstr(*w, "..")))
			return false;
	for (char **w = words; *w; w++) {
		g_autofree char *dir = NULL, *own = NULL;

		if (!**w)
			continue;
		dir = g_build_filename(s->dir, *w, NULL);
		dir[strlen(dir) - 1] = '\0';	/* it is "foo/" */
		own = kdir_makefile(s->t->d->srcdir, dir);
		if (!own)
			return false;
		g_hash_table_add(s->t->dirs, g_steal_pointer(&dir));
	}
	return true;
}

/* Is @path what "$(src)/nvif/Kbuild" names, whatever the variable is? */
static bool is_included(const struct scan *s, const char *word, const char *path)
{
	const char *close = strrchr(word, ')');
	const char *tail = close ? close + 1 : word;
	gsize n;

	while (*tail == '/')
		tail++;
	n = strlen(tail);
	if (!n || !g_str_has_suffix(path, tail) ||
	    (strlen(path) > n && path[strlen(path) - n - 1] != '/'))
		return false;
	/* "Makefile" says nothing: what is built from above is seen then */
	return strchr(tail, '/') || (strcmp(tail, "Makefile") &&
				     strcmp(tail, "Kbuild") &&
				     path_is_below(path, s->dir));
}

static bool includes(const struct scan *s, const char *line)
{
	g_auto(GStrv) words = NULL;
	bool any = false;
	GHashTableIter it;
	gpointer path;

	line += strspn(line, " \t-s");
	if (!g_str_has_prefix(line, "include "))
		return false;
	words = g_strsplit_set(line + strlen("include "), " \t", -1);
	g_hash_table_iter_init(&it, s->t->fragments);
	while (g_hash_table_iter_next(&it, &path, NULL))
		for (char **w = words; *w; w++)
			if (strcmp(path, s->path) && is_included(s, *w, path)) {
				g_hash_table_add(s->t->included, g_strdup(path));
				any = true;
			}
	return any;
}

static bool asks_script(const struct scan *s, const char *line)
{
	GHashTableIter it;
	gpointer name;

	if (!strstr(line, "shell"))
		return false;
	g_hash_table_iter_init(&it, s->t->scripts);
	while (g_hash_table_iter_next(&it, &name, NULL))
		if (has_word(line, name))
			return true;
	return false;
}

/* The version may stand in the rules for all: see the probe in kbuild-ask.c. */
static bool has_version(const struct scan *s, const char *line)
{
	if (!s->t->version || kbuild_todo_is_global(s->t, s->path))
		return false;
	for (guint i = 0; i < G_N_ELEMENTS(version_words); i++)
		if (has_word(line, version_words[i]))
			return true;
	return false;
}

static void scan_line(struct scan *s, const char *line)
{
	/* in any case: it is noted what is included */
	bool touched = includes(s, line);

	if (!s->touched && has_symbol(line, s->t->symbols))
		touched |= !take_subdirs(s, line);
	s->touched |= touched || asks_script(s, line) || has_version(s, line);
}

/*
 * Programs of the host are kept, but which there are, and with what flags, may
 * hang on a symbol.
 */
static bool is_host(const struct kbuild_todo *t, const char *path)
{
	if (kbuild_todo_is_elsewhere(t, path) || kbuild_todo_is_global(t, path))
		return false;
	return g_str_has_prefix(path, "scripts/") ||
	       g_pattern_match_simple("arch/*/tools/*", path);
}

static void scan_makefile(struct kbuild_todo *t, const char *path)
{
	g_autofree char *full = g_build_filename(t->d->srcdir, path, NULL);
	g_autofree char *dir = g_path_get_dirname(path), *text = NULL;
	struct scan s = { .t = t, .path = path,
			  .dir = strcmp(dir, ".") ? dir : (char *)"" };
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(full, &text, NULL, NULL))
		return;
	lines = kconf_lines(text);
	for (char **l = lines; *l; l++)
		if (!is_host(t, path))
			scan_line(&s, *l);
		else if (has_symbol(*l, t->symbols))
			kbuild_todo_all(t, "'%s' names a symbol that changed",
					path);
	if (s.touched)
		kbuild_todo_touch(t, path);
}

/* What is no directory's own must be included by one, or concerns all. */
static void settle_fragments(struct kbuild_todo *t)
{
	static const char *const names[] = { "Makefile.*", "Kbuild.*", "*.mk",
					     "*.include", NULL };
	GHashTableIter it;
	gpointer path;

	g_hash_table_iter_init(&it, t->fragments);
	while (g_hash_table_iter_next(&it, &path, NULL)) {
		const char *slash = strrchr(path, '/');
		const char *base = slash ? slash + 1 : path;

		for (const char *const *p = names; *p; p++)
			if (g_pattern_match_simple(*p, base) &&
			    !g_hash_table_contains(t->included, path))
				kbuild_todo_all(t, "what includes '%s' is "
						"not known", (char *)path);
	}
}

static bool has_work(const struct kbuild_todo *t)
{
	return g_hash_table_size(t->fragments) || t->version ||
	       g_hash_table_size(t->scripts) || g_hash_table_size(t->symbols);
}

void kbuild_todo_scan(struct kbuild_todo *t)
{
	const GPtrArray *all = t->d->kb->makefiles;
	guint before;

	if (!all && has_work(t))
		kbuild_todo_all(t, "the Makefiles are not known");
	if (t->whole || !has_work(t)) {
		kdir_reduce(t->dirs);
		return;
	}
	/* once more for each Makefile that only an included one touches */
	do {
		before = g_hash_table_size(t->fragments);
		for (guint i = 0; i < all->len && !t->whole; i++)
			if (!kbuild_todo_is_elsewhere(t, all->pdata[i]))
				scan_makefile(t, all->pdata[i]);
	} while (!t->whole && g_hash_table_size(t->fragments) > before);
	settle_fragments(t);
	kdir_reduce(t->dirs);
}
