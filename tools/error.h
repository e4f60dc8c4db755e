/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Errors travel as GError in this domain.  A message says what, where and
 * what to do; it is in lower case, without a full stop, names in 'quotes'.
 * Functions return 0, or -1 with *error set, unless their comment says else.
 */
#ifndef RESPIN_ERROR_H
#define RESPIN_ERROR_H

#include <glib.h>

#define RESPIN_ERROR (respin_error_quark())

enum respin_error {
	RESPIN_ERROR_USAGE,		/* the command line or configuration */
	RESPIN_ERROR_INPUT,		/* the mails or the range are not a series */
	RESPIN_ERROR_TREE,		/* the repository or revision */
	RESPIN_ERROR_APPLY,		/* a patch does not apply */
	RESPIN_ERROR_TOOL,		/* a program is missing or broken */
	RESPIN_ERROR_IO,		/* disk, permissions, memory */
	RESPIN_ERROR_INTERRUPTED,	/* Ctrl-C or a signal */
};

GQuark respin_error_quark(void);

#endif
