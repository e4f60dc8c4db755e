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
	char *symbols;		/* elf_symbols_to_text(); "": no object */
	double seconds;		/* CPU */
};

/*
 * Opens @path, or creates it and its directory.  RESPIN_ERROR_IO: no access,
 * the file is damaged, no store of respin, or of a newer respin's schema; the
 * message says what to do.  Several processes may have one store open.
 * store_close() the result; not to be used on both sides of a fork().
 */
struct store *store_open(const char *path, GError **error);
void store_close(struct store *s);

/*
 * @key: see job.h.  false: not there, or it cannot be read back as it was
 * written; the job is to be run again.  job_result_clear() what was filled
 * in; nothing to clear when false.
 */
bool store_get(struct store *s, const char *key, struct job_result *result);
/*
 * On return it is committed and survives a kill (a power cut may lose the
 * last ones).  A result for @key is replaced.  -1: nothing was written (disk
 * full, no access, locked for 10 s by another process); what was there
 * before is whole, and a later call may succeed.
 */
int store_put(struct store *s, const char *key, const struct job_result *r,
	      GError **error);
void job_result_clear(struct job_result *r);

/*
 * Reports (JSON text), so that `respin show` finds them: one for each series
 * name, the last replaces the one before.
 */
int store_put_report(struct store *s, const char *series, const char *json,
		     GError **error);
/* The report of @series; NULL: none.  g_free() it. */
char *store_report(struct store *s, const char *series);
/* The one that was put last; NULL: none.  g_free() it. */
char *store_last_report(struct store *s);
/* The names of all series with a report, the last first; g_strfreev(). */
char **store_report_names(struct store *s);

typedef struct store store_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(store_t, store_close)
#endif
