/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a mail of a series says besides its patch: to whom it goes, whom it
 * is from, its place in the thread, and the text that git-am(1) drops.
 */
#ifndef RESPIN_LETTER_H
#define RESPIN_LETTER_H

#include <glib.h>
#include "address.h"
#include "series-mail.h"

struct letter {
	char *subject;		/* without [PATCH ...] and "Re:" */
	char *prefix;		/* words of the tag but PATCH, vN and n/m */
	unsigned int version, n;	/* of the tag; n 0: a cover letter */
	bool is_reply, is_patch;
	char *msgid;		/* without <>; NULL: none */
	GPtrArray *refs;	/* of char *: the mails it answers */
	struct address *from;	/* the mail's From:; NULL: none */
	GPtrArray *to, *cc;	/* of struct address */
	char *log;		/* the body down to "---" or the diff, UTF-8 */
	char *below;		/* from there down to the first "diff ", UTF-8 */
	GBytes *diff;		/* from the first "diff " on; may be empty */
};

struct letter *letter_new(const struct series_mail *sm);
void letter_free(struct letter *l);
/* An array of struct letter that owns them; NULL may be in it. */
GPtrArray *letter_array_new(void);

/*
 * All mails in @paths (as series_read() takes them), replies too, whatever
 * they are; those that cannot be parsed are passed over.  NULL with @error
 * when a path cannot be read.
 */
GPtrArray *letters_read(char *const *paths, GError **error);

#endif
