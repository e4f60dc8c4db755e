// SPDX-License-Identifier: GPL-2.0
/*
 * dtbs: device trees of an architecture, made by kbuild ("make x.dtb") in a
 * copy of O= that the job has for itself: so cpp and dtc have kbuild's own
 * flags at that step, and dtc is the one of the tree.  The TU of its jobs has
 * the targets in values, the Makefile of all of them as source.
 */
#include <string.h>
#include "check.h"
#include "dtree.h"
#include "kbuild-step.h"

/*
 * $1 O=, $2 its copy, $3 a file with the targets, $4 is for the key of the job
 * only; then the words of make.  What was not made is said.
 */
static const char script[] =
	"mkdir -p \"$2\" && cp -a \"$1/.\" \"$2\" || exit 125\n"
	"out=$2 list=$3; shift 4\n"
	"test -s \"$list\" || exit 0\n"
	"make \"$@\" $(cat \"$list\"); rc=$?\n"
	"for t in $(cat \"$list\"); do\n"
	"test -f \"$out/$DTS/$t\" || echo \"respin: not made: $t\" >&2\n"
	"done\n"
	"exit $rc\n";

static const char shown[] =
	"mkdir -p \"$2\" && cp -a \"$1/.\" \"$2\" && shift 2 && make \"$@\"";

static char *dts_dir(const struct job *job)
{
	return g_path_get_dirname(job->tu->source);
}

static int dtbs_prepare(const struct job *job, const char *srcdir,
			const char *jobdir, GError **error)
{
	g_autofree char *path = g_build_filename(jobdir, "targets", NULL);
	g_autofree char *dir = dts_dir(job);
	g_autoptr(GString) list = g_string_new(NULL);

	for (char **t = job->tu->values; *t; t++) {
		unsigned int line;

		if (dtree_made(srcdir, dir, *t, &line) == DTREE_MADE)
			g_string_append_printf(list, "%s\n", *t);
	}
	return g_file_set_contents(path, list->str, -1, error) ? 0 : -1;
}

static void add_make(GPtrArray *a, const struct job *job, const char *srcdir,
		     const char *out)
{
	const struct variant *v = job->variant;

	g_ptr_array_add(a, g_strdup("-k"));
	g_ptr_array_add(a, g_strdup("-C"));
	g_ptr_array_add(a, g_strdup(srcdir));
	g_ptr_array_add(a, g_strconcat("O=", out, NULL));
	g_ptr_array_add(a, g_strconcat("ARCH=", v->arch->kernel_arch, NULL));
	g_ptr_array_add(a, g_strconcat("CROSS_COMPILE=", v->cross, NULL));
	g_ptr_array_add(a, g_strdup("W=1"));
}

static char **dtbs_argv(const struct job *job, const char *srcdir,
			const char *jobdir)
{
	g_autofree char *out = g_build_filename(jobdir, "O", NULL);
	g_autofree char *dir = dts_dir(job);
	GPtrArray *a = g_ptr_array_new();

	g_ptr_array_add(a, g_strdup("env"));
	g_ptr_array_add(a, g_strconcat("DTS=", dir, NULL));
	g_ptr_array_add(a, g_strdup("sh"));
	g_ptr_array_add(a, g_strdup("-c"));
	g_ptr_array_add(a, g_strdup(script));
	g_ptr_array_add(a, g_strdup("sh"));
	g_ptr_array_add(a, g_strdup(job->variant->odir));
	g_ptr_array_add(a, g_strdup(out));
	g_ptr_array_add(a, g_build_filename(jobdir, "targets", NULL));
	g_ptr_array_add(a, g_strjoinv(" ", job->tu->values));
	add_make(a, job, srcdir, out);
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

/* What the Makefile of a directory names and nothing is there for. */
static void add_lost(struct job *job, const char *srcdir, const char *dir)
{
	for (char **t = job->tu->values; *t; t++) {
		g_autofree char *below = g_path_get_dirname(*t);
		g_autofree char *makefile = g_build_filename(dir, below,
							     "Makefile", NULL);
		g_autofree char *path = g_canonicalize_filename(makefile, "/");
		g_autofree char *source = NULL;
		unsigned int line;

		if (dtree_made(srcdir, dir, *t, &line) != DTREE_NO_SOURCE)
			continue;
		source = dtree_source(dir, *t);
		g_ptr_array_add(job->diags, diag_say(DIAG_ERROR, "dtbs", "",
			path + 1, line, g_strdup_printf("it names a device tree "
			"whose source '%s' is not there", source)));
	}
}

/* "ERROR: Couldn't open "x.dtsi"": the source that names it. */
static void place_diag(struct diag *d, const struct dtree *t)
{
	g_autofree char *name = *d->file ? NULL : diag_subject(d);
	const char *quote = strchr(d->message, '"');
	g_autofree char *base = NULL, *lost = NULL;
	const GPtrArray *by;

	if (*d->file || name || !quote)
		return;
	name = g_strndup(quote + 1, strcspn(quote + 1, "\""));
	base = g_path_get_basename(name);
	lost = g_strconcat("?", base, NULL);
	by = g_hash_table_lookup(t->read_by, lost);
	if (!by)
		return;
	g_free(d->file);
	d->file = g_strdup(by->pdata[0]);
}

/* Of @source; one that is put together of others has none: then any will do. */
static bool has_error_in(const struct job *job, const struct dtree *t,
			 const char *source)
{
	g_autoptr(GHashTable) files = dtree_closure(t, source);
	bool any = !g_hash_table_contains(t->reads, source);

	for (guint i = 0; i < job->diags->len; i++) {
		const struct diag *d = job->diags->pdata[i];

		if (d->kind == DIAG_ERROR &&
		    (any || g_hash_table_contains(files, d->file)))
			return true;
	}
	return false;
}

/* All that was to be made was made, or an error in it says why not?  Else the
 * outcome is set. */
static bool is_complete(struct job *job, const struct proc_job *p,
			const struct dtree *t)
{
	static const char mark[] = "respin: not made: ";
	g_auto(GStrv) lines = g_strsplit(p->err->str, "\n", -1);

	for (char **l = lines; *l; l++) {
		g_autofree char *source = NULL, *how = NULL, *reason = NULL;

		if (!g_str_has_prefix(*l, mark))
			continue;
		source = dtree_source(t->dir, *l + strlen(mark));
		if (has_error_in(job, t, source))
			continue;
		how = proc_job_describe(p);
		reason = g_strdup_printf("%s is not made, and respin does not "
			"understand why: %s: %.300s", *l + strlen(mark), how,
			p->err->str);
		job_set_outcome(job, OUTCOME_ERROR, reason);
		return false;
	}
	return true;
}

static void set_deps(struct job *job, const struct dtree *t)
{
	g_autoptr(GHashTable) all = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *deps = g_ptr_array_new();
	GHashTableIter it;
	gpointer path;

	for (char **target = job->tu->values; *target; target++) {
		g_autofree char *source = dtree_source(t->dir, *target);
		g_autoptr(GHashTable) one = dtree_closure(t, source);
		g_autofree char *dir = g_path_get_dirname(source);

		g_hash_table_iter_init(&it, one);
		while (g_hash_table_iter_next(&it, &path, NULL))
			if (strcmp(path, source) &&
			    g_hash_table_add(all, path))
				g_ptr_array_add(deps, g_strdup(path));
		g_ptr_array_add(deps, g_build_filename(dir, "Makefile", NULL));
		g_ptr_array_add(deps, g_steal_pointer(&source));
	}
	g_ptr_array_add(deps, NULL);
	g_strfreev(job->deps);
	job->deps = (char **)g_ptr_array_free(deps, FALSE);
}

static void dtbs_judge(struct job *job, const struct proc_job *p,
		       const char *srcdir)
{
	const char *srcarch = job->variant->arch->srcarch;
	struct dtree *t;

	if (!check_ran(job, p))
		return;
	t = dtree_read(srcdir, srcarch);
	job->diags = dtree_diags(p->err->str, srcdir);
	if (!t || p->status == 125) {
		job_set_outcome(job, OUTCOME_ERROR, t ? "no copy of O= could be made" :
				"the device trees cannot be read");
	} else {
		for (guint i = 0; i < job->diags->len; i++)
			place_diag(job->diags->pdata[i], t);
		add_lost(job, srcdir, t->dir);
		set_deps(job, t);
		if (is_complete(job, p, t))
			job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS :
					OUTCOME_PASS, NULL);
	}
	dtree_free(t);
}

static char **dtbs_shown(const struct job *job, const struct diag *d,
			 const char *srcdir, char **input)
{
	g_autofree char *beside = g_path_get_dirname(job->variant->odir);
	g_autofree char *out = g_build_filename(beside, "dtbs", NULL);
	GPtrArray *a = g_ptr_array_new();

	g_ptr_array_add(a, g_strdup("sh"));
	g_ptr_array_add(a, g_strdup("-c"));
	g_ptr_array_add(a, g_strdup(shown));
	g_ptr_array_add(a, g_strdup("sh"));
	g_ptr_array_add(a, g_strdup(job->variant->odir));
	g_ptr_array_add(a, g_strdup(out));
	add_make(a, job, srcdir, out);
	for (char **t = job->tu->values; *t; t++)
		g_ptr_array_add(a, g_strdup(*t));
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

static char *dtbs_by_hand(const struct job *job)
{
	return g_strdup_printf("make ARCH=%s W=1 %s", job->variant->arch->kernel_arch,
			       job->tu->values[0]);
}

const struct check check_dtbs = {
	.name = "dtbs",
	.what = "device trees that read what a patch touches",
	.version = "1",
	.argv = dtbs_argv,
	.judge = dtbs_judge,
	.prepare = dtbs_prepare,
	.shown = dtbs_shown,
	.by_hand = dtbs_by_hand,
};
