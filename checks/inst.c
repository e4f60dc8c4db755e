// SPDX-License-Identifier: GPL-2.0
#include "error.h"
#include "inst.h"
#include "uapi.h"

char **inst_argv(const struct job *job, const char *file, const char *name,
		 const char *srcdir, const char *out, const char *const *more)
{
	const struct variant *v = job->variant;
	GPtrArray *a = g_ptr_array_new();

	g_ptr_array_add(a, g_strdup("make"));
	g_ptr_array_add(a, g_strdup("-k"));
	g_ptr_array_add(a, g_strdup("-r"));
	g_ptr_array_add(a, g_strdup("-f"));
	g_ptr_array_add(a, g_strdup(file));
	g_ptr_array_add(a, g_strconcat("SRC=", srcdir, NULL));
	g_ptr_array_add(a, g_strconcat("GEN=", v->odir, NULL));
	g_ptr_array_add(a, g_strconcat("OUT=", out, NULL));
	g_ptr_array_add(a, g_strconcat("SRCARCH=", v->arch->srcarch, NULL));
	g_ptr_array_add(a, g_strconcat("CC=", v->cross, "gcc", NULL));
	g_ptr_array_add(a, g_strconcat("MODE=", uapi_mode(v->db), NULL));
	g_ptr_array_add(a, g_strconcat("H=", name, NULL));
	for (; *more; more++)
		g_ptr_array_add(a, g_strdup(*more));
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

int inst_put(const char *dir, const char *name, const char *text,
	     GError **error)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	if (g_file_set_contents(path, text, -1, NULL))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "cannot write '%s'",
		    path);
	return -1;
}

void inst_set_deps(struct job *job, const char *srcdir, const char *name,
		   const char *const *more)
{
	const struct variant *v = job->variant;
	g_autoptr(GHashTable) need = uapi_closure(srcdir, v->odir,
						  v->arch->srcarch, name);
	GPtrArray *deps = g_ptr_array_new();
	GHashTableIter it;
	gpointer one;

	g_hash_table_iter_init(&it, need);
	while (g_hash_table_iter_next(&it, &one, NULL)) {
		char *path = uapi_source(srcdir, v->odir, v->arch->srcarch, one);

		if (path)
			g_ptr_array_add(deps, path);
	}
	for (; *more; more++)
		g_ptr_array_add(deps, g_strdup(*more));
	g_ptr_array_add(deps, NULL);
	g_strfreev(job->deps);
	job->deps = (char **)g_ptr_array_free(deps, FALSE);
}
