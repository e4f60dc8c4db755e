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
#include <sys/stat.h>
#include <unistd.h>
#include "error.h"
#include "kbuild-todo.h"

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
	}
	return 0;
}

/* "a/.x.o.cmd" -> "a/x.o" */
static void remove_target(const char *cmd)
{
	g_autofree char *dir = g_path_get_dirname(cmd);
	g_autofree char *base = g_path_get_basename(cmd), *target = NULL;

	base[strlen(base) - strlen(".cmd")] = '\0';
	target = g_build_filename(dir, base + 1, NULL);
	g_unlink(target);
	g_unlink(cmd);
}

/* scripts/mod/ has objects of the kernel (empty.o). */
static void remove_objects(const struct kbuild_dir *d)
{
	char *paths[] = { d->odir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT,
			    NULL);
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		g_autofree char *text = NULL;
		gsize len;

		if (!g_str_has_suffix(e->fts_name, ".o.cmd") &&
		    !g_str_has_suffix(e->fts_name, ".s.cmd"))
			continue;
		if (g_file_get_contents(e->fts_path, &text, &len, NULL) &&
		    compdb_is_kernel_command(text, len))
			remove_target(e->fts_path);
	}
	if (fts)
		fts_close(fts);
}

/*
 * include/config/ has a file for each symbol, whose time says when its value
 * changed: without them all that was kept would be built again.  kconfig looks
 * at .config's time to see whether autoconf.h is to be made.
 */
static int clean(const struct kbuild_dir *d, GError **error)
{
	static const char *const keep[] = { ".config", "arch", "include",
					    "scripts", "tools", NULL };
	static const char *const config[] = { "config", NULL };
	g_autofree char *include = g_build_filename(d->odir, "include", NULL);
	g_autofree char *path = g_build_filename(d->odir, ".config", NULL);

	if (remove_in(d->odir, keep, error) ||
	    remove_in(include, config, error) || remove_in_arches(d, error))
		return -1;
	utimensat(AT_FDCWD, path, NULL, 0);
	remove_objects(d);
	return 0;
}

static char *read_config(const struct kbuild_dir *d)
{
	g_autofree char *path = g_build_filename(d->odir, ".config", NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? text : NULL;
}

static int configure(struct kbuild_todo *t, GError **error)
{
	g_autofree char *path = g_build_filename(t->d->odir, ".config", NULL);
	g_autofree char *before = read_config(t->d), *after = NULL;

	g_unlink(path);
	if (kbuild_configure(t->d, error))
		return -1;
	after = read_config(t->d);
	if (before && after) {
		kbuild_todo_config(t, before, after);
		return 0;
	}
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
		    "%s: .config cannot be read", t->d->v->name);
	return -1;
}

/*
 * Some architectures take an option from a generated file: the offset of the
 * stack protector's canary, from asm-offsets.h.
 */
static bool has_generated_flags(const struct kbuild_dir *d)
{
	g_autofree char *path = g_build_filename(d->srcdir, "arch",
						 d->v->arch->srcarch,
						 "Makefile", NULL);
	g_autofree char *text = NULL;

	return !g_file_get_contents(path, &text, NULL, NULL) ||
	       strstr(text, "include/generated/");
}

static int rebuild(struct kbuild_todo *t, GError **error)
{
	/* what was made on demand goes as well */
	unlink(t->d->made);
	if (clean(t->d, error) || (t->configure && configure(t, error)) ||
	    kbuild_make_prepare(t->d, error))
		return -1;
	if (!t->whole && !t->rebuild && !g_hash_table_size(t->dirs) &&
	    !t->version && !has_generated_flags(t->d))
		return 0;
	return kbuild_ask(t, error);
}

int kbuild_move(const struct kbuild_dir *d, const GPtrArray *changes,
		GError **error)
{
	bool made = g_file_test(d->made, G_FILE_TEST_EXISTS);
	struct kbuild_todo t;
	int rc;

	kbuild_todo_init(&t, d, changes);
	unlink(d->stamp);
	if (made || has_generated_flags(d) || !kbuild_todo_is_nothing(&t))
		rc = rebuild(&t, error);
	else
		rc = kbuild_make_prepare(d, error);
	kbuild_todo_clear(&t);
	return rc;
}
