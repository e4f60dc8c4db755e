// SPDX-License-Identifier: GPL-2.0
/*
 * kdocref: ".. kernel-doc:: FILE" in Documentation/ with a file that is not
 * there, which stops what htmldocs would take from it.
 */
#include <string.h>
#include "check.h"
#include "fpattern.h"

static const char mark[] = ".. kernel-doc::";

static struct diag *dangling(const char *path, unsigned int line,
			     const char *text, const char *file)
{
	struct diag *d = diag_say(DIAG_WARNING, "kdocref", "kernel-doc", path, line,
				  g_strdup_printf("'%s' is not there", file));

	g_free(d->text);
	d->text = g_utf8_make_valid(text, -1);
	return d;
}

static void read_document(GPtrArray *diags, const char *srcdir,
			  const char *path)
{
	g_autofree char *full = g_build_filename(srcdir, path, NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(full, &text, NULL, NULL) || !strstr(text, mark))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		const char *line = g_strstrip(lines[i]);
		g_autofree char *file = NULL, *there = NULL;

		if (!g_str_has_prefix(line, mark))
			continue;
		file = g_strdup(line + strlen(mark));
		g_strstrip(file);
		there = g_build_filename(srcdir, file, NULL);
		/* a pattern, or the text of how it is written */
		if (!*file || strpbrk(file, "*?[]<>{} ") ||
		    g_file_test(there, G_FILE_TEST_EXISTS))
			continue;
		g_ptr_array_add(diags, dangling(path, i + 1, line, file));
	}
}

static void kdocref_here(struct job *job, const char *srcdir)
{
	g_autofree char *dir = g_build_filename(srcdir, "Documentation", NULL);
	g_autoptr(GPtrArray) files = fpattern_files(dir);

	job->diags = diag_array_new();
	for (guint i = 0; i < files->len; i++) {
		g_autofree char *path = g_strconcat("Documentation/",
						    files->pdata[i], NULL);

		if (g_str_has_suffix(path, ".rst"))
			read_document(job->diags, srcdir, path);
	}
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **kdocref_argv(const struct job *job, const char *srcdir,
			   const char *jobdir)
{
	return g_strsplit("kernel-doc", " ", -1);
}

static char *kdocref_by_hand(const struct job *job)
{
	return g_strdup("make htmldocs");
}

const struct check check_kdocref = {
	.name = "kdocref",
	.what = "kernel-doc comments that documents include",
	.version = "1",
	.argv = kdocref_argv,
	.here = kdocref_here,
	.shown = check_shown_ref,
	.by_hand = kdocref_by_hand,
};
