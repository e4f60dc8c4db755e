// SPDX-License-Identifier: GPL-2.0
#include "impact-priv.h"

/* Kernel objects in directories that otherwise hold host programs. */
static const char *const built_anyway[] = {
	"scripts/mod/empty.c", "scripts/mod/devicetable-offsets.c",
	"usr/initramfs_data.S",
};

static bool has_suffix(const char *path, const char *const *suffixes)
{
	for (; *suffixes; suffixes++)
		if (g_str_has_suffix(path, *suffixes))
			return true;
	return false;
}

static bool has_prefix(const char *path, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (g_str_has_prefix(path, *prefixes))
			return true;
	return false;
}

/* A .txt may be read by the build (arch/x86/lib/x86-opcode-map.txt). */
static bool is_text(const char *path, const char *base)
{
	static const char *const dirs[] = {
		"Documentation/", "LICENSES/", NULL
	};
	static const char *const suffixes[] = { ".rst", ".md", NULL };
	static const char *const names[] = {
		"MAINTAINERS", "CREDITS", ".mailmap", "COPYING", "README",
		".gitignore", ".gitattributes", ".clang-format",
		".editorconfig", ".get_maintainer.ignore", ".cocciconfig",
		".rustfmt.toml", NULL
	};

	if (has_prefix(path, dirs) || has_suffix(path, suffixes) ||
	    g_strv_contains(names, base))
		return true;
	return g_str_has_suffix(path, ".txt") &&
	       (!strchr(path, '/') || g_str_has_prefix(path, "samples/") ||
		g_str_has_prefix(path, "drivers/gpu/drm/ci/"));
}

static bool is_kconfig(const char *path, const char *base)
{
	return g_str_has_prefix(base, "Kconfig") ||
	       g_str_has_suffix(base, "defconfig") ||
	       (g_str_has_suffix(base, ".config") &&
		(g_str_has_prefix(path, "kernel/configs/") ||
		 strstr(path, "/configs/")));
}

static bool is_makefile(const char *base)
{
	return g_str_has_prefix(base, "Makefile") ||
	       g_str_has_prefix(base, "Kbuild") || !strcmp(base, "Platform") ||
	       g_str_has_suffix(base, ".mk");
}

enum change_kind change_kind_of(const char *path)
{
	static const char *const tools[] = { "scripts/", "usr/", NULL };
	static const char *const dts[] = { ".dts", ".dtsi", ".dtso", NULL };
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;

	if (g_str_has_prefix(path, "tools/"))
		return CHANGE_TOOLS;
	if (is_text(path, base))
		return CHANGE_TEXT;
	if (g_str_has_prefix(path, "rust/") || g_str_has_suffix(base, ".rs"))
		return CHANGE_RUST;
	if (is_kconfig(path, base))
		return CHANGE_KCONFIG;
	if (is_makefile(base))
		return CHANGE_MAKEFILE;
	for (gsize i = 0; i < G_N_ELEMENTS(built_anyway); i++)
		if (!strcmp(path, built_anyway[i]))
			return CHANGE_SOURCE;
	if (has_prefix(path, tools))
		return CHANGE_TOOLS;
	if (has_suffix(base, dts))
		return CHANGE_DTS;
	if (path_is_source(base))
		return CHANGE_SOURCE;
	return g_str_has_suffix(base, ".h") ? CHANGE_HEADER : CHANGE_OTHER;
}

const char *change_kind_name(enum change_kind kind)
{
	static const char *const names[] = {
		"source", "header", "text", "rust", "kconfig", "makefile",
		"dts", "tools", "other",
	};

	return names[kind];
}

void change_free(struct change *c)
{
	if (!c)
		return;
	g_free(c->path);
	g_free(c->old_path);
	g_ptr_array_unref(c->names);
	g_ptr_array_unref(c->macros);
	g_ptr_array_unref(c->why);
	g_ptr_array_unref(c->members);
	g_ptr_array_unref(c->orphans);
	g_ptr_array_unref(c->owners);
	g_ptr_array_unref(c->layouts);
	g_ptr_array_unref(c->values);
	g_ptr_array_unref(c->cases);
	g_free(c);
}

bool change_is_empty(const struct change *c)
{
	return !c->whole && !c->names->len && !c->members->len &&
	       !c->layouts->len && !c->values->len && !c->cases->len;
}

void change_promote(struct change *c, struct incgraph *g, const char *srcarch)
{
	bool may = c->kind == CHANGE_SOURCE || c->kind == CHANGE_OTHER ||
		   c->kind == CHANGE_TOOLS;

	if (may && incgraph_is_included(g, c->path, srcarch))
		c->kind = CHANGE_HEADER;
}

bool entity_is_named(const struct entity *e)
{
	return e->kind == ENTITY_FUNCTION || e->kind == ENTITY_PROTOTYPE ||
	       e->kind == ENTITY_MACRO;
}

const char *entity_kind_name(enum entity_kind kind)
{
	static const char *const names[] = {
		"function", "prototype", "macro", "struct", "union", "enum",
		"enumerator", "typedef", "variable", "member", "macro call",
	};

	return names[kind];
}

/*
 * A struct in a function's body, or a bogus tag there, is part of the
 * function; what merely shares its first line is not.  A macro may stand
 * within anything: the preprocessor does not care.
 */
char *entity_cover(const GPtrArray *entities, unsigned int line,
		   named_fn named, void *data)
{
	const struct entity *function = NULL, *odd = NULL;
	bool any = false, macro = false;

	for (guint i = 0; i < entities->len; i++) {
		const struct entity *e = entities->pdata[i];

		if (e->line > line)
			break;
		if (e->end < line)
			continue;
		if (entity_is_named(e)) {
			named(e, data);
			any = true;
			macro = macro || e->kind == ENTITY_MACRO;
			if (e->kind == ENTITY_FUNCTION)
				function = e;
		} else if (!odd && !(function && e->line > function->line)) {
			odd = e;
		}
	}
	if (odd && !macro)
		return g_strdup_printf("%s '%s'", entity_kind_name(odd->kind),
				       odd->name);
	return any ? NULL : g_strdup("outside of any function or macro");
}

bool defines_object(const struct directive *d)
{
	gsize n = 0, from, len = d->args_len;

	if (strcmp(d->word, "define"))
		return false;
	while (n < len && is_word_char(d->args[n]))
		n++;
	if (n < len && d->args[n] == '(')
		return false;
	for (from = n; from < len && g_ascii_isspace(d->args[from]); from++)
		;
	while (len > from && g_ascii_isspace(d->args[len - 1]))
		len--;
	return len - from != n || memcmp(d->args, d->args + from, n);
}
