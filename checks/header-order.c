// SPDX-License-Identifier: GPL-2.0
/*
 * header-order: helpers that a header uses above their definition.
 *
 * The compiler reads one line that includes the header, for each set of flags
 * that matters to it; of what it says only the names count that the same header
 * defines further down, so that a header which does not stand alone is no
 * matter here: gcc compiles those that include it.
 *
 * For the architectures that this run does not compile the text is read, and
 * what they define in place of the generic code.
 */
#include <string.h>
#include "entity.h"
#include "file-job.h"
#include "fpattern.h"
#include "header-order.h"
#include "ordertext.h"

#define RULE "-Wimplicit-function-declaration"

static char **order_argv(const struct job *job, const char *srcdir,
			 const char *jobdir)
{
	char **argv = check_find("gcc")->argv(job, srcdir, jobdir);
	guint n = g_strv_length(argv);

	argv = g_renew(char *, argv, n + 2);
	argv[n++] = g_strdup("-fsyntax-only");
	argv[n] = NULL;
	return argv;
}

/* What defines @name in @path behind @line; 0: nothing. */
static unsigned int defined_in(const char *srcdir, const char *path,
			       unsigned int line, const char *name)
{
	g_autofree char *full = g_build_filename(srcdir, path, NULL);
	g_autoptr(GPtrArray) entities = entity_scan(full, NULL);

	for (guint i = 0; entities && i < entities->len; i++) {
		const struct entity *e = entities->pdata[i];

		if (e->line > line && e->kind != ENTITY_MEMBER &&
		    e->kind != ENTITY_OTHER && !strcmp(e->name, name))
			return e->line;
	}
	return 0;
}

/* Is @d the use of what its header, or the one that was included, has below? */
static bool is_order(const struct job *job, struct diag *d, const char *srcdir)
{
	g_autofree char *name = NULL;
	const char *path = d->file;
	unsigned int line;

	if (d->kind != DIAG_ERROR ||
	    (!strstr(d->message, "implicit declaration") &&
	     !strstr(d->message, "undeclared")))
		return false;
	name = diag_subject(d);
	if (!name)
		return false;
	line = defined_in(srcdir, path, d->line, name);
	if (!line && strcmp(path, job->header)) {
		path = job->header;
		line = defined_in(srcdir, path, 0, name);
	}
	if (line)
		g_ptr_array_add(d->notes, g_strdup_printf("%s:%u: '%s' is "
			"defined here", path, line, name));
	return line;
}

static void order_judge(struct job *job, const struct proc_job *p,
			const char *srcdir)
{
	check_find("gcc")->judge(job, p, srcdir);
	if (!job_usable(job))
		return;
	for (guint i = job->diags->len; i > 0; i--) {
		struct diag *d = job->diags->pdata[i - 1];

		if (!is_order(job, d, srcdir)) {
			g_ptr_array_remove_index(job->diags, i - 1);
			continue;
		}
		g_free(d->check);
		d->check = g_strdup("header-order");
		/* gcc counts them */
		g_ptr_array_set_size(d->follow_ons, 0);
	}
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

const struct check check_header_order = {
	.name = "header-order",
	.what = "helpers that a touched header uses above their definition; by the "
		"text for architectures that are not compiled",
	.confidence = CONFIDENCE_CERTAIN,
	.version = "2",
	.argv = order_argv,
	.judge = order_judge,
};

/* One architecture that is not compiled. */
struct judged {
	enum order_arch how;
	char *by, *condition;	/* NULL: none */
};

/* Looks for @guards in all headers below @dir of the tree. */
static void look_below(struct judged *j, const char *dir, const GPtrArray *guards)
{
	g_autoptr(GPtrArray) files = fpattern_files(dir);

	for (guint i = 0; i < files->len && j->how < ORDER_HIDES; i++) {
		g_autofree char *path = g_build_filename(dir, files->pdata[i], NULL);
		g_autofree char *text = NULL, *condition = NULL;
		const char *by = NULL;
		enum order_arch how;
		bool any = false;
		gsize len;

		if (!g_str_has_suffix(path, ".h") ||
		    !g_file_get_contents(path, &text, &len, NULL))
			continue;
		for (guint k = 0; k < guards->len && !any; k++)
			any = strstr(text, guards->pdata[k]);
		how = any ? order_hidden(text, len, guards, &by, &condition) :
			    ORDER_FAILS;
		if (how <= j->how)
			continue;
		g_free(j->by);
		g_free(j->condition);
		j->how = how;
		j->by = g_strdup(by);
		j->condition = g_steal_pointer(&condition);
	}
}

static struct judged judge_arch(const char *srcdir, const char *arch,
				const GPtrArray *guards)
{
	g_autofree char *dir = g_build_filename(srcdir, "arch", arch, "include",
						NULL);
	struct judged j = { ORDER_FAILS };

	look_below(&j, dir, guards);
	if (!strcmp(arch, "um")) {
		g_autofree char *more = g_build_filename(srcdir, "arch", "x86",
							 "um", NULL);

		look_below(&j, more, guards);
	}
	return j;
}

/* Adds @arch to those of one reason; @groups: reason -> GString. */
static void add_arch(GPtrArray *order, GHashTable *groups, const char *reason,
		     const char *arch)
{
	GString *s = g_hash_table_lookup(groups, reason);

	if (s) {
		g_string_append_printf(s, ", %s", arch);
		return;
	}
	s = g_string_new(arch);
	g_ptr_array_add(order, g_strdup(reason));
	g_hash_table_insert(groups, g_ptr_array_index(order, order->len - 1), s);
}

static void free_string(gpointer s)
{
	g_string_free(s, TRUE);
}

/* "not compiled here: alpha, um: would fail; s390: hidden by X"; NULL: it fails
 * nowhere. */
static char *by_text(const char *srcdir, char **others, const GPtrArray *guards)
{
	static const char fails[] = "would fail";
	g_autoptr(GPtrArray) order = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) groups = g_hash_table_new_full(g_str_hash,
					g_str_equal, NULL, free_string);
	GString *text = g_string_new("not compiled here: ");
	bool any;

	for (char **a = others; *a; a++) {
		struct judged j = judge_arch(srcdir, *a, guards);
		g_autofree char *why = NULL;

		if (j.how == ORDER_MAY_HIDE)
			why = g_strdup_printf("hidden by %s if %s", j.by,
					      j.condition);
		else if (j.how == ORDER_HIDES)
			why = g_strdup_printf("hidden by %s", j.by);
		add_arch(order, groups, why ?: fails, *a);
		g_free(j.by);
		g_free(j.condition);
	}
	any = g_hash_table_contains(groups, fails);
	for (guint i = 0; i < order->len; i++) {
		GString *names = g_hash_table_lookup(groups, order->pdata[i]);

		g_string_append_printf(text, "%s%s: %s", i ? "; " : "",
				       names->str, (char *)order->pdata[i]);
	}
	return g_string_free(text, !any);
}

static void order_here(struct job *job, const char *srcdir)
{
	g_autofree char *path = file_job_path(job, srcdir);
	g_autofree char *full = g_build_filename(srcdir, path, NULL);
	g_auto(GStrv) others = g_strsplit(job->tu->values[1], ",", -1);
	g_autoptr(GPtrArray) uses = NULL;
	g_autofree char *text = NULL;
	gsize len;

	file_job_set_deps(job);
	if (!g_file_get_contents(full, &text, &len, NULL)) {
		job_set_outcome(job, OUTCOME_ERROR, "the file cannot be read");
		return;
	}
	job->diags = diag_array_new();
	uses = order_scan(text, len);
	for (guint i = 0; i < uses->len; i++) {
		const struct order_use *u = uses->pdata[i];
		char *note = by_text(srcdir, others, u->guards);
		struct diag *d;

		if (!note)
			continue;
		d = diag_say(DIAG_ERROR, "header-order", RULE, path, u->line,
			g_strdup_printf("implicit declaration of function '%s', "
					"which is defined below (:%u)", u->name,
					u->below));
		g_free(d->function);
		d->function = g_strdup(u->user);
		d->confidence = CONFIDENCE_LIKELY;
		g_ptr_array_add(d->notes, note);
		g_ptr_array_add(job->diags, d);
	}
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

/* No command: these words are the key of the result. */
static char **text_argv(const struct job *job, const char *srcdir,
			const char *jobdir)
{
	return g_strdupv((char **)(const char *[]){ "text", job->tu->values[0],
		job->tu->values[1], NULL });
}

static char **text_shown(const struct job *job, const struct diag *d,
			 const char *srcdir, char **input)
{
	g_autofree char *name = diag_subject(d);
	const char *argv[] = { "env", "-C", srcdir, "grep", "-nw", name ?: "",
			       d->file, NULL };

	return g_strdupv((char **)argv);
}

const struct check check_header_order_text = {
	.name = "header-order",
	.confidence = CONFIDENCE_LIKELY,
	.reads_file = true,
	.version = "2",
	.argv = text_argv,
	.here = order_here,
	.shown = text_shown,
};
