// SPDX-License-Identifier: GPL-2.0
#include "job.h"
#include "check.h"

struct job *job_new(const struct check *check, const struct variant *v,
		    const struct tu *tu, const char *header, unsigned int step,
		    enum why why)
{
	struct job *job = g_new0(struct job, 1);

	job->check = check;
	job->variant = v;
	job->tu = tu;
	job->header = g_strdup(header);
	job->step = step;
	job->why = why;
	return job;
}

void job_free(struct job *job)
{
	if (!job)
		return;
	g_free(job->header);
	g_free(job->reason);
	g_clear_pointer(&job->diags, g_ptr_array_unref);
	g_strfreev(job->deps);
	elf_symbols_free(job->symbols);
	g_free(job);
}

void job_set_outcome(struct job *job, enum outcome outcome, const char *reason)
{
	job->outcome = outcome;
	g_free(job->reason);
	job->reason = g_strdup(reason);
	if (!job->diags)
		job->diags = g_ptr_array_new_with_free_func((GDestroyNotify)
							    diag_free);
	job->done = true;
}

char *job_name(const struct job *job)
{
	if (job->header)
		return g_strdup_printf(job_is_compile(job) ? "%s alone" :
				       "functions of %s", job->header);
	return g_strdup(job->tu->object);
}

bool job_same(const struct job *a, const struct job *b)
{
	return a->variant == b->variant && a->tu == b->tu &&
	       a->check == b->check && !g_strcmp0(a->header, b->header);
}

bool job_usable(const struct job *job)
{
	return job->done && (job->outcome == OUTCOME_PASS ||
			     job->outcome == OUTCOME_FINDINGS);
}

bool job_is_compile(const struct job *job)
{
	return !job->check->shown;
}

bool job_is_file(const struct job *job)
{
	return job->check->reads_file;
}

bool job_has_hard_error(const struct job *job)
{
	for (guint i = 0; job->diags && i < job->diags->len; i++) {
		const struct diag *d = g_ptr_array_index(job->diags, i);

		if (diag_hides(d))
			return true;
	}
	return false;
}

bool job_lacks_file(const struct job *job)
{
	for (guint i = 0; job->diags && i < job->diags->len; i++) {
		const struct diag *d = g_ptr_array_index(job->diags, i);

		if (d->fatal && strstr(d->message, "No such file"))
			return true;
		/* the assembler's word for what .incbin names */
		if (d->kind == DIAG_ERROR &&
		    g_str_has_prefix(d->message, "file not found: "))
			return true;
	}
	return false;
}

bool job_reads_any(const struct job *job, GHashTable *paths)
{
	/* A compile that stops at a fatal error writes no list. */
	if (!job->deps || !job->deps[0])
		return true;
	for (char **d = job->deps; *d; d++)
		if (g_hash_table_contains(paths, *d))
			return true;
	return false;
}

char *probe_text(const char *header, const char *srcdir)
{
	const char *inc;

	if (g_str_has_prefix(header, "include/"))
		return g_strdup_printf("#include <%s>\n",
				       header + strlen("include/"));
	inc = g_str_has_prefix(header, "arch/") ?
	      strstr(header, "/include/asm/") : NULL;
	if (inc)
		return g_strdup_printf("#include <%s>\n",
				       inc + strlen("/include/"));
	return g_strdup_printf("#include \"%s/%s\"\n", srcdir, header);
}
