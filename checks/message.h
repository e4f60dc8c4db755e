/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is to be said about the mails and log messages of a series: recipients,
 * trailers, Fixes:, form.  Notes for the author; they are no findings, and change
 * no exit status.
 *
 * To add a rule: put it into the message-*.c of its group, name it in respin(1),
 * and give tools/t/test-message-*.c a case that fires and a twin that does not.
 */
#ifndef RESPIN_MESSAGE_H
#define RESPIN_MESSAGE_H

#include <glib.h>
#include <stdbool.h>
#include "series.h"

struct note {
	const char *rule;	/* "message/stale-address" */
	GArray *patches;	/* of unsigned int, ascending; 0: the cover letter */
	bool hint;		/* a matter of taste or doubt; else likely wrong */
	char *text;
	char *todo;		/* what to do about it */
};

/* What the base tree and the repository say. */
struct message_base {
	const char *maintainers;	/* text of MAINTAINERS; NULL: cannot be read */
	const char *mailmap;		/* text of .mailmap; NULL: there is none */
	bool history;			/* upstream's history is there, whole */
	/* Of the commit with that (short) id; NULL: none, or not only one.
	 * g_free() it. */
	char *(*subject)(const char *hex, void *data);
	void *data;
	GPtrArray *earlier;		/* of struct letter: the thread of the version
					   before; NULL: not given */
};

struct messages {
	GPtrArray *notes;	/* of struct note: likely first, then by patch */
	GPtrArray *unchecked;	/* of char *: what could not be, with the reason; no
				   fault of respin's or the tree's */
	char *gap;		/* in scope and could not be judged; NULL */
};

/*
 * All notes of @s.  Of a commit range (no letters) only the log messages are
 * judged.  messages_free() the result.  Pure but for @b->subject.
 */
struct messages *message_check(const struct series *s,
			       const struct message_base *b);
void messages_free(struct messages *m);
#endif
