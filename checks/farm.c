// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include "error.h"
#include "farm.h"

static int io_error(GError **error, const char *path)
{
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "cannot make '%s': %s",
		    path, g_strerror(errno));
	return -1;
}

static int make_dir(const char *path, GError **error)
{
	return g_mkdir_with_parents(path, 0755) ? io_error(error, path) : 0;
}

/* Links all of @from into @to, directories as one: @all false; or the way
 * down, with links for files only. */
static int fill(const char *to, const char *from, const char *but, bool all,
		GError **error)
{
	g_autoptr(GDir) d = g_dir_open(from, 0, NULL);
	const char *name;

	if (make_dir(to, error))
		return -1;
	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *source = g_build_filename(from, name, NULL);
		g_autofree char *link = g_build_filename(to, name, NULL);

		if (but && !strcmp(name, but))
			continue;
		if (all && g_file_test(source, G_FILE_TEST_IS_DIR) &&
		    !g_file_test(source, G_FILE_TEST_IS_SYMLINK)) {
			if (fill(link, source, NULL, true, error))
				return -1;
		} else if (symlink(source, link)) {
			return io_error(error, link);
		}
	}
	return 0;
}

int farm_make(const char *to, const char *srcdir, const char *dir,
	      GError **error)
{
	g_auto(GStrv) parts = g_strsplit(dir, "/", -1);
	g_autofree char *at = g_strdup(to), *from = g_strdup(srcdir);

	for (char **p = parts; *p && **p; p++) {
		char *next;

		if (fill(at, from, *p, false, error))
			return -1;
		next = g_build_filename(at, *p, NULL);
		g_free(at);
		at = next;
		next = g_build_filename(from, *p, NULL);
		g_free(from);
		from = next;
	}
	return fill(at, from, NULL, *dir, error);
}
