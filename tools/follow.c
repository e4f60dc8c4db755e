// SPDX-License-Identifier: GPL-2.0
/*
 * Which directories kbuild is asked for, and what becomes of its answer.  A
 * dry run of one directory takes seconds; it enters from the top, so that
 * what no Makefile on the way builds is not there.
 */
#include "error.h"
#include "follow-int.h"
#include "impact.h"

/* What of a patch concerns the build. */
struct touch {
	GHashTable *dirs;	/* of char *: to be asked for; owned */
	bool kconfig;
};

bool path_is_below(const char *path, const char *dir)
{
	gsize n = strlen(dir);

	return !n || (!strncmp(path, dir, n) && path[n] == '/');
}

void followed_free(struct followed *f)
{
	if (!f)
		return;
	g_array_unref(f->items);
	g_ptr_array_unref(f->jobs);
	g_hash_table_unref(f->paths);
	g_hash_table_unref(f->symbols);
	g_free(f);
}

static struct followed *followed_new(void)
{
	struct followed *f = g_new0(struct followed, 1);

	f->items = g_array_new(FALSE, FALSE, sizeof(struct follow_item));
	f->jobs = g_ptr_array_new();
	f->paths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	f->symbols = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   NULL);
	return f;
}

/* arch/X/ of an architecture that none of @variants is of */
static bool is_outside(const GPtrArray *variants, const char *path)
{
	if (!g_str_has_prefix(path, "arch/") || !strchr(path + 5, '/'))
		return false;
	for (guint i = 0; i < variants->len; i++) {
		const struct variant *v = variants->pdata[i];
		g_autofree char *dir = g_strconcat("arch/", v->arch->srcarch,
						   NULL);

		if (path_is_below(path, dir))
			return false;
	}
	return true;
}

/* ... that this stage does not look at */
static bool is_elsewhere(const struct run *run, const char *path)
{
	return is_outside(run->variants, path);
}

/* ... and no stage before it did */
static bool is_nowhere(const struct run *run, const char *path)
{
	return is_elsewhere(run, path) && is_outside(run->judged, path);
}

/* The boot code is built by rules of its own, from the finished kernel. */
static bool is_boot(const char *path)
{
	return g_pattern_match_simple("arch/*/boot/*", path);
}

/*
 * A Makefile of one directory.  The top one and the architectures' set flags
 * and lists for all of the kernel, a fragment may be included from anywhere.
 */
static bool is_dir_makefile(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);

	if (strcmp(base, "Makefile") && strcmp(base, "Kbuild"))
		return false;
	if (!parts[1] || is_boot(path))
		return false;
	return strcmp(parts[0], "arch") || parts[3] || !strcmp(base, "Kbuild");
}

static bool is_kconfig_file(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);

	return g_str_has_prefix(base, "Kconfig");
}

/* The nearest directory that kbuild can be asked for; "" above all. */
static char *kbuild_dir_of(const struct run *run, const char *path)
{
	char *dir = g_path_get_dirname(path);

	while (strcmp(dir, ".")) {
		g_autofree char *makefile = follow_makefile(run->cur, dir);
		char *up;

		if (makefile)
			return dir;
		up = g_path_get_dirname(dir);
		g_free(dir);
		dir = up;
	}
	*dir = '\0';
	return dir;
}

static void add_dir(const struct run *run, struct touch *t, const char *path)
{
	char *dir = kbuild_dir_of(run, path);

	if (*dir)
		g_hash_table_add(t->dirs, dir);
	else
		g_free(dir);
}

static void touch_file(struct run *run, struct touch *t,
		       const struct file_diff *fd)
{
	const char *path = file_diff_path(fd);
	enum change_kind kind = change_kind_of(path);

	if (is_elsewhere(run, path))
		return;
	if (kind == CHANGE_MAKEFILE && is_dir_makefile(path))
		add_dir(run, t, path);
	if (kind != CHANGE_SOURCE || is_boot(path))
		return;
	/* A file that comes or goes without its Makefile is told by make. */
	if (!fd->new_path || fd->is_rename)
		add_dir(run, t, fd->old_path);
	if (fd->new_path && (!fd->old_path || fd->is_rename || fd->is_copy))
		add_dir(run, t, fd->new_path);
}

/*
 * Does the step have other Kconfig files than the base?  A symbol that is not
 * in .config would make kconfig ask for its value in every dry run.
 */
static bool has_kconfig(struct run *run, unsigned int from, unsigned int to)
{
	const struct diff *d = run_change(run, from, to);

	for (guint i = 0; i < d->files->len; i++) {
		const char *path = file_diff_path(d->files->pdata[i]);

		if (change_kind_of(path) == CHANGE_KCONFIG &&
		    is_kconfig_file(path) && !is_elsewhere(run, path))
			return true;
	}
	return false;
}

/* A directory is asked for with all that is below it. */
static void reduce(struct touch *t)
{
	g_autofree gpointer *dirs = g_hash_table_get_keys_as_array(t->dirs, NULL);
	g_autoptr(GPtrArray) inner = g_ptr_array_new();

	for (gpointer *a = dirs; *a; a++)
		for (gpointer *b = dirs; *b; b++)
			if (path_is_below(*a, *b)) {
				g_ptr_array_add(inner, *a);
				break;
			}
	for (guint i = 0; i < inner->len; i++)
		g_hash_table_remove(t->dirs, inner->pdata[i]);
}

struct stay {
	const struct follow_work *w;
	const struct compdb *now;
	GHashTable *dirs;	/* of char *, owned: of the objects of now */
};

/*
 * What was built already, or is built by rules that this dry run does not
 * enter (the boot code), is not printed and yet not gone.
 */
static bool stays(const struct tu *tu, void *data)
{
	const struct stay *s = data;
	g_autofree char *dir = g_path_get_dirname(tu->object);
	g_autofree char *source = NULL;

	if (kbuild_step_has(s->w->step, tu->object))
		return true;
	if (g_hash_table_contains(s->dirs, dir))
		return false;
	if (g_str_has_prefix(tu->source, "O/"))
		return true;
	source = g_build_filename(s->w->run->cur, tu->source, NULL);
	return g_file_test(source, G_FILE_TEST_EXISTS);
}

static void update(struct follow_work *w, const char *dir,
		   const struct compdb *now)
{
	struct stay s = { .w = w, .now = now };

	s.dirs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < now->tus->len; i++) {
		const struct tu *tu = now->tus->pdata[i];

		g_hash_table_add(s.dirs, g_path_get_dirname(tu->object));
	}
	compdb_update(w->v->db, now, dir, w->n, stays, &s, &w->delta);
	g_hash_table_unref(s.dirs);
}

/*
 * Did the dry run print nothing of a directory that has objects?  Then they
 * are built from a directory above, whose Makefile includes this one.
 */
static bool is_built_above(const struct follow_work *w, const char *dir,
			   const struct compdb *now)
{
	for (guint i = 0; i < now->tus->len; i++) {
		const struct tu *tu = now->tus->pdata[i];

		if (path_is_below(tu->object, dir))
			return false;
	}
	for (guint i = 0; i < w->v->db->tus->len; i++) {
		const struct tu *tu = w->v->db->tus->pdata[i];

		if (path_is_below(tu->source, dir))
			return true;
	}
	return false;
}

static int ask(struct follow_work *w, const char *dir, GError **error)
{
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	struct compdb *now = compdb_new();
	int ret = kbuild_step_dry_run(w->step, dir, now, texts, error);
	g_autofree char *above = NULL;

	if (!ret && *dir && is_built_above(w, dir, now))
		above = kbuild_dir_of(w->run, dir);
	if (!ret && !(above && *above))
		update(w, dir, now);
	compdb_free(now);
	if (!ret && above && *above)
		return ask(w, above, error);
	return ret ? ret : follow_complain(w, dir, texts, error);
}

static void take(struct follow_work *w, const GPtrArray *tus, guint *room)
{
	for (guint i = 0; i < tus->len; i++) {
		struct follow_item item = { w->v, tus->pdata[i] };

		g_hash_table_add(w->moved, g_strdup(item.tu->object));
		if (!*room)
			continue;
		g_array_append_val(w->out->items, item);
		--*room;
	}
}

/* What the patch made of the database is compiled, up to a bound. */
static void take_delta(struct follow_work *w)
{
	guint count = w->delta.added->len + w->delta.changed->len;
	guint room = w->run->reach_max;
	g_autofree char *why = NULL;

	take(w, w->delta.added, &room);
	take(w, w->delta.changed, &room);
	for (guint i = 0; i < w->delta.gone->len; i++) {
		const struct tu *tu = w->delta.gone->pdata[i];

		g_hash_table_add(w->moved, g_strdup(tu->object));
	}
	if (count <= w->run->reach_max)
		return;
	why = g_strdup_printf("the commands of %u objects change; %u of them "
			      "were compiled", count, w->run->reach_max);
	run_gap(w->run, w->n, w->v, "Makefile", why);
}

static int ask_all(struct follow_work *w, const struct touch *t, GError **error)
{
	GHashTableIter it;
	gpointer dir;

	g_hash_table_iter_init(&it, t->dirs);
	while (g_hash_table_iter_next(&it, &dir, NULL))
		if (ask(w, dir, error))
			return -1;
	return 0;
}

/* What ends the run; all else that make says leaves a gap. */
static bool is_deadly(const GError *error)
{
	return !g_error_matches(error, RESPIN_ERROR, RESPIN_ERROR_TOOL);
}

static int follow_variant(struct follow_work *w, const struct touch *t,
			  GError **error)
{
	GError *err = NULL;
	bool whole = false;
	int ret = -1;

	w->step = kbuild_step_new(w->run->kbuild, w->v, &err);
	compdb_delta_init(&w->delta);
	w->broken = false;
	if (w->step)
		ret = t->kconfig ? follow_config(w, &whole, &err) : 0;
	if (!ret && !w->broken)
		ret = whole ? ask(w, "", &err) : ask_all(w, t, &err);
	if (!ret && whole)
		ret = follow_keep(w, &err);
	take_delta(w);
	compdb_delta_clear(&w->delta);
	g_clear_pointer(&w->step, kbuild_step_free);
	if (!err)
		return ret;
	if (g_error_matches(err, RESPIN_ERROR, RESPIN_ERROR_INTERRUPTED)) {
		g_error_free(err);
		return -1;
	}
	if (is_deadly(err)) {
		g_propagate_error(error, err);
		return -1;
	}
	run_gap(w->run, w->n, w->v, t->kconfig ? "Kconfig" : "Makefile",
		err->message);
	g_error_free(err);
	return 0;
}

/* Does the patch change what is built below @dir on any variant? */
static bool has_effect(const char *dir, GHashTable *moved)
{
	GHashTableIter it;
	gpointer object;

	g_hash_table_iter_init(&it, moved);
	while (g_hash_table_iter_next(&it, &object, NULL))
		if (path_is_below(object, dir))
			return true;
	return false;
}

static bool is_built(const struct run *run, const char *source)
{
	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = run->variants->pdata[i];

		if (compdb_by_source(v->db, source))
			return true;
	}
	return false;
}

/* Does the patch add a source below @dir that is a gap of its own? */
static bool adds_unbuilt(struct follow_work *w, const char *dir)
{
	const struct diff *d = run_change(w->run, w->n - 1, w->n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (fd->new_path && !fd->old_path &&
		    change_kind_of(fd->new_path) == CHANGE_SOURCE &&
		    path_is_below(fd->new_path, dir) &&
		    !is_built(w->run, fd->new_path))
			return true;
	}
	return false;
}

static void settle_makefile(struct follow_work *w, const struct file_diff *fd)
{
	const char *path = file_diff_path(fd);
	g_autofree char *dir = kbuild_dir_of(w->run, path);
	g_autofree char *key = g_strdup_printf("built %u %s", w->n, path);

	/* One variant of one stage is enough. */
	if (has_effect(dir, w->moved))
		g_hash_table_add(w->run->compiled, g_strdup(key));
	if (!w->broken && follow_is_real(fd) && !adds_unbuilt(w, dir) &&
	    !g_hash_table_contains(w->run->compiled, key))
		follow_say_makefile(w->run, w->n, fd);
}

static void settle_file(struct follow_work *w, const struct file_diff *fd)
{
	const char *path = file_diff_path(fd);
	enum change_kind kind = change_kind_of(path);
	bool makefile = kind == CHANGE_MAKEFILE && is_dir_makefile(path);

	if (!makefile && !(kind == CHANGE_KCONFIG && is_kconfig_file(path)))
		return;
	if (is_nowhere(w->run, path))
		run_gap(w->run, w->n, NULL, path, "no variant of this run reads it");
	else if (makefile && !is_elsewhere(w->run, path))
		settle_makefile(w, fd);
	g_hash_table_add(w->out->paths, g_strdup(path));
}

static int follow_all(struct follow_work *w, const struct touch *t,
		      GError **error)
{
	for (guint i = 0; i < w->run->variants->len; i++) {
		w->v = w->run->variants->pdata[i];
		if (follow_variant(w, t, error))
			return -1;
	}
	return 0;
}

struct followed *follow_step(struct run *run, unsigned int n, GError **error)
{
	const struct diff *d = run_change(run, n - 1, n);
	struct followed *out = followed_new();
	struct follow_work w = { .run = run, .n = n, .out = out };
	struct touch t = { 0 };
	int ret = 0;

	t.dirs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	w.moved = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < d->files->len; i++)
		touch_file(run, &t, d->files->pdata[i]);
	reduce(&t);
	t.kconfig = has_kconfig(run, 0, n);
	if (has_kconfig(run, n - 1, n) || g_hash_table_size(t.dirs))
		ret = follow_all(&w, &t, error);
	if (!ret)
		ret = follow_say_symbols(run, n, error);
	for (guint i = 0; !ret && i < d->files->len; i++)
		settle_file(&w, d->files->pdata[i]);
	g_hash_table_unref(t.dirs);
	g_hash_table_unref(w.moved);
	if (!ret)
		return out;
	followed_free(out);
	return NULL;
}
