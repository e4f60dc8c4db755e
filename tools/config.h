/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Configuration in the syntax of git-config(1), from the files that git
 * reads: system, XDG, global, the repository's own; then `-c name=value`.
 * A later level wins; a multi-valued key adds up over all of them.
 *
 *	[respin]
 *		cacheDir = /var/cache/respin
 *		jobs = 4
 *		sandbox = true
 *		arches = x86_64,arm64
 *		kconfigs = defconfig
 *		timeout = 600
 *		budget = 10m
 *	[respin-tree "net-next"]
 *		path = ~/src/linux
 *		ref = net-next/main
 *	[respin-toolchain "arm64"]
 *		crossCompile = aarch64-linux-gnu-
 *
 * Every error is RESPIN_ERROR_USAGE and names the file and the key.
 *
 * To add a key: a line in the list of config.c, and one in tools/respin.1.
 */
#ifndef RESPIN_CONFIG_H
#define RESPIN_CONFIG_H

#include <glib.h>
#include <stdbool.h>

struct config;

/*
 * @repo_path: a path in a repository that repo_open() accepted (who owns it
 * is not asked again), or NULL.  @overrides: "name=value", or "name" for a
 * true boolean, as command_overrides() returns; NULL: none.  A key of respin
 * there that it does not know is an error.
 * No file at all is no error.  config_free() the result.
 */
struct config *config_open(const char *repo_path,
			   const char *const *overrides, GError **error);
void config_free(struct config *c);

/*
 * The getters return 0, or -1 with @error.  *@value is left alone when @key
 * ("respin.jobs", "respin-tree.net-next.ref") is not set: put the default
 * there first.
 */
int config_bool(struct config *c, const char *key, bool *value,
		GError **error);
/* k, m and g multiply by 1024 and so on, as in git. */
int config_int(struct config *c, const char *key, gint64 min, gint64 max,
	       gint64 *value, GError **error);
/* Bytes: "10g". */
int config_size(struct config *c, const char *key, guint64 *value,
		GError **error);
/* *@value is freed before it is replaced; an empty value is "". */
int config_string(struct config *c, const char *key, char **value,
		  GError **error);
/* The same for a path: "~/" is the home directory; it must be absolute. */
int config_path(struct config *c, const char *key, char **value,
		GError **error);
/*
 * All values of a multi-valued key, each split at commas, without blanks and
 * doubles, in the order given.  *@value (g_strfreev()) is freed before it is
 * replaced.  An empty value forgets the ones before it, as in git.
 */
int config_strings(struct config *c, const char *key, char ***value,
		   GError **error);

/* The NAMEs of [@section "NAME"], sorted, without doubles; g_strfreev(). */
char **config_names(struct config *c, const char *section);

/*
 * Keys of respin in the files that it does not know (a slip, or of a newer
 * respin): of char *, "'respin.job' in '/root/.gitconfig'"; unref it.
 */
GPtrArray *config_unknown(struct config *c);

/*
 * Where results, databases and checkouts are kept: respin.cacheDir, else
 * $RESPIN_CACHE, else $XDG_CACHE_HOME/respin, else ~/.cache/respin.
 * Absolute; not made.  g_free() it; NULL with @error.  @c may be NULL.
 */
char *config_cache_dir(struct config *c, GError **error);

typedef struct config config_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(config_t, config_free)
#endif
