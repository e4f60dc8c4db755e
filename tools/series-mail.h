/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One mail on its way into a series: parsed, and sorted into patch, cover
 * letter, or no part of the series.
 */
#ifndef RESPIN_SERIES_MAIL_H
#define RESPIN_SERIES_MAIL_H

#include <glib.h>

#include "diff.h"
#include "mail.h"
#include "mailinfo.h"
#include "mbox.h"
#include "series-tag.h"

enum series_mail_kind {
	SERIES_MAIL_PATCH,
	SERIES_MAIL_COVER,
	SERIES_MAIL_OTHER,	/* no part of the series; reason says why */
};

struct series_mail {
	enum series_mail_kind kind;
	char *source;			/* for messages */
	struct mail *mail;
	struct mailinfo *info;
	struct series_tag *tag;
	struct diff *diff;		/* of a patch, else NULL */
	const char *reason;		/* static text; NULL unless OTHER */
};

/*
 * Parses and sorts the mail.  Returns NULL with @error (RESPIN_ERROR_INPUT),
 * the message beginning with the mail's source: not a mail, a patch whose
 * diff is missing or corrupt, no author.
 */
struct series_mail *series_mail_read(const struct mbox_mail *raw,
				     GError **error);
void series_mail_free(struct series_mail *sm);

/* Do the two patches change the same lines, whatever else the mails say? */
bool series_mail_same_diff(const struct series_mail *a,
			   const struct series_mail *b);

typedef struct series_mail series_mail_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(series_mail_t, series_mail_free)
#endif
