/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Results of jobs, in SQLite (WAL), so that a killed run resumes and a second
 * run reuses.  One writer: the caller.  Schema versioned by user_version.
 */
#ifndef RESPIN_STORE_H
#define RESPIN_STORE_H

#include <glib.h>
#include <stdbool.h>

struct store;

struct job_result {
	int outcome;		/* enum outcome of job.h */
	char *diags;		/* diag_to_json(); "" */
	char *deps;		/* files it read, one a line; "" */
	char *reason;		/* why not PASS/FINDINGS; "" */
	double seconds;		/* CPU */
};

/* Opens or creates; a schema of a newer respin is RESPIN_ERROR_IO. */
struct store *store_open(const char *path, GError **error);
void store_close(struct store *s);

/* @key: see job.h.  false: not there.  Fill is owned by the caller. */
bool store_get(struct store *s, const char *key, struct job_result *result);
int store_put(struct store *s, const char *key, const struct job_result *r,
	      GError **error);
void job_result_clear(struct job_result *r);

/* The last report of a tree, so that `respin show` finds it: JSON text. */
int store_put_report(struct store *s, const char *series, const char *json,
		     GError **error);
char *store_last_report(struct store *s);	/* NULL: none */
#endif
