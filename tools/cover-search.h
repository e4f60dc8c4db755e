/* SPDX-License-Identifier: GPL-2.0 */
/* Settings that kconfig takes over, with all that they depend on. */
#ifndef RESPIN_COVER_SEARCH_H
#define RESPIN_COVER_SEARCH_H

#include "condexpr.h"
#include "kbuild-step.h"
#include "kconf-needs.h"

/* The work on one condition with one variant to start from. */
struct attempt {
	struct variant *parent;
	const struct kfiles *kconfig;
	struct kbuild_step *step;
	char *config;		/* the parent's .config after the last patch */
	GHashTable *values;	/* what kconfig made of the last try */
	GPtrArray *set;		/* of struct setting: out, and those to begin
				   with */
	GHashTable *tried;	/* of char *: selectors */
	char *why;		/* out: it cannot be */
};

/* kb->srcdir must hold the last step as long as it is used. */
int attempt_init(struct attempt *a, struct kbuild *kb, struct variant *parent,
		 const struct kfiles *kconfig, GError **error);
void attempt_clear(struct attempt *a);
/* For condexpr_*(), with @data the attempt: as of the last try. */
char attempt_value(const char *symbol, void *data);
/* Adds @more to a->set; *@any: some were not there.  False: the contrary of one
 * is. */
bool attempt_add(struct attempt *a, const GPtrArray *more, bool *any);
/* 1: kconfig takes all of a->set, which is what it takes by then; 0: it does
 * not, see a->why. */
int attempt_search(struct attempt *a, GError **error);
/* a->set as lines of a .config; g_free() */
char *attempt_settings(const struct attempt *a);
#endif
