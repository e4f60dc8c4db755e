// SPDX-License-Identifier: GPL-2.0
#include "madetree.h"
#include "run-keep.h"

GChecksum *run_keep_key(const char *kind, const struct run *run,
			const struct variant *v, unsigned int n)
{
	GChecksum *key = kept_key(kind);
	g_autofree char *made = madetree_sum(v->odir);

	kept_add(key, run_step(run, n)->tree);
	kept_add(key, run->cur);
	kept_add(key, v->name);
	kept_add(key, v->odir);
	kept_add(key, v->config_hash);
	kept_add(key, v->toolchain);
	kept_add(key, made);
	return key;
}

/* A template says all but the values. */
void run_keep_add_tu(GChecksum *key, const struct compdb *db,
		     const struct tu *tu, unsigned int n)
{
	const struct tu *now = compdb_at(tu, n);

	kept_add(key, tu->object);
	kept_add_number(key, now ? 1 : 0);
	if (!now)
		return;
	kept_add(key, now->source);
	kept_add(key, db->templates->pdata[now->template]);
	kept_add_number(key, g_strv_length(now->values));
	for (char **v = now->values; *v; v++)
		kept_add(key, *v);
}

static char *dir_of(const struct run *run)
{
	return run->dir ? g_build_filename(run->dir, "kept", NULL) : NULL;
}

GBytes *run_keep_get(const struct run *run, GChecksum *key)
{
	g_autofree char *dir = dir_of(run);

	return run->runner && run->runner->reuse ? kept_get(dir, key) : NULL;
}

void run_keep_put(const struct run *run, GChecksum *key, GBytes *what)
{
	g_autofree char *dir = dir_of(run);

	kept_put(dir, key, what);
}

void run_keep_prune(const struct run *run)
{
	static const char *const names[] = { "kept", "impact" };

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *dir = g_build_filename(run->dir, names[i], NULL);

		kept_prune(dir, KEPT_MAX);
	}
}
