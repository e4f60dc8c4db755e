/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which source files define and export a name at a step, by their text
 * (symtext.h).  Files that the series touches are read anew for each step, the
 * others once.
 */
#ifndef RESPIN_SYMINDEX_H
#define RESPIN_SYMINDEX_H

#include "run.h"
#include "symtext.h"

struct symindex;

struct symindex *symindex_new(struct run *run);
void symindex_free(struct symindex *ix);

/* Reads the sources that became TUs of a variant; before symindex_find(). */
void symindex_update(struct symindex *ix);
/* Does any patch of the series touch @path? */
bool symindex_touched(const struct symindex *ix, const char *path);
/* The text of @path at @step; NULL: not there.  g_bytes_unref() */
GBytes *symindex_text(struct symindex *ix, const char *path, unsigned int step);
/* What @path defines at @step, as TU or not; NULL: not there.  Borrowed. */
const struct symtext *symindex_scan(struct symindex *ix, const char *path,
				    unsigned int step);
/* The shape of @path at @step ("" when not there); borrowed. */
const char *symindex_shape(struct symindex *ix, const char *path,
			   unsigned int step);

/* A definition or an export of a name. */
struct symindex_hit {
	const char *path;	/* interned: where it stands */
	const char *source;	/* interned: of the TU, path or who includes it */
	unsigned int via;	/* line of that #include; 0: source is path */
	const struct symtext_item *item;
	bool conditional;	/* there are #if groups in the file */
};
/*
 * All of @name among the main sources of the TUs of the run's variants, at
 * @step: an array of struct symindex_hit, g_array_unref().
 */
GArray *symindex_find(struct symindex *ix, const char *name, unsigned int step);
/* Is the line of @hit compiled on @v at @step?  1 yes, 0 no, -1: not known. */
int symindex_compiled(struct symindex *ix, const struct variant *v,
		      const struct symindex_hit *hit, unsigned int step);
/* Does a linker script of vmlinux on @v assign to @name ("_etext = .")? */
bool symindex_linked(struct symindex *ix, const struct variant *v,
		     const char *name, unsigned int step);
/* The innermost condition around @line of @path; NULL: none.  g_free() */
char *symindex_condition(struct symindex *ix, const char *path,
			 unsigned int line, unsigned int step);
#endif
