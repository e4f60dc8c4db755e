/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Toggles in a run: which symbols its patches hang on, and the variants in
 * which one of them is the other way round.
 */
#ifndef RESPIN_TOGGLE_RUN_H
#define RESPIN_TOGGLE_RUN_H

#include "kconf-needs.h"
#include "run.h"
#include "toggle.h"

#define TOGGLE_DEFAULT 6	/* in a run */
#define TOGGLE_ALL 10000
#define TOGGLE_KEPT 24		/* build directories, of 10 to 40 MB */

/* "all", "none" or a number; -1 with @error (RESPIN_ERROR_USAGE). */
int toggle_parse(const char *text, unsigned int *max, GError **error);

/*
 * Adds to run->toggles what patch @n hangs on, while the checkouts stand at it;
 * @jobs are those of its step, done.
 */
int toggle_step(struct run *run, unsigned int n, const GPtrArray *jobs,
		GError **error);

/*
 * Once all patches were judged: the variants (of struct variant, with tip set)
 * in which those symbols are the other way round, at most run->toggle_max,
 * prepared on the base; moves run->cur there.  @variants are all that the run
 * had.  What was not tried and decides is a gap; the rest is in
 * run->toggle_notes.  NULL with @error.
 */
GPtrArray *toggle_variants(struct run *run, const GPtrArray *variants,
			   GError **error);
/* Is it worth a compile on @v, of which @jobs are planned already? */
bool toggle_room(const struct variant *v, const GPtrArray *jobs,
		 const struct job *job);

/* The Kconfig files of the last step; kfiles_free() */
struct kfiles *toggle_kconfig(const struct run *run, GError **error);
/* SYMBOL -> value of all that is on in .config of @odir; NULL: none there. */
GHashTable *toggle_config(const char *odir);
/* For condexpr_eval(): 'y', 'm', 'n', or 0 for a text or a number; @data is
 * the result of toggle_config(). */
char toggle_value(const char *symbol, void *data);
#endif
