// SPDX-License-Identifier: GPL-2.0
/*
 * A new object has no parent to be compared with, so that an old warning of a
 * header it includes would be its author's.  Objects of the base that reach the
 * header are asked whether they print it too.
 */
#include <sys/stat.h>
#include "check.h"
#include "follow.h"

#define WITNESSES 3		/* for one header */

static GHashTable *suspects(struct run *run, unsigned int n,
			    const struct variant *v, const GPtrArray *jobs)
{
	GHashTable *files = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = jobs->pdata[i];

		if (job->variant != v || !job_usable(job) ||
		    compdb_at(job->tu, 0))
			continue;
		for (guint k = 0; k < job->diags->len; k++) {
			const struct diag *d = job->diags->pdata[k];

			if (incgraph_has(run->graph, d->file) &&
			    !run_touches(run, n, d->file))
				g_hash_table_add(files, d->file);
		}
	}
	return files;
}

static gint64 size_of(const struct run *run, const struct tu *tu)
{
	g_autofree char *path = g_build_filename(run->cur, tu->source, NULL);
	struct stat st;

	return stat(path, &st) ? G_MAXINT64 : st.st_size;
}

static bool is_asked(const GPtrArray *list, const struct variant *v,
		     const struct tu *tu)
{
	for (guint i = 0; i < list->len; i++) {
		const struct job *job = list->pdata[i];

		if (job->variant == v && job->tu == tu)
			return true;
	}
	return false;
}

/* The smallest source of the base that reaches a header of the suspects. */
static const struct tu *cheapest(struct run *run, const struct variant *v,
				 GHashTable *reach, const GPtrArray *list)
{
	const struct tu *best = NULL;
	gint64 least = 0;

	for (guint i = 0; i < v->db->tus->len; i++) {
		const struct tu *tu = v->db->tus->pdata[i];
		gint64 size;

		if (!g_hash_table_contains(reach, tu->source) ||
		    !compdb_at(tu, 0) || is_asked(list, v, tu))
			continue;
		size = size_of(run, tu);
		if (!best || size < least) {
			best = tu;
			least = size;
		}
	}
	return best;
}

static void add_witnesses(struct run *run, const struct variant *v,
			  const char *path, GPtrArray *list)
{
	g_autoptr(GHashTable) reach = incgraph_reaching(run->graph, path,
							v->arch->srcarch);

	for (int i = 0; i < WITNESSES; i++) {
		const struct tu *tu = cheapest(run, v, reach, list);

		if (!tu)
			return;
		g_ptr_array_add(list, job_new(check_find("gcc"), v, tu, NULL, 0,
					      WHY_BASELINE));
	}
}

GPtrArray *known_jobs(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = run->variants->pdata[i];
		g_autoptr(GHashTable) files = suspects(run, n, v, jobs);
		GHashTableIter it;
		gpointer path;

		g_hash_table_iter_init(&it, files);
		while (g_hash_table_iter_next(&it, &path, NULL))
			add_witnesses(run, v, path, list);
	}
	return list;
}
