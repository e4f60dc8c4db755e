/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Generic helpers that an architecture may replace:
 *
 *	#ifndef ptep_get			or __HAVE_ARCH_PTEP_GET
 *	static inline pte_t ptep_get(pte_t *ptep)
 *
 * and what its headers define in their place.  By text.
 */
#ifndef RESPIN_OVERRIDE_H
#define RESPIN_OVERRIDE_H

#include "cfunc.h"
#include "condset.h"

struct helper {
	char *name, *guard;
	unsigned int line;
	char *type;		/* "pte_t" */
	char *params;		/* "pte_t * ptep", as in struct cfunc */
	char *shape;		/* see override_shape() */
	GPtrArray *conditions;	/* of char *: the other #if groups around it, but
				   for the include guard of its header */
	struct condset *at;	/* all of them */
};

/* The helpers of one generic header. */
struct helpers {
	GPtrArray *list;	/* of struct helper */
	GPtrArray *groups;	/* of struct condition, which at refers to */
};

struct helpers *helpers_scan(const char *text, gsize len);
void helpers_free(struct helpers *h);

/*
 * "pte_t(pte_t*)": the type of a function without names, attributes and
 * storage.  g_free()
 */
char *override_shape(const char *type, const char *params);
/* The type alone; g_free() */
char *override_type(const char *type);

/* What one architecture has of them. */
struct override {
	char *path;		/* of its header */
	struct cfunc *f;	/* borrowed */
	struct condset *at;
};

struct override_arch {
	GHashTable *named;	/* name -> GPtrArray of struct override */
	GPtrArray *paths;	/* of char *: headers that name some of them */
	GPtrArray *kept;	/* private */
	bool includes;		/* the header @generic: see override_read() */
};

/*
 * Reads the headers of arch/@arch below @srcdir that have words of @names (a
 * set); @generic is the path of the header of the helpers, for asm-generic
 * ones: does the architecture include it?
 */
struct override_arch *override_read(const char *srcdir, const char *arch,
				    GHashTable *names, const char *generic);
/* The same of include/linux and include/asm-generic, but for @generic. */
struct override_arch *override_read_generic(const char *srcdir,
					    GHashTable *names,
					    const char *generic);
void override_arch_free(struct override_arch *oa);

/* The names and guards of all of @h: a set, borrowed. */
GHashTable *helpers_names(const struct helpers *h);

/* Is there a function, or a macro that stands for one, with the name of @h? */
bool override_has(const struct override_arch *oa, const struct helper *h);

enum override_rule {
	OVERRIDE_NO_DEFINE,	/* a function, the guard is not defined */
	OVERRIDE_NO_FUNCTION,	/* the guard is defined, there is no function */
	OVERRIDE_TYPE,		/* another type than the generic one */
};

/* @o is what is wrong of @h, on one architecture. */
typedef void (*override_fn)(const struct helper *h, enum override_rule rule,
			    const struct override *o, void *data);
void override_check(const struct helper *h, const struct override_arch *oa,
		    override_fn fn, void *data);

/*
 * @text is what -E -dD prints of a TU that includes @generic, the header of @h:
 * a guard that is defined in @file when @generic was read already.
 */
typedef void (*override_late_fn)(const struct helper *h, const char *file,
				 unsigned int line, void *data);
void override_late(const char *text, const char *srcdir, const char *generic,
		   const struct helpers *h, override_late_fn fn, void *data);
/*
 * A TU that makes the compiler compare, for each of @h that is replaced where it
 * is compiled, its type with the generic one.  An assertion that fails has the
 * message "helper NAME", at the line of the helper in @path.  g_free()
 */
char *override_probe(const struct helpers *h, const char *include,
		     const char *path);

typedef struct helpers helpers_t;
typedef struct override_arch override_arch_t;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(helpers_t, helpers_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(override_arch_t, override_arch_free)
#endif
