// SPDX-License-Identifier: GPL-2.0
/* Calls of make in the sandbox, and what is said when they fail. */
#include "error.h"
#include "kbuild-int.h"

#define QUOTE_LINES	6	/* of make's stderr in a message */
#define MAKE_SECONDS	600	/* for one object and what it needs */

char **kbuild_make_argv(const struct kbuild_dir *d, const char *const *words)
{
	const struct variant *v = d->v;
	GPtrArray *a = g_ptr_array_new();

	g_ptr_array_add(a, g_strdup("make"));
	g_ptr_array_add(a, g_strdup("-C"));
	g_ptr_array_add(a, g_strdup(d->srcdir));
	g_ptr_array_add(a, g_strconcat("O=", d->odir, NULL));
	g_ptr_array_add(a, g_strconcat("ARCH=", v->arch->kernel_arch, NULL));
	g_ptr_array_add(a, g_strconcat("CROSS_COMPILE=", v->cross, NULL));
	g_ptr_array_add(a, g_strdup("W=1"));
	for (; *words; words++)
		g_ptr_array_add(a, g_strdup(*words));
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

struct proc_job *kbuild_run(const struct kbuild_dir *d, char **argv,
			    const char *const *env, const char *out_path,
			    unsigned int seconds)
{
	const char *ro[] = { d->srcdir, d->v->tooldir, NULL };
	const char *rw[] = { d->odir, NULL };
	struct proc_job *j;

	j = proc_job_new(sandbox_argv(d->kb->sandbox, argv, d->odir, ro, rw,
				      env));
	j->out_path = g_strdup(out_path);
	j->seconds = seconds;
	proc_run(j);
	g_strfreev(argv);
	return j;
}

bool kbuild_ok(const struct proc_job *j)
{
	return j->end == PROC_EXITED && !j->status;
}

/* What make says of a healthy tree too, and at length on allmodconfig. */
static bool is_noise(const char *line)
{
	return strstr(line, " is added to multiple modules: ") ||
	       (g_str_has_prefix(line, "make") &&
		g_str_has_suffix(line, "Error 2"));
}

/*
 * The last lines that say something: of "make[2]: *** [...] Error 2" one is
 * enough, they only repeat the way up.
 */
char *kbuild_quote(const struct proc_job *j)
{
	g_auto(GStrv) lines = g_strsplit(j->err->str, "\n", -1);
	GPtrArray *keep = g_ptr_array_new();
	g_autofree char **list = NULL;
	g_autofree char *last = NULL;
	guint n = g_strv_length(lines), from;

	for (guint i = 0; i < n; i++)
		if (*g_strchomp(lines[i]) && !is_noise(lines[i]))
			g_ptr_array_add(keep, lines[i]);
	from = keep->len > QUOTE_LINES ? keep->len - QUOTE_LINES : 0;
	g_ptr_array_add(keep, NULL);
	list = (char **)g_ptr_array_free(keep, FALSE);
	last = g_strjoinv("\n    ", list + from);
	return g_strconcat(*last ? "\n    " : "", last, NULL);
}

void kbuild_error(const struct kbuild_dir *d, const struct proc_job *j,
		  const char *what, GError **error)
{
	g_autofree char *last = kbuild_quote(j);
	g_autofree char *how = proc_job_describe(j);
	enum proc_end end = j->end;

	if (end == PROC_CANCELED)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INTERRUPTED,
			    "%s: %s: interrupted", d->v->name, what);
	else if (strstr(j->err->str, "No space left on device"))
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "%s: %s: the disk of '%s' is full; make room there",
			    d->v->name, what, d->kb->cachedir);
	else
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "%s: %s failed: %s%s", d->v->name, what, how,
			    end != PROC_FAILED ? last : "");
}

/* One line of the file "made": tree, object, 0 or 1, with tabs between. */
static int made_lookup(const struct kbuild_dir *d, const char *object)
{
	g_autofree char *text = NULL, *key = NULL;
	const char *p;

	if (!g_file_get_contents(d->made, &text, NULL, NULL))
		return -1;
	key = g_strdup_printf("\n%s\t%s\t", d->kb->tree, object);
	p = strstr(text, key);
	return p ? p[strlen(key)] - '0' : -1;
}

static int made_append(const struct kbuild_dir *d, const char *object, int rc,
		       GError **error)
{
	FILE *f = fopen(d->made, "a");
	bool bad;

	/* each line is preceded by its newline: a torn one harms no other */
	bad = !f || fprintf(f, "\n%s\t%s\t%d\n", d->kb->tree, object, rc) < 0;
	if (f && fclose(f))
		bad = true;
	if (!bad)
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
		    "cannot write '%s'", d->made);
	return -1;
}

int kbuild_make_object(struct kbuild *kb, struct variant *v,
		       const char *object, GError **error)
{
	g_autofree char *what = g_strdup_printf("make %s", object);
	struct kbuild_dir d;
	struct proc_job *j;
	int rc = -1, before;

	if (kbuild_dir_init(&d, kb, v, error))
		return -1;
	before = made_lookup(&d, object);
	if (before >= 0) {
		if (before)
			g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
				    "%s: '%s' failed before on this base",
				    v->name, what);
		kbuild_dir_release(&d);
		return before ? -1 : 0;
	}
	j = kbuild_run(&d, kbuild_make_argv(&d, (const char *[]){
				object, NULL }), NULL, NULL, MAKE_SECONDS);
	if (kbuild_ok(j))
		rc = made_append(&d, object, 0, error);
	else
		kbuild_error(&d, j, what, error);
	/* a time limit or an interrupt says nothing about the object */
	if (j->end == PROC_EXITED && j->status &&
	    !strstr(j->err->str, "No space left on device"))
		made_append(&d, object, 1, NULL);
	proc_job_free(j);
	kbuild_dir_release(&d);
	return rc;
}
