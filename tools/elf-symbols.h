/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbol table of a compiled object: what it needs from others, what it
 * gives them.  Format: System V ABI, and include/linux/export.h of the kernel.
 */
#ifndef RESPIN_ELF_SYMBOLS_H
#define RESPIN_ELF_SYMBOLS_H

#include <glib.h>
#include <stdbool.h>

/* Names are interned (g_intern_string()): equal names are one pointer. */
struct elf_export {
	const char *name;
	const char *space;	/* namespace; "" */
	bool gpl;		/* for GPL-compatible modules only */
};

struct elf_symbols {
	GPtrArray *undefined;	/* of const char *: a weak one may stay so, and
				   is not here */
	GHashTable *users;	/* name of undefined -> const char *: a function
				   or variable that needs it, the first */
	GPtrArray *defined;	/* of const char *: global and weak */
	GArray *exports;	/* of struct elf_export: EXPORT_SYMBOL*() */
	GPtrArray *imports;	/* of const char *: MODULE_IMPORT_NS() */
	GPtrArray *licences;	/* of const char *: MODULE_LICENSE() */
};

/*
 * Reads the relocatable object @path, of any class and byte order.  NULL when
 * there is none, or when it is no such object.  elf_symbols_free() it.
 */
struct elf_symbols *elf_symbols_read(const char *path);
void elf_symbols_free(struct elf_symbols *s);

/* For the store: a line for each name.  g_free() the text. */
char *elf_symbols_to_text(const struct elf_symbols *s);
/* NULL: @text is "" (no object) or not of elf_symbols_to_text(). */
struct elf_symbols *elf_symbols_from_text(const char *text);

/* Who needs @name; NULL: not known. */
const char *elf_symbols_user(const struct elf_symbols *s, const char *name);
bool elf_symbols_needs(const struct elf_symbols *s, const char *name);
bool elf_symbols_defines(const struct elf_symbols *s, const char *name);
/* The namespace that @name is exported with; NULL: it is not exported. */
const char *elf_symbols_exports(const struct elf_symbols *s, const char *name);
/* Is it exported, to GPL-compatible modules only? */
bool elf_symbols_is_gpl(const struct elf_symbols *s, const char *name);
/* Does @s give what @e does, to all whom it was given to? */
bool elf_symbols_gives(const struct elf_symbols *s, const struct elf_export *e);
bool elf_symbols_imports(const struct elf_symbols *s, const char *space);
#endif
