// SPDX-License-Identifier: GPL-2.0
/*
 * docref: references to files of Documentation/ that are not there, by the
 * tree's own scripts/documentation-file-ref-check.
 */
#include <sys/stat.h>
#include "check.h"
#include "error.h"
#include "farm.h"

/*
 * The script asks git, and there is no repository in the sandbox.  Its own
 * `grep` searches a checkout as well.
 */
static int put_git(const char *jobdir, const char *srcdir, GError **error)
{
	g_autofree char *bin = g_build_filename(jobdir, ".bin", NULL);
	g_autofree char *git = g_build_filename(bin, "git", NULL);
	g_autofree char *dot = g_build_filename(jobdir, ".git", NULL);
	g_autofree char *quoted = g_shell_quote(srcdir);
	g_autofree char *text = g_strdup_printf("#!/bin/sh\n"
		"word=$1\nshift\ncd %s && exec /usr/bin/git \"$word\" --no-index"
		" \"$@\"\n", quoted);

	if (!g_mkdir_with_parents(bin, 0755) &&
	    g_file_set_contents(git, text, -1, NULL) &&
	    g_file_set_contents(dot, "", -1, NULL) && !chmod(git, 0755))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "cannot write '%s'", git);
	return -1;
}

static int docref_prepare(const struct job *job, const char *srcdir,
			  const char *jobdir, GError **error)
{
	return farm_make(jobdir, srcdir, "", error) ||
	       put_git(jobdir, srcdir, error) ? -1 : 0;
}

static char **docref_argv(const struct job *job, const char *srcdir,
			  const char *jobdir)
{
	GPtrArray *a = g_ptr_array_new();

	g_ptr_array_add(a, g_strdup("env"));
	g_ptr_array_add(a, g_strdup("-C"));
	g_ptr_array_add(a, g_strdup(jobdir));
	g_ptr_array_add(a, g_strconcat("PATH=", jobdir, "/.bin:/usr/bin:/bin",
				       NULL));
	g_ptr_array_add(a, g_strdup("perl"));
	g_ptr_array_add(a, g_strdup("scripts/documentation-file-ref-check"));
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

/* The @nth line of @text that has @ref, from 1; 0: not found. */
static unsigned int line_of(const char *text, const char *ref, guint nth,
			    char **line)
{
	const char *p = text;
	unsigned int at = 1;

	for (; p && *p; at++) {
		const char *end = strchrnul(p, '\n');

		if (g_strstr_len(p, end - p, ref) && !--nth) {
			*line = g_strstrip(g_strndup(p, end - p));
			return at;
		}
		p = *end ? end + 1 : NULL;
	}
	return 0;
}

static void place(struct diag *d, const char *srcdir, const char *ref, guint nth)
{
	g_autofree char *path = g_build_filename(srcdir, d->file, NULL);
	g_autofree char *text = NULL;
	char *line = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	d->line = line_of(text, ref, nth, &line);
	if (!line)
		return;
	g_free(d->text);
	d->text = g_utf8_make_valid(line, -1);
	g_free(line);
}

/* "MAINTAINERS: Documentation/gone.rst" */
static struct diag *dangling(const char *line, GHashTable *seen,
			     const char *srcdir)
{
	const char *colon = strstr(line, ": ");
	g_autofree char *file = colon ? g_strndup(line, colon - line) : NULL;
	g_autofree char *full = file ? g_build_filename(srcdir, file, NULL) : NULL;
	struct diag *d;
	guint nth;

	/* else it is a message of perl or git */
	if (!file || !g_file_test(full, G_FILE_TEST_EXISTS))
		return NULL;
	d = diag_say(DIAG_WARNING, "docref", "file-ref", file, 0,
		     g_strdup_printf("'%s' is not there", colon + 2));
	nth = GPOINTER_TO_UINT(g_hash_table_lookup(seen, line)) + 1;
	g_hash_table_insert(seen, g_strdup(line), GUINT_TO_POINTER(nth));
	place(d, srcdir, colon + 2, nth);
	return d;
}

/* Patterns of MAINTAINERS: those are another check's. */
static void drop_patterns(GPtrArray *diags)
{
	for (guint i = 0; i < diags->len;) {
		const struct diag *d = diags->pdata[i];

		if (!strcmp(d->file, "MAINTAINERS") &&
		    (g_str_has_prefix(d->text, "F:") ||
		     g_str_has_prefix(d->text, "X:")))
			g_ptr_array_remove_index(diags, i);
		else
			i++;
	}
}

static void docref_judge(struct job *job, const struct proc_job *p,
			 const char *srcdir)
{
	g_auto(GStrv) lines = NULL;
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	if (!check_ran(job, p))
		return;
	lines = g_strsplit(p->err->str, "\n", -1);
	job->diags = diag_array_new();
	for (char **l = lines; *l; l++) {
		struct diag *d = dangling(*l, seen, srcdir);

		if (!d && **l)
			break;
		if (d)
			g_ptr_array_add(job->diags, d);
	}
	/* It exits 0 whatever it finds, and says nothing on stdout. */
	if (p->status || p->out->len ||
	    job->diags->len + 1 < g_strv_length(lines)) {
		g_autofree char *why = g_strdup_printf("documentation-file-ref-"
			"check says what respin does not understand: %.200s%.200s",
			p->out->str, p->err->str);
		job_set_outcome(job, OUTCOME_ERROR, why);
		return;
	}
	drop_patterns(job->diags);
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char *docref_by_hand(const struct job *job)
{
	return g_strdup("scripts/documentation-file-ref-check");
}

const struct check check_docref = {
	.name = "docref",
	.what = "references to files below Documentation/",
	.version = "2",
	.argv = docref_argv,
	.judge = docref_judge,
	.prepare = docref_prepare,
	.shown = check_shown_ref,
	.by_hand = docref_by_hand,
};
