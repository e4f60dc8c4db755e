// SPDX-License-Identifier: GPL-2.0
/* Headers for user space that a patch touches, and those that include them. */
#include "neigh-int.h"
#include "uapi.h"

static GHashTable *touched(const struct diff *d, const char *srcarch)
{
	GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];
		const char *now = fd->new_path ?
				  uapi_name(fd->new_path, srcarch) : NULL;
		const char *was = fd->old_path ?
				  uapi_name(fd->old_path, srcarch) : NULL;

		if (now)
			g_hash_table_add(names, (char *)now);
		if (was)
			g_hash_table_add(names, (char *)was);
	}
	return names;
}

static void add_job(struct run *run, unsigned int n, GPtrArray *jobs,
		    const struct variant *v, const char *path)
{
	const char *name = uapi_name(path, v->arch->srcarch);
	g_autofree char *object = g_strdup_printf("usr/include/%.*s.hdrtest",
						  (int)strlen(name) - 2, name);

	neigh_add(run, n, jobs, "uapi", v, object, path);
}

/* The touched ones first, then those that include them, up to a bound. */
static void add_jobs(struct run *run, unsigned int n, GPtrArray *jobs,
		     const struct variant *v, GHashTable *names)
{
	const char *srcarch = v->arch->srcarch;
	g_autoptr(GPtrArray) others = uapi_reaching(run->cur, v->odir, srcarch,
						    names);
	guint max = run->exhaustive ? G_MAXUINT : run->reach_max;
	guint all = others->len;
	g_autofree char *why = NULL;
	GHashTableIter it;
	gpointer name;

	g_hash_table_iter_init(&it, names);
	while (g_hash_table_iter_next(&it, &name, NULL)) {
		g_autofree char *path = uapi_source(run->cur, v->odir, srcarch,
						    name);

		if (path && !g_str_has_prefix(path, "O/"))
			add_job(run, n, jobs, v, path);
	}
	for (guint i = 0; i < MIN(others->len, max); i++)
		add_job(run, n, jobs, v, others->pdata[i]);
	g_ptr_array_set_size(others, MIN(others->len, max));
	neigh_abi(run, n, jobs, v, names, others);
	if (all <= max)
		return;
	why = g_strdup_printf("%u headers include what it touches; %u of them "
		"were compiled as user space sees them", all, max);
	run_gap(run, n, v, "include/uapi", why);
}

static void say(struct run *run, unsigned int n, const struct file_diff *fd)
{
	g_autofree char *srcarch = NULL;
	const char *path = file_diff_path(fd);

	if (!uapi_is_header(path, &srcarch))
		return;
	run_out_of_scope(run, "the values of macros in the uapi headers that the "
			 "series touches");
	if (!uapi_name(path, srcarch ?: ""))
		run_gap(run, n, NULL, path, "no Makefile can hold a name like this: "
			"it was not compiled as user space sees it");
}

void neigh_uapi(struct run *run, unsigned int n, GPtrArray *jobs)
{
	const struct diff *d = run_change(run, n - 1, n);
	g_autoptr(GPtrArray) firsts = neigh_arches(run);

	for (guint a = 0; a < firsts->len; a++) {
		const struct variant *v = firsts->pdata[a];
		g_autoptr(GHashTable) names = touched(d, v->arch->srcarch);

		if (g_hash_table_size(names) &&
		    neigh_first(run, n, "include/uapi", v->arch->name))
			add_jobs(run, n, jobs, v, names);
	}
	for (guint i = 0; i < d->files->len; i++)
		say(run, n, d->files->pdata[i]);
}
