/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The device trees of an architecture, arch/X/boot/dts: which of them read
 * which files, by #include, /include/ and /incbin/, blind to #if; and what dtc
 * says about them.
 */
#ifndef RESPIN_DTREE_H
#define RESPIN_DTREE_H

#include <glib.h>
#include <stdbool.h>

struct dtree {
	char *dir;		/* "arch/arm64/boot/dts" */
	GPtrArray *sources;	/* of char *: .dts and .dtso below dir, sorted */
	GHashTable *reads;	/* path -> GPtrArray of char *: what it includes */
	GHashTable *read_by;	/* path -> GPtrArray of const char * */
};

/* Of the tree at @srcdir; NULL: it has none for @srcarch. */
struct dtree *dtree_read(const char *srcdir, const char *srcarch);
void dtree_free(struct dtree *t);

/* The sources that are one of @paths (set of char *) or read one, sorted; of
 * borrowed char *.  A path need not be there any more. */
GPtrArray *dtree_reaching(const struct dtree *t, GHashTable *paths);
/* All that @source reads, with itself: a set of borrowed char *. */
GHashTable *dtree_closure(const struct dtree *t, const char *source);

/* "arch/arm64/boot/dts/qcom/x.dts" or .dtso to what kbuild is asked for,
 * "qcom/x.dtb", "qcom/x.dtbo"; NULL: it is none, or no Makefile can hold its
 * name.  g_free() */
char *dtree_target(const char *dir, const char *path);
/* ... and back: "arch/arm64/boot/dts/qcom/x.dts"; g_free() */
char *dtree_source(const char *dir, const char *target);

enum dtree_made {
	DTREE_NOTHING,		/* no source, and no Makefile names it */
	DTREE_MADE,		/* of its source, or of others put together */
	DTREE_NO_SOURCE,	/* a Makefile names it, and it has none */
};

/* How the tree at @srcdir makes @target; *@line: where the Makefile of its
 * directory names it, 0 if it does not. */
enum dtree_made dtree_made(const char *srcdir, const char *dir,
			   const char *target, unsigned int *line);
/* Does the Makefile of @target's directory list what is made there? */
bool dtree_lists(const char *srcdir, const char *dir, const char *target);
/* The targets that the Makefile of @target's directory puts together of it
 * ("NAME-dtbs := ..."), to @list (char *, owned by it). */
void dtree_composites(const char *srcdir, const char *dir, const char *target,
		      GPtrArray *list);

/*
 * What dtc (scripts/dtc, all its messages) and cpp printed, as diagnostics of
 * check "dtbs", each once; files are below @srcdir.  One of no file has "".
 */
GPtrArray *dtree_diags(const char *text, const char *srcdir);
#endif
