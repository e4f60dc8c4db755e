// SPDX-License-Identifier: GPL-2.0
/* What make generates at a step, and of what. */
#include <glib/gstdio.h>
#include <string.h>
#include "kbuild-int.h"
#include "kbuild-step.h"
#include "makegraph.h"

#define REMAKE_SECONDS	900
#define GRAPH_SECONDS	1200

void kbuild_failure_free(struct kbuild_failure *f)
{
	g_free(f->target);
	g_free(f->text);
	g_free(f);
}

/*
 * "make[2]: *** [scripts/Makefile.build:117: kernel/bounds.s] Error 1": the
 * target; NULL when the line is none, or repeats one of a sub-make.
 */
static char *failed_target(const char *line)
{
	const char *stars = strstr(line, "*** ["), *end, *p;

	if (!g_str_has_prefix(line, "make") || !stars ||
	    strstr(stars, "] Error 2"))
		return NULL;
	end = strrchr(stars, ']');
	p = end ? g_strrstr_len(stars, end - stars, ": ") : NULL;
	if (!p || !memchr(p, '/', end - p))
		return NULL;
	return g_strndup(p + 2, end - p - 2);
}

void kbuild_failures(GPtrArray *failures, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	const char *last = "";

	for (char **l = lines; *l; l++) {
		char *target = failed_target(*l);
		struct kbuild_failure *f;

		if (*g_strchomp(*l) && !g_str_has_prefix(*l, "make"))
			last = *l;
		if (!target)
			continue;
		f = g_new0(struct kbuild_failure, 1);
		f->target = target;
		f->text = g_strdup(last);
		g_ptr_array_add(failures, f);
		last = "";
	}
}

/* make returns 2 for an error of a recipe, which is an answer. */
static int run(struct kbuild_step *s, const char *const *words,
	       GPtrArray *failures, GPtrArray *complaints, GError **error)
{
	struct proc_job *j = kbuild_run(&s->d, kbuild_make_argv(&s->d, words),
					NULL, NULL, REMAKE_SECONDS);
	g_autofree char *src = g_strconcat(s->d.srcdir, "/", NULL);
	g_autofree char *odir = g_strconcat(s->d.odir, "/", NULL);
	int rc = 0;

	if (!kbuild_ok(j)) {
		g_string_replace(j->err, odir, "", 0);
		g_string_replace(j->err, src, "", 0);
		if (j->end == PROC_EXITED &&
		    !strstr(j->err->str, "No space left on device")) {
			kbuild_failures(failures, j->err->str);
			kbuild_complaints(complaints, j->err->str);
		}
		if (!failures->len && !complaints->len) {
			kbuild_error(&s->d, j, "make", error);
			rc = -1;
		}
	}
	proc_job_free(j);
	return rc;
}

int kbuild_step_make_all(struct kbuild_step *s, const GPtrArray *targets,
			 GPtrArray *failures, GPtrArray *complaints,
			 GError **error)
{
	g_autofree char *jobs = g_strdup_printf("-j%u", s->d.kb->jobs ?: 2);
	const char *prepare[] = { jobs, "-Otarget", "-k", "prepare", NULL };
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	if (run(s, prepare, failures, complaints, error))
		return -1;
	if (!targets || !targets->len)
		return 0;
	for (guint i = 0; i < 3; i++)
		g_ptr_array_add(words, (gpointer)prepare[i]);
	for (guint i = 0; i < targets->len; i++)
		g_ptr_array_add(words, targets->pdata[i]);
	g_ptr_array_add(words, NULL);
	return run(s, (const char *const *)words->pdata, failures, complaints,
		   error);
}

int kbuild_step_graph(struct kbuild_step *s, const char *goal,
		      struct makegraph *g, GError **error)
{
	g_autofree char *out = g_build_filename(s->d.dir, "step-graph", NULL);
	g_autoptr(GMappedFile) map = NULL;
	const char *words[] = { "-n", "-k", "--debug=v", goal ? goal :
				"vmlinux", goal ? NULL : "modules", NULL };
	struct proc_job *j = kbuild_run(&s->d, kbuild_make_argv(&s->d, words),
					NULL, out, GRAPH_SECONDS);
	int rc = 0;

	/* Its status says nothing: see dry_run() in kbuild.c. */
	map = g_mapped_file_new(out, FALSE, NULL);
	if (j->end != PROC_EXITED || !map || !g_mapped_file_get_length(map)) {
		kbuild_error(&s->d, j, "what is made of what", error);
		rc = -1;
	} else {
		makegraph_parse(g, g_mapped_file_get_contents(map),
				g_mapped_file_get_length(map), s->d.srcdir,
				s->d.odir);
	}
	g_unlink(out);
	proc_job_free(j);
	return rc;
}

static bool target_reads(struct kbuild_step *s, const char *target,
			 const char *path)
{
	const char *words[] = { "V=1", "-n", target, NULL };
	struct proc_job *j = kbuild_run(&s->d, kbuild_make_argv(&s->d, words),
					NULL, NULL, REMAKE_SECONDS);
	bool found = strstr(j->out->str, path);

	proc_job_free(j);
	return found;
}

bool kbuild_step_configures(struct kbuild_step *s, const char *path)
{
	const struct kspec *k = s->d.v->kspec;
	const char *target = k->target;
	bool found;

	if (target && !strcmp(target, "defconfig") && s->d.v->arch->defconfig)
		target = s->d.v->arch->defconfig;
	found = target && target_reads(s, target, path);
	for (guint i = 0; !found && i < k->fragments->len; i++) {
		const struct kfragment *f = g_ptr_array_index(k->fragments, i);

		found = f->target && target_reads(s, f->target, path);
	}
	return found;
}
