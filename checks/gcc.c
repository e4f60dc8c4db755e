// SPDX-License-Identifier: GPL-2.0
/*
 * gcc: the database's own command with -c.  Never -fsyntax-only: that lets
 * BUILD_BUG_ON, frame-larger-than and bad inline asm through.
 */
#include "check.h"

static char **gcc_argv(const struct job *job, const char *srcdir,
		       const char *jobdir)
{
	g_autofree char *object = g_build_filename(jobdir, "o.o", NULL);
	g_autofree char *dep = g_build_filename(jobdir, "o.d", NULL);
	g_autofree char *probe = NULL;
	const struct tu *tu = compdb_at(job->tu, job->step);
	char **argv;
	guint n;

	if (job->header)
		probe = g_build_filename(jobdir, "probe.c", NULL);
	argv = compdb_argv(job->variant->db, tu, srcdir, object, dep, probe);
	n = g_strv_length(argv);
	argv = g_renew(char *, argv, n + 3);
	argv[n++] = g_strdup("-fdiagnostics-color=never");
	argv[n++] = g_strdup("-fmessage-length=0");
	argv[n] = NULL;
	return argv;
}

/* The machine or the compiler failed, which says nothing about the patch. */
static const char *what_broke(const struct job *job, const char *text)
{
	if (strstr(text, "No space left on device"))
		return "no space left on the disk";
	for (guint i = 0; i < job->diags->len; i++) {
		const struct diag *d = g_ptr_array_index(job->diags, i);

		if (d->tool && d->kind == DIAG_ERROR)
			return d->message;
	}
	return NULL;
}

/*
 * A directory of O= that kbuild makes when it gets there, and that is named by
 * -I: it is only missing because nothing was built.
 */
static bool is_unmade_dir(const struct diag *d, const char *srcdir)
{
	static const char what[] = ": No such file or directory";
	g_autofree char *dir = NULL, *path = NULL;

	if (strcmp(d->rule, "-Wmissing-include-dirs") ||
	    !g_str_has_suffix(d->message, what))
		return false;
	dir = g_strndup(d->message, strlen(d->message) - strlen(what));
	path = g_build_filename(srcdir, dir, NULL);
	return !g_path_is_absolute(dir) &&
	       g_file_test(path, G_FILE_TEST_IS_DIR);
}

static void drop_unmade_dirs(GPtrArray *diags, const char *srcdir)
{
	for (guint i = diags->len; i > 0; i--)
		if (is_unmade_dir(diags->pdata[i - 1], srcdir))
			g_ptr_array_remove_index(diags, i - 1);
}

static void gcc_judge(struct job *job, const struct proc_job *p,
		      const char *srcdir)
{
	g_autofree char *how = proc_job_describe(p);

	if (!check_ran(job, p))
		return;
	job->diags = diag_parse(p->err->str, srcdir, job->variant->odir);
	drop_unmade_dirs(job->diags, srcdir);
	diag_fold(job->diags);
	if (p->status && what_broke(job, p->err->str)) {
		job_set_outcome(job, OUTCOME_ERROR,
				what_broke(job, p->err->str));
		return;
	}
	if (p->status && !job_has_hard_error(job)) {
		g_autofree char *reason = g_strdup_printf("%s without an error "
			"that respin understands: %.200s", how, p->err->str);
		job_set_outcome(job, OUTCOME_ERROR, reason);
		return;
	}
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

const struct check check_gcc = {
	.name = "gcc",
	.what = "compiles of what a patch can break: warnings of W=1 and errors, undefined symbols",
	.version = "8",
	.argv = gcc_argv,
	.judge = gcc_judge,
};
