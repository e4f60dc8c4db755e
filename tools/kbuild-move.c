// SPDX-License-Identifier: GPL-2.0
/*
 * From one base to another without a start from nothing.  Programs of the host
 * are kept, make knows what became old of them; all else in O= is made again,
 * so that nothing stays of what the new base does not make.  Of the database
 * those directories are asked for whose rules changed.
 */
#include <fcntl.h>
#include <fts.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "error.h"
#include "kbuild-todo.h"
#include "kconf.h"
#include "strsort.h"

static int remove_in(const char *dir, const char *const *keep, GError **error)
{
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);

		if (!g_strv_contains(keep, name) && remove_tree(path, error))
			return -1;
	}
	return 0;
}

/* In arch/ only arch/X/tools has programs of the host. */
static int remove_in_arches(const struct kbuild_dir *d, GError **error)
{
	static const char *const tools[] = { "tools", NULL };
	g_autofree char *arch = g_build_filename(d->odir, "arch", NULL);
	g_autoptr(GDir) dir = g_dir_open(arch, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(arch, name, NULL);

		if (remove_in(path, tools, error))
			return -1;
		rmdir(path);	/* fails where there are such */
	}
	return 0;
}

/* scripts/mod/ has objects of the kernel (empty.o): "a/.x.o.cmd" -> "a/x.o" */
static void remove_object(const char *cmd, const char *text, gsize len, void *data)
{
	g_autofree char *dir = g_path_get_dirname(cmd);
	g_autofree char *base = g_path_get_basename(cmd), *target = NULL;

	if (!compdb_is_kernel_command(text, len))
		return;
	base[strlen(base) - strlen(".cmd")] = '\0';
	target = g_build_filename(dir, base + 1, NULL);
	g_unlink(target);
	g_unlink(cmd);
}

/*
 * include/config/ has a file for each symbol, whose time says when its value
 * changed: without them all that was kept would be built again.  kconfig looks
 * at .config's time to see whether autoconf.h is to be made.
 */
static int clean(const struct kbuild_dir *d, GError **error)
{
	static const char *const keep[] = { ".config", ".config.old", "arch",
					    "include", "scripts", "tools", NULL };
	static const char *const config[] = { "config", NULL };
	g_autofree char *include = g_build_filename(d->odir, "include", NULL);
	g_autofree char *path = g_build_filename(d->odir, ".config", NULL);

	if (remove_in(d->odir, keep, error) ||
	    remove_in(include, config, error) || remove_in_arches(d, error))
		return -1;
	utimensat(AT_FDCWD, path, NULL, 0);
	kbuild_each_cmd(d, remove_object, NULL);
	return 0;
}

/*
 * kconfig makes one for each symbol that is or was on, and removes none.  Those
 * that a start from nothing has of what is off in the end are left.
 */
static void remove_config_files(const struct kbuild_todo *t)
{
	g_autofree char *config = g_build_filename(t->d->odir, "include",
						   "config", NULL);
	g_autofree char *path = g_build_filename(config, "auto.conf", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GHashTable) on = NULL;
	GHashTableIter it;
	gpointer name;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	on = kconf_read(text);
	g_hash_table_iter_init(&it, t->symbols);
	while (g_hash_table_iter_next(&it, &name, NULL)) {
		g_autofree char *file = g_build_filename(config, name, NULL);

		if (!g_hash_table_contains(on, name))
			g_unlink(file);
	}
}

/* Known before anything is asked for: then a start from nothing is as good. */
static bool is_wide(const struct kbuild_todo *t, GError **error)
{
	if (t->whole)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL, "%s", t->why);
	return t->whole;
}

static int configure(struct kbuild_todo *t, GError **error)
{
	g_autofree char *path = g_build_filename(t->d->odir, ".config", NULL);
	g_autofree char *old = g_strconcat(path, ".old", NULL);
	g_autofree char *before = NULL, *after = NULL;

	if (kbuild_read_config(t->d, &before, error))
		return -1;
	g_unlink(path);
	g_unlink(old);
	if (kbuild_configure(t->d, error) ||
	    kbuild_read_config(t->d, &after, error))
		return -1;
	kbuild_todo_config(t, before, after);
	return is_wide(t, error) ? -1 : 0;
}

static void add_contents(GChecksum *sum, GPtrArray *paths)
{
	for (guint i = 0; i < paths->len; i++) {
		const char *path = paths->pdata[i];
		g_autofree char *text = NULL;
		gsize len = 0;

		g_file_get_contents(path, &text, &len, NULL);
		g_checksum_update(sum, (const guchar *)path, strlen(path) + 1);
		g_checksum_update(sum, (const guchar *)text, len);
	}
}

/* A hash over all that `prepare` generates for the compiler and for make. */
static char *generated(const struct kbuild_dir *d)
{
	g_autofree char *include = g_build_filename(d->odir, "include", NULL);
	g_autofree char *arch = g_build_filename(d->odir, "arch",
						 d->v->arch->srcarch, "include",
						 NULL);
	char *paths[] = { include, arch, NULL };
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA1);
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;

	while (fts && (e = fts_read(fts)))
		if (e->fts_info == FTS_F)
			g_ptr_array_add(files, g_strdup(e->fts_path));
	if (fts)
		fts_close(fts);
	g_ptr_array_sort(files, by_string);
	add_contents(sum, files);
	return g_strdup(g_checksum_get_string(sum));
}

static bool has_to_ask(const struct kbuild_todo *t)
{
	return t->whole || t->boot || t->version || t->generated ||
	       g_hash_table_size(t->dirs);
}

static void say_how(const struct kbuild_todo *t)
{
	g_autofree char *dirs = NULL;
	guint n = g_hash_table_size(t->dirs);

	if (t->whole)
		kbuild_say_how(t->d, "moved from the base before; kbuild was "
			       "asked for all: %s", t->why);
	else if (n)
		kbuild_say_how(t->d, "moved from the base before; kbuild was "
			       "asked for %u director%s", n, n > 1 ? "ies" : "y");
	else
		kbuild_say_how(t->d, "moved from the base before");
}

/* Asks, where there is something to ask for, and sees to the directories. */
static int ask(struct kbuild_todo *t, GError **error)
{
	if (!has_to_ask(t))
		return 0;
	return kbuild_ask(t, error);
}

/* All but the programs of the host is made again. */
static int rebuild(struct kbuild_todo *t, GError **error)
{
	const struct kbuild_dir *d = t->d;
	g_autofree char *was = generated(d), *is = NULL;

	t->made = kbuild_dirs_load(d);
	if (!t->made) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "its directories are not known");
		return -1;
	}
	/* what was made on demand goes as well */
	unlink(d->made);
	if (clean(d, error) || (t->configure && configure(t, error)) ||
	    kbuild_make_prepare(d, error))
		return -1;
	remove_config_files(t);
	t->prepared = kbuild_dirs(d);
	is = generated(d);
	t->generated = strcmp(was, is);
	if (ask(t, error) ||
	    (!t->whole && kbuild_dirs_restore(t, error)))
		return -1;
	return kbuild_dirs_save(d, t->prepared, error);
}

/*
 * No rule changed, and no file came or went: make knows what it has to make
 * again.  Flags may come from what is generated, such as the offset of the
 * stack protector's canary from asm-offsets.h.
 */
static int refresh(struct kbuild_todo *t, GError **error)
{
	const struct kbuild_dir *d = t->d;
	g_autofree char *was = generated(d), *is = NULL;

	if (d->v->parent ? kbuild_prepare_sources(d, error) :
	    kbuild_make_prepare(d, error))
		return -1;
	is = generated(d);
	t->generated = strcmp(was, is);
	if (!t->generated || !d->v->parent)
		return ask(t, error);
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
		    "what is generated changed");
	return -1;
}

int kbuild_move(const struct kbuild_dir *d, const GPtrArray *changes,
		GError **error)
{
	bool made = g_file_test(d->made, G_FILE_TEST_EXISTS);
	struct kbuild_todo t;
	int rc = -1;

	kbuild_todo_init(&t, d, changes);
	/* a killed run is not to be believed */
	unlink(d->stamp);
	if (is_wide(&t, error))
		rc = -1;
	else if (!made && kbuild_todo_is_nothing(&t))
		rc = refresh(&t, error);
	else if (d->v->parent)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "that of '%s' is another", d->v->parent);
	else
		rc = rebuild(&t, error);
	if (!rc)
		say_how(&t);
	kbuild_todo_clear(&t);
	return rc;
}
