/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which names a symbol's dependencies mention in Kconfig files: guesses about
 * what to try, of which kconfig itself decides whether they are right.  Pure.
 */
#ifndef RESPIN_KCONF_NEEDS_H
#define RESPIN_KCONF_NEEDS_H

#include <glib.h>
#include <stdbool.h>

/* All Kconfig files of a tree. */
struct kfiles {
	GHashTable *texts;	/* path -> text; both owned */
};

struct kfiles *kfiles_new(void);
void kfiles_free(struct kfiles *k);
/* Takes @text over. */
void kfiles_add(struct kfiles *k, const char *path, char *text);

/* The paths that define @symbol, sorted, borrowed; unref the array. */
GPtrArray *kfiles_defining(const struct kfiles *k, const char *symbol);
/*
 * What @symbol depends on where it is defined first: of char *, each a
 * condition for condexpr_eval() ("IS_ENABLED(CONFIG_NET) && !...").  From its
 * entry, the if and menu blocks around it, and around the lines that source
 * the file.
 */
GPtrArray *kfiles_needs(const struct kfiles *k, const char *symbol);
/* Those that select @symbol, and that it can be a module; see kconf.h. */
GPtrArray *kfiles_selectors(const struct kfiles *k, const char *symbol);
bool kfiles_is_tristate(const struct kfiles *k, const char *symbol);

/* "NET && !PCI=n" as a condition of C; g_free() */
char *kconf_condition(const char *expr);
#endif
