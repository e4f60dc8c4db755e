// SPDX-License-Identifier: GPL-2.0
/*
 * kbuild makes a directory in O= for each one that has objects, while it reads
 * the Makefiles (scripts/Makefile.build): a dry run does it too.  Commands
 * name them by -I and for what they write, so a base that is only asked for
 * some of its directories must have the others as well.
 */
#include <fts.h>
#include <string.h>
#include <unistd.h>
#include "error.h"
#include "kbuild-todo.h"
#include "kconf.h"
#include "kdir.h"
#include "strsort.h"

GHashTable *kbuild_dirs(const struct kbuild_dir *d)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	char *paths[] = { d->odir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT,
			    NULL);
	FTSENT *e;

	while (fts && (e = fts_read(fts)))
		if (e->fts_info == FTS_D && e->fts_level)
			g_hash_table_add(set, g_strdup(e->fts_path +
						       strlen(d->odir) + 1));
	if (fts)
		fts_close(fts);
	return set;
}

int kbuild_dirs_save(const struct kbuild_dir *d, GHashTable *before,
		     GError **error)
{
	g_autoptr(GHashTable) now = kbuild_dirs(d);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	g_autofree char *text = NULL;
	GError *err = NULL;
	GHashTableIter it;
	gpointer dir;

	g_hash_table_iter_init(&it, now);
	while (g_hash_table_iter_next(&it, &dir, NULL))
		if (!g_hash_table_contains(before, dir))
			g_ptr_array_add(list, dir);
	g_ptr_array_sort(list, by_string);
	g_ptr_array_add(list, (char *)"");	/* ends the last line */
	g_ptr_array_add(list, NULL);
	text = g_strjoinv("\n", (char **)list->pdata);
	if (g_file_set_contents(d->dirs, text, -1, &err))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "%s", err->message);
	g_error_free(err);
	return -1;
}

char **kbuild_dirs_load(const struct kbuild_dir *d)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents(d->dirs, &text, NULL, NULL))
		return NULL;
	return g_strsplit(text, "\n", -1);
}

static int make_dir(const struct kbuild_dir *d, const char *dir, GError **error)
{
	g_autofree char *path = g_build_filename(d->odir, dir, NULL);

	if (!g_mkdir_with_parents(path, 0777))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "cannot make '%s'",
		    path);
	return -1;
}

static bool is_on(const char *config, const char *symbol)
{
	g_autofree char *line = g_strconcat("\n", symbol, "=", NULL);

	return strstr(config, line);
}

bool kbuild_is_off(const struct kbuild_dir *d, const char *config,
		   const char *dir)
{
	g_autofree char *at = g_strdup(dir);

	while (*at) {
		g_autofree char *up = kdir_of(d->srcdir, at);
		g_autofree char *makefile = *up ?
			kdir_makefile(d->srcdir, up) : g_strdup("Kbuild");
		g_autofree char *full = g_build_filename(d->srcdir, makefile,
							 NULL);
		g_autofree char *text = NULL, *by = NULL, *word = NULL;

		word = g_strconcat(at + (*up ? strlen(up) + 1 : 0), "/", NULL);
		if (g_file_get_contents(full, &text, NULL, NULL))
			by = kconf_decides(text, word);
		if (by && *by && !strchr(by, ' ') && !is_on(config, by))
			return true;
		g_free(at);
		at = g_steal_pointer(&up);
	}
	return false;
}

static bool has_objects(const struct compdb *db, const char *dir)
{
	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		if (path_is_below(tu->object, dir))
			return true;
	}
	return false;
}

static void drop(const struct kbuild_todo *t, const char *dir)
{
	g_autofree char *top = g_build_filename(t->d->odir, dir, NULL);
	char *paths[] = { top, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT,
			    NULL);
	FTSENT *e;

	while (fts && (e = fts_read(fts)))
		if (e->fts_info == FTS_DP &&
		    !g_hash_table_contains(t->prepared, e->fts_path +
					   strlen(t->d->odir) + 1))
			rmdir(e->fts_path);	/* fails where it holds a file */
	if (fts)
		fts_close(fts);
}

static bool is_used(const struct kbuild_todo *t, const char *config,
		    const char *dir)
{
	if (g_hash_table_contains(t->prepared, dir))
		return true;
	return !kbuild_is_off(t->d, config, dir) &&
	       (g_strv_contains((const char *const *)t->made, dir) ||
		has_objects(t->d->v->db, dir));
}

/*
 * A directory is entered when it is asked for, with all on the way to it, also
 * one that else is not.
 */
static int drop_unused(const struct kbuild_todo *t, GError **error)
{
	g_autofree char *config = NULL;
	GHashTableIter it;
	gpointer dir;

	if (kbuild_read_config(t->d, &config, error))
		return -1;
	g_hash_table_iter_init(&it, t->dirs);
	while (g_hash_table_iter_next(&it, &dir, NULL)) {
		g_autofree char *at = g_strdup(dir);

		while (strcmp(at, ".") && !is_used(t, config, at)) {
			char *up = g_path_get_dirname(at);

			drop(t, at);
			g_free(at);
			at = up;
		}
	}
	return 0;
}

int kbuild_dirs_restore(const struct kbuild_todo *t, GError **error)
{
	const struct compdb *db = t->d->v->db;

	if (drop_unused(t, error))
		return -1;
	for (char **old = t->made; *old; old++)
		if (**old && !kdir_has_above(t->dirs, *old) &&
		    !g_hash_table_contains(t->dirs, *old) &&
		    make_dir(t->d, *old, error))
			return -1;
	/* what another directory's Makefile puts below an asked one */
	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];
		g_autofree char *dir = g_path_get_dirname(tu->object);

		if (make_dir(t->d, dir, error))
			return -1;
	}
	return 0;
}
