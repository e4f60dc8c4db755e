/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CONFIG_ symbols in texts: a .config, Kconfig files, Makefiles and C.
 * Names are without "CONFIG_".  Pure.
 */
#ifndef RESPIN_KCONF_H
#define RESPIN_KCONF_H

#include <glib.h>
#include <stdbool.h>

struct kconf_change {
	char *name;
	char *was, *is;		/* "y", "m", "\"text\"", "12"; NULL: off */
};

/*
 * What differs between two .config files, sorted by name.  "is not set" and
 * absent are one to all that reads a .config: off.
 */
GPtrArray *kconf_diff(const char *before, const char *after);
void kconf_change_free(struct kconf_change *c);

/*
 * Adds to @set (of char *, owned) the symbols that stand in @text as words
 * CONFIG_NAME.  Comments are not looked for: see ctext.h for C, and
 * kconf_strip() for Makefiles.
 */
void kconf_used(GHashTable *set, const char *text, gsize len);
/* The line of a Makefile without its comment ('#' to the end). */
gsize kconf_strip(const char *line, gsize len);
/* The logical lines of the Makefile @text, without comments; g_strfreev(). */
char **kconf_lines(const char *text);
/*
 * Takes out of @set what the Kconfig file @text defines ("config NAME",
 * "menuconfig NAME"; NAME_MODULE too, what C sees of a tristate).
 */
void kconf_defined(GHashTable *set, const char *text);

/*
 * What is on in @config, a .config: NAME -> value (char *, owned).
 */
GHashTable *kconf_read(const char *config);
/* Adds to @list (of char *, owned) those that "select NAME" in the Kconfig
 * file @text, each once. */
void kconf_selectors(GPtrArray *list, const char *text, const char *name);
/* Does @text define NAME, and as a tristate? */
bool kconf_is_tristate(const char *text, const char *name);

/*
 * What decides in the Makefile @text whether @word ("x.o", "foo/") is built:
 * "CONFIG_X" ("CONFIG_X && CONFIG_Y"), "" when it always is, NULL when no line
 * names it.  Followed through composites: "foo-y := x.o",
 * "obj-$(CONFIG_X) += foo.o".  g_free().
 */
char *kconf_decides(const char *text, const char *word);
/* The first line (from 1) that names @word, outside of comments; 0: none. */
unsigned int kconf_line(const char *text, const char *word);
#endif
