// SPDX-License-Identifier: GPL-2.0
/* Headers for user space that a patch touches, and those that include them. */
#include "neigh-int.h"
#include "uapi.h"

static void add_reaching(GHashTable *set, struct incgraph *g, const char *path,
			 const char *srcarch)
{
	g_autoptr(GHashTable) reach = incgraph_reaching(g, path, srcarch);
	GHashTableIter it;
	gpointer other;

	g_hash_table_iter_init(&it, reach);
	while (g_hash_table_iter_next(&it, &other, NULL))
		if (uapi_name(other, srcarch))
			g_hash_table_add(set, g_strdup(other));
}

/* All paths whose test @fd may change on @srcarch. */
static void add_affected(struct run *run, GHashTable *set,
			 const struct file_diff *fd, const char *srcarch)
{
	if (fd->new_path && uapi_name(fd->new_path, srcarch)) {
		g_hash_table_add(set, g_strdup(fd->new_path));
		add_reaching(set, run->graph, fd->new_path, srcarch);
	}
	if (fd->old_path && uapi_name(fd->old_path, srcarch))
		add_reaching(set, run->graph_before ?: run->graph, fd->old_path,
			     srcarch);
}

static void add_jobs(struct run *run, unsigned int n, GPtrArray *jobs,
		     const struct variant *v, GHashTable *set)
{
	g_autoptr(GList) paths = g_list_sort(g_hash_table_get_keys(set),
					     (GCompareFunc)strcmp);
	guint left = run->exhaustive ? G_MAXUINT : run->reach_max;
	g_autofree char *why = NULL;

	for (const GList *l = paths; l; l = l->next) {
		const char *path = l->data;
		g_autofree char *object = g_strdup_printf("usr/include/%.*s.hdrtest",
			(int)strlen(uapi_name(path, v->arch->srcarch)) - 2,
			uapi_name(path, v->arch->srcarch));

		if (!neigh_has(run->cur, path) || !left)
			continue;
		left--;
		neigh_add(run, n, jobs, "uapi", v, object, path);
	}
	if (left)
		return;
	why = g_strdup_printf("%u headers include what it touches; %u of them "
		"were compiled as user space sees them", g_hash_table_size(set),
		run->reach_max);
	run_gap(run, n, v, "include/uapi", why);
}

static void say(struct run *run, unsigned int n, const struct file_diff *fd)
{
	g_autofree char *srcarch = NULL;
	const char *path = file_diff_path(fd);

	if (!uapi_is_header(path, &srcarch))
		return;
	run_out_of_scope(run, "the binary interface of the uapi headers that the "
			 "series touches (scripts/check-uapi.sh)");
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
		g_autoptr(GHashTable) set = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

		for (guint i = 0; i < d->files->len; i++)
			add_affected(run, set, d->files->pdata[i],
				     v->arch->srcarch);
		add_jobs(run, n, jobs, v, set);
	}
	for (guint i = 0; i < d->files->len; i++)
		say(run, n, d->files->pdata[i]);
}
