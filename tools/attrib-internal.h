/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by attrib.c (which patch) and attrib-live.c (what became of it). */
#ifndef RESPIN_ATTRIB_INTERNAL_H
#define RESPIN_ATTRIB_INTERNAL_H

#include "attrib.h"

/* A job at step n whose diagnostics are to be explained. */
struct acase {
	struct job *child;
	struct job *parent;	/* the same at n-1; NULL: not asked yet */
	struct job *base;	/* the same at step 0; NULL: not asked */
	struct job *probe;	/* the same in between, while hunting */
	struct job *clear;	/* the same where nothing hides doubt; NULL */
	GPtrArray *doubt;	/* of struct diag of child that parent may have had
				   behind an error; NULL: none */
	GPtrArray *carried;	/* of struct diag of parent, origin unknown */
	GPtrArray *hunted;	/* of struct diag of parent, not at step 0 */
	unsigned int lo, hi;	/* absent at lo, present at hi */
	bool compared, based, settled;
};

/* Top-level diagnostics and follow-ons alike; borrowed. */
GPtrArray *attrib_flatten(const GPtrArray *diags);
unsigned int attrib_count(const GPtrArray *diags, const char *fingerprint);
/* Could @d be there unseen, behind a hard error that @job printed? */
bool attrib_hides(const struct job *job, const struct diag *d);
bool attrib_alive(const struct finding *f, const struct showing *s,
		  unsigned int n);
/* Live findings with @fp on @v at step @n. */
unsigned int attrib_live_count(const struct attrib *a, const struct variant *v,
			       const char *fp, unsigned int n);
/* Is one of those an error? */
bool attrib_live_error(const struct attrib *a, const struct variant *v,
		       const char *fp);
/* Names a job independent of its step; g_free(). */
char *attrib_job_id(const struct job *job);
/* Paths, old and new, of what changed from @from to @to. */
GHashTable *attrib_touched(struct attrib *a, unsigned int from, unsigned int to);
#endif
