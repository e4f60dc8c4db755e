// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "diag.h"
#include "testprog.h"

const char *const testprogs[] = {
	"tools/testing/vma", "tools/testing/radix-tree",
	"tools/testing/memblock", NULL
};

/* Where a name without a directory is looked for: vpath, pattern rules. */
static const char *const lookup[] = {
	"", "../shared/", "../../lib/", "../../../lib/", "../../../mm/",
};

struct reading {
	const char *srcdir, *dir;
	GHashTable *set;	/* of char *, owned */
	GPtrArray *todo;	/* of char *, borrowed from set */
	GPtrArray *incdirs;	/* of char *: -I, relative to the tree */
};

static char *tree_path(const char *dir, const char *name)
{
	g_autofree char *joined = g_build_filename("/", dir, name, NULL);
	g_autofree char *clean = g_canonicalize_filename(joined, "/");

	return g_strdup(clean + 1);
}

static bool is_file(const char *srcdir, const char *path)
{
	g_autofree char *full = g_build_filename(srcdir, path, NULL);

	return g_file_test(full, G_FILE_TEST_IS_REGULAR);
}

/* Takes @path; was it a file? */
static bool take(struct reading *r, char *path)
{
	bool is = is_file(r->srcdir, path);

	/* adding a key again would free the one that todo has */
	if (!is || g_hash_table_contains(r->set, path)) {
		g_free(path);
		return is;
	}
	g_hash_table_add(r->set, path);
	g_ptr_array_add(r->todo, path);
	return true;
}

static void take_dir(struct reading *r, const char *dir)
{
	g_autofree char *full = g_build_filename(r->srcdir, dir, NULL);
	g_autoptr(GDir) d = g_dir_open(full, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);
		g_autofree char *below = g_build_filename(full, name, NULL);

		if (g_file_test(below, G_FILE_TEST_IS_DIR))
			take_dir(r, path);
		else
			take(r, g_steal_pointer(&path));
	}
}

static void take_word(struct reading *r, const char *word)
{
	g_autofree char *source = NULL;

	if (g_str_has_prefix(word, "-I")) {
		g_ptr_array_add(r->incdirs, tree_path(r->dir, word + 2));
		return;
	}
	if (g_str_has_suffix(word, ".o"))
		source = g_strdup_printf("%.*s.c", (int)strlen(word) - 2, word);
	for (gsize i = 0; i < G_N_ELEMENTS(lookup); i++) {
		g_autofree char *at = g_strconcat(r->dir, "/", lookup[i], NULL);

		if (take(r, tree_path(at, source ?: word)))
			return;
	}
}

static bool is_makefile(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);

	return g_str_has_prefix(base, "Makefile") || g_str_has_suffix(base, ".mk");
}

static void read_makefile(struct reading *r, const char *text)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n\\:;()", -1);

	for (char **w = words; *w; w++)
		if (**w)
			take_word(r, *w);
}

/* Every file that <x> or "x" in @path may mean. */
static void take_include(struct reading *r, const char *path, const char *name)
{
	g_autofree char *own = g_path_get_dirname(path);

	take(r, tree_path(own, name));
	for (guint i = 0; i < r->incdirs->len; i++)
		take(r, tree_path(r->incdirs->pdata[i], name));
}

static void read_source(struct reading *r, const char *path, const char *text)
{
	static GRegex *form;
	g_autoptr(GMatchInfo) m = NULL;

	if (!form)
		form = g_regex_new("^[ \\t]*#[ \\t]*include[ \\t]*[<\"]([^>\"\\n]+)",
				   G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	g_regex_match(form, text, 0, &m);
	while (g_match_info_matches(m)) {
		g_autofree char *name = g_match_info_fetch(m, 1);

		take_include(r, path, name);
		g_match_info_next(m, NULL);
	}
}

/* Makefiles first: they say where includes are looked for. */
static void read_all(struct reading *r, bool makefiles)
{
	for (guint i = 0; i < r->todo->len; i++) {
		const char *path = r->todo->pdata[i];
		g_autofree char *full = g_build_filename(r->srcdir, path, NULL);
		g_autofree char *text = NULL;

		if (is_makefile(path) != makefiles ||
		    !g_file_get_contents(full, &text, NULL, NULL))
			continue;
		if (makefiles)
			read_makefile(r, text);
		else
			read_source(r, path, text);
	}
}

GHashTable *testprog_reads(const char *srcdir, const char *dir)
{
	struct reading r = { .srcdir = srcdir, .dir = dir };

	r.set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	r.todo = g_ptr_array_new();
	r.incdirs = g_ptr_array_new_with_free_func(g_free);
	take_dir(&r, dir);
	read_all(&r, true);
	read_all(&r, false);
	g_ptr_array_unref(r.todo);
	g_ptr_array_unref(r.incdirs);
	return r.set;
}

char *testprog_path(const char *srcdir, const char *dir, const char *name)
{
	g_autofree char *base = NULL, *path = NULL;

	/* ld has the whole name of where the compiler stood */
	if (*name == '/') {
		const char *own = g_strrstr(name, dir);

		if (!own || own[strlen(dir)] != '/')
			return g_strdup(name);
		name = own + strlen(dir) + 1;
	}
	path = tree_path(dir, name);
	if (is_file(srcdir, path))
		return g_steal_pointer(&path);
	base = g_path_get_basename(name);
	for (gsize i = 1; i < G_N_ELEMENTS(lookup); i++) {
		g_autofree char *at = g_strconcat(dir, "/", lookup[i], NULL);
		g_autofree char *other = tree_path(at, base);

		if (is_file(srcdir, other))
			return g_steal_pointer(&other);
	}
	return g_steal_pointer(&path);
}
