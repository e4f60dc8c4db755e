/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a TU has seen when it gets to given lines of given files: a walk over
 * parsed files (ppfile.h) in the order of the preprocessor, with its macros,
 * conditions and include path.  A condition that cannot be decided (a
 * compiler's own macro, an operator not known here) puts both branches in
 * doubt: what they hold is neither there nor absent.
 */
#ifndef RESPIN_PPWALK_H
#define RESPIN_PPWALK_H

#include "ppfile.h"

struct pp_walk;

/* How far a name is there. */
enum pp_known { PP_ABSENT, PP_MAYBE, PP_THERE };

/* What is known of a name at one point; homes are files as names, all .c and
 * .S files being 0. */
struct pp_status {
	guint8 macro, decl, tag;	/* enum pp_known */
	guint32 macro_home, decl_home, tag_home;
};

/* A file that is waited for.  Set it as the mark of its pp_file. */
struct pp_target {
	const GArray *lines;	/* of guint32, ascending: where to look */
	/* told at the first of the file's items behind each line, and for lines
	 * that a condition hides (@active PP_ABSENT) */
	void (*at)(struct pp_walk *w, struct pp_target *t, guint line,
		   enum pp_known active);
	/* told when the file is entered */
	void (*enter)(struct pp_walk *w, struct pp_target *t);
	bool over;		/* set by the walk: it will not come again */
	void *data;
};

struct pp_walk *pp_walk_new(struct pp *pp);
void pp_walk_free(struct pp_walk *w);
/*
 * Walks the TU that the command @argv, run in @cwd, compiles from @source
 * (absolute), until the end or till @targets targets are over.  False: a file
 * that was read on the way asks for what was left out before it (pp_live());
 * what was told is not to be relied on, and the TU is to be walked once more.
 */
bool pp_walk_tu(struct pp_walk *w, char *const *argv, const char *cwd,
		const char *source, guint targets);

/* During a walk.  Names are looked after that have PP_WATCHED. */
void pp_walk_status(const struct pp_walk *w, guint32 name,
		    struct pp_status *status);
/* The files that are open, outermost (the .c) first. */
const GPtrArray *pp_walk_open(const struct pp_walk *w);
/* A sum over the CONFIG_ symbols defined or undefined by other files than
 * autoconf.h, 0: none. */
guint32 pp_walk_toggles(const struct pp_walk *w);
bool pp_walk_in_doubt(const struct pp_walk *w);
/* All files that @f can include by the path of the TU last walked, blind to
 * conditions, itself too when it can: a set of struct pp_file. */
GHashTable *pp_walk_reached(struct pp_walk *w, struct pp_file *f);

/* Between ppwalk*.c only. */
struct pp_value {
	bool known;
	gint64 number;
};
/* The expression at @first of @f's tokens. */
struct pp_value pp_eval(const struct pp_walk *w, const struct pp_file *f,
			guint32 first);
/* How the macro @name stands; @define, @file: its body, NULL when it has none
 * or several may be meant. */
enum pp_known pp_walk_macro(const struct pp_walk *w, guint32 name,
			    const struct pp_define **define,
			    const struct pp_file **file);
struct pp *pp_walk_pp(const struct pp_walk *w);

/* Include paths: pppath.c. */
struct pp_paths;
struct pp_paths *pp_paths_new(struct pp *pp);
void pp_paths_free(struct pp_paths *ps);
/* The path of @argv as a number, for pp_paths_find(). */
guint32 pp_paths_of(struct pp_paths *ps, char *const *argv, const char *cwd);
struct pp_file *pp_paths_find(struct pp_paths *ps, guint32 path,
			      const struct pp_file *from, guint32 spec,
			      bool quoted, bool next);
/* The same for an #include of @from, which keeps it. */
struct pp_file *pp_paths_include(struct pp_paths *ps, guint32 path,
				 const struct pp_file *from,
				 struct pp_include *inc);
/* A file came or went: nothing that was found counts. */
void pp_paths_forget(struct pp_paths *ps);
void pp_walk_forget(struct pp_walk *w);
#endif
