/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From what the user said to a run that is ready: repository, series, base,
 * steps, cache, store, variants.  Owns all of it.
 */
#ifndef RESPIN_SESSION_H
#define RESPIN_SESSION_H

#include <glib.h>
#include "base.h"
#include "config.h"
#include "run.h"

struct session_options {
	char *tree;		/* PATH[@REV], or the name of a respin-tree */
	char *base;		/* REV; NULL: found */
	char **arches, **kconfigs, **tip;	/* NULL: configured, or the
						   defaults */
	char *toggle;		/* "all", "none", a number; NULL: configured */
	char *check, *skip, *min_confidence;	/* see checkset.h; NULL:
						   configured, or the defaults */
	gboolean cover;		/* look for configurations that compile what no
				   variant does */
	int jobs;		/* at once; 0: one for each processor */
	char *budget;		/* as budget_parse() reads it; NULL: configured,
				   or none */
	int fuzz;
	gboolean keep_cr;
	gboolean no_audit;	/* no standing audit */
	gboolean no_reuse, no_sandbox, quiet, exhaustive;
};

struct session {
	struct config *config;
	struct repo *repo;
	struct store *store;
	struct sandbox sandbox;
	struct runner runner;
	struct kbuild kbuild;
	struct base *base;	/* that kbuild asks */
	struct run *run;
	char *cache;		/* directory of all trees */
	char *dir;		/* directory of this tree */
	int lock;		/* file descriptor; -1: none */
};

/*
 * @args: the series (files, directories, "-") or one commit range.
 * NULL with @error: nothing was changed but refs/respin/ and the cache.
 */
struct session *session_open(const struct session_options *o,
			     char *const *args, GError **error);
/*
 * The first part of it: configuration, repository, and the series, which is not
 * applied.  *@base is the commit it goes on, g_free() it.
 */
struct session *session_read(const struct session_options *o,
			     char *const *args, char **base, GError **error);
void session_close(struct session *s);
/* Adds the variants to s->run, whose steps need not be there yet. */
int session_variants(struct session *s, const struct session_options *o,
		     GError **error);

/* Where this user's respin keeps things, and its store. */
char *session_store_path(const char *cache);
#endif
