// SPDX-License-Identifier: GPL-2.0
/*
 * tools: a program of tools/testing/ is built by its own Makefile, in a
 * directory of the job's.  The TU of its jobs names that directory.
 */
#include "check.h"
#include "diag.h"
#include "farm.h"
#include "kbuild-step.h"
#include "testprog.h"

static int tools_prepare(const struct job *job, const char *srcdir,
			 const char *jobdir, GError **error)
{
	return farm_make(jobdir, srcdir, job->tu->object, error);
}

/*
 * The lists that gcc appends are what the job read; -g, which not all of the
 * Makefiles give, tells the linker lines.
 */
static char **tools_argv(const struct job *job, const char *srcdir,
			 const char *jobdir)
{
	GPtrArray *a = g_ptr_array_new();

	g_ptr_array_add(a, g_strdup("env"));
	g_ptr_array_add(a, g_strconcat("DEPENDENCIES_OUTPUT=", jobdir, "/o.d",
				       NULL));
	g_ptr_array_add(a, g_strdup("CFLAGS=-g"));
	g_ptr_array_add(a, g_strdup("make"));
	g_ptr_array_add(a, g_strdup("-k"));
	g_ptr_array_add(a, g_strdup("-C"));
	g_ptr_array_add(a, g_build_filename(jobdir, job->tu->object, NULL));
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

/* "O/../../../mm/vma.c", as the runner has it, to "mm/vma.c" */
static void place_deps(struct job *job, const char *srcdir)
{
	guint n;

	if (!job->deps)
		return;
	for (char **d = job->deps; *d; d++) {
		char *path;

		if (!g_str_has_prefix(*d, "O/"))
			continue;
		path = testprog_path(srcdir, job->tu->object, *d + 2);
		g_free(*d);
		*d = path;
	}
	n = g_strv_length(job->deps);
	job->deps = g_renew(char *, job->deps, n + 3);
	job->deps[n] = g_build_filename(job->tu->object, "Makefile", NULL);
	job->deps[n + 1] = g_strdup("tools/testing/shared/shared.mk");
	job->deps[n + 2] = NULL;
}

static void place(char **file, const char *srcdir, const char *dir)
{
	char *path;

	if (!**file || **file == '<' || **file == '/')
		return;
	path = testprog_path(srcdir, dir, *file);
	g_free(*file);
	*file = path;
}

/* "FILE:LINE: text" or "FILE:LINE" */
static void place_head(char **text, const char *srcdir, const char *dir)
{
	char *colon = strchr(*text, ':');
	g_autofree char *file = colon ? g_strndup(*text, colon - *text) : NULL;
	char *with;

	if (!file)
		return;
	place(&file, srcdir, dir);
	with = g_strconcat(file, colon, NULL);
	g_free(*text);
	*text = with;
}

static void place_diag(struct diag *d, const char *srcdir, const char *dir)
{
	g_free(d->check);
	d->check = g_strdup("tools");
	place(&d->file, srcdir, dir);
	place_head(&d->chain, srcdir, dir);
	for (guint i = 0; i < d->places->len; i++) {
		struct diag_place *p = d->places->pdata[i];

		place(&p->file, srcdir, dir);
	}
	for (guint i = 0; i < d->notes->len; i++)
		place_head((char **)&d->notes->pdata[i], srcdir, dir);
	for (guint i = 0; i < d->follow_ons->len; i++)
		place_diag(d->follow_ons->pdata[i], srcdir, dir);
}

/* "No rule to make target '../../../mm/vma.c', needed by 'vma.o'." */
static void add_complaints(GPtrArray *diags, const char *text, const char *dir)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);

	kbuild_complaints(list, text);
	for (guint i = 0; i < list->len; i++) {
		g_autofree char *makefile = g_build_filename(dir, "Makefile",
							     NULL);
		struct diag *d = diag_say(DIAG_ERROR, "tools", "", makefile, 0,
					  g_strdup(list->pdata[i]));

		d->message[0] = g_ascii_tolower(d->message[0]);
		if (g_str_has_suffix(d->message, "."))
			d->message[strlen(d->message) - 1] = '\0';
		g_ptr_array_add(diags, d);
	}
}

/* What this machine lacks, and no patch took away. */
static const char *lacking(const struct job *job, const char *text)
{
	if (strstr(text, "cannot find -lurcu"))
		return "liburcu is not there; install 'liburcu-dev'";
	if (strstr(text, "cannot find -lasan") ||
	    strstr(text, "cannot find -lubsan") ||
	    strstr(text, "No such file or directory: 'libasan"))
		return "the sanitizers of gcc are not there; install 'libgcc-12-dev'";
	if (strstr(text, "No space left on device"))
		return "no space left on the disk";
	for (guint i = 0; i < job->diags->len; i++) {
		const struct diag *d = job->diags->pdata[i];

		if (d->fatal && g_str_has_prefix(d->message, "urcu"))
			return "<urcu.h> is not there; install 'liburcu-dev'";
		if (d->tool && d->kind == DIAG_ERROR)
			return d->message;
	}
	return NULL;
}

/* The whole of stderr as diagnostics; what is the linker's taken apart. */
static void read_errors(struct job *job, const char *text, const char *srcdir)
{
	const char *dir = job->tu->object;
	struct linker l = { .srcdir = srcdir, .dir = dir };
	g_autoptr(GString) rest = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	l.diags = diag_array_new();
	for (char **line = lines; *line; line++)
		if (!testprog_link_line(&l, *line) &&
		    !g_str_has_prefix(*line, "make"))
			g_string_append_printf(rest, "%s\n", *line);
	/* As they are printed: relative to the directory of the Makefile. */
	job->diags = diag_parse(rest->str, NULL, NULL);
	for (guint i = 0; i < job->diags->len; i++)
		place_diag(job->diags->pdata[i], srcdir, dir);
	diag_fold(job->diags);
	add_complaints(job->diags, text, dir);
	g_ptr_array_extend_and_steal(job->diags, g_steal_pointer(&l.diags));
	linker_clear(&l);
}

static bool has_fatal(const struct job *job)
{
	for (guint i = 0; i < job->diags->len; i++)
		if (((const struct diag *)job->diags->pdata[i])->fatal)
			return true;
	return false;
}

/* The linker's count: they too make make fail. */
static bool has_error(const struct job *job)
{
	for (guint i = 0; i < job->diags->len; i++) {
		const struct diag *d = job->diags->pdata[i];

		if (d->kind == DIAG_ERROR)
			return true;
	}
	return false;
}

static void tools_judge(struct job *job, const struct proc_job *p,
			const char *srcdir)
{
	g_autofree char *how = proc_job_describe(p);
	const char *lacks;

	if (!check_ran(job, p))
		return;
	read_errors(job, p->err->str, srcdir);
	place_deps(job, srcdir);
	/* what stopped at a missing file left no list */
	if (has_fatal(job))
		g_clear_pointer(&job->deps, g_strfreev);
	lacks = p->status ? lacking(job, p->err->str) : NULL;
	if (lacks) {
		job_set_outcome(job, OUTCOME_ERROR, lacks);
	} else if (p->status && !has_error(job)) {
		g_autofree char *reason = g_strdup_printf("%s without an error "
			"that respin understands: %.200s", how, p->err->str);
		job_set_outcome(job, OUTCOME_ERROR, reason);
	} else {
		job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS :
				OUTCOME_PASS, NULL);
	}
}

/* All of it once more: objects of an earlier try may stand there. */
static char **tools_shown(const struct job *job, const struct diag *d,
			  const char *srcdir, char **input)
{
	g_autofree char *dir = g_build_filename(srcdir, job->tu->object, NULL);
	char *argv[] = { (char *)"env", (char *)"CFLAGS=-g", (char *)"make",
			 (char *)"-B", (char *)"-k",
			 (char *)"-C", dir, NULL };

	return g_strdupv(argv);
}

static char *tools_by_hand(const struct job *job)
{
	return g_strconcat("make -C ", job->tu->object, NULL);
}

const struct check check_tools = {
	.name = "tools",
	.what = "programs below tools/ that include what a patch touches",
	.version = "1",
	.argv = tools_argv,
	.judge = tools_judge,
	.prepare = tools_prepare,
	.shown = tools_shown,
	.by_hand = tools_by_hand,
};
