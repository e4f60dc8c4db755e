/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One mail (RFC 5322, MIME: RFC 2045-2047, 3676), read by GMime; no other
 * file includes GMime's headers.  What a patch needs is here: some headers,
 * the ids of its thread, and the text as raw transfer-decoded bytes.
 */
#ifndef RESPIN_MAIL_H
#define RESPIN_MAIL_H

#include <glib.h>
#include <stdbool.h>

#define MAIL_MAX_BYTES	(64u << 20)	/* of one mail, as it was sent */
#define MAIL_MAX_DEPTH	16		/* of multiparts in multiparts */
#define MAIL_MAX_PARTS	1000

struct mail_part {
	GBytes *bytes;		/* transfer-decoded, format=flowed undone;
				   no charset was applied */
	char *charset;		/* NULL: not said */
};

struct mail {
	char *from;		/* these three: UTF-8, unfolded, RFC 2047 */
	char *subject;		/* decoded; NULL: no such header */
	char *date;
	char *to, *cc;		/* as they came, several joined by commas; NULL:
				   none; for address_list() */
	char *msgid;		/* without <>; NULL: none */
	GPtrArray *refs;	/* of char *: References, then In-Reply-To */
	bool crlf;		/* the header's lines end in CR LF */
	GPtrArray *parts;	/* of struct mail_part: texts and patches */
	GPtrArray *notes;	/* of char *: what was mended or left out */
};

/*
 * Parses the mail in @raw.  A "From " line in front is passed over, and a
 * header section that ends without a blank line ends there, as
 * git-mailinfo(1) has it.  A CR before '\n' is dropped in the header and stays
 * in the text.
 * The text parts are text/plain and patches (by type or by the file name
 * *.patch, *.diff); other parts are left out and noted.
 * Returns a mail to be freed with mail_free(), or NULL with @error
 * (RESPIN_ERROR_INPUT): a limit above is passed, a multipart is cut off, or
 * there is no header.
 */
struct mail *mail_parse(GBytes *raw, GError **error);
void mail_free(struct mail *m);

/* A header value in UTF-8, RFC 2047 words decoded; to be freed. */
char *mail_decode_header(const char *value);

/*
 * Reads a Date: value into seconds since the epoch and minutes east of UTC.
 * Returns false, both untouched, when it is no date.
 */
bool mail_decode_date(const char *value, gint64 *when, int *offset);

/*
 * Does the text begin with a header section (git-am(1)'s test for a mail
 * without a "From " line)?
 */
bool mail_has_header(const char *text, gsize len);

typedef struct mail mail_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(mail_t, mail_free)
#endif
