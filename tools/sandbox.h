/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A patch is code that runs at build time: every tool that sees a patched
 * tree runs in bubblewrap: no network, empty home, no credentials, nothing of
 * /proc but its own, the sources read-only, only what is named writable.
 */
#ifndef RESPIN_SANDBOX_H
#define RESPIN_SANDBOX_H

#include <glib.h>
#include <stdbool.h>

struct sandbox {
	bool off;		/* --no-sandbox: argv is returned as it is, with
				   the same clean environment */
	gint64 memory;		/* MiB of address space that one process may
				   have; 0: no limit */
};

/*
 * Finds out by running it whether bubblewrap works here.
 * -1 with RESPIN_ERROR_TOOL says why and what to do; never silently off.
 */
int sandbox_check(const struct sandbox *sb, GError **error);

/*
 * The argument vector that runs @argv in @cwd with @ro and @rw (absolute
 * paths, NULL-terminated, either may be NULL) visible read-only and writable
 * under their own names, and @env ("NAME=value") beside the fixed
 * environment (PATH, LC_ALL=C, HOME of its own, KBUILD_BUILD_TIMESTAMP,
 * KBUILD_BUILD_USER, KBUILD_BUILD_HOST).  g_strfreev() the result.
 */
char **sandbox_argv(const struct sandbox *sb, char *const *argv,
		    const char *cwd, const char *const *ro,
		    const char *const *rw, const char *const *env);
#endif
