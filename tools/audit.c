// SPDX-License-Identifier: GPL-2.0
/*
 * The audit within a run.  Who can reach what is found out here once more, not
 * asked of the plan: that is what is audited.
 */
#include "audit.h"
#include "check.h"
#include "follow.h"
#include "plan.h"
#include "run-int.h"

/* Jobs between two looks at the clock, for each that runs at once. */
#define BATCH 16

static void row_free(struct audit_row *row)
{
	g_clear_pointer(&row->reaching, g_hash_table_unref);
	g_free(row);
}

static void slip_free(struct audit_slip *s)
{
	g_free(s->file);
	g_free(s);
}

struct audit *audit_new(void)
{
	struct audit *a = g_new0(struct audit, 1);

	a->percent = AUDIT_PERCENT;
	a->rows = g_ptr_array_new_with_free_func((GDestroyNotify)row_free);
	a->slips = g_ptr_array_new_with_free_func((GDestroyNotify)slip_free);
	a->shown = g_ptr_array_new_with_free_func((GDestroyNotify)
						  audit_shown_free);
	return a;
}

void audit_free(struct audit *a)
{
	if (!a)
		return;
	g_ptr_array_unref(a->rows);
	g_ptr_array_unref(a->slips);
	g_ptr_array_unref(a->shown);
	g_free(a);
}

/* Paths of patch @n, of both images, and what it makes generated otherwise. */
static GHashTable *touched_by(struct run *run, unsigned int n)
{
	const struct diff *d = run_change(run, n - 1, n);
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = g_ptr_array_index(d->files, i);

		if (fd->old_path)
			g_hash_table_add(set, fd->old_path);
		if (fd->new_path)
			g_hash_table_add(set, fd->new_path);
	}
	follow_made_between(run, n - 1, n, set);
	return set;
}

static void add_reaching(GHashTable *sources, struct incgraph *g,
			 const char *path, const char *srcarch)
{
	g_autoptr(GHashTable) set = incgraph_reaching(g, path, srcarch);
	GHashTableIter it;
	gpointer source;

	g_hash_table_add(sources, (char *)path);
	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &source, NULL))
		g_hash_table_add(sources, source);
}

static void add_sources(GHashTable *sources, struct incgraph *g,
			GHashTable *touched, const char *srcarch)
{
	GHashTableIter it;
	gpointer path;

	g_hash_table_iter_init(&it, touched);
	while (g && g_hash_table_iter_next(&it, &path, NULL)) {
		g_autoptr(GPtrArray) first = NULL;

		add_reaching(sources, g, path, srcarch);
		if (!g_str_has_prefix(path, "O/"))
			continue;
		first = incgraph_naming(g, (char *)path + strlen("O/"), srcarch);
		for (guint i = 0; i < first->len; i++)
			add_reaching(sources, g, first->pdata[i], srcarch);
	}
}

/* The TUs of @v at step @n that can reach what patch @n touches. */
static GHashTable *reaching(struct run *run, unsigned int n,
			    const struct variant *v)
{
	GHashTable *tus = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) touched = touched_by(run, n);
	g_autoptr(GHashTable) sources = g_hash_table_new(g_str_hash, g_str_equal);

	add_sources(sources, run->graph, touched, v->arch->srcarch);
	add_sources(sources, run->graph_before, touched, v->arch->srcarch);
	for (guint i = 0; i < v->db->tus->len; i++) {
		struct tu *tu = g_ptr_array_index(v->db->tus, i);
		const struct tu *now = compdb_at(tu, n);

		if (now && (run->audit->all || now != compdb_at(tu, n - 1) ||
			    g_hash_table_contains(sources, now->source)))
			g_hash_table_add(tus, tu);
	}
	return tus;
}

static struct audit_row *row_of(const struct audit *a, unsigned int n,
				const struct variant *v)
{
	for (guint i = a->rows->len; i > 0; i--) {
		struct audit_row *row = g_ptr_array_index(a->rows, i - 1);

		if (row->n == n && row->variant == v)
			return row;
	}
	return NULL;
}

static void add_row(struct run *run, unsigned int n, const struct variant *v)
{
	struct audit_row *row = g_new0(struct audit_row, 1);

	row->n = n;
	row->variant = v;
	for (guint i = 0; i < v->db->tus->len; i++)
		row->tus += compdb_at(v->db->tus->pdata[i], n) != NULL;
	row->reaching = reaching(run, n, v);
	row->reach = g_hash_table_size(row->reaching);
	g_ptr_array_add(run->audit->rows, row);
}

static GHashTable *compiled_on(const struct variant *v, const GPtrArray *jobs)
{
	GHashTable *set = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);

		if (job->variant == v && !job->header)
			g_hash_table_add(set, (void *)job->tu);
	}
	return set;
}

/* Adds to @picks the TUs of @row that are not in @jobs, near or far. */
static void candidates(const struct run *run, const struct audit_row *row,
		       const GPtrArray *jobs, guint64 seed, bool near,
		       GArray *picks)
{
	const struct variant *v = row->variant;
	g_autoptr(GHashTable) have = compiled_on(v, jobs);

	for (guint i = 0; i < v->db->tus->len; i++) {
		struct audit_pick p = { .variant = v };

		p.tu = g_ptr_array_index(v->db->tus, i);
		if (!compdb_at(p.tu, row->n) ||
		    g_hash_table_contains(have, p.tu) ||
		    g_hash_table_contains(row->reaching, p.tu) != near)
			continue;
		p.key = audit_key(seed, v->name, p.tu->object);
		g_array_append_val(picks, p);
	}
}

static struct job *job_of(const struct run *run, unsigned int n,
			  const struct audit_pick *p)
{
	struct job *job = job_new(check_find("gcc"), p->variant, p->tu, NULL, n,
				  WHY_AUDIT);

	/* After all that is planned: a finding is shown by a planned job first. */
	job->cost = G_MAXINT64 / 2 + plan_cost(run, p->tu->source);
	return job;
}

/* The same series on the same base draws the same TUs again. */
static guint64 standing_seed(const struct run *run, unsigned int n)
{
	g_autofree char *step = g_strdup_printf("%u", n);
	const char *subject = run->series->subject;

	return audit_key(audit_key(0, run_step(run, 0)->tree, step),
			 subject ? subject : "", "");
}

static void plan_standing(struct run *run, unsigned int n, GPtrArray *jobs)
{
	g_autoptr(GArray) picks = g_array_new(FALSE, FALSE,
					      sizeof(struct audit_pick));
	guint64 seed = standing_seed(run, n);

	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = g_ptr_array_index(run->variants, i);
		struct audit_row row = { .n = n, .variant = v };

		row.reaching = reaching(run, n, v);
		candidates(run, &row, jobs, seed, true, picks);
		g_hash_table_unref(row.reaching);
	}
	audit_draw(picks, audit_share(jobs->len, run->audit->percent));
	for (guint i = 0; i < picks->len; i++)
		g_ptr_array_add(jobs, job_of(run, n,
			&g_array_index(picks, struct audit_pick, i)));
}

void audit_plan(struct run *run, unsigned int n, GPtrArray *jobs, bool config)
{
	if (!run->audit)
		return;
	run->audit->all = config;
	if (run->audit->full)
		for (guint i = 0; i < run->variants->len; i++)
			add_row(run, n, g_ptr_array_index(run->variants, i));
	else if (run->audit->percent && jobs->len)
		plan_standing(run, n, jobs);
}

/* Patches on stages that are still to come, this one included. */
static unsigned int still_to_do(const struct run *run, unsigned int n)
{
	unsigned int left = run_steps(run) - n + 1;

	for (guint i = run->stage; i < run->stages->len; i++)
		if (((GPtrArray *)run->stages->pdata[i])->len)
			left += run_steps(run);
	return left;
}

static GArray *draw_all(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	struct audit *a = run->audit;
	GArray *near = g_array_new(FALSE, FALSE, sizeof(struct audit_pick));
	GArray *far = g_array_new(FALSE, FALSE, sizeof(struct audit_pick));

	for (guint i = 0; i < run->variants->len; i++) {
		const struct audit_row *row = row_of(a, n,
					g_ptr_array_index(run->variants, i));
		g_autoptr(GArray) some = g_array_new(FALSE, FALSE,
						sizeof(struct audit_pick));

		candidates(run, row, jobs, a->seed, true, near);
		candidates(run, row, jobs, a->seed, false, some);
		audit_draw(some, AUDIT_FAR);
		g_array_append_vals(far, some->data, some->len);
	}
	audit_draw(near, G_MAXUINT);
	/* Few, so they come first: else the time is over before they do. */
	g_array_append_vals(far, near->data, near->len);
	g_array_unref(near);
	return far;
}

int audit_run(struct run *run, unsigned int n, GPtrArray *jobs)
{
	struct audit *a = run->audit;
	gint64 start = g_get_monotonic_time();
	g_autoptr(GArray) picks = NULL;
	double limit;
	int ret = 0;

	if (!a || !a->full)
		return 0;
	picks = draw_all(run, n, jobs);
	limit = (a->minutes * 60 - a->used) / still_to_do(run, n);
	for (guint i = 0; !ret && i < picks->len;) {
		g_autoptr(GPtrArray) batch = g_ptr_array_new();

		if (a->minutes && (g_get_monotonic_time() - start) / 1e6 > limit)
			break;
		for (; i < picks->len && batch->len < BATCH * run->runner->width;
		     i++) {
			struct job *job = job_of(run, n,
				&g_array_index(picks, struct audit_pick, i));

			g_ptr_array_add(batch, job);
			g_ptr_array_add(jobs, job);
		}
		ret = run_jobs(run, batch, run->cur, n);
	}
	a->used += (g_get_monotonic_time() - start) / 1e6;
	return ret;
}

static void add_slip(struct run *run, const struct job *job, const char *file)
{
	struct audit_slip *s = g_new0(struct audit_slip, 1);

	s->n = job->step;
	s->variant = job->variant;
	s->tu = job->tu;
	s->file = g_strdup(file);
	g_ptr_array_add(run->audit->slips, s);
}

/* The first of the files that @job read and that are @touched; NULL: none. */
static const char *reads_touched(const struct job *job, GHashTable *touched)
{
	for (char **d = job->deps; d && *d; d++)
		if (g_hash_table_contains(touched, *d))
			return *d;
	return NULL;
}

static void count(struct run *run, struct audit_row *row, const struct job *job,
		  GHashTable *touched)
{
	bool near = g_hash_table_contains(row->reaching, job->tu);
	const char *file;

	if (job->why != WHY_AUDIT) {
		row->plan_seconds += job->seconds;
		row->planned += !job->header;
		row->both += near && !job->header;
		row->both_seconds += near && !job->header ? job->seconds : 0;
	} else if (job_usable(job) && !attrib_old_error(run->attrib, job)) {
		row->outside += near;
		row->outside_seconds += near ? job->seconds : 0;
		row->far += !near;
	}
	file = near || job->header ? NULL : reads_touched(job, touched);
	if (file)
		add_slip(run, job, file);
}

void audit_note(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	g_autoptr(GHashTable) touched = touched_by(run, n);

	if (!run->audit || !run->audit->full)
		return;
	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = g_ptr_array_index(jobs, i);
		struct audit_row *row = row_of(run->audit, n, job->variant);

		if (!row || strcmp(job->check->name, "gcc"))
			continue;
		count(run, row, job, touched);
		/* Thousands of lists, which nobody asks for again. */
		if (job->why == WHY_AUDIT && job->outcome == OUTCOME_PASS)
			g_clear_pointer(&job->deps, g_strfreev);
	}
}

/* Was there a word about files that @job reads and that were left out? */
static bool is_said(const struct run *run, const struct audit_shown *s,
		    const struct job *job, GHashTable *touched)
{
	for (guint i = 0; i < run->gaps->len; i++) {
		const struct gap *g = g_ptr_array_index(run->gaps, i);

		if (g->n != s->finding->n ||
		    (g->variant && g->variant != s->variant))
			continue;
		if (g_hash_table_contains(touched, g->what) ||
		    (job->deps && g_strv_contains((const char *const *)job->deps,
						  g->what)))
			return true;
	}
	return false;
}

static void explain(struct run *run, struct audit_shown *s)
{
	const struct finding *f = s->finding;
	const struct job *job = g_ptr_array_index(s->outside, 0);
	g_autoptr(GHashTable) touched = touched_by(run, f->n);
	g_autofree char *name = diag_subject(f->diag);
	struct audit_row *row = row_of(run->audit, f->n, s->variant);
	struct audit_clue c = { .name = name, .lists = true };

	s->said = is_said(run, s, job, touched);
	if (s->said)
		return;
	c.source_touched = g_hash_table_contains(touched, job->tu->source);
	if (row && row->reaching)
		c.lists = g_hash_table_contains(row->reaching, job->tu);
	c.reads = reads_touched(job, touched);
	c.in_touched = g_hash_table_contains(touched, f->diag->file);
	c.name_changed = name && audit_mentions(run_change(run, f->n - 1, f->n),
						name);
	s->rule = audit_rule(&c);
	if (row)
		row->missed += s->outside->len;
}

/* Those of the standing audit that said something: a budget may stop some. */
static unsigned int count_audited(const struct run *run)
{
	unsigned int n = 0;

	for (guint i = 0; i < run->attrib->jobs->len; i++) {
		const struct job *job = run->attrib->jobs->pdata[i];

		n += job->why == WHY_AUDIT && job_usable(job);
	}
	return n;
}

void audit_finish(struct run *run)
{
	struct audit *a = run->audit;

	if (!a)
		return;
	if (!a->full)
		a->audited = count_audited(run);
	for (guint i = 0; i < a->rows->len; i++)
		((struct audit_row *)a->rows->pdata[i])->missed = 0;
	g_ptr_array_unref(a->shown);
	a->shown = audit_match(run->attrib->findings, run->attrib->jobs);
	for (guint i = 0; i < a->shown->len; i++) {
		struct audit_shown *s = g_ptr_array_index(a->shown, i);
		struct finding *f = (struct finding *)s->finding;

		if (s->planned->len || !s->outside->len)
			continue;
		explain(run, s);
		f->outside = !s->said;
	}
}
