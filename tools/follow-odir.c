// SPDX-License-Identifier: GPL-2.0
/*
 * Which O= a job is run in.  All steps share the one of the base until a patch
 * changes a value in .config or needs a generated file that the base does not
 * have: from then on a copy takes its place.
 */
#include "follow-int.h"
#include "kbuild-int.h"

struct odir {
	const struct variant *v;
	unsigned int since;
	char *path, *config_hash;
};

static void odir_free(struct odir *o)
{
	g_free(o->path);
	g_free(o->config_hash);
	g_free(o);
}

/* Copies of an earlier run; they were left for `respin repro`. */
static void remove_old(const struct variant *v)
{
	g_autofree char *dir = g_path_get_dirname(v->odir);
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);

		if (g_str_has_prefix(name, "step-"))
			remove_tree(path, NULL);
	}
}

struct follow *follow_state(struct run *run)
{
	struct follow *f = run->follow;

	if (f)
		return f;
	f = g_new0(struct follow, 1);
	f->odirs = g_ptr_array_new_with_free_func((GDestroyNotify)odir_free);
	f->missing = g_ptr_array_new_with_free_func((GDestroyNotify)missing_free);
	f->made = g_array_new(FALSE, FALSE, sizeof(struct made_path));
	f->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	run->follow = f;
	return f;
}

void follow_begin(struct run *run)
{
	for (guint i = 0; i < run->variants->len; i++)
		remove_old(run->variants->pdata[i]);
	follow_enter(run, 0);
}

void follow_free(struct follow *f)
{
	if (!f)
		return;
	g_ptr_array_unref(f->odirs);
	g_ptr_array_unref(f->missing);
	for (guint i = 0; i < f->made->len; i++)
		g_free(g_array_index(f->made, struct made_path, i).path);
	g_array_unref(f->made);
	g_hash_table_unref(f->known);
	g_free(f);
}

static void add_odir(struct follow *f, const struct variant *v,
		     unsigned int since, char *path, char *config_hash)
{
	struct odir *o = g_new0(struct odir, 1);

	o->v = v;
	o->since = since;
	o->path = path;
	o->config_hash = config_hash;
	g_ptr_array_add(f->odirs, o);
}

/* The newest of @v at @step; NULL: there is but the base's. */
static const struct odir *odir_at(const struct follow *f,
				  const struct variant *v, unsigned int step)
{
	const struct odir *found = NULL;

	for (guint i = 0; f && i < f->odirs->len; i++) {
		const struct odir *o = f->odirs->pdata[i];

		if (o->v == v && o->since <= step)
			found = o;
	}
	return found;
}

void follow_enter(struct run *run, unsigned int step)
{
	struct follow *f = follow_state(run);

	f->step = step;
	for (guint i = 0; i < run->variants->len; i++) {
		struct variant *v = run->variants->pdata[i];
		const struct odir *o = odir_at(f, v, step);

		if (!o || !g_strcmp0(o->path, v->odir))
			continue;
		g_free(v->odir);
		g_free(v->config_hash);
		v->odir = g_strdup(o->path);
		v->config_hash = g_strdup(o->config_hash);
	}
}

unsigned int follow_current(const struct run *run)
{
	return run->follow ? run->follow->step : 0;
}

int follow_keep(struct follow_work *w, unsigned int n, GError **error)
{
	struct follow *f = follow_state(w->run);
	char *path, *config_hash;

	if (kbuild_step_keep(w->step, n, run_step(w->run, n)->tree, &path,
			     &config_hash, error))
		return -1;
	if (!odir_at(f, w->v, n))
		add_odir(f, w->v, 0, g_strdup(w->v->odir),
			 g_strdup(w->v->config_hash));
	add_odir(f, w->v, n, path, config_hash);
	follow_enter(w->run, w->n);
	return 0;
}

bool follow_is_base(struct run *run, const struct variant *v,
		    const struct tu *tu, unsigned int n)
{
	const struct odir *o = odir_at(run->follow, v, n);

	return compdb_at(tu, 0) && (!o || !o->since);
}

const char *follow_odir(const struct run *run, const struct variant *v,
			unsigned int n)
{
	const struct odir *o = odir_at(run->follow, v, n);

	return o ? o->path : v->odir;
}

bool follow_make(struct run *run, const struct job *job, unsigned int n)
{
	struct follow_work w = { .run = run, .n = n,
				 .v = (struct variant *)job->variant };
	bool ok;

	w.step = kbuild_step_new(run->kbuild, w.v, NULL);
	if (!w.step)
		return false;
	ok = kbuild_step_make(w.step, job->tu->object) && !follow_keep(&w, n, NULL);
	kbuild_step_free(w.step);
	return ok;
}
