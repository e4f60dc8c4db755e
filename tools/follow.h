/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a patch does to the build itself: Kconfig, Makefiles, and which files
 * there are.  kbuild is asked at the step, in a copy of O= (kbuild-step.h).
 */
#ifndef RESPIN_FOLLOW_H
#define RESPIN_FOLLOW_H

#include "run.h"

/* A TU that this patch makes, or makes in another way. */
struct follow_item {
	const struct variant *variant;
	const struct tu *tu;
};

/* A file that the build generates, and with this patch in another way. */
struct made_change {
	const struct variant *variant;
	char *path;		/* below O= */
	char *was, *is;		/* its texts; NULL: it is not there */
	GPtrArray *tus;		/* of struct tu, borrowed: of which make says
				   that they are made of it */
};

struct followed {
	GArray *items;		/* of struct follow_item */
	GPtrArray *jobs;	/* of struct job, done: what make says it cannot
				   do; its diagnostics are errors */
	GHashTable *paths;	/* of char *: files of the patch that are dealt
				   with, by a gap perhaps */
	GHashTable *symbols;	/* of char *: "CONFIG_X", whose value changed */
	GPtrArray *made;	/* of struct made_change */
};

/*
 * Brings the databases of all variants to step @n, where run->cur stands.
 * NULL with @error: a disk is full, or respin was interrupted.
 */
struct followed *follow_step(struct run *run, unsigned int n, GError **error);
void followed_free(struct followed *f);

/* A gap for @path, which patch @n adds: why no variant compiles it. */
void follow_say_source(struct run *run, unsigned int n, const char *path);

/* Before the first step of each stage: removes the copies of an earlier run. */
void follow_begin(struct run *run);
/* The symbols that decide whether the source @path is built, "CONFIG_X" or
 * "CONFIG_X && CONFIG_Y"; NULL: none, or not known.  g_free() */
char *follow_decided_by(const struct run *run, const char *path);
/* Is it CONFIG_@symbol that decides whether the source @path is built? */
bool follow_hangs_on(const struct run *run, const char *path,
		     const char *symbol);

/* The O= of each variant is the one that its jobs at @step are run in. */
void follow_enter(struct run *run, unsigned int step);
/* The step that was entered last. */
unsigned int follow_current(const struct run *run);
/*
 * Lets make generate what @job, of step @n, lacks, in an O= for step @n and
 * later.  False: make cannot make the object either.
 */
bool follow_make(struct run *run, const struct job *job, unsigned int n);
/* Is the O= of @v at step @n made of the base, and @tu a part of the base? */
bool follow_is_base(struct run *run, const struct variant *v,
		    const struct tu *tu, unsigned int n);
/* The O= in which the jobs of step @n are run. */
const char *follow_odir(const struct run *run, const struct variant *v,
			unsigned int n);
/*
 * Adds to @set (char *, borrowed) the generated files ("O/...") that the
 * patches after step @from up to @to change on any variant.
 */
void follow_made_between(const struct run *run, unsigned int from,
			 unsigned int to, GHashTable *set);
void follow_free(struct follow *f);

/*
 * Jobs at step 0 (owned by the caller) that show which diagnostics of new
 * objects among the @jobs of step @n are old ones of headers (known.c).
 */
GPtrArray *known_jobs(struct run *run, unsigned int n, const GPtrArray *jobs);

/*
 * Lets make generate what @jobs of step @n stopped at.  Returns those that are
 * to be run again, borrowed (unref the array); NULL with @error.
 */
GPtrArray *prereq_make(struct run *run, const GPtrArray *jobs, unsigned int n,
		       GError **error);
#endif
