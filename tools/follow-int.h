/* SPDX-License-Identifier: GPL-2.0 */
/* Between follow*.c only. */
#ifndef RESPIN_FOLLOW_INT_H
#define RESPIN_FOLLOW_INT_H

#include "follow.h"
#include "kbuild-step.h"

/* What a run knows about the builds of its steps. */
struct follow {
	unsigned int step;	/* entered last */
	GPtrArray *odirs;	/* of struct odir, in order of since */
	GPtrArray *missing;	/* of struct missing */
};

/* Something that make cannot do on a variant: an object in name only. */
struct missing {
	const struct variant *v;
	char *text;		/* in make's words */
	struct tu *tu;		/* since: the patch to blame; before that it is
				   not there and says nothing */
	bool old;		/* make said so before the patch too */
	bool live;		/* make says so at the step asked last */
};

void missing_free(struct missing *m);

/* The work on one variant at one step. */
struct follow_work {
	struct run *run;
	unsigned int n;
	struct variant *v;
	struct kbuild_step *step;
	struct followed *out;
	struct compdb_delta delta;
	bool broken;		/* kconfig cannot read the step */
	GHashTable *moved;	/* of char *: objects, and files that make
				   complains of, on any variant; owned */
};

struct follow *follow_state(struct run *run);
/* From step @n on @v has the O= that @w->step is; -1 with @error. */
int follow_keep(struct follow_work *w, GError **error);

/*
 * @texts is what make complains of at this step in @dir; what it did not
 * before is a finding.  May move run->cur to the step before and back.
 */
int follow_complain(struct follow_work *w, const char *dir,
		    const GPtrArray *texts, GError **error);
/* As a diagnostic in the Makefile below @srcdir that names it; diag_free(). */
struct diag *follow_diag(const char *text, const char *srcdir, char **object);

/* Is @path in or below @dir ("" holds all)? */
bool path_is_below(const char *path, const char *dir);
/* The directory's own Makefile or Kbuild below @srcdir; NULL: none.  g_free() */
char *follow_makefile(const char *srcdir, const char *dir);
/*
 * Configures the copy for the Kconfig files of the step.  *@whole: a value has
 * changed, so that all of the kernel is to be asked for.
 */
int follow_config(struct follow_work *w, bool *whole, GError **error);
/* A gap for a Makefile whose changed lines build nothing on any variant. */
void follow_say_makefile(struct run *run, unsigned int n,
			 const struct file_diff *fd);
/* Does @fd change more of a Makefile than comments? */
bool follow_is_real(const struct file_diff *fd);
/* Gaps for CONFIG_ symbols that the patch uses and no Kconfig defines. */
int follow_say_symbols(struct run *run, unsigned int n, GError **error);
#endif
