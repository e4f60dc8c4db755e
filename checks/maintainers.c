// SPDX-License-Identifier: GPL-2.0
/*
 * maintainers: patterns of MAINTAINERS that no file matches, by the rule of
 * scripts/get_maintainer.pl --self-test=patterns.
 */
#include "check.h"
#include "fpattern.h"

static struct diag *unmatched(const struct fpattern *f)
{
	g_auto(GStrv) words = g_strsplit_set(f->text + 2, " \t", -1);
	g_autofree char *value = g_strjoinv("", words);
	struct diag *d = diag_say(DIAG_WARNING, "maintainers", "patterns",
		"MAINTAINERS", f->line,
		g_strdup_printf("no file matches '%c: %s'", *f->text, value));

	g_free(d->text);
	d->text = g_strdup(f->text);
	return d;
}

static void maintainers_here(struct job *job, const char *srcdir)
{
	g_autofree char *path = g_build_filename(srcdir, "MAINTAINERS", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GPtrArray) files = NULL, list = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		job_set_outcome(job, OUTCOME_ERROR, "MAINTAINERS cannot be read");
		return;
	}
	files = fpattern_files(srcdir);
	list = fpattern_unmatched(text, files);
	job->diags = diag_array_new();
	for (guint i = 0; i < list->len; i++)
		g_ptr_array_add(job->diags, unmatched(list->pdata[i]));
	job_set_outcome(job, list->len ? OUTCOME_FINDINGS : OUTCOME_PASS, NULL);
}

static char **maintainers_argv(const struct job *job, const char *srcdir,
			       const char *jobdir)
{
	return g_strsplit("get_maintainer.pl --self-test=patterns", " ", -1);
}

/* The line, and that there is nothing of that name. */
static char **maintainers_shown(const struct job *job, const struct diag *d,
				const char *srcdir, char **input)
{
	g_autofree char *line = g_strdup_printf("%u", d->line);
	char *argv[] = {
		(char *)"env", (char *)"-C", (char *)srcdir, (char *)"sh",
		(char *)"-c", (char *)"sed -n ${1}p MAINTAINERS; "
		"ls -d -- $(sed -n \"${1}s/^.:[[:blank:]]*//p\" MAINTAINERS)",
		(char *)"sh", line, NULL
	};

	return g_strdupv(argv);
}

static char *maintainers_by_hand(const struct job *job)
{
	return g_strdup("scripts/get_maintainer.pl --self-test=patterns");
}

const struct check check_maintainers = {
	.name = "maintainers",
	.what = "patterns of MAINTAINERS that name no file",
	.version = "1",
	.argv = maintainers_argv,
	.here = maintainers_here,
	.shown = maintainers_shown,
	.by_hand = maintainers_by_hand,
};
