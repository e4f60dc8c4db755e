// SPDX-License-Identifier: GPL-2.0
/*
 * sparse: __bitwise types, address spaces, lock contexts.  The command of the
 * database with the flags that `make C=1` adds.  Its exit status says nothing.
 *
 * It looks at an inline function only where that is called.  So for a header
 * there is a probe: a TU that includes it, with references to all functions
 * that the header defines; those that this configuration hides are no matter.
 */
#include <string.h>
#include "check.h"
#include "checkset.h"
#include "compdb.h"
#include "entity.h"
#include "shwords.h"
#include "sparse-text.h"

#define PROBE "probe.c"

/* gcc's own words, and where its output goes. */
static bool is_for_gcc(const struct job *job, const char *word)
{
	if (!strcmp(word, "-c") || g_str_has_prefix(word, "-Wp,-MMD,"))
		return true;
	/* sparse 0.6.4 knows no riscv extension of more than one letter, and
	 * then looks at nothing at all */
	return !strcmp(job->variant->arch->kernel_arch, "riscv") &&
	       g_str_has_prefix(word, "-march=");
}

static void add(GPtrArray *a, const char *word)
{
	g_ptr_array_add(a, g_strdup(word));
}

/* @source in place of that of the TU; NULL: that. */
static char **command(const struct job *job, const char *srcdir,
		      const char *source)
{
	const struct tu *tu = compdb_at(job->tu, job->step);
	g_auto(GStrv) gcc = compdb_argv(job->variant->db, tu, srcdir, "o.o",
					"o.d", source);
	g_auto(GStrv) flags = g_strsplit(job->variant->checkflags ?: "", " ", -1);
	GPtrArray *a = g_ptr_array_new();

	add(a, check_tool_program(job->check));
	for (char **f = flags; *f; f++)
		if (**f)
			add(a, *f);
	add(a, "-fmax-warnings=unlimited");
	add(a, "-fmax-errors=unlimited");
	for (char **w = gcc + 1; *w; w++) {
		if (!strcmp(*w, "-o") && w[1])
			w++;
		else if (!is_for_gcc(job, *w))
			add(a, *w);
	}
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

static char **sparse_argv(const struct job *job, const char *srcdir,
			  const char *jobdir)
{
	g_autofree char *probe = g_build_filename(jobdir, PROBE, NULL);

	return command(job, srcdir, job->header ? probe : NULL);
}

/* @tu as its source has it, and every function of the header once more. */
static char *probe_of(const struct job *job, const char *srcdir,
		      const char *source, GError **error)
{
	g_autofree char *path = g_build_filename(srcdir, job->header, NULL);
	g_autoptr(GPtrArray) entities = entity_scan(path, error);
	GString *text;

	if (!entities)
		return NULL;
	text = g_string_new("");
	g_string_append_printf(text, "#include \"%s\"\n", source);
	for (guint i = 0; i < entities->len; i++) {
		const struct entity *e = entities->pdata[i];

		if (e->kind == ENTITY_FUNCTION)
			g_string_append_printf(text, "#ifndef %s\n"
				"static void *respin_%u = %s;\n#endif\n",
				e->name, i, e->name);
	}
	return g_string_free(text, FALSE);
}

static char *source_of(const struct job *job, const char *srcdir)
{
	const struct tu *tu = compdb_at(job->tu, job->step);

	return g_str_has_prefix(tu->source, "O/") ?
		g_build_filename(job->variant->odir, tu->source + 2, NULL) :
		g_build_filename(srcdir, tu->source, NULL);
}

static int sparse_prepare(const struct job *job, const char *srcdir,
			  const char *jobdir, GError **error)
{
	g_autofree char *path = g_build_filename(jobdir, PROBE, NULL);
	g_autofree char *source = NULL, *text = NULL;

	if (!job->header)
		return 0;
	source = source_of(job, srcdir);
	text = probe_of(job, srcdir, source, error);
	return text && g_file_set_contents(path, text, -1, error) ? 0 : -1;
}

/* sparse names functions in messages about locks only. */
static void name_functions(GPtrArray *diags, const char *srcdir)
{
	g_autoptr(GHashTable) files = g_hash_table_new_full(g_str_hash,
		g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);

	for (guint i = 0; i < diags->len; i++) {
		struct diag *d = diags->pdata[i];
		g_autofree char *path = g_build_filename(srcdir, d->file, NULL);
		GPtrArray *entities = g_hash_table_lookup(files, d->file);
		const struct entity *e;

		if (*d->function || g_str_has_prefix(d->file, "O/"))
			continue;
		if (!entities) {
			entities = entity_scan(path, NULL);
			if (!entities)
				continue;
			g_hash_table_insert(files, d->file, entities);
		}
		e = entity_at(entities, d->line);
		if (e && e->kind == ENTITY_FUNCTION) {
			g_free(d->function);
			d->function = g_strdup(e->name);
		}
	}
}

/*
 * sparse repeats itself for each use of an inline function, and says of one
 * expression that it degrades and then that its type does not fit.
 */
static void fold_lines(GPtrArray *diags)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	g_autoptr(GHashTable) first = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	for (guint i = 0; i < diags->len;) {
		struct diag *d = diags->pdata[i], *head;
		char *line = g_strdup_printf("%s:%u %s", d->file, d->line,
					     d->rule);

		head = g_hash_table_lookup(first, line);
		if (!g_hash_table_add(seen, g_strdup_printf("%s:%u %s", line,
						d->column, d->message))) {
			g_ptr_array_remove_index(diags, i);
		} else if (head && *d->rule) {
			g_ptr_array_steal_index(diags, i);
			g_ptr_array_add(head->follow_ons, d);
		} else {
			g_hash_table_insert(first, g_strdup(line), d);
			i++;
		}
		g_free(line);
	}
}

static void sparse_judge(struct job *job, const struct proc_job *p,
			 const char *srcdir)
{
	g_autoptr(GError) error = NULL;

	if (!check_ran(job, p))
		return;
	/* without them it looks at another architecture */
	if (!job->variant->checkflags) {
		job_set_outcome(job, OUTCOME_ERROR, "make does not say how it calls "
				"sparse (CHECKFLAGS); see whether make C=1 works");
		return;
	}
	job->diags = sparse_parse(p->err->str, srcdir, job->variant->odir,
				  job->header ? "/" PROBE : NULL, &error);
	if (!job->diags || p->status) {
		g_autofree char *how = proc_job_describe(p);

		job_set_outcome(job, OUTCOME_ERROR, error ? error->message : how);
		return;
	}
	name_functions(job->diags, srcdir);
	fold_lines(job->diags);
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **sparse_shown(const struct job *job, const struct diag *d,
			   const char *srcdir, char **input)
{
	const struct tu *tu = compdb_at(job->tu, job->step);

	if (!job->header)
		return command(job, srcdir, NULL);
	*input = g_strdup_printf("#include \"%s/%s\"\nvoid *f = %s;\n", srcdir,
				 tu->source, d->function);
	return command(job, srcdir, "-");
}

static char *sparse_by_hand(const struct job *job)
{
	const struct variant *v = job->variant;

	return g_strdup_printf("make ARCH=%s%s%s C=2 %s", v->arch->kernel_arch,
			       *v->cross ? " CROSS_COMPILE=" : "", v->cross,
			       job->tu->object);
}

const struct check check_sparse = {
	.name = "sparse",
	.what = "__bitwise types, address spaces, locks, in what gcc compiled and "
		"in touched inline functions",
	.tool = "sparse",
	.package = "sparse",
	.confidence = CONFIDENCE_CERTAIN,
	.version = "2",
	.argv = sparse_argv,
	.judge = sparse_judge,
	.prepare = sparse_prepare,
	.shown = sparse_shown,
	.by_hand = sparse_by_hand,
};
