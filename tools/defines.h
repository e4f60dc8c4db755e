/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which macros are defined at the end of a TU on a variant, and where, by
 * the compiler itself (-E -dD).
 */
#ifndef RESPIN_DEFINES_H
#define RESPIN_DEFINES_H

#include <glib.h>
#include "job.h"

struct define {
	char *file;		/* relative to the tree; "" for the command line */
	unsigned int line;
	char *value;		/* what follows the name, trimmed */
};

/*
 * What -E -dD prints for what @job compiles on the checkout @srcdir; NULL when
 * it could not be run.  g_free() it.
 */
char *defines_text(struct runner *r, const struct job *job,
		   const char *srcdir);
/*
 * Preprocesses what @job compiles on the checkout @srcdir and returns
 * char * name -> struct define for all macros that are left at the end
 * (g_hash_table_unref()), or NULL when it could not be run.
 */
GHashTable *defines_read(struct runner *r, const struct job *job,
			 const char *srcdir);
/* Pure: the same from the output of -E -dD. */
GHashTable *defines_parse(const char *text, const char *srcdir);
#endif
