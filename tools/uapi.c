// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "uapi.h"

static const char common[] = "include/uapi/";

static bool is_plain(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./")] &&
	       g_str_has_suffix(name, ".h");
}

bool uapi_is_header(const char *path, char **srcarch)
{
	const char *slash, *rest;

	*srcarch = NULL;
	if (g_str_has_prefix(path, common))
		return g_str_has_suffix(path, ".h");
	if (!g_str_has_prefix(path, "arch/"))
		return false;
	slash = strchr(path + strlen("arch/"), '/');
	rest = slash ? slash + 1 : "";
	if (!g_str_has_prefix(rest, common) || !g_str_has_suffix(rest, ".h"))
		return false;
	*srcarch = g_strndup(path + strlen("arch/"),
			     slash - path - strlen("arch/"));
	return true;
}

const char *uapi_name(const char *path, const char *srcarch)
{
	g_autofree char *arch = NULL;
	const char *name;

	if (!uapi_is_header(path, &arch) || (arch && strcmp(arch, srcarch)))
		return NULL;
	name = strstr(path, common) + strlen(common);
	return is_plain(name) ? name : NULL;
}

/* In the order in which headers_install looks. */
char *uapi_source(const char *srcdir, const char *odir, const char *srcarch,
		  const char *name)
{
	g_autofree char *arch = g_strconcat("arch/", srcarch, "/include/uapi/",
					    NULL);
	g_autofree char *made = g_strconcat("arch/", srcarch,
					    "/include/generated/uapi/", NULL);
	const struct { const char *root, *dir, *as; } places[] = {
		{ srcdir, common, "" }, { srcdir, arch, "" },
		{ odir, "include/generated/uapi/", "O/" }, { odir, made, "O/" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *full = g_build_filename(places[i].root,
						places[i].dir, name, NULL);

		if (g_file_test(full, G_FILE_TEST_IS_REGULAR))
			return g_strconcat(places[i].as, places[i].dir, name,
					   NULL);
	}
	return NULL;
}

static char *read_source(const char *srcdir, const char *odir,
			 const char *srcarch, const char *name)
{
	g_autofree char *path = uapi_source(srcdir, odir, srcarch, name);
	g_autofree char *full = NULL;
	char *text = NULL;

	if (!path)
		return NULL;
	full = g_str_has_prefix(path, "O/") ?
	       g_build_filename(odir, path + 2, NULL) :
	       g_build_filename(srcdir, path, NULL);
	return g_file_get_contents(full, &text, NULL, NULL) ? text : NULL;
}

static GPtrArray *includes_of(const char *text)
{
	static GRegex *form;
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GMatchInfo) m = NULL;

	if (!form)
		form = g_regex_new("^[ \\t]*#[ \\t]*include[ \\t]*([<\"][^>\"\\n]+)",
				   G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	g_regex_match(form, text, 0, &m);
	while (g_match_info_matches(m)) {
		g_ptr_array_add(list, g_match_info_fetch(m, 1));
		g_match_info_next(m, NULL);
	}
	return list;
}

static char *beside(const char *name, const char *other)
{
	g_autofree char *dir = g_path_get_dirname(name);
	g_autofree char *joined = g_build_filename("/", dir, other, NULL);
	g_autofree char *clean = g_canonicalize_filename(joined, "/");

	return g_strdup(clean + 1);
}

GHashTable *uapi_closure(const char *srcdir, const char *odir,
			 const char *srcarch, const char *name)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	g_autoptr(GPtrArray) todo = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(todo, g_strdup(name));
	for (guint i = 0; i < todo->len; i++) {
		const char *at = todo->pdata[i];
		g_autofree char *text = NULL;
		g_autoptr(GPtrArray) list = NULL;

		if (!is_plain(at) || g_hash_table_contains(set, at))
			continue;
		text = read_source(srcdir, odir, srcarch, at);
		if (!text)
			continue;
		g_hash_table_add(set, g_strdup(at));
		list = includes_of(text);
		for (guint k = 0; k < list->len; k++) {
			const char *inc = list->pdata[k];

			g_ptr_array_add(todo, g_strdup(inc + 1));
			if (*inc == '"')
				g_ptr_array_add(todo, beside(at, inc + 1));
		}
	}
	return set;
}

char *uapi_flags(const char *makefile)
{
	const char *p = strstr(makefile, "\nUAPI_CFLAGS := ");

	if (!p)
		return NULL;
	p += strlen("\nUAPI_CFLAGS := ");
	return g_strndup(p, strcspn(p, "\n"));
}

static bool excludes(const char *line, const char *name)
{
	static const char form[] = "no-header-test += ";
	g_auto(GStrv) words = NULL;

	if (!g_str_has_prefix(line, form))
		return false;
	words = g_strsplit_set(line + strlen(form), " \t", -1);
	for (char **w = words; *w; w++) {
		gsize n = strcspn(*w, "%");

		if ((*w)[n] == '%' ? !strncmp(*w, name, n) &&
		    g_str_has_suffix(name, *w + n + 1) : !strcmp(*w, name))
			return true;
	}
	return false;
}

bool uapi_is_excluded(const char *makefile, const char *srcarch,
		      const char *name)
{
	g_auto(GStrv) lines = g_strsplit(makefile, "\n", -1);
	g_autofree char *here = g_strdup_printf("ifeq ($(SRCARCH),%s)", srcarch);
	bool on = true;

	for (char **l = lines; *l; l++) {
		if (g_str_has_prefix(*l, "ifeq ($(SRCARCH),"))
			on = !strcmp(*l, here);
		else if (g_str_has_prefix(*l, "endif"))
			on = true;
		else if (on && excludes(*l, name))
			return true;
	}
	return false;
}
