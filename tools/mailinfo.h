/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What git-mailinfo(1) takes out of a mail: author, date, subject, log
 * message and the diff, with headers in the body honoured and scissors not.
 */
#ifndef RESPIN_MAILINFO_H
#define RESPIN_MAILINFO_H

#include <glib.h>

#include "mail.h"

struct mailinfo {
	char *subject;		/* "[...]" and "Re:" taken off; "": none */
	char *raw_subject;	/* as mailed; "": none */
	char *author_name, *author_email;	/* "": nobody is named */
	gint64 date;		/* seconds since the epoch */
	int date_offset;	/* minutes east of UTC */
	char *log;		/* the body before the diff, UTF-8 */
	char *message;		/* subject, blank line, log: as git-am(1)
				   commits it */
	GBytes *diff;		/* from "---", "diff -" or "Index: " on; may be
				   empty */
};

/*
 * Reads @m, and adds to m->notes what had to be guessed or mended.  Returns
 * NULL with @error (RESPIN_ERROR_INPUT) when the log message has a NUL byte.
 */
struct mailinfo *mailinfo_read(struct mail *m, GError **error);
void mailinfo_free(struct mailinfo *mi);

/* The subject without "Re:" and "[...]" in front, in place. */
char *mailinfo_clean_subject(char *subject);

/*
 * Name and address out of a From: value (already decoded).  A name that is
 * missing, longer than 60 bytes, or looks like an address is replaced by it.
 */
void mailinfo_author(const char *from, char **name, char **email);

typedef struct mailinfo mailinfo_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mailinfo_t, mailinfo_free)
#endif
