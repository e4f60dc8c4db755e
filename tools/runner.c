// SPDX-License-Identifier: GPL-2.0
/*
 * Runs jobs.  Each job has a directory of its own, the only place it may
 * write to; O= and the sources are read-only while jobs run.
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

#include "budget.h"
#include "check.h"
#include "checkset.h"
#include "error.h"
#include "kbuild-int.h"

struct pool {
	struct runner *r;
	GPtrArray *todo;		/* of struct job, cheapest first; borrowed */
	guint next;
	const char *srcdir;
	const char *tree_id;
	unsigned int slot;		/* names the next job directory */
};

struct running {
	struct job *job;
	char *dir;
};

/* All that decides the result: same key, same result. */
static char *job_key(const struct pool *p, const struct job *job)
{
	g_auto(GStrv) argv = job->check->argv(job, "@src", "@job");
	g_autofree char *cmd = g_strjoinv("\n", argv);
	g_autofree char *all = g_strjoin("\n", job->check->name,
		job->check->version, check_tool_version(job->check),
		p->r->base_tree, p->tree_id,
		job->variant->name,
		job->variant->config_hash, job->variant->toolchain,
		job->header ? job->header : "", cmd, NULL);

	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, all, -1);
}

static bool take_stored(struct pool *p, struct job *job)
{
	g_autofree char *key = NULL;
	struct job_result res = { 0 };

	if (!p->r->reuse || !p->r->store)
		return false;
	key = job_key(p, job);
	if (!store_get(p->r->store, key, &res))
		return false;
	job->diags = diag_from_json(res.diags, NULL);
	/* Damaged, or from before make had generated what was missing. */
	if (!job->diags || job_lacks_file(job)) {
		g_clear_pointer(&job->diags, g_ptr_array_unref);
		job_result_clear(&res);
		return false;
	}
	if (res.deps && *res.deps) {
		g_strfreev(job->deps);
		job->deps = g_strsplit(res.deps, "\n", -1);
	}
	job->symbols = elf_symbols_from_text(res.symbols);
	job->seconds = res.seconds;
	job->reused = true;
	job_set_outcome(job, res.outcome, res.reason && *res.reason ?
			res.reason : NULL);
	job_result_clear(&res);
	p->r->reused++;
	return true;
}

/*
 * Only what a tool really said is worth keeping; the rest is tried again.  So
 * is a missing file: make may generate it, which the key does not say.
 */
static void keep(struct pool *p, struct job *job)
{
	g_autofree char *key = NULL, *diags = NULL, *deps = NULL, *symbols = NULL;
	struct job_result res = { 0 };

	if (!p->r->store || !job_usable(job) || job_lacks_file(job))
		return;
	key = job_key(p, job);
	diags = diag_to_json(job->diags);
	deps = job->deps ? g_strjoinv("\n", job->deps) : g_strdup("");
	symbols = job->symbols ? elf_symbols_to_text(job->symbols) : g_strdup("");
	res.outcome = job->outcome;
	res.symbols = symbols;
	res.diags = diags;
	res.deps = deps;
	res.reason = job->reason ? job->reason : (char *)"";
	res.seconds = job->seconds;
	if (p->r->error)
		return;
	store_put(p->r->store, key, &res, &p->r->error);
}

/* "o.o: a.c \<newline> b.h": paths relative to the tree, "O/..." under O=. */
static char **read_deps(const char *dir, const char *srcdir)
{
	g_autofree char *path = g_build_filename(dir, "o.d", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) words = NULL;
	GPtrArray *deps;
	gsize n = strlen(srcdir);
	char *colon;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	colon = strchr(text, ':');
	if (!colon)
		return NULL;
	words = g_strsplit_set(colon + 1, " \\\n", -1);
	deps = g_ptr_array_new();
	for (char **w = words; *w; w++) {
		g_autofree char *file = NULL;

		if (!**w || g_str_has_suffix(*w, "/probe.c"))
			continue;
		if (**w != '/') {
			g_ptr_array_add(deps, g_strconcat("O/", *w, NULL));
			continue;
		}
		/* gcc says "vdso/vdso32/../vgetcpu.c" as it was included */
		file = g_canonicalize_filename(*w, "/");
		if (!strncmp(file, srcdir, n) && file[n] == '/')
			g_ptr_array_add(deps, g_strdup(file + n + 1));
	}
	g_ptr_array_add(deps, NULL);
	return (char **)g_ptr_array_free(deps, FALSE);
}

/* Those of a job that writes no list are what its check says, or are given. */
static void take_deps(struct job *job, const char *dir, const char *srcdir)
{
	char **deps = read_deps(dir, srcdir);

	if (!deps)
		return;
	g_strfreev(job->deps);
	job->deps = deps;
}

/* The object of the job that compiles a TU; a header alone is not linked. */
static void read_symbols(struct job *job, const char *dir)
{
	g_autofree char *object = g_build_filename(dir, "o.o", NULL);

	g_clear_pointer(&job->symbols, elf_symbols_free);
	if (!job->header && job_is_compile(job) && job_usable(job))
		job->symbols = elf_symbols_read(object);
}

static char *make_job_dir(struct pool *p, const struct job *job, GError **error)
{
	g_autofree char *name = g_strdup_printf("job-%u", p->slot++);
	g_autofree char *dir = g_build_filename(p->r->tmpdir, name, NULL);
	g_autofree char *probe = NULL, *text = NULL;

	remove_tree(dir, NULL);
	if (g_mkdir_with_parents(dir, 0755)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot make '%s': %s", dir, g_strerror(errno));
		return NULL;
	}
	if (job->check->prepare &&
	    job->check->prepare(job, p->srcdir, dir, error))
		return NULL;
	if (!job->header || !job_is_compile(job))
		return g_steal_pointer(&dir);
	probe = g_build_filename(dir, "probe.c", NULL);
	text = probe_text(job->header, p->srcdir);
	if (!g_file_set_contents(probe, text, -1, error))
		return NULL;
	return g_steal_pointer(&dir);
}

static struct proc_job *start(struct pool *p, struct job *job)
{
	struct running *run;
	struct proc_job *pj;
	g_auto(GStrv) argv = NULL;
	char *dir = make_job_dir(p, job, &p->r->error);

	if (!dir)
		return NULL;
	argv = job->check->argv(job, p->srcdir, dir);
	run = g_new0(struct running, 1);
	run->job = job;
	run->dir = dir;
	pj = proc_job_new(sandbox_argv(p->r->sandbox, argv, job->variant->odir,
		(const char *const[]){ p->srcdir, job->variant->odir,
				       job->variant->tooldir ?:
				       check_tool_dir(job->check),
				       job->variant->tooldir ?
				       check_tool_dir(job->check) : NULL, NULL },
		(const char *const[]){ dir, NULL }, NULL));
	pj->seconds = p->r->seconds;
	pj->data = run;
	return pj;
}

/*
 * What is not there cannot warn: an object that is not built at the step, or
 * whose source a later patch adds.
 */
static bool is_nothing(const struct pool *p, const struct job *job)
{
	const struct tu *tu = compdb_at(job->tu, job->step);
	g_autofree char *path = NULL;

	if (!tu)
		return true;
	if (job->why != WHY_BASELINE || g_str_has_prefix(tu->source, "O/"))
		return false;
	path = g_build_filename(p->srcdir, job->header ? job->header :
				tu->source, NULL);
	return !g_file_test(path, G_FILE_TEST_EXISTS);
}

static bool is_late(const struct runner *r)
{
	return r->deadline && g_get_monotonic_time() >= r->deadline;
}

static void judge_here(struct pool *p, struct job *job)
{
	gint64 start = g_get_monotonic_time();

	job->check->here(job, p->srcdir);
	job->seconds = (g_get_monotonic_time() - start) / 1e6;
	keep(p, job);
}

static struct proc_job *next_job(void *data)
{
	struct pool *p = data;

	while (p->next < p->todo->len && !p->r->error && !proc_interrupted()) {
		struct job *job = g_ptr_array_index(p->todo, p->next++);

		if (job->done)
			continue;
		if (is_nothing(p, job))
			job_set_outcome(job, OUTCOME_PASS, NULL);
		else if (take_stored(p, job))
			;
		else if (is_late(p->r))
			job_set_outcome(job, OUTCOME_SKIPPED, BUDGET_SPENT);
		else if (job->check->here)
			judge_here(p, job);
		else
			return start(p, job);
		if (p->r->on_done)
			p->r->on_done(job, p->r->on_done_data);
	}
	return NULL;
}

static void spend(struct runner *r, const char *check, double seconds)
{
	double *sum;

	r->spent += seconds;
	if (!r->spent_by)
		r->spent_by = g_hash_table_new_full(g_str_hash, g_str_equal,
						    NULL, g_free);
	sum = g_hash_table_lookup(r->spent_by, check);
	if (!sum) {
		sum = g_new0(double, 1);
		g_hash_table_insert(r->spent_by, (gpointer)check, sum);
	}
	*sum += seconds;
}

double runner_spent(const struct runner *r, const char *check)
{
	const double *sum = r->spent_by ?
		g_hash_table_lookup(r->spent_by, check) : NULL;

	return sum ? *sum : 0;
}

static void job_done(struct proc_job *pj, void *data)
{
	struct pool *p = data;
	struct running *run = pj->data;
	struct job *job = run->job;

	if (pj->end != PROC_CANCELED) {
		take_deps(job, run->dir, p->srcdir);
		job->seconds = pj->wall;
		spend(p->r, job->check->name, pj->wall);
		p->r->compiled++;
		job->check->judge(job, pj, p->srcdir);
		read_symbols(job, run->dir);
		keep(p, job);
		if (p->r->on_done)
			p->r->on_done(job, p->r->on_done_data);
	}
	remove_tree(run->dir, NULL);
	g_free(run->dir);
	g_free(run);
	proc_job_free(pj);
}

static gint by_cost(gconstpointer a, gconstpointer b)
{
	const struct job *x = *(struct job *const *)a;
	const struct job *y = *(struct job *const *)b;

	return x->cost < y->cost ? -1 : x->cost > y->cost;
}

int runner_run(struct runner *r, GPtrArray *jobs, const char *srcdir,
	       const char *tree_id)
{
	g_autoptr(GPtrArray) todo = g_ptr_array_new();
	struct pool p = { .r = r, .todo = todo, .srcdir = srcdir,
			  .tree_id = tree_id };

	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = g_ptr_array_index(jobs, i);

		if (!job->done)
			g_ptr_array_add(todo, job);
	}
	g_ptr_array_sort(todo, by_cost);
	proc_pool(r->width, next_job, job_done, &p);
	return r->error || proc_interrupted() ? -1 : 0;
}
