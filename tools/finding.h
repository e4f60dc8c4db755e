/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A finding: a diagnostic that is on patch n and not on its parent, with the
 * variants that show it.
 */
#ifndef RESPIN_FINDING_H
#define RESPIN_FINDING_H

#include <glib.h>
#include <stdbool.h>
#include "job.h"

/* How a finding shows on one variant. */
struct showing {
	const struct variant *variant;
	struct job *job;	/* the cheapest that shows it, at its birth;
				   borrowed from attrib */
	unsigned int died;	/* step at which it is gone; 0: it stays */
	unsigned int places;	/* TUs that show it at its birth */
};

/* A variant that ran the same code and does not show it. */
struct passing {
	const struct variant *variant;
	char *because;		/* macro that explains it; NULL: not known */
	bool defined;		/* it is defined here (else: where it shows) */
	char *by;		/* CONFIG symbol that decides on the macro; NULL */
};

struct finding {
	unsigned int n;		/* culprit */
	unsigned int k;		/* n/m.k */
	char *fingerprint;
	struct diag *diag;	/* as the first variant printed it */
	GPtrArray *showings;	/* of struct showing */
	GPtrArray *passes;	/* of struct passing */
	GPtrArray *same_cause;	/* of struct finding: folded under this one */
	char *cause;		/* one sentence; NULL: the message says it */
	char *cause_name;	/* identifier used before its definition; NULL */
	bool missed;		/* impact did not foresee it: found later */
	bool outside;		/* on some variant only a job of the audit shows it */
};

struct finding *finding_new(unsigned int n, const char *fingerprint,
			    const struct diag *d);
void finding_free(struct finding *f);
struct showing *finding_showing(const struct finding *f,
				const struct variant *v);	/* NULL: none */
/* The step at which it is gone on every variant that showed it; 0: stays. */
unsigned int finding_died(const struct finding *f);
/*
 * Is it what a check says of architectures that are not compiled, by their text
 * alone?  Its first note names them.
 */
bool finding_by_text(const struct diag *d);
/* How many follow-on errors, those of the same cause included. */
unsigned int finding_follow_ons(const struct finding *f);
#endif
