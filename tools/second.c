// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "check.h"
#include "checkset.h"
#include "second.h"

/* Behind all compiles, before what stands beside the kernel. */
#define COST (G_GINT64_CONSTANT(1) << 39)

/* A TU that gcc could read, for the sake of the impact. */
static bool is_worth(const struct job *job)
{
	return !strcmp(job->check->name, "gcc") && !job->variant->toggle &&
	       !job->variant->host && job->why != WHY_AUDIT &&
	       job_usable(job) && !job_has_hard_error(job);
}

static bool is_c(const struct tu *tu)
{
	return tu && g_str_has_suffix(tu->source, ".c");
}

/* It has to say what it read; what it read is what gcc read. */
static struct job *second(const char *check, const struct job *gcc,
			  const char *header)
{
	struct job *job = job_new(check_find(check), gcc->variant, gcc->tu,
				  header, gcc->step, gcc->why);

	job->cost = COST + gcc->cost;
	job->deps = g_strdupv(gcc->deps);
	return job;
}

static bool reads(const struct job *job, const char *path)
{
	return job->deps && g_strv_contains((const char *const *)job->deps, path);
}

/* The cheapest TU of @v that reads the header; NULL: none was compiled. */
static const struct job *reader(const GPtrArray *jobs, guint count,
				const struct variant *v, const char *path)
{
	const struct job *best = NULL;

	for (guint i = 0; i < count; i++) {
		const struct job *job = jobs->pdata[i];

		if (job->variant == v && !job->header && is_worth(job) &&
		    is_c(compdb_at(job->tu, job->step)) && reads(job, path) &&
		    (!best || job->cost < best->cost))
			best = job;
	}
	return best;
}

static void probe_headers(struct run *run, unsigned int n, GPtrArray *jobs,
			  guint count)
{
	const struct diff *d = run_change(run, n - 1, n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (!fd->new_path || !g_str_has_suffix(fd->new_path, ".h"))
			continue;
		for (guint k = 0; k < run->variants->len; k++) {
			const struct job *gcc = reader(jobs, count,
				run->variants->pdata[k], fd->new_path);

			if (gcc)
				g_ptr_array_add(jobs, second("sparse", gcc, fd->new_path));
		}
	}
}

/* Of these jobs those that @check is to look at. */
static void plan(struct run *run, unsigned int n, GPtrArray *jobs, guint count,
		 const char *check, bool (*is_for)(const struct run *run,
						   const struct job *job))
{
	for (guint i = 0; i < count; i++) {
		const struct job *job = jobs->pdata[i];

		if (is_worth(job) && !job->header && job->why != WHY_WATCH &&
		    is_c(compdb_at(job->tu, n)) && is_for(run, job))
			g_ptr_array_add(jobs, second(check, job, NULL));
	}
}

/*
 * One that stands for its flags shows sparse, which has no use for them, nothing
 * that others do not: the functions of the header are looked at by the probe.
 */
static bool is_no_stand_in(const struct run *run, const struct job *job)
{
	return job->why != WHY_CLASS;
}

/* What takes long and is a hint: touched sources, once. */
static bool is_touched_host(const struct run *run, const struct job *job)
{
	return job->why == WHY_SOURCE && !job->variant->tip &&
	       job->variant == run->variants->pdata[0] &&
	       arch_is_host(job->variant->arch);
}

static bool has_work(const GPtrArray *jobs, unsigned int n)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = jobs->pdata[i];

		if (is_worth(job) && is_c(compdb_at(job->tu, n)))
			return true;
	}
	return false;
}

void second_plan(struct run *run, unsigned int n, GPtrArray *jobs)
{
	guint count = jobs->len;

	if (!has_work(jobs, n))
		return;
	if (run->stage == 1 && run_has_check(run, "clang-tidy"))
		plan(run, n, jobs, count, "clang-tidy", is_touched_host);
	if (!run_has_check(run, "sparse"))
		return;
	plan(run, n, jobs, count, "sparse", is_no_stand_in);
	probe_headers(run, n, jobs, count);
}

void second_drop_old(struct run *run, unsigned int n, GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = jobs->pdata[i];

		if (strcmp(job->check->name, "sparse") || !job->diags ||
		    compdb_at(job->tu, 0))
			continue;
		for (guint k = job->diags->len; k > 0; k--) {
			const struct diag *d = job->diags->pdata[k - 1];

			if (!run_touches(run, n, d->file))
				g_ptr_array_remove_index(job->diags, k - 1);
		}
	}
}
