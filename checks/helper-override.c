// SPDX-License-Identifier: GPL-2.0
/*
 * helper-override: what an architecture has in place of a generic helper.
 *
 *  - The text of all architectures: a function without the #define that hides
 *    the generic version, the #define without a function, another prototype.
 *  - The compiler, on each variant: has what replaces a helper its type?
 *  - The preprocessor: a #define that comes when the generic version was read
 *    already, which nothing else says.
 *
 * All is said at the generic helper, so that it meets what gcc says there.
 */
#include <string.h>
#include "compdb.h"
#include "file-job.h"
#include "helper-override.h"
#include "override.h"

#define NAME "helper-override"
#define PROBE "probe.c"

static struct helpers *helpers_of(const char *srcdir, const char *path)
{
	g_autofree char *full = g_build_filename(srcdir, path, NULL);
	g_autofree char *text = NULL;
	gsize len;

	if (!g_file_get_contents(full, &text, &len, NULL))
		return NULL;
	return helpers_scan(text, len);
}

static struct diag *say(enum diag_kind kind, const char *rule, const char *path,
			const struct helper *h, char *message)
{
	struct diag *d = diag_say(kind, NAME, rule, path, h->line, message);

	g_free(d->function);
	d->function = g_strdup(h->name);
	return d;
}

static const char *const rules[] = {
	[OVERRIDE_NO_DEFINE] = "no-define",
	[OVERRIDE_NO_FUNCTION] = "no-function",
	[OVERRIDE_TYPE] = "type",
};

/* What is found in one generic header. */
struct found {
	const char *path;	/* of it */
	GPtrArray *diags;
	const char *arch;
	const struct override_arch *others;	/* generic ones; NULL: not asked */
};

static char *sentence(const struct helper *h, enum override_rule rule,
		      const struct override *o)
{
	g_autofree char *shape = NULL;

	switch (rule) {
	case OVERRIDE_NO_DEFINE:
		return g_strdup_printf("%s:%u has %s() without '#define %s', so "
			"the generic version is compiled too", o->path,
			o->f->line, h->name, h->guard);
	case OVERRIDE_NO_FUNCTION:
		return g_strdup_printf("%s:%u defines %s, but there is no %s()",
			o->path, o->f->line, h->guard, h->name);
	default:
		shape = o->f->kind == CFUNC_MACRO ?
			g_strdup_printf("(%s)", o->f->params) :
			override_shape(o->f->type, o->f->params);
		return g_strdup_printf("%s:%u has it as '%s', the generic version "
			"is '%s'", o->path, o->f->line, shape, h->shape);
	}
}

static void on_wrong(const struct helper *h, enum override_rule rule,
		     const struct override *o, void *data)
{
	struct found *found = data;
	struct diag *d;

	if (rule == OVERRIDE_NO_FUNCTION && found->others &&
	    override_has(found->others, h))
		return;
	d = say(rule == OVERRIDE_TYPE ? DIAG_WARNING : DIAG_ERROR, rules[rule],
		found->path, h, sentence(h, rule, o));
	d->confidence = CONFIDENCE_LIKELY;
	g_ptr_array_add(d->notes, g_strdup_printf("%s: %s", found->arch,
						  d->message));
	g_ptr_array_add(found->diags, d);
}

/* Those that defines without a function are compared with; seldom needed. */
static bool needs_others(const struct helpers *h, const struct override_arch *oa)
{
	for (guint i = 0; i < h->list->len; i++) {
		const struct helper *helper = h->list->pdata[i];

		if (g_hash_table_contains(oa->named, helper->guard) &&
		    !override_has(oa, helper))
			return true;
	}
	return false;
}

static void read_arch(struct found *found, const struct helpers *h,
		      GHashTable *names, const char *srcdir, GPtrArray *deps,
		      override_arch_t **others)
{
	g_autoptr(override_arch_t) oa = override_read(srcdir, found->arch, names,
						      found->path);

	if (!oa->includes && strstr(found->path, "asm-generic/"))
		return;
	if (!*others && needs_others(h, oa))
		*others = override_read_generic(srcdir, names, found->path);
	found->others = *others;
	for (guint i = 0; i < h->list->len; i++)
		override_check(h->list->pdata[i], oa, on_wrong, found);
	for (guint i = 0; i < oa->paths->len; i++)
		g_ptr_array_add(deps, g_strdup(oa->paths->pdata[i]));
}

static void override_here(struct job *job, const char *srcdir)
{
	g_autofree char *path = file_job_path(job, srcdir);
	g_autofree char *dir = g_build_filename(srcdir, "arch", NULL);
	g_autoptr(helpers_t) h = helpers_of(srcdir, path);
	g_autoptr(GHashTable) names = NULL;
	g_autoptr(override_arch_t) others = NULL;
	GPtrArray *deps = g_ptr_array_new();
	struct found found = { .path = path };
	GDir *d = g_dir_open(dir, 0, NULL);

	file_job_set_deps(job);
	for (char **p = job->deps; *p; p++)
		g_ptr_array_add(deps, g_strdup(*p));
	job->diags = found.diags = diag_array_new();
	names = h ? helpers_names(h) : NULL;
	while (h && h->list->len && d && (found.arch = g_dir_read_name(d)))
		read_arch(&found, h, names, srcdir, deps, &others);
	if (d)
		g_dir_close(d);
	g_ptr_array_add(deps, NULL);
	g_strfreev(job->deps);
	job->deps = (char **)g_ptr_array_free(deps, FALSE);
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

/* No command: these words are the key of the result. */
static char **override_argv(const struct job *job, const char *srcdir,
			    const char *jobdir)
{
	return g_strdupv((char **)(const char *[]){ "text", job->tu->values[0],
						    NULL });
}

static char **override_shown(const struct job *job, const struct diag *d,
			     const char *srcdir, char **input)
{
	const char *argv[] = { "env", "-C", srcdir, "grep", "-rnw", d->function,
			       "arch", d->file, "--include=*.h", NULL };

	return g_strdupv((char **)argv);
}

const struct check check_helper_override = {
	.name = NAME,
	.what = "what architectures have in place of generic helpers: its type, "
		"its #define, and whether that comes in time",
	.confidence = CONFIDENCE_CERTAIN,
	.reads_file = true,
	.version = "1",
	.argv = override_argv,
	.here = override_here,
	.shown = override_shown,
};

/* The command of the TU, with more words. */
static char **command(const struct job *job, const char *srcdir,
		      const char *object, const char *source,
		      const char *const *more)
{
	g_autofree char *dep = g_strconcat(object, ".d", NULL);
	char **argv = compdb_argv(job->variant->db,
				  compdb_at(job->tu, job->step), srcdir, object,
				  dep, source);
	guint n = g_strv_length(argv);

	argv = g_renew(char *, argv, n + g_strv_length((char **)more) + 1);
	for (; *more; more++)
		argv[n++] = g_strdup(*more);
	argv[n] = NULL;
	return argv;
}

static const char *const syntax[] = { "-fdiagnostics-color=never",
	"-fmessage-length=0", "-fsyntax-only", NULL };

static char **probe_argv(const struct job *job, const char *srcdir,
			 const char *jobdir)
{
	g_autofree char *object = g_build_filename(jobdir, "o", NULL);
	g_autofree char *probe = g_build_filename(jobdir, PROBE, NULL);

	return command(job, srcdir, object, probe, syntax);
}

static char *probe_of(const struct job *job, const char *srcdir)
{
	g_autoptr(helpers_t) h = helpers_of(srcdir, job->header);
	g_autofree char *include = probe_text(job->header, srcdir);
	g_autofree char *path = g_build_filename(srcdir, job->header, NULL);

	return h ? override_probe(h, include, path) : g_strdup("");
}

static int probe_prepare(const struct job *job, const char *srcdir,
			 const char *jobdir, GError **error)
{
	g_autofree char *path = g_build_filename(jobdir, PROBE, NULL);
	g_autofree char *text = probe_of(job, srcdir);

	return g_file_set_contents(path, text, -1, error) ? 0 : -1;
}

/* Where @arch has what replaces @h: "arch/x86/include/asm/pgtable.h:12". */
static char *where(const struct override_arch *oa, const char *name)
{
	const GPtrArray *own = g_hash_table_lookup(oa->named, name);
	const struct override *o = own && own->len ? own->pdata[0] : NULL;

	return o ? g_strdup_printf("%s:%u", o->path, o->f->line) :
		   g_strdup("the architecture");
}

static const struct helper *helper_named(const struct helpers *h,
					 const char *name, unsigned int line)
{
	for (guint i = 0; i < h->list->len; i++) {
		const struct helper *helper = h->list->pdata[i];

		if (!strcmp(helper->name, name) && helper->line == line)
			return helper;
	}
	return NULL;
}

/* A macro with parameters is no function whose type could be asked for. */
static bool is_macro(const struct override_arch *oa, const char *name)
{
	const GPtrArray *own = g_hash_table_lookup(oa->named, name);

	for (guint i = 0; own && i < own->len; i++) {
		const struct override *o = own->pdata[i];

		if (o->f->kind == CFUNC_MACRO && o->f->params)
			return true;
	}
	return false;
}

/* What gcc says of the probe, in our words; NULL: nothing of a helper. */
static struct diag *translate(const struct job *job, const struct diag *d,
			      const struct helpers *h,
			      const struct override_arch *oa,
			      const struct override_arch *others)
{
	static const char failed[] = "static assertion failed: \"helper ";
	bool type = g_str_has_prefix(d->message, failed);
	g_autofree char *name = type ? g_strndup(d->message + strlen(failed),
		strcspn(d->message + strlen(failed), "\"")) : diag_subject(d);
	unsigned int line;
	/* "#define F F" is where gcc stands, when there is no F */
	const char *file = diag_where(d, &line);
	const struct helper *helper = name && !strcmp(file, job->header) ?
		helper_named(h, name, line) : NULL;
	g_autofree char *at = helper ? where(oa, name) : NULL;

	if (!helper || (!type && (!strstr(d->message, "undeclared") ||
				  is_macro(oa, name) || is_macro(others, name))))
		return NULL;
	return type ? say(DIAG_WARNING, "type", job->header, helper,
		g_strdup_printf("%s has it with another type than the generic "
				"'%s'", at, helper->shape)) :
		say(DIAG_ERROR, "no-function", job->header, helper,
		    g_strdup_printf("%s is defined, but there is no %s()",
				    helper->guard, name));
}

static void probe_judge(struct job *job, const struct proc_job *p,
			const char *srcdir)
{
	g_autoptr(helpers_t) h = helpers_of(srcdir, job->header);
	g_autoptr(GHashTable) names = h ? helpers_names(h) : NULL;
	g_autoptr(override_arch_t) oa = NULL, others = NULL;
	g_autoptr(GPtrArray) said = NULL;

	check_find("gcc")->judge(job, p, srcdir);
	if (!job_usable(job) || !h)
		return;
	said = job->diags;
	job->diags = diag_array_new();
	if (said->len) {
		oa = override_read(srcdir, job->variant->arch->srcarch, names,
				   job->header);
		others = override_read_generic(srcdir, names, job->header);
	}
	for (guint i = 0; i < said->len; i++) {
		struct diag *d = translate(job, said->pdata[i], h, oa, others);

		if (d)
			g_ptr_array_add(job->diags, d);
	}
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **probe_shown(const struct job *job, const struct diag *d,
			  const char *srcdir, char **input)
{
	*input = probe_of(job, srcdir);
	return command(job, srcdir, "/dev/null", "-", syntax);
}

const struct check check_override_probe = {
	.name = NAME,
	.confidence = CONFIDENCE_CERTAIN,
	.version = "2",
	.argv = probe_argv,
	.judge = probe_judge,
	.prepare = probe_prepare,
	.shown = probe_shown,
};

static const char *const expand[] = { "-E", "-dD", NULL };

static char **late_argv(const struct job *job, const char *srcdir,
			const char *jobdir)
{
	g_autofree char *dep = g_build_filename(jobdir, "o.d", NULL);
	char **argv = command(job, srcdir, "-", NULL, expand);

	/* "-" is the standard output, its list of files goes to the job */
	for (char **w = argv; *w; w++)
		if (g_str_has_prefix(*w, "-Wp,-MMD,")) {
			g_free(*w);
			*w = g_strconcat("-Wp,-MMD,", dep, NULL);
		}
	return argv;
}

static void on_late(const struct helper *h, const char *file, unsigned int line,
		    void *data)
{
	struct found *found = data;

	g_ptr_array_add(found->diags, say(DIAG_WARNING, "late", found->path, h,
		g_strdup_printf("%s:%u defines %s when the generic %s() was "
				"compiled already", file, line, h->guard,
				h->name)));
}

static void late_judge(struct job *job, const struct proc_job *p,
		       const char *srcdir)
{
	g_autoptr(helpers_t) h = helpers_of(srcdir, job->header);
	struct found found = { .path = job->header };

	if (!check_ran(job, p))
		return;
	if (p->status) {
		g_autofree char *why = g_strdup_printf("it cannot be preprocessed: "
						       "%.200s", p->err->str);

		job_set_outcome(job, OUTCOME_ERROR, why);
		return;
	}
	job->diags = found.diags = diag_array_new();
	if (h)
		override_late(p->out->str, srcdir, job->header, h, on_late, &found);
	job_set_outcome(job, job->diags->len ? OUTCOME_FINDINGS : OUTCOME_PASS,
			NULL);
}

static char **late_shown(const struct job *job, const struct diag *d,
			 const char *srcdir, char **input)
{
	return command(job, srcdir, "-", NULL, expand);
}

const struct check check_override_late = {
	.name = NAME,
	.confidence = CONFIDENCE_CERTAIN,
	.version = "1",
	.argv = late_argv,
	.judge = late_judge,
	.shown = late_shown,
};
