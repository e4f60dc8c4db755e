// SPDX-License-Identifier: GPL-2.0
/*
 * Device trees that a patch can break.  They are asked for by name, so that it
 * does not matter which boards the configuration has.
 */
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "dtree.h"
#include "follow-int.h"
#include "neigh-int.h"

/* Of one job: each makes its own copy of O=, which takes seconds. */
#define TOGETHER 40

struct dtree_at {
	unsigned int step;
	const struct arch *arch;
	struct dtree *t;	/* NULL: it has no device trees */
};

static void at_free(gpointer p)
{
	struct dtree_at *at = p;

	dtree_free(at->t);
	g_free(at);
}

void neigh_dts_free(struct neigh *ne)
{
	g_clear_pointer(&ne->dtrees, g_ptr_array_unref);
}

/* @srcdir is the checkout that holds @step. */
static const struct dtree *tree_at(struct run *run, unsigned int step,
				   const struct arch *arch, const char *srcdir)
{
	struct neigh *ne = neigh_state(run);
	struct dtree_at *at;

	if (!ne->dtrees)
		ne->dtrees = g_ptr_array_new_with_free_func(at_free);
	for (guint i = ne->dtrees->len; i > 0; i--) {
		at = ne->dtrees->pdata[i - 1];
		if (at->step == step && at->arch == arch)
			return at->t;
		if (at->step && at->step + 1 < step)
			g_ptr_array_remove_index(ne->dtrees, i - 1);
	}
	at = g_new0(struct dtree_at, 1);
	at->step = step;
	at->arch = arch;
	at->t = dtree_read(srcdir, arch->srcarch);
	g_ptr_array_add(ne->dtrees, at);
	return at->t;
}

static bool is_dts(const char *path)
{
	return g_pattern_match_simple("arch/*/boot/dts/*", path);
}

/* Headers of other places are read by way of links in include/dt-bindings/. */
static bool is_linked(const struct run *run, const char *path)
{
	g_autofree char *dir = g_build_filename(run->cur, "include/dt-bindings",
						NULL);
	g_autofree char *full = g_build_filename(run->cur, path, NULL);
	g_autofree char *file = realpath(full, NULL);
	char *paths[] = { dir, NULL };
	FTS *fts = file ? fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL) :
		   NULL;
	bool found = false;
	FTSENT *e;

	while (fts && !found && (e = fts_read(fts))) {
		g_autofree char *to = e->fts_info == FTS_SL ?
			realpath(e->fts_path, NULL) : NULL;

		found = !g_strcmp0(to, file);
	}
	if (fts)
		fts_close(fts);
	return found;
}

static bool may_matter(const struct run *run, const char *path)
{
	return is_dts(path) || g_str_has_prefix(path, "include/dt-bindings/") ||
	       (g_str_has_prefix(path, "include/") && is_linked(run, path));
}

bool neigh_dts_settles(struct run *run, const char *path)
{
	g_autoptr(GPtrArray) firsts = NULL;
	g_autoptr(GHashTable) one = NULL;
	bool found = false;

	if (is_dts(path))
		return true;
	if (!g_str_has_prefix(path, "include/dt-bindings/"))
		return false;
	one = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_add(one, (char *)path);
	firsts = neigh_arches(run);
	for (guint i = 0; !found && i < firsts->len; i++) {
		const struct variant *v = firsts->pdata[i];
		const struct dtree *t = tree_at(run, follow_current(run), v->arch,
						run->cur);
		g_autoptr(GPtrArray) list = t ? dtree_reaching(t, one) : NULL;

		found = list && list->len;
	}
	return found;
}

/* What is asked for on one architecture for one patch. */
struct asked {
	struct run *run;
	unsigned int n;
	const struct variant *v;
	const struct dtree *now, *before, *base;	/* each may be NULL */
	const char *dir;
	GHashTable *seen;		/* of char *: targets */
	GPtrArray *targets;		/* of char *, owned */
};

static void ask(struct asked *a, char *target)
{
	if (target && !g_hash_table_contains(a->seen, target)) {
		g_hash_table_add(a->seen, target);
		g_ptr_array_add(a->targets, target);
	} else {
		g_free(target);
	}
}

static void ask_source(struct asked *a, const char *path)
{
	char *target = dtree_target(a->dir, path);

	if (!target)
		run_gap(a->run, a->n, a->v, path,
			"no Makefile can hold a name like this: it was not built");
	ask(a, target);
}

static void ask_reaching(struct asked *a, const struct dtree *t, bool old)
{
	const struct diff *d = run_change(a->run, a->n - 1, a->n);
	g_autoptr(GHashTable) paths = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) list = NULL;

	for (guint i = 0; t && i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];
		const char *path = old ? fd->old_path : fd->new_path;

		if (path)
			g_hash_table_add(paths, (char *)path);
	}
	list = t ? dtree_reaching(t, paths) : g_ptr_array_new();
	/* the touched ones first: there may be more than are built */
	for (guint i = 0; i < list->len; i++)
		if (g_hash_table_contains(paths, list->pdata[i]))
			ask_source(a, list->pdata[i]);
	for (guint i = 0; i < list->len; i++)
		ask_source(a, list->pdata[i]);
}

/* "dtb-y += x.dtb", "x-dtbs := a.dtb b.dtbo", "DTC_FLAGS_x := -@" */
static void ask_words(struct asked *a, const char *below, const char *text,
		      gsize len)
{
	static const char flags[] = "DTC_FLAGS_";
	g_autofree char *line = g_strndup(text, len);
	g_auto(GStrv) words = g_strsplit_set(line, " \t\n:+=\\", -1);

	for (char **w = words; *w; w++) {
		g_autofree char *name = NULL, *path = NULL;

		if (g_str_has_prefix(*w, flags))
			name = g_strconcat(*w + strlen(flags), ".dts", NULL);
		else if (g_str_has_suffix(*w, "-dtbs"))
			name = g_strdup_printf("%.*s.dts", (int)strlen(*w) - 5, *w);
		else if (g_str_has_suffix(*w, ".dtb"))
			name = g_strdup_printf("%.*ss", (int)strlen(*w) - 1, *w);
		else if (g_str_has_suffix(*w, ".dtbo"))
			name = g_strdup_printf("%.*sso", (int)strlen(*w) - 2, *w);
		if (!name)
			continue;
		path = g_build_filename(below, name, NULL);
		ask(a, dtree_target(a->dir, path));
	}
}

/* Flags of all that a directory makes. */
static bool is_for_all(const char *text, gsize len)
{
	g_autofree char *line = g_strstrip(g_strndup(text, len));

	return g_str_has_prefix(line, "DTC_FLAGS") && line[9] != '_';
}

static void ask_dir(struct asked *a, const char *below)
{
	for (guint i = 0; a->now && i < a->now->sources->len; i++) {
		const char *path = a->now->sources->pdata[i];
		g_autofree char *dir = g_path_get_dirname(path);

		if (!strcmp(dir, below))
			ask_source(a, path);
	}
}

static void ask_makefile(struct asked *a, const struct file_diff *fd)
{
	const char *path = file_diff_path(fd);
	g_autofree char *below = g_path_get_dirname(path);
	gsize n = strlen(a->dir);

	if (strncmp(path, a->dir, n) || path[n] != '/' ||
	    !g_str_has_suffix(path, "/Makefile"))
		return;
	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = fd->hunks->pdata[h];

		for (guint i = 0; i < hunk->lines->len; i++) {
			struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);

			if (l->op == '+')
				ask_words(a, below, l->text, l->len);
			if (l->op != ' ' && is_for_all(l->text, l->len))
				ask_dir(a, below);
		}
	}
}

/* What is put together of those that are asked for, and of them again. */
static void ask_composites(struct asked *a)
{
	for (guint i = 0; i < a->targets->len; i++) {
		g_autoptr(GPtrArray) more = g_ptr_array_new();

		dtree_composites(a->run->cur, a->dir, a->targets->pdata[i], more);
		for (guint k = 0; k < more->len; k++)
			ask(a, more->pdata[k]);
	}
}

/* One of the base that reads @path: its target; NULL: none does. */
static char *companion(const struct asked *a, const char *path)
{
	g_autoptr(GHashTable) one = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) list = NULL;

	if (!g_hash_table_contains(a->base->reads, path))
		return NULL;
	g_hash_table_add(one, (char *)path);
	list = dtree_reaching(a->base, one);
	return list->len ? dtree_target(a->dir, list->pdata[0]) : NULL;
}

/*
 * A tree that the base does not have, or that includes more than there, repeats
 * the old warnings of the files it includes: with each of these one that
 * included it on the base is built too, so that they are known there.
 */
static void add_companions(const struct asked *a, GPtrArray *chunk)
{
	g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	guint own = chunk->len;
	GHashTableIter it;
	gpointer path;

	for (guint i = 0; a->base && a->now && i < own; i++) {
		g_autofree char *source = dtree_source(a->dir, chunk->pdata[i]);
		g_autoptr(GHashTable) was = dtree_closure(a->base, source);
		g_autoptr(GHashTable) is = dtree_closure(a->now, source);

		g_hash_table_iter_init(&it, is);
		while (g_hash_table_iter_next(&it, &path, NULL)) {
			char *target;

			if ((g_hash_table_contains(a->base->reads, source) &&
			     g_hash_table_contains(was, path)) ||
			    !g_hash_table_add(known, g_strdup(path)))
				continue;
			target = companion(a, path);
			if (target && !g_ptr_array_find_with_equal_func(chunk,
					target, g_str_equal, NULL))
				g_ptr_array_add(chunk, target);
			else
				g_free(target);
		}
	}
}

static void add_job(const struct asked *a, GPtrArray *jobs, guint from, guint to)
{
	g_autoptr(GPtrArray) chunk = g_ptr_array_new();
	g_autofree char *makefile = g_build_filename(a->dir, "Makefile", NULL);
	g_autofree char *first = g_build_filename(a->dir, a->targets->pdata[from],
						  NULL);
	g_autofree char *name = to - from > 1 ?
		g_strdup_printf("%s and %u more", first, to - from - 1) :
		g_strdup(first);

	for (guint i = from; i < to; i++)
		g_ptr_array_add(chunk, g_strdup(a->targets->pdata[i]));
	add_companions(a, chunk);
	g_ptr_array_add(chunk, NULL);
	neigh_add_tu(a->run, a->n, jobs, "dtbs", a->v,
		     neigh_tu(a->run, name, makefile, (char **)
			      g_ptr_array_free(g_steal_pointer(&chunk), FALSE)));
}

static void add_jobs(const struct asked *a, GPtrArray *jobs)
{
	guint max = a->run->exhaustive ? G_MAXUINT : a->run->reach_max;
	guint count = MIN(a->targets->len, max);
	g_autofree char *why = NULL;

	for (guint i = 0; i < count; i += TOGETHER)
		add_job(a, jobs, i, MIN(i + TOGETHER, count));
	if (a->targets->len <= max)
		return;
	why = g_strdup_printf("%u device trees read what it touches; %u of them "
			      "were built", a->targets->len, max);
	run_gap(a->run, a->n, a->v, a->dir, why);
}

/* What is left out of the build, or read by nothing. */
static void say_unread(struct asked *a, const struct file_diff *fd)
{
	const char *path = fd->new_path;
	g_autofree char *target = path ? dtree_target(a->dir, path) : NULL;
	unsigned int line;

	if (!path || !path_is_below(path, a->dir) ||
	    g_str_has_suffix(path, "/Makefile"))
		return;
	if (!a->now || !g_hash_table_contains(a->now->reads, path)) {
		run_gap(a->run, a->n, NULL, path, "no device tree reads it");
		return;
	}
	if (!target || (fd->old_path && !fd->is_rename) ||
	    !dtree_lists(a->run->cur, a->dir, target))
		return;
	dtree_made(a->run->cur, a->dir, target, &line);
	if (!line)
		run_gap(a->run, a->n, NULL, path, "no Makefile names it: it was "
			"built by its name only");
}

static void look(struct asked *a, GPtrArray *jobs)
{
	const struct diff *d = run_change(a->run, a->n - 1, a->n);

	a->seen = g_hash_table_new(g_str_hash, g_str_equal);
	a->targets = g_ptr_array_new_with_free_func(g_free);
	ask_reaching(a, a->now, false);
	ask_reaching(a, a->before, true);
	for (guint i = 0; i < d->files->len; i++)
		ask_makefile(a, d->files->pdata[i]);
	for (guint i = 0; i < d->files->len; i++)
		say_unread(a, d->files->pdata[i]);
	ask_composites(a);
	add_jobs(a, jobs);
	g_hash_table_unref(a->seen);
	g_ptr_array_unref(a->targets);
}

static bool concerns(struct run *run, unsigned int n)
{
	const struct diff *d = run_change(run, n - 1, n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (may_matter(run, file_diff_path(fd)) ||
		    (fd->old_path && may_matter(run, fd->old_path)))
			return true;
	}
	return false;
}

static void say_files(struct run *run, unsigned int n)
{
	const struct diff *d = run_change(run, n - 1, n);

	for (guint i = 0; i < d->files->len; i++) {
		const char *path = file_diff_path(d->files->pdata[i]);

		if (is_dts(path))
			run_out_of_scope(run, "the bindings of the device trees that "
					 "the series touches (dtbs_check)");
		if (is_dts(path) && follow_is_nowhere(run, path))
			run_gap(run, n, NULL, path,
				"no variant of this run is of its architecture");
	}
}

/* While a checkout has it: what the base reads is asked for at every patch. */
static void keep_base(struct run *run)
{
	g_autoptr(GPtrArray) firsts = neigh_arches(run);
	bool any = false;

	for (unsigned int n = 1; !any && n <= run_steps(run); n++)
		any = concerns(run, n);
	for (guint i = 0; any && i < firsts->len; i++)
		tree_at(run, 0, ((struct variant *)firsts->pdata[i])->arch,
			run->prev);
}

void neigh_dts(struct run *run, unsigned int n, GPtrArray *jobs)
{
	g_autoptr(GPtrArray) firsts = NULL;

	if (n == 1)
		keep_base(run);
	if (!concerns(run, n))
		return;
	say_files(run, n);
	firsts = neigh_arches(run);
	for (guint i = 0; i < firsts->len; i++) {
		struct asked a = { .run = run, .n = n, .v = firsts->pdata[i] };
		g_autofree char *dir = g_strdup_printf("arch/%s/boot/dts",
						a.v->arch->srcarch);

		a.dir = dir;
		a.now = tree_at(run, n, a.v->arch, run->cur);
		a.before = tree_at(run, n - 1, a.v->arch, run->prev);
		a.base = tree_at(run, 0, a.v->arch, run->prev);
		if ((a.now || a.before) &&
		    neigh_first(run, n, dir, a.v->arch->srcarch))
			look(&a, jobs);
	}
}
