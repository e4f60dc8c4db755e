/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which configuration is meant: what stands in --kconfig.
 *
 *	defconfig, foo_defconfig, allmodconfig, allnoconfig ...	targets of make
 *	randconfig:17			the random one of that seed
 *	./my/.config			a file (a path with a '/')
 *	../build/			... of an O= that the kernel was built in
 *	defconfig+debug+./my.config	with fragments: debug.config of the
 *					kernel, or a file
 */
#ifndef RESPIN_KSPEC_H
#define RESPIN_KSPEC_H

#include <glib.h>
#include <stdbool.h>

struct kfragment {
	char *target;		/* "debug.config"; NULL: text */
	char *text;
};

struct kspec {
	char *target;		/* of make: "defconfig"; NULL: file */
	char *seed;		/* of randconfig; NULL: none */
	char *file;		/* contents of a .config; NULL: target */
	GPtrArray *fragments;	/* of struct kfragment */
	char *name;		/* "defconfig+debug", for file names: of a file
				   a part of the hash of its contents is in it */
};

/* NULL with RESPIN_ERROR_USAGE.  Files are read here, once. */
struct kspec *kspec_parse(const char *text, GError **error);
/* Only the fragment @text, on top of what is there; called @name. */
struct kspec *kspec_of_text(const char *text, const char *name);
void kspec_free(struct kspec *k);
/* Is it for the architecture of these @names (end with NULL)?  A file says it
 * in its head; one that does not, and all else, is for any. */
bool kspec_fits(const struct kspec *k, const char *const *names, bool is_32bit);
/* The settings of @fragment ("CONFIG_X=y", "# CONFIG_X is not set") that
 * @config, a .config, does not have, comma-separated; NULL: it has all. */
char *kspec_refused(const char *fragment, const char *config);
#endif
