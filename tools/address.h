/* SPDX-License-Identifier: GPL-2.0 */
/* Mail addresses (RFC 5322, 3.4), with the names that stand before them. */
#ifndef RESPIN_ADDRESS_H
#define RESPIN_ADDRESS_H

#include <glib.h>
#include <stdbool.h>

struct address {
	char *name;		/* UTF-8; the address where none is given */
	char *email;
};

/* "Jane Doe <jane@example.org>", decoded; NULL: there is no address in it. */
struct address *address_parse(const char *text);
void address_free(struct address *a);
/* An array of struct address that owns them. */
GPtrArray *address_array_new(void);
/*
 * Adds those of @header, a To: or Cc: as it came (folded, RFC 2047 words).
 * Commas in quotes, comments and encoded words do not divide.
 */
void address_list(GPtrArray *list, const char *header);
/* "Jane Doe <jane@example.org>", or the bare address; g_free() it. */
char *address_text(const struct address *a);

#endif
