/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stands beside the kernel and is cheap to ask when a patch touches what
 * it reads: test programs that include kernel sources, headers for user space,
 * the C side of Rust, references to files.  Jobs like all others: attrib
 * compares and blames.
 *
 * What belongs to no variant of the run is judged on a variant of its own,
 * "host", which is in no list of variants.  Each is judged once for a
 * patch, whatever the number of stages.
 */
#ifndef RESPIN_NEIGH_H
#define RESPIN_NEIGH_H

#include "run.h"

/* Adds the jobs of step @n to @jobs; the checkouts stand at n and n-1. */
int neigh_plan(struct run *run, unsigned int n, GPtrArray *jobs,
	       GError **error);
/*
 * Is @path of a kind that is dealt with here, by a job or by naming it as out
 * of scope?  Else it is the caller's to settle.
 */
bool neigh_settles(struct run *run, const char *path);
/* Names are changed at step @n: does the C side of Rust mention one? */
void neigh_names(struct run *run, unsigned int n, GHashTable *names,
		 GPtrArray *jobs);
/* ... and when something in header @path changed that has no name */
void neigh_header(struct run *run, unsigned int n, const char *path,
		  GPtrArray *jobs);
/* Adds the job that looks at patch @n as a text. */
void neigh_patch(struct run *run, unsigned int n, GPtrArray *jobs);
/* Adds the jobs of the files that patch @n touches (neigh-files.c). */
void neigh_files(struct run *run, unsigned int n, GPtrArray *jobs);
/*
 * What @jobs could not read of functions that patch @n touches is not verified;
 * @jobs are left with diagnostics only.
 */
void neigh_files_unread(struct run *run, unsigned int n, GPtrArray *jobs);
void neigh_free(struct neigh *ne);
#endif
