/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of a header that call what the header defines only further down,
 * found in the text alone: for the architectures that are not compiled.  Pure.
 */
#ifndef RESPIN_ORDERTEXT_H
#define RESPIN_ORDERTEXT_H

#include <glib.h>
#include <stdbool.h>

struct order_use {
	char *user, *name;	/* user() calls name() */
	unsigned int line;	/* of the call */
	unsigned int below;	/* of the first definition that stands below */
	GPtrArray *guards;	/* of char *: a macro of an architecture that
				   hides the one or the other when it is
				   defined; may be empty */
};

/*
 * The calls in the text of one header: no definition, prototype or macro stands
 * above, and the call and the definition below can be in one compile.  Each
 * pair of functions once.  Of struct order_use; g_ptr_array_unref()
 */
GPtrArray *order_scan(const char *text, gsize len);

enum order_arch {
	ORDER_FAILS,		/* nothing hides it */
	ORDER_MAY_HIDE,		/* a guard is defined under a condition */
	ORDER_HIDES,
};
/*
 * What the text of one header of an architecture says: does it define one of
 * @guards?  *@by is the guard (borrowed), *@condition that under which, g_free()
 */
enum order_arch order_hidden(const char *text, gsize len,
			     const GPtrArray *guards, const char **by,
			     char **condition);
/* Is @name one that an architecture defines in place of generic code? */
bool order_is_guard(const char *name);
#endif
