/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The programs of tools/testing/ that include the kernel's own sources:
 * mm/vma.c, lib/maple_tree.c, mm/memblock.c and what goes with them.
 */
#ifndef RESPIN_TESTPROG_H
#define RESPIN_TESTPROG_H

#include <glib.h>
#include <stdbool.h>

/* Directories that `make -C` builds one or more programs in; ends with NULL. */
extern const char *const testprogs[];

/*
 * The files of the tree at @srcdir that a build of @dir may read: its own
 * sources, what its Makefiles name, and all that these include, blind to #if:
 * rather too many than one too few.  A set of char *, owned by the set;
 * empty when the directory is not there.
 */
GHashTable *testprog_reads(const char *srcdir, const char *dir);

/*
 * A name that the build of @dir prints, "../../../mm/vma.c" or what it links or
 * generates under another name, as a path in the tree at @srcdir; g_free().
 */
char *testprog_path(const char *srcdir, const char *dir, const char *name);

/* A complaint of the linker, as ld of binutils words it. */
struct linker {
	const char *srcdir, *dir;
	char *function;		/* "in function `f':" was said last */
	GPtrArray *diags;	/* of struct diag: each once */
};

/*
 * Is @line the linker's, or make's report that it failed?  What it says is
 * missing or there twice is added to @l->diags (rule DIAG_LINK).
 */
bool testprog_link_line(struct linker *l, const char *line);
void linker_clear(struct linker *l);
#endif
