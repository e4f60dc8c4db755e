// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "kdir.h"

bool path_is_below(const char *path, const char *dir)
{
	gsize n = strlen(dir);

	return !n || (!strncmp(path, dir, n) && path[n] == '/');
}

char *kdir_makefile(const char *srcdir, const char *dir)
{
	/* in the order in which kbuild looks (scripts/Makefile.build) */
	static const char *const names[] = { "Kbuild", "Makefile" };

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		char *path = g_build_filename(dir, names[i], NULL);
		g_autofree char *full = g_build_filename(srcdir, path, NULL);

		if (g_file_test(full, G_FILE_TEST_IS_REGULAR))
			return path;
		g_free(path);
	}
	return NULL;
}

char *kdir_of(const char *srcdir, const char *path)
{
	char *dir = g_path_get_dirname(path);

	while (strcmp(dir, ".")) {
		g_autofree char *makefile = kdir_makefile(srcdir, dir);
		char *up;

		if (makefile)
			return dir;
		up = g_path_get_dirname(dir);
		g_free(dir);
		dir = up;
	}
	*dir = '\0';
	return dir;
}

bool kdir_is_boot(const char *path)
{
	return g_pattern_match_simple("arch/*/boot/*", path);
}

bool kdir_is_header_list(const char *path)
{
	return g_str_has_suffix(path, "/Kbuild") &&
	       (g_str_has_prefix(path, "include/") ||
		g_pattern_match_simple("arch/*/include/*", path));
}

bool kdir_is_makefile(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);

	if (strcmp(base, "Makefile") && strcmp(base, "Kbuild"))
		return false;
	if (!parts[1] || kdir_is_boot(path) ||
	    g_str_has_prefix(path, "scripts/") || kdir_is_header_list(path))
		return false;
	return strcmp(parts[0], "arch") || parts[3] || !strcmp(base, "Kbuild");
}

bool kdir_has_above(GHashTable *dirs, const char *dir)
{
	g_autofree char *up = g_strdup(dir);
	char *slash;

	while ((slash = strrchr(up, '/'))) {
		*slash = '\0';
		if (g_hash_table_contains(dirs, up))
			return true;
	}
	return false;
}

void kdir_reduce(GHashTable *dirs)
{
	g_autofree gpointer *all = g_hash_table_get_keys_as_array(dirs, NULL);
	g_autoptr(GPtrArray) inner = g_ptr_array_new();

	for (gpointer *a = all; *a; a++)
		if (kdir_has_above(dirs, *a))
			g_ptr_array_add(inner, *a);
	for (guint i = 0; i < inner->len; i++)
		g_hash_table_remove(dirs, inner->pdata[i]);
}
