/* SPDX-License-Identifier: GPL-2.0 */
/* Between follow*.c only. */
#ifndef RESPIN_FOLLOW_INT_H
#define RESPIN_FOLLOW_INT_H

#include "follow.h"
#include "kbuild-step.h"
#include "kdir.h"

/* What make or kconfig is asked for at a step. */
enum ask {
	ASK_BUILD,		/* a dry run of a directory */
	ASK_CONFIG,		/* to configure */
	ASK_MADE,		/* to generate files */
};

/* What becomes of the offsets that headers are made of. */
enum offsets {
	OFFSETS_SAME,
	OFFSETS_FAIL,		/* some cannot be made, the others are the same */
	OFFSETS_MOVE,
};

/* What of a patch concerns the build. */
struct touch {
	GHashTable *dirs;	/* of char *: to be asked for; owned */
	GPtrArray *others;	/* of char *, borrowed: files that something may be
				   generated of */
	bool kconfig;		/* .config is to be made again */
	bool whole;		/* all of the kernel is to be asked for */
	bool made;		/* generated files may change */
	bool any;		/* one of these */
};

/* A generated file that patch @n changes. */
struct made_path {
	unsigned int n;
	char *path;		/* "O/..." */
};

/* What a run knows about the builds of its steps. */
struct follow {
	unsigned int step;	/* entered last */
	GPtrArray *odirs;	/* of struct odir, in order of since */
	GPtrArray *missing;	/* of struct missing */
	GArray *made;		/* of struct made_path */
	GHashTable *known;	/* of char *, owned: "n path" of what make knows
				   on some variant of some stage */
};

/* Something that make cannot do on a variant: an object in name only. */
struct missing {
	const struct variant *v;
	enum ask ask;
	char *text;		/* in make's words */
	char *file;		/* where its diagnostic stands; NULL: old */
	char **targets;		/* ASK_MADE: what make was asked for; NULL */
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
	enum ask ask;		/* what follow_complain() is about */
	struct makegraph *graph;	/* of this step; NULL: not asked for */
	GHashTable *prepared;	/* of char *, of graph: what `prepare` makes;
				   NULL: as graph */
	GPtrArray *others;	/* of char *, borrowed: touch->others, and what
				   of this variant is like them */
	GPtrArray *targets;	/* of char *: made to see what is generated */
	const char *blame;	/* where kconfig's warnings belong; NULL */
	const char *blame_made;	/* where what is not generated belongs; NULL */
	bool moved_made;	/* a generated file changed */
	enum offsets offsets;
	GPtrArray *failed;	/* of char *: objects of OFFSETS_FAIL */
	GHashTable *moved;	/* of char *: objects, and files that make
				   complains of, on any variant; owned */
};

struct follow *follow_state(struct run *run);
/* From step @n on @v has the O= that @w->step is; -1 with @error. */
int follow_keep(struct follow_work *w, unsigned int n, GError **error);

/*
 * @texts is what make complains of at this step in @dir; what it did not
 * before is a finding.  May move run->cur to the step before and back.
 */
int follow_complain(struct follow_work *w, const char *dir,
		    const GPtrArray *texts, GError **error);
/*
 * Moves run->cur back to step @n, whatever @ret, which is returned: an error of
 * make is a gap, and the run goes on there.
 */
int follow_back(struct run *run, unsigned int n, int ret, GError **error);
/* As a diagnostic in the Makefile below @srcdir that names it; diag_free(). */
struct diag *follow_diag(const char *text, const char *srcdir, char **object);

/*
 * What is generated (follow-made.c).  follow_made_know() finds out what is made
 * of w->others, and sees that it is there without the patch; it may move
 * run->cur to the base or the step before, and back.  @config: .config has to
 * be made first.
 */
int follow_made_know(struct follow_work *w, bool config, GError **error);
/* Generates in the copy that w->step is, and compares with the step before. */
int follow_made_again(struct follow_work *w, GError **error);
/*
 * A gap: not all was generated, so what that changes is not known.  @objects
 * (char *): all that is lacking is made of these, which do not compile; NULL:
 * of others too.
 */
void follow_made_lacks(struct follow_work *w, GPtrArray *objects);
/* What cannot be generated in the tree that run->cur holds, to @texts. */
int follow_made_complaints(struct follow_work *w, GPtrArray *texts,
			   GError **error);
/*
 * Would offsets (asm-offsets.h, bounds.h) be others at this step?  They are
 * compiled from headers as TUs are, which takes a second.  Adds to w->others
 * the sources of those that `prepare` does not make.
 */
enum offsets follow_offsets_move(struct follow_work *w);
/* The lines of an assembler text that a header is made of. */
char *follow_offset_lines(const char *text);
void made_change_free(struct made_change *c);
/* Does make know @path of patch @n as a prerequisite? */
bool follow_made_knows(const struct run *run, unsigned int n, const char *path);
/* By name: what of patch @n concerns the build (follow-touch.c). */
void follow_touch(struct run *run, unsigned int n, struct touch *t);
void follow_touch_clear(struct touch *t);
/* arch/X/ of an architecture that this stage does not look at? */
bool follow_is_elsewhere(const struct run *run, const char *path);
/* ... and that no stage before it did? */
bool follow_is_nowhere(const struct run *run, const char *path);
/* A Makefile that is none of one directory (kdir.h), but concerns this stage? */
bool follow_is_global_makefile(const struct run *run, const char *path);
/* A Kconfig file, as opposed to a defconfig? */
bool follow_is_kconfig(const char *path);
/* May something be generated of it? */
bool follow_is_other(struct run *run, const char *path);

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
