/* SPDX-License-Identifier: GPL-2.0 */
/* For toggle-run.c only: what kconfig said of settings, kept for a later run. */
#ifndef RESPIN_TOGGLE_KEEP_H
#define RESPIN_TOGGLE_KEEP_H

#include "run.h"

/*
 * The .config that kconfig makes of @config, that of @v, with @settings (lines)
 * on top at the last step, which run->cur holds.  g_free(); NULL with @error.
 */
char *toggle_try(const struct run *run, struct variant *v, const char *config,
		 const char *settings, GError **error);
/*
 * Why kconfig did not take over @line in an earlier run, in a variant made of
 * @parent on the base; g_free().  NULL: it did, or was not asked.
 */
char *toggle_refused(const struct run *run, const struct variant *parent,
		     const char *line);
void toggle_keep_refused(const struct run *run, const struct variant *parent,
			 const char *line, const char *why);
#endif
