// SPDX-License-Identifier: GPL-2.0
#include "diag.h"

/*
 * By text, not on disk: the directories may be gone, or seen under another
 * name in the sandbox.
 */
static char *normalise(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	g_autoptr(GPtrArray) kept = g_ptr_array_new();
	bool absolute = path[0] == '/';
	g_autofree char *joined = NULL;

	for (guint i = 0; parts[i]; i++) {
		const char *last = kept->len ? kept->pdata[kept->len - 1] : NULL;

		if (!*parts[i] || !strcmp(parts[i], "."))
			continue;
		if (strcmp(parts[i], ".."))
			g_ptr_array_add(kept, parts[i]);
		else if (last && strcmp(last, ".."))
			g_ptr_array_remove_index(kept, kept->len - 1);
		else if (!absolute)
			g_ptr_array_add(kept, parts[i]);
	}
	g_ptr_array_add(kept, NULL);
	joined = g_strjoinv("/", (char **)kept->pdata);
	return g_strconcat(absolute ? "/" : "", joined, NULL);
}

/* The part of @path below @dir, or NULL. */
static const char *below(const char *path, const char *dir)
{
	gsize len = dir ? strlen(dir) : 0;

	if (!len || strncmp(path, dir, len) || path[len] != '/')
		return NULL;
	return path + len + 1;
}

char *diag_path(const char *file, const char *srcdir, const char *odir)
{
	g_autofree char *src = srcdir ? normalise(srcdir) : NULL;
	g_autofree char *obj = odir ? normalise(odir) : NULL;
	g_autofree char *path = NULL;
	const char *in_src, *in_obj;

	if (file[0] == '<' || !file[0])
		return g_strdup(file);
	if (file[0] != '/' && obj) {
		g_autofree char *joined = g_strconcat(obj, "/", file, NULL);

		path = normalise(joined);
	} else {
		path = normalise(file);
	}
	in_src = below(path, src);
	in_obj = below(path, obj);
	/* O= may lie in the source tree, or the other way round: the longer
	 * directory is the nearer one; built in place, all is source. */
	if (in_src && in_obj) {
		if (strlen(in_src) <= strlen(in_obj))
			in_obj = NULL;
		else
			in_src = NULL;
	}
	if (in_obj)
		return g_strconcat("O/", in_obj, NULL);
	return g_strdup(in_src ? in_src : path);
}
