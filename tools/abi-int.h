/* SPDX-License-Identifier: GPL-2.0 */
/* Between abi*.c only. */
#ifndef RESPIN_ABI_INT_H
#define RESPIN_ABI_INT_H

#include "abi.h"
#include <stdbool.h>

struct abi_member {
	char *name;		/* "a", "u.b": through members without a type
				   name of their own */
	gint64 offset;		/* bits */
	char *type;		/* "unsigned int", "struct x[4]"; typedefs are
				   looked through */
	char *holds;		/* "struct x": part of it, by value; NULL */
};

struct abi_type {
	char *name;		/* "struct x", "union x", or of a typedef "x_t" */
	char *file;
	unsigned int line;
	gint64 size;		/* bits */
	GPtrArray *members;	/* of struct abi_member, in their order */
};

struct abi_constant {
	char *name;
	char *value;
	char *of;		/* "'enum x'", "the enum with 'A'" */
	char *file;
	unsigned int line;	/* of the enum */
};

struct abi {
	GPtrArray *types;	/* of struct abi_type */
	GPtrArray *constants;	/* of struct abi_constant */
	GHashTable *type_of;	/* name -> struct abi_type */
	GHashTable *constant_of; /* name -> struct abi_constant */
};

struct abi_member *abi_member_of(const struct abi_type *t, const char *name);
#endif
