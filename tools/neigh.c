// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include "check.h"
#include "neigh-int.h"

/* After all compiles of the kernel: they take longer and matter less. */
#define COST (G_GINT64_CONSTANT(1) << 40)

static void tu_free(gpointer p)
{
	struct tu *tu = p;

	g_free(tu->object);
	g_free(tu->source);
	g_strfreev(tu->values);
	g_free(tu);
}

struct neigh *neigh_state(struct run *run)
{
	struct neigh *ne = run->neigh;

	if (ne)
		return ne;
	ne = g_new0(struct neigh, 1);
	ne->tus = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, tu_free);
	ne->planned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	run->neigh = ne;
	return ne;
}

void neigh_free(struct neigh *ne)
{
	if (!ne)
		return;
	variant_free(ne->host);
	g_hash_table_unref(ne->tus);
	g_hash_table_unref(ne->planned);
	neigh_dts_free(ne);
	g_strfreev(ne->file_tools);
	g_clear_error(&ne->no_base);
	g_free(ne);
}

bool neigh_has(const char *dir, const char *path)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);

	return g_file_test(full, G_FILE_TEST_EXISTS);
}

bool neigh_first(struct run *run, unsigned int n, const char *object,
		 const char *arch)
{
	return g_hash_table_add(neigh_state(run)->planned,
				g_strdup_printf("%u %s %s", n, object, arch));
}

const struct variant *neigh_host(struct run *run, unsigned int n,
				 const char *object)
{
	struct neigh *ne = neigh_state(run);
	g_autofree char *dir = g_build_filename(run->dir, "host", NULL);
	g_autoptr(GError) error = NULL;

	if (ne->host)
		return ne->host;
	if (g_mkdir_with_parents(dir, 0755)) {
		g_autofree char *why = g_strdup_printf("cannot make '%s': %s", dir,
						       g_strerror(errno));
		run_gap(run, n, NULL, object, why);
		return NULL;
	}
	ne->host = variant_new_host(dir, &error);
	if (!ne->host)
		run_gap(run, n, NULL, object, error->message);
	return ne->host;
}

/* Results are kept by the name of the object: another TU has another. */
static char *unique_name(const struct neigh *ne, const char *object)
{
	char *name = g_strdup(object);

	for (unsigned int i = 2;; i++) {
		GHashTableIter it;
		gpointer tu;
		bool taken = false;

		g_hash_table_iter_init(&it, ne->tus);
		while (!taken && g_hash_table_iter_next(&it, NULL, &tu))
			taken = !strcmp(((struct tu *)tu)->object, name);
		if (!taken)
			return name;
		g_free(name);
		name = g_strdup_printf("%s (%u)", object, i);
	}
}

/* The pointer names the object for the whole run: see job_same(). */
const struct tu *neigh_tu(struct run *run, const char *object,
			  const char *source, char **values)
{
	struct neigh *ne = neigh_state(run);
	g_autofree char *all = values ? g_strjoinv(" ", values) : NULL;
	g_autofree char *key = g_strjoin("\n", object, source, all, NULL);
	struct tu *tu = g_hash_table_lookup(ne->tus, key);

	if (tu) {
		g_strfreev(values);
		return tu;
	}
	tu = g_new0(struct tu, 1);
	tu->object = values ? unique_name(ne, object) : g_strdup(object);
	tu->source = g_strdup(source);
	tu->values = values;
	g_hash_table_insert(ne->tus, g_steal_pointer(&key), tu);
	return tu;
}

void neigh_add_tu(struct run *run, unsigned int n, GPtrArray *jobs,
		  const char *check, const struct variant *v,
		  const struct tu *tu)
{
	struct job *job = job_new(check_find(check), v, tu, NULL, n, WHY_REACH);

	job->cost = COST;
	g_ptr_array_add(jobs, job);
}

void neigh_add(struct run *run, unsigned int n, GPtrArray *jobs,
	       const char *check, const struct variant *v, const char *object,
	       const char *source)
{
	if (!v)
		v = neigh_host(run, n, object);
	if (v && neigh_first(run, n, object, v->arch->name))
		neigh_add_tu(run, n, jobs, check, v,
			     neigh_tu(run, object, source, NULL));
}

GPtrArray *neigh_arches(const struct run *run)
{
	GPtrArray *list = g_ptr_array_new();
	const struct arch *last = NULL;

	for (guint i = 0; i < run->variants->len; i++) {
		struct variant *v = run->variants->pdata[i];
		bool have = v->arch == last;

		for (guint k = 0; !have && k < list->len; k++)
			have = ((struct variant *)list->pdata[k])->arch == v->arch;
		last = v->arch;
		if (!have)
			g_ptr_array_add(list, v);
	}
	return list;
}

bool neigh_can_stand(const struct tu *tu, unsigned int n)
{
	const struct tu *now = compdb_at(tu, n);

	return now && compdb_at(tu, 0) && g_str_has_suffix(now->source, ".c");
}

int neigh_plan(struct run *run, unsigned int n, GPtrArray *jobs, GError **error)
{
	neigh_tools(run, n, jobs);
	neigh_uapi(run, n, jobs);
	neigh_refs(run, n, jobs);
	neigh_rust(run, n, jobs);
	neigh_dts(run, n, jobs);
	neigh_files(run, n, jobs);
	neigh_patch(run, n, jobs);
	return 0;
}
