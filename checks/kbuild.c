// SPDX-License-Identifier: GPL-2.0
/*
 * kbuild: what make cannot do.  It is asked for whole directories when a patch
 * is planned (tools/follow.c), so that its jobs come with their results; the
 * command here is the one that shows a finding.
 */
#include "check.h"

static char **kbuild_argv(const struct job *job, const char *srcdir,
			  const char *jobdir)
{
	const struct variant *v = job->variant;
	/* the copy that a patch was planned with, see kbuild_step_new() */
	g_autofree char *beside = g_path_get_dirname(v->odir);
	GPtrArray *a = g_ptr_array_new();

	g_ptr_array_add(a, g_strdup("make"));
	g_ptr_array_add(a, g_strdup("-n"));
	g_ptr_array_add(a, g_strdup("-C"));
	g_ptr_array_add(a, g_strdup(srcdir));
	g_ptr_array_add(a, g_strconcat("O=", beside, "/step", NULL));
	g_ptr_array_add(a, g_strconcat("ARCH=", v->arch->kernel_arch, NULL));
	g_ptr_array_add(a, g_strconcat("CROSS_COMPILE=", v->cross, NULL));
	g_ptr_array_add(a, g_strdup(job->tu->object));
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

static char **kbuild_shown(const struct job *job, const struct diag *d,
			   const char *srcdir, char **input)
{
	return kbuild_argv(job, srcdir, "");
}

static void kbuild_judge(struct job *job, const struct proc_job *p,
			 const char *srcdir)
{
	job_set_outcome(job, OUTCOME_ERROR, "make is not asked again");
}

const struct check check_kbuild = {
	.name = "kbuild",
	.what = "files that the build generates, and objects that make cannot make",
	.version = "1",
	.argv = kbuild_argv,
	.judge = kbuild_judge,
	.shown = kbuild_shown,
};
