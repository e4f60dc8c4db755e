/* SPDX-License-Identifier: GPL-2.0 */
/* The trailers of a log message (git-interpret-trailers(1)), as kernel uses them. */
#ifndef RESPIN_TRAILERS_H
#define RESPIN_TRAILERS_H

#include <glib.h>
#include <stdbool.h>
#include "address.h"

struct trailer {
	char *key;		/* as written, without the colon */
	char *value;		/* without blanks at both ends */
	char *next;		/* the line below; "" at the end */
	struct address *who;	/* NULL: there is no address in it */
	bool last;		/* stands in the last paragraph */
};

/*
 * Lines of @message, at their beginning, of the keys that the kernel has: all
 * that end in -by, Cc, Fixes, Closes and Link, in any paragraph (people put
 * blank lines between), but not in the subject.  Array of struct trailer.
 */
GPtrArray *trailers_of(const char *message);
/* Is its key @key?  The case does not count. */
bool trailer_is(const struct trailer *t, const char *key);
/* Reviewed-by, Acked-by or Tested-by */
bool trailer_is_review(const struct trailer *t);

#endif
