/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A check is a named rule set that is run on a TU at a step on a variant.
 *
 * To add a check:
 *  1. copy checks/gcc.c, fill in a struct check;
 *  2. add its line to checks/list.h;
 *  3. add a test tools/t/test-<check>.c, and cases to ci/t/;
 *  4. name its tool in tools/doctor.c and ci/setup.
 */
#ifndef RESPIN_CHECK_H
#define RESPIN_CHECK_H

#include <glib.h>
#include "job.h"

struct check {
	const char *name;
	const char *version;	/* of the check itself: part of a job's key */
	const char *what;	/* it looks at, and for, in a few words */
	const char *tool;	/* program that must be there, its version is
				   part of the key; NULL: what all runs need */
	const char *package;	/* of Debian that brings the tool */
	enum confidence confidence;	/* of the surest that it says */
	bool reads_file;	/* see file-job.h */
	/*
	 * The command for @job, to be run in O=: sources under @srcdir, all
	 * that it writes into @jobdir.  g_strfreev().
	 */
	char **(*argv)(const struct job *job, const char *srcdir,
		       const char *jobdir);
	/*
	 * Fills outcome, diags, reason of @job from its finished process.
	 * What the tool did not say in a form we know is OUTCOME_ERROR.
	 */
	void (*judge)(struct job *job, const struct proc_job *p,
		      const char *srcdir);
	/* The rest may be NULL.  Fills @jobdir, before the command runs. */
	int (*prepare)(const struct job *job, const char *srcdir,
		       const char *jobdir, GError **error);
	/* In place of a command: judges what stands below @srcdir. */
	void (*here)(struct job *job, const char *srcdir);
	/*
	 * The command that shows @d of @job to the user, g_strfreev(); *@input
	 * is what it reads, g_free().  Those without it are compiles of a TU.
	 */
	char **(*shown)(const struct job *job, const struct diag *d,
			const char *srcdir, char **input);
	/* ... and what he would say to make, from scratch; g_free() */
	char *(*by_hand)(const struct job *job);
};

/*
 * For judge(): did the process of @job come to its end with all that it said?
 * Else the outcome is set.
 */
bool check_ran(struct job *job, const struct proc_job *p);

/* For shown(): @d says "'FILE' is not there"; shows the lines that name it. */
char **check_shown_ref(const struct job *job, const struct diag *d,
		       const char *srcdir, char **input);

const struct check *check_find(const char *name);	/* NULL: unknown */
/* All, in the order in which they run; NULL ends it. */
const struct check *const *check_list(void);

#endif
