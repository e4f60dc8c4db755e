/* SPDX-License-Identifier: GPL-2.0 */
/* The preprocessor conditions (#if groups) of a file and around a line. */
#ifndef RESPIN_CONDITION_H
#define RESPIN_CONDITION_H

#include <glib.h>
#include "ctext.h"

struct condition {
	unsigned int start, end;	/* lines of the branch, the directives
					   themselves excluded; end < start when
					   it is empty */
	unsigned int line;		/* of the directive that opens the branch */
	unsigned int first, last;	/* the whole group, #if to #endif, these
					   lines included */
	char *text;			/* "!defined(X)", "defined(CONFIG_MMU)";
					   after branches A and B an #elif C is
					   "!(A) && !(B) && (C)", the #else
					   "!(A) && !(B)" */
};

/*
 * All branches of all #if groups of @text (comments and continuation lines
 * honoured), in order of their opening; of struct condition.  A group that is
 * not closed runs to the end; an #else or #endif without #if is passed over.
 */
GPtrArray *condition_scan(const char *text, gsize len);
GPtrArray *condition_scan_ctext(const struct ctext *t);
/* The conditions that hold at @line, outermost first (borrowed members). */
GPtrArray *condition_at(const GPtrArray *conditions, unsigned int line);
#endif
