// SPDX-License-Identifier: GPL-2.0
/*
 * kernel-doc: comments that do not fit what they describe, by the script of the
 * base tree, as `make W=1` runs it.  The TU is that of file-job.h.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "file-job.h"

static char **command(const struct job *job, const char *srcdir)
{
	const char *argv[] = { "env", "-C", srcdir, "perl", job->tu->values[3],
			       "-none", NULL, NULL };
	g_autofree char *path = file_job_path(job, srcdir);

	argv[6] = path;
	return g_strdupv((char **)argv);
}

static char **kdoc_argv(const struct job *job, const char *srcdir,
			const char *jobdir)
{
	return command(job, srcdir);
}

/* "function parameter 'vma' not described in 'f'", "expecting prototype for f()" */
static char *function_of(const char *message)
{
	const char *in = strstr(message, " in '");
	const char *of = strstr(message, "expecting prototype for ");

	if (in)
		return g_strndup(in + 5, strcspn(in + 5, "'"));
	if (of)
		return g_strndup(of + 24, strcspn(of + 24, "(. "));
	return g_strdup("");
}

/* "FILE:LINE: warning: ..." */
static struct diag *read_line(const char *line, const char *path)
{
	const char *at = g_str_has_prefix(line, path) ? line + strlen(path) : "";
	unsigned int n = *at == ':' ? atoi(at + 1) : 0;
	const char *text = n ? strchr(at + 1, ':') : NULL;
	struct diag *d;

	if (!text || (!g_str_has_prefix(text, ": warning: ") &&
		      !g_str_has_prefix(text, ": error: ")))
		return NULL;
	text = strstr(text + 2, ": ") + 2;
	d = diag_say(DIAG_WARNING, "kernel-doc", "", path, n, g_strdup(text));
	g_free(d->function);
	d->function = function_of(text);
	return d;
}

static void add_note(struct diag *d, const char *text)
{
	g_ptr_array_add(d->notes, g_strdup_printf("%s:%u:%s", d->file, d->line,
						  text));
}

/* Once for a whole comment each: one finding with the rest under it. */
static void fold(GPtrArray *diags)
{
	for (guint i = 0; i < diags->len; i++) {
		struct diag *d = diags->pdata[i];

		while (*d->function && i + 1 < diags->len) {
			struct diag *next = diags->pdata[i + 1];

			if (strcmp(next->function, d->function) ||
			    next->line != d->line)
				break;
			g_ptr_array_steal_index(diags, i + 1);
			g_ptr_array_add(d->follow_ons, next);
		}
	}
}

static void kdoc_judge(struct job *job, const struct proc_job *p,
		       const char *srcdir)
{
	g_autofree char *path = file_job_path(job, srcdir);
	g_auto(GStrv) lines = NULL;
	const char *strange = NULL;

	if (!check_ran(job, p))
		return;
	job->diags = diag_array_new();
	lines = g_strsplit(p->err->str, "\n", -1);
	for (char **l = lines; *l; l++) {
		struct diag *d = read_line(*l, path);
		unsigned int sum;

		if (d)
			g_ptr_array_add(job->diags, d);
		/* the comment that it means goes on */
		else if (job->diags->len && g_str_has_prefix(*l, " *"))
			add_note(job->diags->pdata[job->diags->len - 1], *l + 2);
		/* "3 warnings", and what it says of files without comments */
		else if (**l && sscanf(*l, "%u warning", &sum) != 1 &&
			 !strstr(*l, "no structured comments found"))
			strange = *l;
	}
	if (strange || p->status > 1) {
		g_autofree char *how = proc_job_describe(p);
		g_autofree char *why = g_strdup_printf("kernel-doc says what respin "
			"does not understand: %.200s", strange ?: how);

		job_set_outcome(job, OUTCOME_ERROR, why);
		return;
	}
	fold(job->diags);
	file_job_set_deps(job);
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **kdoc_shown(const struct job *job, const struct diag *d,
			 const char *srcdir, char **input)
{
	return command(job, srcdir);
}

static char *kdoc_by_hand(const struct job *job)
{
	return g_strdup_printf("scripts/kernel-doc -none %s",
			       job->tu->values[0]);
}

const struct check check_kernel_doc = {
	.name = "kernel-doc",
	.what = "comments of kernel-doc form, in touched files",
	.reads_file = true,
	.version = "2",
	.argv = kdoc_argv,
	.judge = kdoc_judge,
	.shown = kdoc_shown,
	.by_hand = kdoc_by_hand,
};
