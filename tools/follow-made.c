// SPDX-License-Identifier: GPL-2.0
/*
 * Files that the build generates.  What a patch makes of them is seen by
 * generating them at its step, in a copy of O=, and comparing with what stands
 * in the O= of the step before.  `prepare` makes most of them; of the others
 * make tells which objects need them, and then these objects are made.
 */
#include <string.h>
#include "error.h"
#include "follow-int.h"
#include "kbuild-int.h"
#include "madetree.h"
#include "makegraph.h"

void made_change_free(struct made_change *c)
{
	g_free(c->path);
	g_free(c->was);
	g_free(c->is);
	g_ptr_array_unref(c->tus);
	g_free(c);
}

static char *known_key(unsigned int n, const char *path)
{
	return g_strdup_printf("%u %s", n, path);
}

bool follow_made_knows(const struct run *run, unsigned int n, const char *path)
{
	g_autofree char *key = known_key(n, path);

	return run->follow && g_hash_table_contains(run->follow->known, key);
}

void follow_made_between(const struct run *run, unsigned int from,
			 unsigned int to, GHashTable *set)
{
	const struct follow *f = run->follow;

	for (guint i = 0; f && i < f->made->len; i++) {
		struct made_path *m = &g_array_index(f->made, struct made_path,
						     i);

		if (m->n > from && m->n <= to)
			g_hash_table_add(set, m->path);
	}
}

static bool is_tu(const struct follow_work *w, const char *name)
{
	return compdb_find_object(w->v->db, name);
}

/* Nothing is read from what is made of these. */
static bool is_end(const char *name, void *data)
{
	const struct follow_work *w = data;
	static const char *const ends[] = {
		".a", ".ko", ".mod", ".order", ".symvers", ".builtin", NULL
	};
	g_autofree char *full = NULL;

	for (guint i = 0; ends[i]; i++)
		if (g_str_has_suffix(name, ends[i]))
			return true;
	/* a header is made of an assembler text */
	if (is_tu(w, name))
		return !g_str_has_suffix(name, ".s");
	/* a phony target of the top Makefile, or a directory */
	if (!strchr(name, '/'))
		return true;
	full = g_build_filename(w->run->cur, name, NULL);
	return g_file_test(full, G_FILE_TEST_IS_DIR);
}

/*
 * tools/ has a build system of its own, which kbuild enters by the name of the
 * directory: objtool is built by `prepare`, whatever of it changes.
 */
static bool knows(const struct makegraph *g, const char *path)
{
	g_autofree char *dir = NULL;

	if (makegraph_knows(g, path))
		return true;
	if (!g_str_has_prefix(path, "tools/"))
		return false;
	for (dir = g_path_get_dirname(path); strcmp(dir, "tools") &&
	     strcmp(dir, ".");) {
		char *up = g_path_get_dirname(dir);

		if (makegraph_knows(g, dir)) {
			g_free(up);
			return true;
		}
		g_free(dir);
		dir = up;
	}
	return false;
}

/*
 * A way up that ends nowhere was read wrongly, or is one that respin does not
 * know: then nothing was found out.
 */
static bool leads_somewhere(const struct follow_work *w, const char *path)
{
	g_autoptr(GPtrArray) up = makegraph_made_of(w->graph, path, is_end,
						    (void *)w);

	for (guint i = 0; i < up->len; i++) {
		const char *name = up->pdata[i];
		g_autofree char *full = g_build_filename(w->v->odir, name, NULL);

		if (is_tu(w, name) || g_str_has_suffix(name, ".lds") ||
		    g_file_test(full, G_FILE_TEST_IS_REGULAR))
			return true;
	}
	return g_str_has_prefix(path, "tools/");
}

/* A script may be used anywhere; tools/ are built by `prepare`. */
static bool all_known(const struct follow_work *w)
{
	for (guint i = 0; i < w->others->len; i++) {
		const char *path = w->others->pdata[i];

		if (g_str_has_prefix(path, "tools/"))
			continue;
		if (g_str_has_prefix(path, "scripts/") ||
		    !knows(w->graph, path) || !leads_somewhere(w, path))
			return false;
	}
	return true;
}

static void note_known(struct follow_work *w)
{
	for (guint i = 0; i < w->others->len; i++) {
		const char *path = w->others->pdata[i];

		if (!knows(w->graph, path) || !leads_somewhere(w, path))
			continue;
		g_hash_table_add(w->run->follow->known, known_key(w->n, path));
		w->blame_made = path;
	}
}

/*
 * `prepare` does not make @name: the object that needs it is a target that make
 * can be given.  One object is enough for all that it needs.  That @name stands
 * in O= already says nothing: it is what an earlier run made on the base.
 */
static bool add_target(struct follow_work *w, const char *name)
{
	g_autoptr(GPtrArray) up = makegraph_made_of(w->graph, name, is_end, w);
	const char *first = NULL;

	for (guint i = 0; i < up->len; i++) {
		if (!is_tu(w, up->pdata[i]))
			continue;
		if (g_ptr_array_find_with_equal_func(w->targets, up->pdata[i],
						     g_str_equal, NULL))
			return true;
		if (!first)
			first = up->pdata[i];
	}
	if (first)
		g_ptr_array_add(w->targets, g_strdup(first));
	return first;
}

static bool is_prepared(const struct follow_work *w, const char *name)
{
	return g_hash_table_contains(w->prepared, name);
}

/* What is made of @path: sees to it that it is made again, or says so. */
static void find_targets_of(struct follow_work *w, const char *path)
{
	g_autoptr(GPtrArray) up = makegraph_made_of(w->graph, path, is_end, w);
	const GPtrArray *users = g_hash_table_lookup(w->graph->users, path);

	for (guint i = 0; i < up->len; i++) {
		const char *name = up->pdata[i];
		struct tu *tu = compdb_find_object(w->v->db, name);
		struct follow_item item = { w->v, tu };
		g_autofree char *why = NULL;

		/* an object is made of the file itself */
		if (tu && g_ptr_array_find((GPtrArray *)users, name, NULL))
			g_array_append_val(w->out->items, item);
		if (g_str_has_suffix(name, ".lds"))
			g_ptr_array_add(w->targets, g_strdup(name));
		else if (!is_end(name, w) && !is_prepared(w, name) &&
			 !add_target(w, name))
			why = g_strdup_printf("'%s' is made of it, and no object "
				"of this variant has it made: it is not compared",
				name);
		if (why)
			run_gap(w->run, w->n, w->v, path, why);
	}
}

static void find_targets(struct follow_work *w)
{
	for (guint i = 0; i < w->others->len; i++)
		find_targets_of(w, w->others->pdata[i]);
}

static int move(struct run *run, unsigned int n, GError **error)
{
	return repo_checkout(run->repo, run_step(run, n)->tree, run->cur, NULL,
			     error);
}

static bool is_base(const struct follow_work *w)
{
	return !strcmp(follow_odir(w->run, w->v, w->n),
		       follow_odir(w->run, w->v, 0));
}

/* In the O= of the base, as for a TU that lacks a generated file. */
static void make_on_base(struct follow_work *w)
{
	for (guint i = 0; i < w->targets->len; i++)
		kbuild_make_object(w->run->kbuild, w->v, w->targets->pdata[i],
				   NULL);
}

/* What could not be made there is not compared with anything: then it is new. */
static int make_before(struct follow_work *w, GError **error)
{
	g_autoptr(GPtrArray) failures = g_ptr_array_new_with_free_func(
		(GDestroyNotify)kbuild_failure_free);
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	bool base = is_base(w);
	int ret = move(w->run, base ? 0 : w->n - 1, error);

	if (!ret && base)
		make_on_base(w);
	else if (!ret)
		ret = kbuild_step_make_all(w->step, w->targets, failures, texts,
					   error);
	if (!ret && !base)
		ret = follow_keep(w, w->n - 1, error);
	return follow_back(w->run, w->n, ret, error);
}

/* The directories of the others; most things are made where they lie. */
static int read_dirs(struct follow_work *w, GError **error)
{
	g_autoptr(GHashTable) done = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	for (guint i = 0; i < w->others->len; i++) {
		const char *path = w->others->pdata[i];
		g_autofree char *dir = kdir_of(w->run->cur, path);
		char *goal = g_strconcat(dir, "/", NULL);

		if (!*dir || knows(w->graph, path) ||
		    g_str_has_prefix(path, "scripts/") ||
		    g_str_has_prefix(path, "tools/")) {
			g_free(goal);
			continue;
		}
		if (g_hash_table_add(done, goal) &&
		    kbuild_step_graph(w->step, goal, w->graph, error))
			return -1;
	}
	return 0;
}

static int read_graph(struct follow_work *w, bool config, GError **error)
{
	g_autofree char *before = NULL, *after = NULL;
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

	/* a symbol that .config does not have would stop make */
	if (config && kbuild_step_config(w->step, &before, &after, texts, error))
		return -1;
	w->graph = makegraph_new();
	if (kbuild_step_graph(w->step, "prepare", w->graph, error))
		return -1;
	w->prepared = makegraph_targets(w->graph);
	if (read_dirs(w, error))
		return -1;
	if (all_known(w))
		return 0;
	return kbuild_step_graph(w->step, NULL, w->graph, error);
}

int follow_made_know(struct follow_work *w, bool config, GError **error)
{
	int ret = -1;

	w->step = kbuild_step_new(w->run->kbuild, w->v, error);
	if (w->step)
		ret = read_graph(w, config, error);
	if (!ret) {
		note_known(w);
		find_targets(w);
		if (w->targets->len)
			ret = make_before(w, error);
	}
	g_clear_pointer(&w->step, kbuild_step_free);
	return ret;
}

static char *read_below(const char *odir, const char *path)
{
	g_autofree char *full = g_build_filename(odir, path, NULL);
	char *text = NULL;

	return g_file_get_contents(full, &text, NULL, NULL) ? text : NULL;
}

static GPtrArray *tus_of(struct follow_work *w, const char *path)
{
	GPtrArray *tus = g_ptr_array_new();
	g_autoptr(GPtrArray) up = NULL;

	if (!w->graph)
		return tus;
	up = makegraph_made_of(w->graph, path, is_end, w);
	for (guint i = 0; i < up->len; i++) {
		struct tu *tu = compdb_find_object(w->v->db, up->pdata[i]);

		if (tu)
			g_ptr_array_add(tus, tu);
	}
	return tus;
}

/* @lacks: what is not there may be what an error left unmade. */
static void take_change(struct follow_work *w, const char *path, bool lacks)
{
	g_autofree char *is = read_below(w->step->d.odir, path);
	struct made_change *c;
	struct made_path m;

	if (!is && lacks)
		return;
	m = (struct made_path){ w->n, g_strconcat("O/", path, NULL) };
	c = g_new0(struct made_change, 1);
	c->variant = w->v;
	c->path = g_strdup(path);
	c->was = read_below(w->v->odir, path);
	c->is = g_steal_pointer(&is);
	c->tus = tus_of(w, path);
	g_ptr_array_add(w->out->made, c);
	g_array_append_val(follow_state(w->run)->made, m);
	w->moved_made = true;
}

/*
 * What could not be generated, as complaints.  A TU that fails shows as a job
 * (@objects, NULL: none: it is planned, and its object added there); what is
 * made of its text is missing nevertheless.
 */
static bool sort_failures(struct follow_work *w, const GPtrArray *failures,
			  GPtrArray *texts, GPtrArray *objects)
{
	bool lacks = texts->len > 0;

	for (guint i = 0; i < failures->len; i++) {
		const struct kbuild_failure *f = failures->pdata[i];
		struct tu *tu = compdb_find_object(w->v->db, f->target);
		struct follow_item item = { w->v, tu };

		lacks |= !tu || g_str_has_suffix(f->target, ".s");
		if (!tu) {
			g_ptr_array_add(texts, g_strdup_printf("'%s' cannot be "
				"made%s%s", f->target, *f->text ? ": " : "",
				f->text));
		} else if (objects) {
			g_array_append_val(w->out->items, item);
			g_ptr_array_add(objects, g_strdup(tu->object));
		}
	}
	return lacks;
}

int follow_made_complaints(struct follow_work *w, GPtrArray *texts,
			   GError **error)
{
	g_autoptr(GPtrArray) failures = g_ptr_array_new_with_free_func(
		(GDestroyNotify)kbuild_failure_free);

	if (kbuild_step_make_all(w->step, w->targets, failures, texts, error))
		return -1;
	sort_failures(w, failures, texts, NULL);
	return 0;
}

/* What could not be generated before is asked for until it can. */
static void add_missing(struct follow_work *w)
{
	const struct follow *f = follow_state(w->run);

	for (guint i = 0; i < f->missing->len; i++) {
		const struct missing *m = f->missing->pdata[i];

		if (m->v != w->v || m->ask != ASK_MADE || !m->live)
			continue;
		for (char **t = m->targets; *t; t++)
			if (!g_ptr_array_find_with_equal_func(w->targets, *t,
							g_str_equal, NULL))
				g_ptr_array_add(w->targets, g_strdup(*t));
	}
}

void follow_made_lacks(struct follow_work *w, GPtrArray *objects)
{
	struct gap *g = run_gap(w->run, w->n, w->v, "generated files",
				"not all can be generated at this patch: what "
				"depends on those is not found out");

	if (objects && !g->objects)
		g->objects = g_ptr_array_ref(objects);
}

int follow_made_again(struct follow_work *w, GError **error)
{
	g_autoptr(GPtrArray) failures = g_ptr_array_new_with_free_func(
		(GDestroyNotify)kbuild_failure_free);
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) changed = NULL;
	bool lacks;

	add_missing(w);
	if (kbuild_step_make_all(w->step, w->targets, failures, texts, error))
		return -1;
	lacks = sort_failures(w, failures, texts, objects);
	changed = madetree_changed(w->v->odir, w->step->d.odir);
	for (guint i = 0; i < changed->len; i++)
		take_change(w, changed->pdata[i], lacks);
	if (lacks)
		follow_made_lacks(w, texts->len ? NULL : objects);
	w->ask = ASK_MADE;
	return follow_complain(w, "", texts, error);
}
