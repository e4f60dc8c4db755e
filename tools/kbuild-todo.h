/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the way from one base to another asks of kbuild for a variant.  Reads
 * files of the new base, runs nothing.
 */
#ifndef RESPIN_KBUILD_TODO_H
#define RESPIN_KBUILD_TODO_H

#include "kbuild-int.h"

struct kbuild_todo {
	const struct kbuild_dir *d;
	bool configure;		/* .config may come out differently */
	bool rebuild;		/* what `prepare` makes may, by its rules */
	bool whole;		/* all of the kernel is to be asked for */
	char *why;		/* the reason for that */
	bool boot;		/* the boot image's own code is to be asked for */
	bool generated;		/* what `prepare` generates came out differently */
	bool version;		/* the top Makefile's version lines changed */
	GHashTable *dirs;	/* of char *: to be asked for; owned */
	/* of those that follow the strings are owned, too */
	GHashTable *read;	/* Kconfig files that the state was made from */
	GHashTable *arches;	/* arch/X of other architectures in use here */
	GHashTable *fragments;	/* changed files that a Makefile may include */
	GHashTable *included;	/* those that one was found to */
	GHashTable *scripts;	/* names of changed programs and the like */
	GHashTable *symbols;	/* CONFIG_ symbols, whose value changed */
	GHashTable *prepared;	/* directories of O= before it was asked for
				   any; NULL: those that there were may stay */
	char **made;		/* those that asking had made; NULL as well */
};

/*
 * From the files that changed (struct kbuild_change).  d->v->db and O= are
 * still those of the old base, d->srcdir holds the new one.
 */
void kbuild_todo_init(struct kbuild_todo *t, const struct kbuild_dir *d,
		      const GPtrArray *changes);
/* Adds what hangs on the symbols that differ between two .config files. */
void kbuild_todo_config(struct kbuild_todo *t, const char *before,
			const char *after);
void kbuild_todo_clear(struct kbuild_todo *t);
/* Nothing but sources changed, all of them in their places. */
bool kbuild_todo_is_nothing(const struct kbuild_todo *t);

/* Sets t->whole, and t->why unless there is one. */
void kbuild_todo_all(struct kbuild_todo *t, const char *format, ...)
	G_GNUC_PRINTF(2, 3);

/*
 * Brings d->v->db and its files to what @t asks for, after `prepare`
 * (kbuild-ask.c); t->whole when a directory would not do.
 */
int kbuild_ask(struct kbuild_todo *t, GError **error);

/*
 * Is @dir not entered because a symbol is off in @config that decides on it, or
 * on one above it?
 */
bool kbuild_is_off(const struct kbuild_dir *d, const char *config,
		   const char *dir);
/*
 * After the directories t->dirs were asked for: O= has the directories of a
 * start from nothing.
 */
int kbuild_dirs_restore(const struct kbuild_todo *t, GError **error);

/* Between kbuild-todo.c and kbuild-scan.c: does kbuild read @path, a Makefile, for all? */
bool kbuild_todo_is_global(const struct kbuild_todo *t, const char *path);
/* Is @path no part of what is built for this variant? */
bool kbuild_todo_is_elsewhere(const struct kbuild_todo *t, const char *path);
/* The Makefile @path changed, or what it says does. */
void kbuild_todo_touch(struct kbuild_todo *t, const char *path);
/* Looks for all of it in the Makefiles (kbuild-scan.c). */
void kbuild_todo_scan(struct kbuild_todo *t);
#endif
