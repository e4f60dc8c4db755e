// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "audit.h"
#include "check.h"
#include "checkset.h"
#include "command.h"
#include "error.h"
#include "session.h"
#include "toggle-run.h"

#define JOB_SECONDS 600
#define JOB_MEMORY 4096		/* MiB; cc1 of allmodconfig takes up to 1000 */

char *session_store_path(const char *cache)
{
	return g_build_filename(cache, "results.sqlite", NULL);
}

/* --tree PATH[@REV] or NAME: the path, and the revision or NULL. */
static int find_tree(struct session *s, const char *tree, char **path,
		     char **rev, GError **error)
{
	g_autofree char *key_path = g_strdup_printf("respin-tree.%s.path", tree);
	g_autofree char *key_ref = g_strdup_printf("respin-tree.%s.ref", tree);
	const char *at;

	if (config_path(s->config, key_path, path, error) ||
	    config_string(s->config, key_ref, rev, error))
		return -1;
	if (*path)
		return 0;
	at = strrchr(tree, '@');
	/* A path may hold an @; what stands before it must exist then. */
	if (at && !g_file_test(tree, G_FILE_TEST_EXISTS)) {
		*path = g_strndup(tree, at - tree);
		*rev = g_strdup(at + 1);
	} else {
		*path = g_strdup(tree);
	}
	if (g_file_test(*path, G_FILE_TEST_IS_DIR))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE, "no tree '%s': "
		    "neither a directory nor a [respin-tree \"%s\"] with a path "
		    "in the configuration", *path, tree);
	return -1;
}

static char *named_base(struct session *s, const char *rev, const char *option,
			char **how, GError **error)
{
	char *id = repo_resolve(s->repo, rev, error);

	/* A name says something, an id only repeats itself. */
	*how = id && g_str_has_prefix(id, rev) ?
		g_strdup_printf("from %s", option) :
		g_strdup_printf("%s, from %s", rev, option);
	return id;
}

/* Which commit the series goes on, and how that was decided. */
static char *find_base(struct session *s, const struct session_options *o,
		       const struct series *series, const char *rev, char **how,
		       GError **error)
{
	char *id;

	if (o->base || rev)
		return named_base(s, o->base ? o->base : rev,
				  o->base ? "--base" : "--tree", how, error);
	if (series->base_commit && repo_has(s->repo, series->base_commit)) {
		id = repo_resolve(s->repo, series->base_commit, NULL);
		if (id) {
			*how = g_strdup("base-commit of the series");
			return id;
		}
	}
	*how = series->base_commit ?
		g_strdup_printf("HEAD; base-commit %.12s is not in this tree",
				series->base_commit) : g_strdup("HEAD");
	return repo_resolve(s->repo, "HEAD", error);
}

/* "mm: Foo bar", v2 -> "mm-Foo-bar-v2": a name for refs/respin/. */
static char *ref_name(const struct series *series)
{
	g_autofree char *slug = g_strdup(series->subject);

	g_strcanon(slug, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		   "0123456789_", '-');
	return g_strdup_printf("%.60s-v%u", slug, series->version);
}

static bool is_range(struct session *s, char *const *args)
{
	g_autofree char *id = NULL;

	if (!args[0] || args[1] || !strcmp(args[0], "-") ||
	    g_file_test(args[0], G_FILE_TEST_EXISTS))
		return false;
	if (strstr(args[0], ".."))
		return true;
	id = repo_resolve(s->repo, args[0], NULL);
	return id != NULL;
}

/* The work tree is never read; who stands in a dirty one should know. */
static void say_dirty(struct session *s)
{
	g_autofree char *how = s->run->base_how;

	s->run->base_how = repo_is_dirty(s->repo) ? g_strdup_printf(
		"%s; uncommitted changes in the work tree are left out", how) :
		g_steal_pointer(&how);
}

static int check_kernel(struct session *s, const char *base, GError **error)
{
	if (repo_is_kernel(s->repo, base))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE, "'%s' at %.12s is not "
		    "a Linux kernel tree; name one with --tree PATH[@REV]",
		    repo_path(s->repo), base);
	return -1;
}

static int read_series(struct session *s, const struct session_options *o,
		       char *const *args, const char *rev, GError **error)
{
	struct run *run = s->run;
	struct apply_options ao = { .fuzz = o->fuzz, .keep_cr = o->keep_cr };
	g_autofree char *base = NULL, *name = NULL;

	if (is_range(s, args)) {
		if (range_read(s->repo, args[0], &run->series, &run->steps, error))
			return -1;
		run->base_how = g_strdup_printf("parent of %s", args[0]);
		return check_kernel(s, run_step(run, 0)->commit, error);
	}
	run->series = series_read(args, o->keep_cr, error);
	if (!run->series)
		return -1;
	base = find_base(s, o, run->series, rev, &run->base_how, error);
	if (!base || check_kernel(s, base, error))
		return -1;
	name = ref_name(run->series);
	run->steps = apply_series(s->repo, run->series, base, &ao, name, error);
	return run->steps ? 0 : -1;
}

static int take_lock(struct session *s, bool quiet, GError **error)
{
	g_autofree char *path = g_build_filename(s->dir, "lock", NULL);

	s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (s->lock < 0) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot open '%s': %s", path, g_strerror(errno));
		return -1;
	}
	if (!flock(s->lock, LOCK_EX | LOCK_NB))
		return 0;
	if (!quiet)
		fprintf(stderr, "respin: another respin works on this tree; "
			"waiting for it\n");
	while (flock(s->lock, LOCK_EX)) {
		if (errno == EINTR && !proc_interrupted())
			continue;
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INTERRUPTED,
			    "interrupted while waiting for '%s'", path);
		return -1;
	}
	return 0;
}

static int open_cache(struct session *s, const struct session_options *o,
		      GError **error)
{
	g_autofree char *key = g_compute_checksum_for_string(G_CHECKSUM_SHA1,
					repo_path(s->repo), -1);
	g_autofree char *store = NULL;
	char *real;

	s->cache = config_cache_dir(s->config, error);
	if (!s->cache)
		return -1;
	key[12] = '\0';
	s->dir = g_build_filename(s->cache, "trees", key, NULL);
	if (g_mkdir_with_parents(s->dir, 0755)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "cannot make "
			    "'%s': %s; set respin.cacheDir to a place that can "
			    "be written", s->dir, g_strerror(errno));
		return -1;
	}
	real = realpath(s->dir, NULL);
	if (real) {
		/* Without symbolic links, as make prints it. */
		g_free(s->dir);
		s->dir = g_strdup(real);
		free(real);
	}
	if (take_lock(s, o->quiet, error))
		return -1;
	store = session_store_path(s->cache);
	s->store = store_open(store, error);
	return s->store ? 0 : -1;
}

static int fill_kbuild(struct session *s, GError **error)
{
	struct run *run = s->run;

	s->base = base_new(s->repo, run_step(run, 0)->tree, &s->kbuild, error);
	if (!s->base)
		return -1;
	s->kbuild.sandbox = &s->sandbox;
	s->kbuild.srcdir = g_strdup(run->cur);
	s->kbuild.cachedir = g_strdup(s->dir);
	run->kbuild = &s->kbuild;
	return 0;
}

static int fill_runner(struct session *s, const struct session_options *o,
		       GError **error)
{
	gint64 jobs = o->jobs, timeout = JOB_SECONDS;

	if (!jobs && config_int(s->config, "respin.jobs", 1, 4096, &jobs, error))
		return -1;
	if (config_int(s->config, "respin.timeout", 1, 86400, &timeout, error))
		return -1;
	s->runner.sandbox = &s->sandbox;
	s->runner.store = s->store;
	s->runner.reuse = !o->no_reuse;
	s->runner.width = jobs ? jobs : g_get_num_processors();
	s->runner.seconds = timeout;
	s->runner.base_tree = run_step(s->run, 0)->tree;
	s->runner.tmpdir = g_build_filename(s->dir, "jobs", NULL);
	s->run->runner = &s->runner;
	return 0;
}

static int fill_budget(struct session *s, const struct session_options *o,
		       GError **error)
{
	struct budget *b = &s->run->budget;
	g_autofree char *text = g_strdup(o->budget);

	if (!text && config_string(s->config, "respin.budget", &text, error))
		return -1;
	if (text && budget_parse(text, &b->total, error))
		return -1;
	b->left = b->total;
	return 0;
}

static int fill_sandbox(struct session *s, const struct session_options *o,
			GError **error)
{
	bool on = true;

	s->sandbox.memory = JOB_MEMORY;
	if (config_bool(s->config, "respin.sandbox", &on, error) ||
	    config_int(s->config, "respin.memory", 0, 1 << 20,
		       &s->sandbox.memory, error))
		return -1;
	s->sandbox.off = o->no_sandbox || !on;
	return sandbox_check(&s->sandbox, error);
}

static int fill_audit(struct session *s, const struct session_options *o,
		      GError **error)
{
	gint64 percent = AUDIT_PERCENT;

	if (config_int(s->config, "respin.audit", 0, 100, &percent, error))
		return -1;
	s->run->audit = audit_new();
	s->run->audit->percent = o->no_audit ? 0 : percent;
	return 0;
}

/* A sparse built from its own repository, say. */
static int fill_tools(struct session *s, GError **error)
{
	for (const struct check *const *c = check_list(); *c; c++) {
		g_autofree char *key = g_strdup_printf("respin-tool.%s.path",
						       (*c)->tool ?: "");
		g_autofree char *path = NULL;

		if (!(*c)->tool)
			continue;
		if (config_path(s->config, key, &path, error))
			return -1;
		if (path)
			check_tool_set((*c)->tool, path);
	}
	return 0;
}

static int fill_checks(struct session *s, const struct session_options *o,
		       GError **error)
{
	g_autofree char *only = g_strdup(o->check), *skip = g_strdup(o->skip);
	g_autofree char *least = g_strdup(o->min_confidence);

	if ((!only && config_string(s->config, "respin.check", &only, error)) ||
	    (!skip && config_string(s->config, "respin.skip", &skip, error)) ||
	    (!least && config_string(s->config, "respin.minConfidence", &least,
				     error)))
		return -1;
	s->run->checks = checkset_new(only, skip, least, error);
	return s->run->checks ? fill_tools(s, error) : -1;
}

static int fill_toggles(struct session *s, const struct session_options *o,
			GError **error)
{
	g_autofree char *text = g_strdup(o->toggle);

	s->run->toggle_max = TOGGLE_DEFAULT;
	if (!text && config_string(s->config, "respin.toggles", &text, error))
		return -1;
	return text ? toggle_parse(text, &s->run->toggle_max, error) : 0;
}

static int open_repo(struct session *s, const struct session_options *o,
		     char **rev, GError **error)
{
	g_autofree char *path = NULL;

	s->config = config_open(NULL, command_overrides(), error);
	if (!s->config)
		return -1;
	if (find_tree(s, o->tree ? o->tree : ".", &path, rev, error))
		return -1;
	s->repo = repo_open(path, error);
	if (!s->repo)
		return -1;
	/* Once more, now with the configuration of the tree itself. */
	config_free(s->config);
	s->config = config_open(repo_path(s->repo), command_overrides(), error);
	return s->config ? 0 : -1;
}

static int open_all(struct session *s, const struct session_options *o,
		    char *const *args, GError **error)
{
	g_autofree char *rev = NULL;
	struct run *run = s->run;

	if (open_repo(s, o, &rev, error) || session_variants(s, o, error) ||
	    fill_toggles(s, o, error) || fill_checks(s, o, error) ||
	    fill_budget(s, o, error) ||
	    read_series(s, o, args, rev, error) ||
	    fill_sandbox(s, o, error) || open_cache(s, o, error))
		return -1;
	say_dirty(s);
	run->repo = s->repo;
	run->tree_name = g_strdup(o->tree ? o->tree : repo_path(s->repo));
	run->dir = g_strdup(s->dir);
	run->exhaustive = o->exhaustive;
	run->cover = o->cover;
	run->cur = g_build_filename(s->dir, "cur", NULL);
	run->prev = g_build_filename(s->dir, "prev", NULL);
	if (fill_kbuild(s, error) || fill_audit(s, o, error))
		return -1;
	return fill_runner(s, o, error);
}

struct session *session_open(const struct session_options *o,
			     char *const *args, GError **error)
{
	struct session *s = g_new0(struct session, 1);

	s->lock = -1;
	s->run = run_new();
	if (!open_all(s, o, args, error))
		return s;
	session_close(s);
	return NULL;
}

static char *read_only(struct session *s, const struct session_options *o,
		       char *const *args, GError **error)
{
	g_autofree char *rev = NULL, *how = NULL;

	if (open_repo(s, o, &rev, error))
		return NULL;
	if (is_range(s, args))
		return range_read(s->repo, args[0], &s->run->series,
				  &s->run->steps, error) ? NULL :
		       g_strdup(run_step(s->run, 0)->commit);
	s->run->series = series_read(args, o->keep_cr, error);
	return s->run->series ?
	       find_base(s, o, s->run->series, rev, &how, error) : NULL;
}

struct session *session_read(const struct session_options *o,
			     char *const *args, char **base, GError **error)
{
	struct session *s = g_new0(struct session, 1);

	s->lock = -1;
	s->run = run_new();
	*base = read_only(s, o, args, error);
	if (*base)
		return s;
	session_close(s);
	return NULL;
}

void session_close(struct session *s)
{
	if (!s)
		return;
	g_clear_pointer(&s->run->series, series_free);
	g_clear_pointer(&s->run->steps, steps_free);
	g_clear_pointer(&s->run->progress, progress_free);
	run_free(s->run);
	g_free(s->runner.tmpdir);
	g_clear_pointer(&s->runner.spent_by, g_hash_table_unref);
	g_clear_error(&s->runner.error);
	g_free(s->kbuild.srcdir);
	g_free(s->kbuild.cachedir);
	g_clear_pointer(&s->base, base_free);
	g_clear_pointer(&s->store, store_close);
	g_clear_pointer(&s->repo, repo_free);
	g_clear_pointer(&s->config, config_free);
	if (s->lock >= 0)
		close(s->lock);
	g_free(s->cache);
	g_free(s->dir);
	g_free(s);
}
