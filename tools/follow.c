// SPDX-License-Identifier: GPL-2.0
/*
 * Which directories kbuild is asked for, and what becomes of its answer.  A
 * dry run of one directory takes seconds; it enters from the top, so that
 * what no Makefile on the way builds is not there.
 */
#include "error.h"
#include "follow-int.h"
#include "impact.h"
#include "makegraph.h"

void followed_free(struct followed *f)
{
	if (!f)
		return;
	g_array_unref(f->items);
	g_ptr_array_unref(f->jobs);
	g_hash_table_unref(f->paths);
	g_hash_table_unref(f->symbols);
	g_ptr_array_unref(f->made);
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
	f->made = g_ptr_array_new_with_free_func((GDestroyNotify)made_change_free);
	return f;
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
		above = kdir_of(w->run->cur, dir);
	if (!ret && !(above && *above))
		update(w, dir, now);
	compdb_free(now);
	if (!ret && above && *above)
		return ask(w, above, error);
	return ret ? ret : follow_complain(w, dir, texts, error);
}

static void note_moved(struct follow_work *w, const GPtrArray *tus)
{
	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];

		g_hash_table_add(w->moved, g_strdup(tu->object));
	}
}

/* @first: one of each class of flags that is not in @have; else the others. */
static void take(struct follow_work *w, const GPtrArray *tus, bool first,
		 GHashTable *have, guint *room)
{
	for (guint i = 0; i < tus->len && *room; i++) {
		struct follow_item item = { w->v, tus->pdata[i] };
		gpointer class = GUINT_TO_POINTER(item.tu->class + 1);
		const struct tu *rep = g_hash_table_lookup(have, class);

		if (first ? rep != NULL : rep == item.tu)
			continue;
		if (first)
			g_hash_table_insert(have, class, tus->pdata[i]);
		g_array_append_val(w->out->items, item);
		--*room;
	}
}

/* What the patch made of the database is compiled, up to a bound. */
static void take_delta(struct follow_work *w)
{
	guint count = w->delta.added->len + w->delta.changed->len;
	guint room = w->run->exhaustive ? G_MAXUINT : w->run->reach_max;
	g_autoptr(GHashTable) have = g_hash_table_new(NULL, NULL);
	g_autofree char *why = NULL;

	note_moved(w, w->delta.added);
	note_moved(w, w->delta.changed);
	note_moved(w, w->delta.gone);
	for (int first = 1; first >= 0; first--) {
		take(w, w->delta.added, first, have, &room);
		take(w, w->delta.changed, first, have, &room);
	}
	if (room || count <= w->run->reach_max)
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

/* The step itself, in the copy.  *@keep: jobs from here on need the copy. */
static int ask_step(struct follow_work *w, const struct touch *t, bool *keep,
		    GError **error)
{
	bool changed = false;

	if (t->kconfig && follow_config(w, &changed, error))
		return -1;
	*keep = changed;
	if (w->broken)
		return 0;
	w->ask = ASK_BUILD;
	if (changed || t->whole ? ask(w, "", error) : ask_all(w, t, error))
		return -1;
	/* last: make prints no command of what it made */
	if ((changed || t->made || w->offsets || w->others->len) &&
	    follow_made_again(w, error))
		return -1;
	*keep |= w->moved_made;
	return 0;
}

static int follow_copy(struct follow_work *w, const struct touch *t,
		       GError **error)
{
	bool keep = false;
	int ret = -1;

	if (w->others->len && follow_made_know(w, t->kconfig, error))
		return -1;
	w->step = kbuild_step_new(w->run->kbuild, w->v, error);
	if (w->step)
		ret = ask_step(w, t, &keep, error);
	if (!ret && keep)
		ret = follow_keep(w, w->n, error);
	g_clear_pointer(&w->step, kbuild_step_free);
	return ret;
}

static const char *what_failed(const struct touch *t)
{
	if (t->kconfig)
		return "Kconfig";
	return t->made ? "generated files" : "Makefile";
}

static void work_begin(struct follow_work *w, const struct touch *t,
		       struct variant *v)
{
	w->v = v;
	w->broken = false;
	w->moved_made = false;
	w->blame = w->blame_made = NULL;
	w->targets = g_ptr_array_new_with_free_func(g_free);
	w->others = g_ptr_array_new();
	w->failed = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_extend(w->others, t->others, NULL, NULL);
	compdb_delta_init(&w->delta);
}

static void work_end(struct follow_work *w)
{
	take_delta(w);
	compdb_delta_clear(&w->delta);
	g_clear_pointer(&w->prepared, g_hash_table_unref);
	g_clear_pointer(&w->graph, makegraph_free);
	g_clear_pointer(&w->targets, g_ptr_array_unref);
	g_clear_pointer(&w->others, g_ptr_array_unref);
	g_clear_pointer(&w->failed, g_ptr_array_unref);
}

static int follow_variant(struct follow_work *w, const struct touch *t,
			  struct variant *v, GError **error)
{
	GError *err = NULL;
	int ret = 0;

	work_begin(w, t, v);
	w->offsets = follow_offsets_move(w);
	/* Offsets that do not compile stop make before anything is generated. */
	if (t->any || w->offsets == OFFSETS_MOVE || w->others->len)
		ret = follow_copy(w, t, &err);
	else if (w->offsets == OFFSETS_FAIL)
		follow_made_lacks(w, w->failed);
	work_end(w);
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
	run_gap(w->run, w->n, w->v, what_failed(t), err->message);
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

/* A Makefile of all the kernel concerns whatever a patch builds otherwise. */
static void settle_makefile(struct follow_work *w, const struct file_diff *fd)
{
	const char *path = file_diff_path(fd);
	bool global = follow_is_global_makefile(w->run, path);
	g_autofree char *dir = global ? g_strdup("") :
			       kdir_of(w->run->cur, path);
	g_autofree char *key = g_strdup_printf("built %u %s", w->n, path);

	/* One variant of one stage is enough. */
	if (has_effect(dir, w->moved) || (global && w->out->made->len))
		g_hash_table_add(w->run->compiled, g_strdup(key));
	if (!w->broken && follow_is_real(fd) && !adds_unbuilt(w, dir) &&
	    !g_hash_table_contains(w->run->compiled, key))
		follow_say_makefile(w->run, w->n, fd);
}

static void settle_other(struct follow_work *w, const char *path)
{
	if (!follow_made_knows(w->run, w->n, path))
		run_gap(w->run, w->n, NULL, path, "make knows of nothing that is "
			"made of it on the variants of this run");
}

static void settle_defconfig(struct follow_work *w, const char *path)
{
	g_autofree char *key = g_strdup_printf("built %u %s", w->n, path);

	if (g_hash_table_contains(w->moved, path))
		g_hash_table_add(w->run->compiled, g_strdup(key));
	if (!g_hash_table_contains(w->run->compiled, key))
		run_gap(w->run, w->n, NULL, path, "no variant of this run is "
			"configured with it");
}

/* What was found out of @fd, or a gap: either way it is dealt with. */
static void settle_file(struct follow_work *w, const struct file_diff *fd)
{
	const char *path = file_diff_path(fd);
	enum change_kind kind = change_kind_of(path);
	bool makefile = kind == CHANGE_MAKEFILE &&
			(kdir_is_makefile(path) ||
			 follow_is_global_makefile(w->run, path));
	/* A .c that make knows nothing of is no host program's, see plan.c. */
	bool other = follow_is_other(w->run, path) &&
		     (kind != CHANGE_SOURCE ||
		      follow_made_knows(w->run, w->n, path));
	bool conf = g_str_has_prefix(path, "scripts/kconfig/");

	if (!makefile && !other && !conf && kind != CHANGE_KCONFIG &&
	    !(kind == CHANGE_MAKEFILE && follow_is_elsewhere(w->run, path)))
		return;
	if (follow_is_nowhere(w->run, path))
		run_gap(w->run, w->n, NULL, path, "no variant of this run reads it");
	else if (follow_is_elsewhere(w->run, path))
		;
	else if (makefile)
		settle_makefile(w, fd);
	else if (other)
		settle_other(w, path);
	else if (kind == CHANGE_KCONFIG && !follow_is_kconfig(path))
		settle_defconfig(w, path);
	g_hash_table_add(w->out->paths, g_strdup(path));
}

static int follow_all(struct follow_work *w, const struct touch *t,
		      GError **error)
{
	for (guint i = 0; i < w->run->variants->len; i++)
		if (follow_variant(w, t, w->run->variants->pdata[i], error))
			return -1;
	return 0;
}

struct followed *follow_step(struct run *run, unsigned int n, GError **error)
{
	const struct diff *d = run_change(run, n - 1, n);
	struct followed *out = followed_new();
	struct follow_work w = { .run = run, .n = n, .out = out };
	struct touch t;
	int ret;

	w.moved = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	follow_touch(run, n, &t);
	ret = follow_all(&w, &t, error);
	if (!ret)
		ret = follow_say_symbols(run, n, error);
	for (guint i = 0; !ret && i < d->files->len; i++)
		settle_file(&w, d->files->pdata[i]);
	follow_touch_clear(&t);
	g_hash_table_unref(w.moved);
	if (!ret)
		return out;
	followed_free(out);
	return NULL;
}
