// SPDX-License-Identifier: GPL-2.0
/* What the headers of an architecture have of some names. */
#include <string.h>
#include "fpattern.h"
#include "override.h"

/* A header that is kept: what is found refers to it. */
struct kept {
	GPtrArray *functions;	/* of struct cfunc */
	GPtrArray *groups;	/* of struct condition */
};

static void kept_free(gpointer data)
{
	struct kept *k = data;

	g_ptr_array_unref(k->functions);
	g_ptr_array_unref(k->groups);
	g_free(k);
}

static void override_free(gpointer data)
{
	struct override *o = data;

	g_free(o->path);
	condset_free(o->at);
	g_free(o);
}

static bool has_word(const char *text, GHashTable *names)
{
	const char *s = text;
	char word[128];

	while (*s) {
		gsize n = 0;

		while (is_word_char(s[n]))
			n++;
		if (!n) {
			s++;
			continue;
		}
		if (n < sizeof(word)) {
			memcpy(word, s, n);
			word[n] = '\0';
			if (g_hash_table_contains(names, word))
				return true;
		}
		s += n;
	}
	return false;
}

static void add(struct override_arch *oa, const char *path, struct cfunc *f,
		const struct kept *k)
{
	GPtrArray *same = g_hash_table_lookup(oa->named, f->name);
	struct override *o = g_new0(struct override, 1);

	o->path = g_strdup(path);
	o->f = f;
	o->at = condset_at(k->groups, f->line);
	if (!same) {
		same = g_ptr_array_new_with_free_func(override_free);
		g_hash_table_insert(oa->named, g_strdup(f->name), same);
	}
	g_ptr_array_add(same, o);
}

static void read_header(struct override_arch *oa, const char *path,
			const char *text, gsize len, GHashTable *names)
{
	g_autoptr(ctext_t) t = ctext_new(text, len);
	struct kept *k = g_new0(struct kept, 1);

	k->functions = cfunc_scan(t);
	k->groups = condition_scan_ctext(t);
	g_ptr_array_add(oa->kept, k);
	g_ptr_array_add(oa->paths, g_strdup(path));
	for (guint i = 0; i < k->functions->len; i++) {
		struct cfunc *f = k->functions->pdata[i];

		if (g_hash_table_contains(names, f->name))
			add(oa, path, f, k);
	}
}

/* @generic: see override_read() */
static void read_below(struct override_arch *oa, const char *srcdir,
		       const char *dir, GHashTable *names, const char *generic)
{
	g_autofree char *full = g_build_filename(srcdir, dir, NULL);
	g_autoptr(GPtrArray) files = fpattern_files(full);

	for (guint i = 0; i < files->len; i++) {
		const char *file = files->pdata[i];
		g_autofree char *path = g_build_filename(full, file, NULL);
		g_autofree char *shown = g_build_filename(dir, file, NULL);
		g_autofree char *text = NULL;
		gsize len;

		if (!g_str_has_suffix(file, ".h") ||
		    !g_file_get_contents(path, &text, &len, NULL))
			continue;
		oa->includes |= strstr(text, generic) != NULL;
		if (has_word(text, names))
			read_header(oa, shown, text, len, names);
	}
}

static struct override_arch *arch_new(void)
{
	struct override_arch *oa = g_new0(struct override_arch, 1);

	oa->named = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  (GDestroyNotify)g_ptr_array_unref);
	oa->paths = g_ptr_array_new_with_free_func(g_free);
	oa->kept = g_ptr_array_new_with_free_func(kept_free);
	return oa;
}

struct override_arch *override_read_generic(const char *srcdir,
					    GHashTable *names,
					    const char *generic)
{
	struct override_arch *oa = arch_new();
	GHashTableIter it;
	gpointer list;

	read_below(oa, srcdir, "include/linux", names, generic);
	read_below(oa, srcdir, "include/asm-generic", names, generic);
	g_hash_table_iter_init(&it, oa->named);
	while (g_hash_table_iter_next(&it, NULL, &list)) {
		GPtrArray *same = list;

		for (guint i = same->len; i > 0; i--)
			if (!strcmp(((struct override *)same->pdata[i - 1])->path,
				    generic))
				g_ptr_array_remove_index(same, i - 1);
	}
	return oa;
}

struct override_arch *override_read(const char *srcdir, const char *arch,
				    GHashTable *names, const char *generic)
{
	struct override_arch *oa = arch_new();
	g_autofree char *dir = g_build_filename("arch", arch, "include", NULL);
	const char *name = strstr(generic, "asm-generic/");
	g_autofree char *own = name ? g_build_filename(srcdir, dir, "asm",
		name + strlen("asm-generic/"), NULL) : NULL;

	oa->includes = !own || !g_file_test(own, G_FILE_TEST_EXISTS);
	read_below(oa, srcdir, dir, names, name ?: generic);
	if (!strcmp(arch, "um"))
		read_below(oa, srcdir, "arch/x86/um", names, name ?: generic);
	return oa;
}

void override_arch_free(struct override_arch *oa)
{
	if (!oa)
		return;
	g_hash_table_unref(oa->named);
	g_ptr_array_unref(oa->paths);
	g_ptr_array_unref(oa->kept);
	g_free(oa);
}
