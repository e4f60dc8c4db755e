/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A patch series, as mailed (git-format-patch(1)) or as a commit range.
 */
#ifndef RESPIN_SERIES_H
#define RESPIN_SERIES_H

#include <glib.h>
#include <stdbool.h>

struct patch {
	unsigned int n;		/* its place in the series, from 1 */
	char *msgid;		/* without <>; NULL: a commit range */
	char *commit;		/* full hex id; NULL: mailed */
	char *subject;		/* without [PATCH ...] */
	char *author_name, *author_email;
	gint64 date;		/* seconds since the epoch */
	int date_offset;	/* minutes east of UTC */
	char *message;		/* commit message, UTF-8: subject, blank, body */
	GBytes *diff;		/* raw transfer-decoded bytes from "---" on;
				   NULL: a commit range */
	char *source;		/* "file" or "file (mail 3)", for messages */
	GPtrArray *notes;	/* of char *: what was mended while reading
				   ("format=flowed undone"), to be said */
};

struct series {
	unsigned int version;	/* 1 when the subject says none */
	unsigned int total;	/* m of n/m */
	char *subject;		/* of the cover letter, or of patch 1 */
	char *author;		/* name of the cover letter's or patch 1's author */
	char *prefix;		/* words in the brackets but PATCH, vN, n/m; "" */
	char *cover;		/* text of the cover letter; NULL: none */
	char *cover_msgid;	/* NULL: none */
	char *base_commit;	/* hex, from base-commit:; NULL: not said */
	GPtrArray *prereqs;	/* of char *: prerequisite-patch-id: */
	char *change_id;	/* NULL: not said */
	GPtrArray *patches;	/* of struct patch, in order, 1..total */
	GPtrArray *left_out;	/* of char *: mails that are no part (replies,
				   duplicates), each with the reason */
	GPtrArray *letters;	/* of struct letter: [0] the cover letter or NULL,
				   [n] patch n; empty: a commit range */
	GPtrArray *replies;	/* of struct letter: answers among the mails */
};

/*
 * Reads the series in @paths (NULL-terminated): each an mbox, a mail (.patch,
 * .eml), a directory of mails, a maildir, or "-" for standard input.  Order
 * is by n/m, never by arrival; replies are left out; the same patch twice
 * counts once.  A CR at the end of a mail's line is dropped unless @keep_cr,
 * as by git-am(1).  Returns a series to be freed with series_free(), or NULL with
 * @error (RESPIN_ERROR_INPUT or _IO): no such file, no mail, no patch, n/m
 * missing, mixed versions, two series; the message lists what was seen.
 */
struct series *series_read(char *const *paths, bool keep_cr, GError **error);
struct series *series_new(void);
struct patch *patch_new(void);
void patch_free(struct patch *p);
void series_free(struct series *s);

typedef struct series series_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(series_t, series_free)
#endif
