/* SPDX-License-Identifier: GPL-2.0 */
/* What the groups of message checks share: for message*.c only. */
#ifndef RESPIN_MESSAGE_INT_H
#define RESPIN_MESSAGE_INT_H

#include "letter.h"
#include "mailmap.h"
#include "maintainers.h"
#include "message.h"
#include "trailers.h"

struct message {
	const struct series *series;
	const struct message_base *base;
	struct mailmap *mailmap;
	struct maintainers *maintainers;	/* NULL: cannot be read */
	GPtrArray *trailers;	/* [n - 1]: of struct trailer, of patch n */
	GPtrArray *for_all;	/* of struct trailer, of the cover letter */
	bool addressed;		/* some mail has a To: or Cc: */
	struct messages *out;
};

/* Some order of importance for the reader: what is likely wrong, or a hint. */
enum sure { LIKELY, HINT };

/* Adds the note for patch @n; the same one of another patch grows.  Takes over
 * @text and @todo. */
void message_note(struct message *m, const char *rule, unsigned int n,
		  enum sure sure, char *text, char *todo);

/* The groups: each looks at the whole series. */
void message_recipients(struct message *m);
void message_trailers(struct message *m);
void message_fixes(struct message *m);
void message_form(struct message *m);
void message_earlier(struct message *m);

const struct patch *message_patch(const struct message *m, unsigned int n);
const GPtrArray *message_trailers_of(const struct message *m, unsigned int n);
/* The mail of patch @n, 0: the cover letter; NULL: none. */
const struct letter *message_letter(const struct message *m, unsigned int n);
/* The same person: by address, by .mailmap, or by a name of two words. */
bool message_same(const struct message *m, const struct address *a,
		  const struct address *b);
/* Is @a in @list (of struct address)? */
bool message_in(const struct message *m, const struct address *a,
		const GPtrArray *list);
/* Is @a in To or Cc of mail @n, or is it from them? */
bool message_mailed(const struct message *m, const struct address *a,
		    unsigned int n);
/* The same, or git send-email will add them: they are in a trailer. */
bool message_reaches(const struct message *m, const struct address *a,
		     unsigned int n);
/* kernel test robot, syzbot */
bool message_is_robot(const struct address *a);

#endif
