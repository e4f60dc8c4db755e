/* SPDX-License-Identifier: GPL-2.0 */
/* Headers as user space gets them: what the checks of them have in common. */
#ifndef RESPIN_INST_H
#define RESPIN_INST_H

#include "check.h"

/*
 * Of a Makefile: scripts/headers_install.sh runs ./scripts/unifdef.  Its -b
 * leaves a blank line for each that it takes out, so that lines keep their
 * numbers.
 */
#define INST_UNIFDEF \
	"$(OUT)/scripts/unifdef: $(SRC)/scripts/unifdef.c\n" \
	"\t@mkdir -p $(@D)\n" \
	"\t@cc -o $@.bin $<\n" \
	"\t@(echo '#!/bin/sh'; echo exec $@.bin -b '\"$$@\"') >$@\n" \
	"\t@chmod 755 $@\n"

/*
 * make with the Makefile @file ("-": what it is given) for the header @name of
 * @job, and with the words @more (end with NULL) behind.  g_strfreev().
 */
char **inst_argv(const struct job *job, const char *file, const char *name,
		 const char *srcdir, const char *out, const char *const *more);
/* Writes @text to @dir/@name; -1: RESPIN_ERROR_IO. */
int inst_put(const char *dir, const char *name, const char *text,
	     GError **error);
/* All that the header @name can read, and the paths @more (end with NULL). */
void inst_set_deps(struct job *job, const char *srcdir, const char *name,
		   const char *const *more);
#endif
