/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions, prototypes and macros of a C file, in the order of its text,
 * whatever its #if groups say.  Pure; what does not read as one is none.
 */
#ifndef RESPIN_CFUNC_H
#define RESPIN_CFUNC_H

#include "ctext.h"

enum cfunc_kind { CFUNC_BODY, CFUNC_PROTOTYPE, CFUNC_MACRO };

struct cfunc {
	char *name;
	enum cfunc_kind kind;
	unsigned int line;	/* of the name */
	gsize from, to;		/* CFUNC_BODY: in the mask, braces included */
	char *type;		/* words before the name, one blank between; "" */
	char *params;		/* between the parentheses, the same; NULL: a
				   macro without parentheses */
	char *value;		/* CFUNC_MACRO: what it stands for; else NULL */
};

/* Of struct cfunc, in order of their line; g_ptr_array_unref() */
GPtrArray *cfunc_scan(const struct ctext *t);
/*
 * Calls @fn for each word of the body of @f that is followed by a '(' and is no
 * member, with the line it stands on; directives within it are passed over.
 */
typedef void (*cfunc_call_fn)(const char *name, unsigned int line, void *data);
void cfunc_calls(const struct ctext *t, const struct cfunc *f,
		 cfunc_call_fn fn, void *data);
#endif
