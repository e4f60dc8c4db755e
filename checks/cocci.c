// SPDX-License-Identifier: GPL-2.0
/*
 * cocci: the semantic patches of cocci/, all in one run of spatch on one file
 * (see cocci/README for what they print).  spatch passes over what it cannot
 * parse; the functions there are named, for the caller to say that they are
 * not verified.
 *
 * The TU of its jobs names files in values: [0] the file to look at, [1] the
 * joined rules, [2] the numbers of pages (RESPIN_NR), [3] what the file was
 * called before the patch.
 */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "checkset.h"
#include "coccirules.h"
#include "condition.h"
#include "condset.h"
#include "entity.h"
#include "file-job.h"

static void add(GPtrArray *a, const char *word)
{
	g_ptr_array_add(a, g_strdup(word));
}

static char **command(const struct job *job, const char *srcdir)
{
	GPtrArray *a = g_ptr_array_new();

	add(a, "env");
	add(a, "-C");
	add(a, srcdir);
	g_ptr_array_add(a, g_strconcat("RESPIN_NR=", job->tu->values[2], NULL));
	add(a, check_tool_program(job->check));
	add(a, "-D");
	add(a, "report");
	add(a, "--verbose-parsing");
	add(a, "--no-includes");
	add(a, "--cocci-file");
	add(a, job->tu->values[1]);
	g_ptr_array_add(a, file_job_path(job, srcdir));
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

static char **cocci_argv(const struct job *job, const char *srcdir,
			 const char *jobdir)
{
	return command(job, srcdir);
}

/* "respin RULE FILE LINE COLUMN FUNCTION MESSAGE [LINE...]", by tabs */
static struct diag *read_hit(const char *line)
{
	g_auto(GStrv) f = g_strsplit(line, "\t", -1);
	struct diag *d;

	if (g_strv_length(f) < 7)
		return NULL;
	d = diag_say(DIAG_WARNING, "cocci", f[1], f[2], atoi(f[3]),
		     g_strdup(f[6]));
	d->column = atoi(f[4]) + 1;
	d->confidence = coccirules_confidence(f[1]);
	if (strcmp(f[5], "-")) {
		g_free(d->function);
		d->function = g_strdup(f[5]);
	}
	for (char **more = f + 7; *more; more++)
		g_ptr_array_add(d->notes, g_strdup_printf("%s:%s: here", f[2],
							  *more));
	return d;
}

/* "F:1360: here" of a use in line 905: spatch looks at both branches of an #if,
 * so they may be twins that no compile sees together. */
static bool is_twin(const struct diag *d, const GPtrArray *conditions)
{
	const char *note = d->notes->len ? d->notes->pdata[0] : "";
	const char *colon = strchr(note, ':');
	g_autoptr(condset_t) here = NULL, there = NULL;

	if (strcmp(d->rule, "ordering") || !colon)
		return false;
	here = condset_at(conditions, d->line);
	there = condset_at(conditions, atoi(colon + 1));
	return condset_excludes(here, there);
}

/*
 * The lines that were passed over last: "ERROR-RECOV: found sync '}' at line M"
 * ... "badcount: N" are the N lines up to M.
 */
static void add_unparsed(GPtrArray *diags, const char *text,
			 const GPtrArray *entities, const char *path)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	static const char sync[] = " at line ", count[] = "badcount: ";
	unsigned int last = 0;

	for (char **l = lines; *l; l++) {
		const char *at = g_str_has_prefix(*l, "ERROR-RECOV:") ?
			g_strrstr(*l, sync) : NULL;
		unsigned int first;

		if (at)
			last = atoi(at + strlen(sync));
		if (!last || !g_str_has_prefix(*l, count))
			continue;
		first = last + 1 - MIN(last, (unsigned int)atoi(*l + strlen(count)));
		for (guint i = 0; i < entities->len; i++) {
			const struct entity *e = entities->pdata[i];

			if (e->kind == ENTITY_FUNCTION && e->line <= last &&
			    e->end >= first)
				file_job_unread(diags, "cocci", path, e);
		}
	}
}

/* What keeps the rules from being run, in the words of spatch. */
static char *what_broke(const struct proc_job *p)
{
	static const char *const marks[] = { "EXN:", "Fatal error", "Error:",
		"Traceback", "minus: parse error" };
	g_auto(GStrv) lines = g_strsplit(p->err->str, "\n", -1);

	/* its package does not ask for what its rules are scripted with */
	if (strstr(p->err->str, "Py.find_library"))
		return g_strdup("spatch finds no Python library; apt-get install "
				"libpython3.11");
	for (char **l = lines; *l; l++)
		for (guint i = 0; i < G_N_ELEMENTS(marks); i++)
			if (strstr(*l, marks[i]))
				return g_strdup(*l);
	return p->status ? g_strdup_printf("spatch ends with %d", p->status) : NULL;
}

static int read_output(struct job *job, const struct proc_job *p,
		       const char *srcdir, const char *path)
{
	g_autofree char *full = g_build_filename(srcdir, path, NULL);
	g_auto(GStrv) lines = g_strsplit(p->out->str, "\n", -1);
	g_autoptr(GPtrArray) conditions = NULL, entities = NULL;
	g_autofree char *text = NULL;
	gsize len;

	if (!g_file_get_contents(full, &text, &len, NULL))
		return -1;
	conditions = condition_scan(text, len);
	entities = entity_scan(full, NULL);
	if (!entities)
		return -1;
	job->diags = diag_array_new();
	for (char **l = lines; *l; l++) {
		struct diag *d = g_str_has_prefix(*l, "respin\t") ?
			read_hit(*l) : NULL;

		if (d && is_twin(d, conditions))
			diag_free(d);
		else if (d)
			g_ptr_array_add(job->diags, d);
	}
	add_unparsed(job->diags, p->out->str, entities, path);
	add_unparsed(job->diags, p->err->str, entities, path);
	return 0;
}

static void cocci_judge(struct job *job, const struct proc_job *p,
			const char *srcdir)
{
	g_autofree char *why = NULL, *path = file_job_path(job, srcdir);

	if (!check_ran(job, p))
		return;
	why = what_broke(p);
	if (!why && read_output(job, p, srcdir, path))
		why = g_strdup("the file cannot be read");
	if (why) {
		job_set_outcome(job, OUTCOME_ERROR, why);
		return;
	}
	file_job_set_deps(job);
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **cocci_shown(const struct job *job, const struct diag *d,
			  const char *srcdir, char **input)
{
	return command(job, srcdir);
}

static char *cocci_by_hand(const struct job *job)
{
	return g_strdup_printf("cat cocci/prelude.cocci cocci/*/%s.cocci of "
		"respin, and spatch -D report with it on %s", "*",
		job->tu->values[0]);
}

const struct check check_cocci = {
	.name = "cocci",
	.what = "page tables, folios, byte and page counts, in touched functions",
	.tool = "spatch",
	.package = "coccinelle",
	.confidence = CONFIDENCE_LIKELY,
	.reads_file = true,
	.version = "1",
	.argv = cocci_argv,
	.judge = cocci_judge,
	.shown = cocci_shown,
	.by_hand = cocci_by_hand,
};
