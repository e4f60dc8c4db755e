/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kbuild at a step of the series, in a copy of the variant's O=: make rewrites
 * .config and generated files there even when told -n, and jobs rely on O=
 * to stay as it is.  kb->srcdir must hold the step while these run.
 */
#ifndef RESPIN_KBUILD_STEP_H
#define RESPIN_KBUILD_STEP_H

#include "kbuild.h"

struct kbuild_step;

/* Copies v->odir, to "step" beside the variant's O=; one at a time. */
struct kbuild_step *kbuild_step_new(struct kbuild *kb, struct variant *v,
				    GError **error);
/* The copy stays on disk, for `respin repro`. */
void kbuild_step_free(struct kbuild_step *s);

/*
 * Configures it as the base was; @before and @after get the texts of .config.
 * When kconfig does not read the tree, *@after is NULL and @complaints say why;
 * else these are its warnings of unmet dependencies.
 */
int kbuild_step_config(struct kbuild_step *s, char **before, char **after,
		       GPtrArray *complaints, GError **error);
/*
 * What kconfig makes of @config with @settings ("CONFIG_X=y", lines) on top:
 * *@after is the .config then.  The copy is left with that.
 */
int kbuild_step_try(struct kbuild_step *s, const char *config,
		    const char *settings, char **after, GError **error);
int kbuild_step_prepare(struct kbuild_step *s, GError **error);

/* A target that make could not make. */
struct kbuild_failure {
	char *target;		/* relative to O= or the source tree */
	char *text;		/* the last that was said before; "" */
};

/*
 * `make -k prepare`, then `make -k TARGETS` (char *; NULL: none).  What could
 * not be made is added to @failures (of struct kbuild_failure): then it is
 * still 0.  @complaints as of kbuild_step_dry_run().
 */
int kbuild_step_make_all(struct kbuild_step *s, const GPtrArray *targets,
			 GPtrArray *failures, GPtrArray *complaints,
			 GError **error);
void kbuild_failure_free(struct kbuild_failure *f);
/* What make printed of failures; for kbuild_step_make_all() and tests. */
void kbuild_failures(GPtrArray *failures, const char *text);

struct makegraph;
/*
 * Adds what make makes of what for @goal ("prepare", "lib/"); NULL: all of the
 * kernel and its modules.
 */
int kbuild_step_graph(struct kbuild_step *s, const char *goal,
		      struct makegraph *g, GError **error);
/* Does making the variant's .config read @path, a defconfig or a fragment? */
bool kbuild_step_configures(struct kbuild_step *s, const char *path);

/*
 * `make -n -k V=1 DIR/` ("": all of the kernel and its modules) into @now, which
 * is finished.  What make says it cannot do goes to @complaints (char *): "No
 * rule to make target 'mm/x.o', needed by 'mm/built-in.a'.".
 */
int kbuild_step_dry_run(struct kbuild_step *s, const char *dir,
			struct compdb *now, GPtrArray *complaints,
			GError **error);

/* Is @path there in the copy: was it built before? */
bool kbuild_step_has(const struct kbuild_step *s, const char *path);
/* `make OBJECT` in the copy: true when it and what it needs could be made. */
bool kbuild_step_make(struct kbuild_step *s, const char *object);

/*
 * Keeps the copy under a name of its own ("step-N") for the jobs of step @n and
 * later.  *@odir and *@config_hash (g_free()) take the place of the variant's.
 * The tree is part of the hash: what is generated there hangs on it.
 */
int kbuild_step_keep(struct kbuild_step *s, unsigned int n, const char *tree,
		     char **odir, char **config_hash, GError **error);

/* The words of make that are complaints, of its stderr; for tests. */
void kbuild_complaints(GPtrArray *list, const char *text);
/*
 * kconfig's warnings of unmet dependencies as complaints: "unmet direct
 * dependencies of A: B [=n]; selected by C [=y]".
 */
void kbuild_unmet(GPtrArray *list, const char *text);
#endif
