// SPDX-License-Identifier: GPL-2.0
/* What a patch to Kconfig files does to .config, and what is only a name. */
#include <string.h>
#include "ctext.h"
#include "follow-int.h"
#include "impact.h"
#include "kconf.h"

/* Who of the patch selects what has unmet dependencies: "select X" in @fd. */
static bool selects(const struct file_diff *fd, const char *texts)
{
	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = fd->hunks->pdata[h];

		for (guint i = 0; i < hunk->lines->len; i++) {
			struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);
			g_autofree char *line = g_strndup(l->text, l->len);
			char *p = strstr(line, "select ");
			g_autofree char *of = NULL, *symbol = NULL;

			if (l->op != '+' || !p)
				continue;
			p += strlen("select ");
			symbol = g_strndup(p, strcspn(p, " \t\n"));
			of = g_strdup_printf("dependencies of %s:", symbol);
			if (strstr(texts, of))
				return true;
		}
	}
	return false;
}

/* The Kconfig file of the patch that a warning belongs to; NULL: none. */
static const char *blame_of(const struct follow_work *w, const GPtrArray *texts)
{
	const struct diff *d = run_change(w->run, w->n - 1, w->n);
	const char *first = NULL;

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];
		const char *path = file_diff_path(fd);

		if (change_kind_of(path) != CHANGE_KCONFIG)
			continue;
		for (guint k = 0; k < texts->len; k++)
			if (selects(fd, texts->pdata[k]))
				return path;
		if (!first)
			first = path;
	}
	return first;
}

/* Defconfigs that this variant is made with are dealt with. */
static void note_defconfigs(struct follow_work *w)
{
	const struct diff *d = run_change(w->run, w->n - 1, w->n);

	for (guint i = 0; i < d->files->len; i++) {
		const char *path = file_diff_path(d->files->pdata[i]);

		if (change_kind_of(path) == CHANGE_KCONFIG &&
		    !follow_is_kconfig(path) &&
		    !follow_is_elsewhere(w->run, path) &&
		    kbuild_step_configures(w->step, path))
			g_hash_table_add(w->moved, g_strdup(path));
	}
}

int follow_config(struct follow_work *w, bool *whole, GError **error)
{
	g_autofree char *before = NULL, *after = NULL;
	g_autoptr(GPtrArray) changes = NULL;
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

	w->ask = ASK_CONFIG;
	if (kbuild_step_config(w->step, &before, &after, texts, error))
		return -1;
	w->blame = blame_of(w, texts);
	if (follow_complain(w, "", texts, error))
		return -1;
	if (!after) {
		run_gap(w->run, w->n, w->v, "Kconfig", "it cannot be read at this "
			"patch: what is built from here on is not found out");
		w->broken = true;
		return 0;
	}
	note_defconfigs(w);
	changes = kconf_diff(before, after);
	for (guint i = 0; i < changes->len; i++) {
		const struct kconf_change *c = changes->pdata[i];

		g_hash_table_add(w->out->symbols, g_strconcat("CONFIG_", c->name,
							      NULL));
	}
	*whole = changes->len > 0;
	return *whole ? kbuild_step_prepare(w->step, error) : 0;
}

/* Symbols in the lines of @fd with @op; @c: the post-image, NULL: a Makefile. */
static void used_in(GHashTable *set, const struct file_diff *fd, char op,
		    const struct ctext *c)
{
	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = fd->hunks->pdata[h];
		guint at = hunk->new_start;

		for (guint i = 0; i < hunk->lines->len; i++) {
			struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);
			const char *text = l->text;
			gsize len = l->len;

			if (l->op == op && c && op == '+' && at <= c->count)
				text = ctext_line(c, at, &len);
			else if (!c)
				len = kconf_strip(text, len);
			if (l->op == op)
				kconf_used(set, text, len);
			at += l->op != '-';
		}
	}
}

static GHashTable *new_set(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

/* What @fd uses for the first time: symbol -> path. */
static void add_used(GHashTable *all, struct run *run, unsigned int n,
		     const struct file_diff *fd)
{
	enum change_kind kind = change_kind_of(fd->new_path);
	g_autoptr(GHashTable) set = new_set();
	g_autoptr(GBytes) blob = NULL;
	g_autoptr(ctext_t) c = NULL;
	const char *text;
	GHashTableIter it;
	gpointer name;
	gsize len;

	if (kind != CHANGE_SOURCE && kind != CHANGE_HEADER &&
	    kind != CHANGE_MAKEFILE)
		return;
	blob = repo_blob(run->repo, run_step(run, n)->tree, fd->new_path);
	if (!blob)
		return;
	text = g_bytes_get_data(blob, &len);
	if (kind != CHANGE_MAKEFILE)
		c = ctext_new(text, len);
	used_in(set, fd, '+', c);
	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &name, NULL)) {
		g_autofree char *macro = g_strconcat("define CONFIG_", name, NULL);

		/* some files make up symbols of their own */
		if (!g_strstr_len(text, len, macro) &&
		    !g_hash_table_contains(all, name))
			g_hash_table_insert(all, g_strdup(name),
					    g_strdup(fd->new_path));
	}
}

/* A line that moves or is changed was there with the symbol before. */
static void drop_old(GHashTable *all, const struct diff *d)
{
	g_autoptr(GHashTable) old = new_set();
	GHashTableIter it;
	gpointer name;

	for (guint i = 0; i < d->files->len; i++)
		used_in(old, d->files->pdata[i], '-', NULL);
	g_hash_table_iter_init(&it, old);
	while (g_hash_table_iter_next(&it, &name, NULL))
		g_hash_table_remove(all, name);
}

struct reading {
	const struct run *run;
	GHashTable *all;
};

static int read_kconfig(const char *path, const char *blob, unsigned int mode,
			void *data)
{
	struct reading *r = data;
	const char *slash = strrchr(path, '/');
	g_autofree char *full = NULL, *text = NULL;

	if (!g_hash_table_size(r->all) ||
	    !g_str_has_prefix(slash ? slash + 1 : path, "Kconfig"))
		return 0;
	full = g_build_filename(r->run->cur, path, NULL);
	if (g_file_get_contents(full, &text, NULL, NULL))
		kconf_defined(r->all, text);
	return 0;
}

int follow_say_symbols(struct run *run, unsigned int n, GError **error)
{
	const struct diff *d = run_change(run, n - 1, n);
	g_autoptr(GHashTable) all = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, g_free);
	struct reading r = { run, all };
	GHashTableIter it;
	gpointer name, path;

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (fd->new_path && !fd->is_binary)
			add_used(all, run, n, fd);
	}
	drop_old(all, d);
	if (g_hash_table_size(all) &&
	    repo_walk(run->repo, run_step(run, n)->tree, read_kconfig, &r, error))
		return -1;
	g_hash_table_iter_init(&it, all);
	while (g_hash_table_iter_next(&it, &name, &path)) {
		g_autofree char *why = g_strdup_printf("it uses CONFIG_%s, which "
			"no Kconfig defines", (char *)name);

		run_gap(run, n, NULL, path, why);
	}
	return 0;
}

bool follow_is_real(const struct file_diff *fd)
{
	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = fd->hunks->pdata[h];

		for (guint i = 0; i < hunk->lines->len; i++) {
			struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);
			gsize len = kconf_strip(l->text, l->len);

			while (len && g_ascii_isspace(l->text[len - 1]))
				len--;
			if (len && l->op != ' ')
				return true;
		}
	}
	return false;
}

void follow_say_makefile(struct run *run, unsigned int n,
			 const struct file_diff *fd)
{
	g_autoptr(GHashTable) set = new_set();
	g_autoptr(GString) why = g_string_new("what it changes is built by no "
					      "variant of this run");
	GHashTableIter it;
	gpointer name;
	const char *sep = ": it hangs on CONFIG_";

	used_in(set, fd, '+', NULL);
	used_in(set, fd, '-', NULL);
	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &name, NULL)) {
		g_string_append_printf(why, "%s%s", sep, (char *)name);
		sep = ", CONFIG_";
	}
	run_gap(run, n, NULL, file_diff_path(fd), why->str);
}

/* The text of the Makefile of @dir; NULL: it has none. */
static char *makefile_text(const struct run *run, const char *dir)
{
	g_autofree char *makefile = kdir_makefile(run->cur, dir);
	g_autofree char *full = NULL;
	char *text = NULL;

	if (!makefile)
		return NULL;
	full = g_build_filename(run->cur, makefile, NULL);
	return g_file_get_contents(full, &text, NULL, NULL) ? text : NULL;
}

static void go_up(char **dir)
{
	char *up = g_path_get_dirname(*dir);

	g_free(*dir);
	*dir = up;
}

/* "mm/x.c" -> "x.o" */
static char *object_word(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	const char *dot = strrchr(base, '.');

	return g_strdup_printf("%.*s.o", (int)(dot ? dot - base :
					       (gssize)strlen(base)), base);
}

/* Does a Makefile on the way up name the object, in whatever way? */
static bool is_named(const struct run *run, const char *path)
{
	g_autofree char *dir = g_path_get_dirname(path);
	g_autofree char *word = object_word(path);

	for (; strcmp(dir, "."); go_up(&dir)) {
		g_autofree char *text = makefile_text(run, dir);

		if (text && kconf_line(text, word))
			return true;
	}
	return false;
}

/* From its directory up. */
char *follow_decided_by(const struct run *run, const char *path)
{
	g_autofree char *dir = g_path_get_dirname(path);
	g_autofree char *word = object_word(path);

	for (; strcmp(dir, "."); go_up(&dir)) {
		g_autofree char *text = makefile_text(run, dir);
		g_autofree char *by = text ? kconf_decides(text, word) : NULL;
		g_autofree char *base = g_path_get_basename(dir);

		if (!by || *by)
			return g_steal_pointer(&by);
		g_free(word);
		word = g_strconcat(base, "/", NULL);
	}
	return NULL;
}

bool follow_hangs_on(const struct run *run, const char *path,
		     const char *symbol)
{
	g_autofree char *by = follow_decided_by(run, path);
	g_autofree char *name = g_strconcat("CONFIG_", symbol, NULL);

	return by && word_in(by, strlen(by), name);
}

void follow_say_source(struct run *run, unsigned int n, const char *path)
{
	g_autofree char *by = follow_decided_by(run, path), *why = NULL;

	if (by)
		why = g_strdup_printf("it is only built with %s%s", by,
				      strstr(by, "&&") ? "" : "=y");
	else if (is_named(run, path))
		why = g_strdup("a Makefile names it, but no variant of this run "
			       "builds it");
	else
		why = g_strdup("no Makefile builds it");
	run_gap(run, n, NULL, path, why);
}
