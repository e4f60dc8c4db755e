/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The added lines that no variant of a run has compiled, kept over its stages.
 */
#ifndef RESPIN_COVER_RUN_H
#define RESPIN_COVER_RUN_H

#include "cover.h"
#include "run.h"

/* A file of one patch, with its lines as they count after that patch. */
struct uncovered {
	unsigned int n;
	char *path;
	GArray *lines;		/* of guint: no variant compiled them so far */
	GPtrArray *conditions;	/* condition_scan() of the file */
	bool read;		/* some variant compiles the file: else it is a
				   gap of its own, see plan.c */
};

GPtrArray *uncovered_list_new(void);	/* of struct uncovered */
/* Names the branch @c of the file of @u, for run->cover_whys; g_free() */
char *cover_id(const struct uncovered *u, const struct condition *c);
/* "mm/x.c:12-14": the lines from index @i of u->lines on that are in one branch
 * @c; @next is the index behind them.  g_free() */
char *cover_what(const struct uncovered *u, guint i, guint *next,
		 const struct condition **c);
/*
 * After the last stage: variants (of struct variant, with tip set) that compile
 * what none of @variants did, as kconfig lets them.  What has none says so in
 * its gap.  Moves the checkouts.  NULL with @error.
 */
GPtrArray *cover_variants(struct run *run, const GPtrArray *variants,
			  GError **error);
/* Their stage is judged: which of run->fragments did compile its lines. */
void cover_settle(struct run *run);
/* Why the branch @c (NULL: what is in none) is a gap; g_free() */
char *cover_why(const struct run *run, const struct uncovered *u,
		const struct condition *c);
#endif
