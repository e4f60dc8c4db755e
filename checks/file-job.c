// SPDX-License-Identifier: GPL-2.0
#include "file-job.h"

static const char *old_path(const struct job *job)
{
	return job->tu->values[g_strv_length(job->tu->values) - 1];
}

char *file_job_path(const struct job *job, const char *srcdir)
{
	const char *path = job->tu->values[0];
	g_autofree char *full = g_build_filename(srcdir, path, NULL);

	/* "@src" of a key is no directory */
	if (!g_path_is_absolute(srcdir) ||
	    g_file_test(full, G_FILE_TEST_EXISTS))
		return g_strdup(path);
	return g_strdup(old_path(job));
}

void file_job_set_deps(struct job *job)
{
	const char *deps[] = { job->tu->values[0], old_path(job), NULL };

	g_strfreev(job->deps);
	job->deps = g_strdupv((char **)deps);
}

void file_job_unread(GPtrArray *diags, const char *check, const char *path,
		     const struct entity *e)
{
	struct diag *d = diag_say(DIAG_WARNING, check, UNREAD_RULE, path, e->line,
				  g_strdup_printf("%s()", e->name));

	d->column = e->end;
	g_ptr_array_add(diags, d);
}
