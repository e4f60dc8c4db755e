/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Drives kbuild (Documentation/kbuild/kbuild.rst) for one variant: configure,
 * prepare, dry run.  Builds are always out of tree (O=), in the cache.
 */
#ifndef RESPIN_KBUILD_H
#define RESPIN_KBUILD_H

#include <glib.h>
#include "compdb.h"
#include "kspec.h"
#include "sandbox.h"

struct arch {
	const char *name;	/* as the user says it: "x86_64" */
	const char *kernel_arch;/* ARCH=: "x86_64", "riscv", ... */
	const char *srcarch;	/* directory under arch/: "x86" */
	const char *triplet;	/* "aarch64-linux-gnu"; the prefix is that and "-" */
	bool boot;		/* its boot image has C code of its own that
				   is built like the kernel (x86) */
	bool is_32bit;
	const char *defconfig;	/* target of "defconfig"; NULL: that */
};

/* Is it that of this machine? */
bool arch_is_host(const struct arch *a);
const struct arch *arch_find(const char *name);	/* NULL: unknown */
extern const struct arch arches[];		/* ends with a NULL name */

struct variant {
	const struct arch *arch;
	struct kspec *kspec;
	char *kconfig;		/* its name: "defconfig", "allmodconfig", ... */
	char *note;		/* what the user should know of it; NULL */
	char *how;		/* how O= and db came about, when they were not
				   cached: "made from nothing: ..."; NULL */
	char *cross;		/* CROSS_COMPILE; "" for the host's own compiler;
				   with its directory when that is not in the
				   sandbox's PATH */
	char *name;		/* "x86_64-defconfig": for files and JSON */
	char *odir;		/* O=, absolute; set by kbuild_prepare() */
	char *config_hash;	/* SHA-1 of .config, hex */
	char *toolchain;	/* first line of gcc --version */
	bool host;		/* programs for this machine: see neigh.h */
	bool tip;		/* judged at the last step only (run.h) */
	char *toggle;		/* "SWAP=n": in which it differs from parent;
				   NULL: it has none */
	char *parent;		/* name of the variant that its O= is made from */
	char *checkflags;	/* what make gives to sparse: CHECKFLAGS, words
				   separated by blanks; NULL: not known */
	char *tooldir;		/* what the sandbox must show for cross, or NULL */
	struct compdb *db;
};

/*
 * @cross NULL: found by the usual prefixes; the host's arch needs none.
 * RESPIN_ERROR_TOOL when there is no such compiler, with the apt line.
 */
struct variant *variant_new(const char *arch, const char *kconfig,
			    const char *cross, GError **error);
/* In place of one: programs for this machine, whose jobs start in @odir. */
struct variant *variant_new_host(const char *odir, GError **error);
void variant_free(struct variant *v);

/*
 * The variant that differs from @parent by @settings, whole lines of a .config; they
 * are called @toggle ("SWAP=n"), also in its name.  kbuild_prepare() starts
 * from the O= of @parent, which must be prepared on the same base.
 */
struct variant *variant_toggle(const struct variant *parent, const char *toggle,
			       const char *settings);

/* A file that differs between two trees. */
struct kbuild_change {
	char *path;
	bool both;		/* it is in both; else it came or went */
};

struct kbuild {
	const struct sandbox *sandbox;
	char *srcdir;		/* checkout that holds the base while this runs */
	char *cachedir;		/* of this tree: O= directories are made here */
	char *tree;		/* tree id of the base */
	/*
	 * The struct kbuild_change between the tree with the id @old and
	 * kb->tree; NULL: not known.  Called from several threads; the list is
	 * borrowed and stays.  Without it the state of another tree is worth
	 * nothing.
	 */
	const GPtrArray *(*changed)(const char *old, void *data);
	void *changed_data;
	GPtrArray *makefiles;	/* of char *: Makefiles, Kbuild files, and what
				   they may include, of the base */
	unsigned int jobs;	/* of one make; 0: 2 */
	/*
	 * told of each phase when it begins: "configure", "prepare", "dry run",
	 * "cached", and at the end "done" or "failed"; from the thread of the
	 * variant, one at a time
	 */
	void (*progress)(const struct variant *v, const char *phase, void *data);
	void *progress_data;
};

/*
 * Brings @v to the base: .config (kconfig target, then CONFIG_WERROR=n by
 * scripts/config and olddefconfig), `make prepare` with W=1, compile database by
 * `make -n -k V=1`.  Reused for the same kb->tree; for another the state is
 * moved by what differs (kbuild-move.c), where kb->changed says that; why it
 * was not moved, or what was asked for, is in v->how.  A stamp is written last:
 * a killed run is redone.  The number of objects is checked
 * against a second source (see compdb completeness in the .c).
 * -1 with @error: the variant cannot be judged (RESPIN_ERROR_TOOL, _IO).
 */
int kbuild_prepare(struct kbuild *kb, struct variant *v, GError **error);
/*
 * The same for all @variants, @width at once; errors[i] is that of variant i
 * or NULL.  A dry run is serial, so two variants side by side
 * fill two cores.  Returns how many failed.
 */
unsigned int kbuild_prepare_all(struct kbuild *kb, const GPtrArray *variants,
				unsigned int width, GError **errors);

/*
 * Makes what @object needs and `prepare` does not make (generated headers),
 * by `make OBJECT` in O= on the base, once; remembered also when it fails.
 * Returns 0 when make succeeded.  After kbuild_prepare() of @v.
 */
int kbuild_make_object(struct kbuild *kb, struct variant *v,
		       const char *object, GError **error);

/* Removes the O= of toggles (variants with a parent) but for the @keep that
 * were used last. */
void kbuild_toggle_prune(const struct kbuild *kb, unsigned int keep);
#endif
