// SPDX-License-Identifier: GPL-2.0
/*
 * The dry run of some directories, and the database that it and the one of the
 * old base make together.
 */
#include <string.h>
#include <unistd.h>
#include "error.h"
#include "kbuild-todo.h"
#include "kconf.h"
#include "kdir.h"

/* Above this share of all objects one dry run of all is as good. */
#define SHARE_MAX	2	/* one half */

struct ask {
	struct kbuild_todo *t;
	const struct kbuild_dir *d;
	struct compdb *db;	/* of the old base */
	struct compdb *now;	/* what make printed, and what it had built */
	GHashTable *old;	/* objects that no dry run printed, then */
	GHashTable *printed;	/* those that this one did */
	const char *probe;	/* directory in which nothing may change; NULL */
};

static bool is_asked(const struct ask *a, const char *path)
{
	g_autofree char *up = g_strdup(path);
	char *slash;

	while ((slash = strrchr(up, '/'))) {
		*slash = '\0';
		if (g_hash_table_contains(a->t->dirs, up))
			return true;
	}
	return false;
}

static bool is_printed_below(const struct ask *a, const char *dir)
{
	GHashTableIter it;
	gpointer object;

	g_hash_table_iter_init(&it, a->printed);
	while (g_hash_table_iter_next(&it, &object, NULL))
		if (path_is_below(object, dir))
			return true;
	return false;
}

/* Did a dry run of the old base print something that is made of files there? */
static bool was_printed_below(const struct ask *a, const char *dir)
{
	for (guint i = 0; i < a->db->tus->len; i++) {
		const struct tu *tu = a->db->tus->pdata[i];

		if (!g_hash_table_contains(a->old, tu->object) &&
		    (path_is_below(tu->object, dir) ||
		     path_is_below(tu->source, dir)))
			return true;
	}
	return false;
}

/*
 * A directory that had objects and has none may be built from one above, by
 * a Makefile that includes its own or by a rule: then that one is to be asked.
 * Returns true when there are such.
 */
static bool go_up(struct ask *a, GError **error)
{
	g_autofree gpointer *dirs = g_hash_table_get_keys_as_array(a->t->dirs,
								   NULL);
	g_autofree char *path = g_build_filename(a->d->odir, ".config", NULL);
	g_autofree char *config = NULL;
	bool any = false;

	if (!g_file_get_contents(path, &config, NULL, error))
		return false;
	for (gpointer *dir = dirs; *dir; dir++) {
		g_autofree char *up = NULL;

		if (is_printed_below(a, *dir) || !was_printed_below(a, *dir) ||
		    kbuild_is_off(a->d, config, *dir))
			continue;
		up = kdir_of(a->d->srcdir, *dir);
		if (*up)
			g_hash_table_add(a->t->dirs, g_steal_pointer(&up));
		else
			kbuild_todo_all(a->t, "'%s' is built from the top",
					(char *)*dir);
		any = true;
	}
	kdir_reduce(a->t->dirs);
	return any;
}

static bool is_too_much(const struct ask *a)
{
	guint n = 0;

	for (guint i = 0; i < a->db->tus->len; i++) {
		const struct tu *tu = a->db->tus->pdata[i];

		n += is_asked(a, tu->object);
	}
	return n * SHARE_MAX > a->db->tus->len;
}

/* A directory of every kernel that is not asked for anyway, with objects. */
static const char *find_probe(const struct ask *a)
{
	static const char *const dirs[] = { "init", "ipc", "block", "security" };

	for (guint i = 0; i < G_N_ELEMENTS(dirs); i++)
		if (!g_hash_table_contains(a->t->dirs, dirs[i]) &&
		    was_printed_below(a, dirs[i]))
			return dirs[i];
	return NULL;
}

/* Flags for all of the kernel would change the commands here as well. */
static bool is_probe_same(const struct ask *a)
{
	const struct compdb *db = a->db;

	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i], *now;

		if (!path_is_below(tu->object, a->probe) ||
		    g_hash_table_contains(a->old, tu->object))
			continue;
		now = g_hash_table_contains(a->printed, tu->object) ?
			compdb_find_object(a->now, tu->object) : NULL;
		if (!now || !compdb_same(db, tu, a->now, now))
			return false;
	}
	return true;
}

static GPtrArray *goals_of(const struct ask *a)
{
	GPtrArray *goals = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter it;
	gpointer dir;

	g_ptr_array_add(goals, g_strconcat(a->probe, "/", NULL));
	g_hash_table_iter_init(&it, a->t->dirs);
	while (g_hash_table_iter_next(&it, &dir, NULL))
		g_ptr_array_add(goals, g_strconcat(dir, "/", NULL));
	return goals;
}

static void forget(struct ask *a)
{
	g_clear_pointer(&a->now, compdb_free);
	g_clear_pointer(&a->printed, g_hash_table_unref);
}

/* What is not below the directories stays as it was. */
static bool stays(const struct tu *tu, void *data)
{
	const struct ask *a = data;

	return !is_asked(a, tu->object) &&
	       !g_hash_table_contains(a->old, tu->object);
}

/*
 * What was built before the dry run counts where that does not print it, then
 * or now.
 */
static void drop_shadowed(struct ask *a)
{
	for (guint i = 0; i < a->now->tus->len;) {
		const struct tu *tu = a->now->tus->pdata[i];

		if (!g_hash_table_contains(a->printed, tu->object) &&
		    !is_asked(a, tu->object) &&
		    !g_hash_table_contains(a->old, tu->object) &&
		    compdb_find_object(a->db, tu->object))
			g_ptr_array_remove_index(a->now->tus, i);
		else
			i++;
	}
}

/* Each object is of a file that there is, or of one that make generates. */
static int check_sources(const struct ask *a, GError **error)
{
	for (guint i = 0; i < a->db->tus->len; i++) {
		const struct tu *tu = a->db->tus->pdata[i];
		g_autofree char *path = g_build_filename(a->d->srcdir,
							 tu->source, NULL);

		if (g_str_has_prefix(tu->source, "O/") || !access(path, R_OK))
			continue;
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "%s: '%s' is made of '%s', which is not there",
			    a->d->v->name, tu->object, tu->source);
		return -1;
	}
	return 0;
}

static GHashTable *printed_after(const struct ask *a)
{
	GHashTable *set = kbuild_printed(a->db);

	for (guint i = 0; i < a->now->tus->len; i++) {
		const struct tu *tu = a->now->tus->pdata[i];

		if (!g_hash_table_contains(a->printed, tu->object))
			g_hash_table_remove(set, tu->object);
	}
	return set;
}

static int merge(struct ask *a, const char *text, gsize len,
		 const struct proc_job *j, GError **error)
{
	g_autoptr(GHashTable) printed = NULL;
	g_autoptr(GPtrArray) missing = NULL;
	struct compdb_delta delta;

	drop_shadowed(a);
	compdb_finish(a->now);
	compdb_delta_init(&delta);
	compdb_update(a->db, a->now, "", 0, stays, a, &delta);
	compdb_delta_clear(&delta);
	missing = compdb_missing_in(a->db, a->printed, a->t->dirs, text, len);
	if (kbuild_complete(a->d, a->db, missing, j, error) ||
	    check_sources(a, error))
		return -1;
	printed = printed_after(a);
	return kbuild_database_save(a->d, a->db, printed, error);
}

/* What make says in @text; a->t->whole: it does not do. */
static int take_answer(struct ask *a, const char *text, gsize len,
		       const struct proc_job *j, bool *again, GError **error)
{
	GError *err = NULL;

	forget(a);
	a->now = compdb_new();
	compdb_parse(a->now, text, len, a->d->srcdir);
	a->printed = kbuild_printed(a->now);
	*again = go_up(a, &err);
	if (err) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL, "%s",
			    err->message);
		g_error_free(err);
		return -1;
	}
	if (*again || a->t->whole)
		return 0;
	kbuild_parse_built(a->d, a->now);
	kbuild_parse_boot(a->d, a->now);
	compdb_finish(a->now);
	if (is_probe_same(a))
		return merge(a, text, len, j, error);
	kbuild_todo_all(a->t, "commands changed in '%s', where no rule did",
			a->probe);
	return 0;
}

static int ask_once(struct ask *a, bool *again, GError **error)
{
	g_autofree char *path = g_build_filename(a->d->dir, "dry-run", NULL);
	g_autoptr(GPtrArray) goals = goals_of(a);
	g_autoptr(GMappedFile) map = NULL;
	struct proc_job *j;
	int rc = kbuild_dry_run(a->d, goals, path, &j, error);

	if (!rc) {
		map = g_mapped_file_new(path, FALSE, NULL);
		if (map && g_mapped_file_get_length(map))
			rc = take_answer(a, g_mapped_file_get_contents(map),
					 g_mapped_file_get_length(map), j,
					 again, error);
		else
			kbuild_todo_all(a->t, "the dry run printed nothing");
	}
	unlink(path);
	proc_job_free(j);
	return rc;
}

static int ask_dirs(struct ask *a, GError **error)
{
	bool again = true, first = true;

	for (; again && !a->t->whole; first = false) {
		again = false;
		a->probe = find_probe(a);
		if (!a->probe || is_too_much(a)) {
			kbuild_todo_all(a->t, "most of its directories are to "
					"be asked for");
			return 0;
		}
		if (first)
			kbuild_phase(a->d, "dry run");
		if (ask_once(a, &again, error))
			return -1;
	}
	return 0;
}

int kbuild_ask(struct kbuild_todo *t, GError **error)
{
	struct ask a = { .t = t, .d = t->d, .db = t->d->v->db };
	int rc;

	a.old = kbuild_unprinted(t->d);
	if (!a.old)
		kbuild_todo_all(t, "what the dry run did not print is not known");
	rc = ask_dirs(&a, error);
	forget(&a);
	g_clear_pointer(&a.old, g_hash_table_unref);
	if (!rc && t->whole)
		rc = kbuild_database(t->d, error);
	return rc;
}
