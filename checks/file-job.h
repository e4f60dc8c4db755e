/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks that read one file of the tree, whatever the configuration.  The TU of
 * their jobs has in values[0] the path, and in the last of them the path before
 * the patch; see neigh-files.c.
 */
#ifndef RESPIN_FILE_JOB_H
#define RESPIN_FILE_JOB_H

#include "check.h"
#include "entity.h"

/* The rule of what a tool could not read; it never becomes a finding. */
#define UNREAD_RULE "not-read"

/* The path that the file has below @srcdir; g_free() */
char *file_job_path(const struct job *job, const char *srcdir);
/* What the job hangs on: both paths. */
void file_job_set_deps(struct job *job);
/* Notes that function @e of @path was not looked at. */
void file_job_unread(GPtrArray *diags, const char *check, const char *path,
		     const struct entity *e);
#endif
