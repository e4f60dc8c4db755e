/* SPDX-License-Identifier: GPL-2.0 */
/* Between kbuild*.c only: calls of make, and what stands beside an O=. */
#ifndef RESPIN_KBUILD_INT_H
#define RESPIN_KBUILD_INT_H

#include "kbuild.h"
#include "proc.h"

/*
 * The directory of a variant under kb->cachedir holds
 *	build/		O=
 *	stamp		what build/ and compdb were made from; written last
 *	compdb		the compile database
 *	unprinted	objects of it that the dry run did not print, one a line
 *	dirs		directories of O= that only the dry run made, one a line
 *	made		objects that make was asked for (kbuild_make_object)
 */
struct kbuild_dir {
	struct kbuild *kb;
	struct variant *v;
	char *srcdir;		/* without symbolic links, as make prints it */
	char *dir, *odir, *stamp, *compdb, *unprinted, *dirs, *made;
};

int kbuild_dir_init(struct kbuild_dir *d, struct kbuild *kb, struct variant *v,
		    GError **error);
/* Makes the directories again, after they were removed. */
int kbuild_dir_make(const struct kbuild_dir *d, GError **error);
void kbuild_dir_release(struct kbuild_dir *d);

/* See kbuild-step.h. */
struct kbuild_step {
	struct kbuild_dir d;	/* its odir is the copy */
};

/* Removes @path and all below it; -1: RESPIN_ERROR_IO. */
int remove_tree(const char *path, GError **error);

/* What the state on disk is worth for the base that is asked for. */
enum stamp_state {
	STAMP_NONE,		/* from nothing */
	STAMP_OTHER,		/* the same variant, of another base */
	STAMP_SAME,
};

/*
 * *@old: the id of the tree that the state was made from, when that is another;
 * g_free() it.
 */
enum stamp_state kbuild_stamp_check(const struct kbuild_dir *d, char **old);
/*
 * The hash of the top Makefile without the lines of the kernel's version: now,
 * and as the stamp has it; g_free() them, NULL: not known.
 */
char *kbuild_top_hash(const struct kbuild_dir *d);
char *kbuild_stamp_top(const struct kbuild_dir *d);
int kbuild_stamp_write(const struct kbuild_dir *d, GError **error);

/* A run of make (or of what argv names) in the sandbox; proc_job_free() it. */
struct proc_job *kbuild_run(const struct kbuild_dir *d, char **argv,
			    const char *const *env, const char *out_path,
			    unsigned int seconds);
/* `make -C SRC O= ARCH= CROSS_COMPILE= W=1` and then @words, which end with NULL */
char **kbuild_make_argv(const struct kbuild_dir *d, const char *const *words);
bool kbuild_ok(const struct proc_job *j);
/* The last lines that make printed, each on a line of its own, indented. */
char *kbuild_quote(const struct proc_job *j);
/* What went wrong in phase @what, with the last lines that make printed. */
void kbuild_error(const struct kbuild_dir *d, const struct proc_job *j,
		  const char *what, GError **error);

void kbuild_phase(const struct kbuild_dir *d, const char *name);
/* Says in v->how how the state came about. */
void kbuild_say_how(const struct kbuild_dir *d, const char *format, ...)
	G_GNUC_PRINTF(2, 3);
/* `make prepare` */
int kbuild_make_prepare(const struct kbuild_dir *d, GError **error);

/*
 * `make -n -k V=1 GOALS` (NULL: vmlinux and modules), its output in the file
 * @out, to be removed by the caller.  *@job has its complaints; free it, also
 * after -1, when there was no answer (interrupt, time, disk).
 */
int kbuild_dry_run(const struct kbuild_dir *d, const GPtrArray *goals,
		   const char *out, struct proc_job **job, GError **error);
/* -1 with @error unless @missing (compdb_missing()) is empty. */
int kbuild_complete(const struct kbuild_dir *d, const struct compdb *db,
		    const GPtrArray *missing, const struct proc_job *j,
		    GError **error);
/* d->v->db and the files that keep it, by a dry run of all. */
int kbuild_database(const struct kbuild_dir *d, GError **error);
/*
 * The objects of @db that are not in @printed (a set of borrowed char *) go to
 * the file "unprinted", and @db, flat, to "compdb".
 */
int kbuild_database_save(const struct kbuild_dir *d, struct compdb *db,
			 GHashTable *printed, GError **error);
/* Directories below O=, relative to it: a set of char *, owned. */
GHashTable *kbuild_dirs(const struct kbuild_dir *d);
/* Those that are there now and were not @before go to the file "dirs". */
int kbuild_dirs_save(const struct kbuild_dir *d, GHashTable *before,
		     GError **error);
/* The lines of that; NULL: unreadable.  g_strfreev() */
char **kbuild_dirs_load(const struct kbuild_dir *d);
/* The objects that stand in "unprinted", a set of char *; NULL: unreadable. */
GHashTable *kbuild_unprinted(const struct kbuild_dir *d);
GHashTable *kbuild_printed(const struct compdb *db);

/*
 * Moves O= and d->v->db, made from a tree that differs by @changes, to the one
 * in d->srcdir.  -1: not possible or not to be believed; RESPIN_ERROR_TOOL: a
 * start from nothing may help.
 */
int kbuild_move(const struct kbuild_dir *d, const GPtrArray *changes,
		GError **error);

/* Makes .config in O=, without CONFIG_WERROR (kbuild-config.c). */
int kbuild_configure(const struct kbuild_dir *d, GError **error);
/* The text of .config in O=. */
int kbuild_read_config(const struct kbuild_dir *d, char **text, GError **error);
/* Those lines of @settings whose symbols the base's Kconfig files define;
 * g_free() */
char *kbuild_known_settings(const struct kbuild_dir *d, const char *settings);
/* Merges the fragments of v->kspec into the .config that is there. */
int kbuild_configure_more(const struct kbuild_dir *d, GError **error);
/* O= and database of a variant with a parent, from those of the parent. */
int kbuild_from_parent(const struct kbuild_dir *d, GError **error);
/* `make prepare0`: what `prepare` generates for the compiler, and no more. */
int kbuild_prepare_sources(const struct kbuild_dir *d, GError **error);
/* Says in v->note what of the user's fragments kconfig refused. */
void kbuild_note_refused(const struct kbuild_dir *d);
/* What kbuild wrote down of an object, below O=: @path of the file, its @text. */
typedef void (*kbuild_cmd_fn)(const char *path, const char *text, gsize len,
			      void *data);
void kbuild_each_cmd(const struct kbuild_dir *d, kbuild_cmd_fn fn, void *data);
/* Adds to @db what the dry run did not print (kbuild-extra.c). */
void kbuild_parse_built(const struct kbuild_dir *d, struct compdb *db);
/* d->v->checkflags, asked of make once for these Makefiles and this .config. */
void kbuild_checkflags(const struct kbuild_dir *d);
void kbuild_parse_boot(const struct kbuild_dir *d, struct compdb *db);
#endif
