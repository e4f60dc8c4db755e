/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The notes on mails and log messages (checks/message.h): what they need is
 * read here, and they are printed.
 */
#ifndef RESPIN_MESSAGES_H
#define RESPIN_MESSAGES_H

#include <jansson.h>
#include <stdio.h>
#include "message.h"
#include "repo.h"

struct run;

/* @earlier: thread of the version before (of struct letter), or NULL. */
struct messages *messages_read(struct repo *r, const struct series *s,
			       const char *base, GPtrArray *earlier);
/* Fills run->messages; what could not be judged is a gap. */
void messages_run(struct run *run);

/* The member "messages" of the report: an array of notes. */
json_t *messages_json(const struct messages *m);
/* All of such an array, for a series of @total patches. */
void messages_list(const json_t *notes, unsigned int total, FILE *out);
/* One line of the report, and with @verbose all notes; @m may be NULL. */
void messages_summary(const struct messages *m, unsigned int total, FILE *out,
		      bool verbose);
/* "recipients (no To: yet); ..."; "" when all was checked; g_free() it. */
char *messages_unchecked(const struct messages *m);

#endif
