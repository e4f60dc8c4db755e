/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where mails come from: an mbox, one mail in a file, a directory, a maildir,
 * standard input.  Split by git-mailsplit(1)'s rules; nothing is parsed.
 */
#ifndef RESPIN_MBOX_H
#define RESPIN_MBOX_H

#include <glib.h>
#include <stdbool.h>

#define MBOX_MAX_BYTES	(1024u << 20)	/* of one file */
#define MBOX_MAX_MAILS	10000		/* in all inputs together */

struct mbox_mail {
	GBytes *bytes;		/* with its "From " line */
	char *source;		/* "file" or "file (mail 3)" */
};

/* A GPtrArray for struct mbox_mail. */
GPtrArray *mbox_new(void);

/*
 * Is this line (@len bytes, '\n' included) the start of a mail?  It begins
 * with "From ", has a time hh:mm:ss and a year above 90; a sentence that
 * begins with "From " is none.
 */
bool mbox_is_from_line(const char *line, gsize len);

/*
 * Splits @text and adds its mails to @mails; @name is for messages.  ">From "
 * and CR LF stay.  A text that begins without a "From " line must begin with a
 * mail header.  Fails with RESPIN_ERROR_INPUT: empty, a bare diff, no mail, too
 * many mails.
 */
int mbox_split(GBytes *text, const char *name, GPtrArray *mails,
	       GError **error);

/*
 * Adds the mails at @path ("-": standard input) to @mails.  In a directory
 * the files are taken in order of their names; what is no mail there is left
 * out, and a line saying so is added to @left_out (of char *).  Fails with
 * RESPIN_ERROR_IO or, as mbox_split() does, with RESPIN_ERROR_INPUT.
 */
int mbox_read(const char *path, GPtrArray *mails, GPtrArray *left_out,
	      GError **error);

/* CR LF becomes LF in all of @mails, as git-am(1) without --keep-cr has it. */
void mbox_drop_cr(GPtrArray *mails);

#endif
