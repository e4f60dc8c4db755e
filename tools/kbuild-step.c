// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <glib/gstdio.h>
#include "error.h"
#include "kbuild-int.h"
#include "kbuild-step.h"

#define STEP_SECONDS	900

/* Names the caller's error: "x86_64-defconfig: copy of O= failed: ..." */
static int run_words(struct kbuild_step *s, char **argv, const char *what,
		     GError **error)
{
	struct proc_job *j = kbuild_run(&s->d, argv, NULL, NULL, STEP_SECONDS);
	int rc = 0;

	if (!kbuild_ok(j)) {
		kbuild_error(&s->d, j, what, error);
		rc = -1;
	}
	proc_job_free(j);
	return rc;
}

static int run_make(struct kbuild_step *s, const char *target, GError **error)
{
	g_autofree char *jobs = g_strdup_printf("-j%u", s->d.kb->jobs ?: 2);
	g_autofree char *what = g_strconcat("make ", target, NULL);
	const char *words[] = { jobs, target, NULL };

	return run_words(s, kbuild_make_argv(&s->d, words), what, error);
}

/* With times and links as they are, or make would do all of it again. */
static int copy_odir(struct kbuild_step *s, GError **error)
{
	g_autofree char *from = g_strconcat(s->d.v->odir, "/.", NULL);
	char *argv[] = { (char *)"cp", (char *)"-a", (char *)"--reflink=auto",
			 from, s->d.odir, NULL };
	const char *ro[] = { s->d.v->odir, NULL };
	const char *rw[] = { s->d.odir, NULL };
	struct proc_job *j;
	int rc = 0;

	if (remove_tree(s->d.odir, error) || kbuild_dir_make(&s->d, error))
		return -1;
	j = proc_job_new(sandbox_argv(s->d.kb->sandbox, argv, "/", ro, rw, NULL));
	j->seconds = STEP_SECONDS;
	proc_run(j);
	if (!kbuild_ok(j)) {
		kbuild_error(&s->d, j, "copy of O=", error);
		rc = -1;
	}
	proc_job_free(j);
	return rc;
}

struct kbuild_step *kbuild_step_new(struct kbuild *kb, struct variant *v,
				    GError **error)
{
	struct kbuild_step *s = g_new0(struct kbuild_step, 1);

	if (kbuild_dir_init(&s->d, kb, v, error)) {
		g_free(s);
		return NULL;
	}
	g_free(s->d.odir);
	s->d.odir = g_build_filename(s->d.dir, "step", NULL);
	if (!copy_odir(s, error))
		return s;
	kbuild_step_free(s);
	return NULL;
}

void kbuild_step_free(struct kbuild_step *s)
{
	if (!s)
		return;
	kbuild_dir_release(&s->d);
	g_free(s);
}

static char *read_config(const struct kbuild_step *s, GError **error)
{
	g_autofree char *path = g_build_filename(s->d.odir, ".config", NULL);
	GError *err = NULL;
	char *text = NULL;

	if (g_file_get_contents(path, &text, NULL, &err))
		return text;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "%s", err->message);
	g_error_free(err);
	return NULL;
}

/* The message of kconfig in @line, in the form that make has; NULL: none. */
static char *kconfig_error(const char *line)
{
	static GRegex *form;
	g_autoptr(GMatchInfo) m = NULL;
	g_autofree char *where = NULL, *what = NULL;

	if (!form)
		form = g_regex_new("^([^ :]*Kconfig[^ :/]*:[0-9]+): ?(.*)$", 0, 0,
				   NULL);
	if (!g_regex_match(form, line, 0, &m))
		return NULL;
	where = g_match_info_fetch(m, 1);
	what = g_match_info_fetch(m, 2);
	return g_str_has_prefix(what, "warning:") ? NULL :
		g_strdup_printf("%s: *** %s", where, what);
}

static void add_once(GPtrArray *list, const char *text)
{
	if (!g_ptr_array_find_with_equal_func(list, text, g_str_equal, NULL))
		g_ptr_array_add(list, g_strdup(text));
}

/* "make[2]: *** [scripts/Makefile.build:478: mm] Error 2" only repeats one. */
void kbuild_complaints(GPtrArray *list, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l; l++) {
		g_autofree char *error = kconfig_error(*l);
		char *stars = strstr(*l, "*** "), *p;

		if (error)
			add_once(list, error);
		/* nor is what make cleans up one of its own */
		if (error || !stars || stars[4] == '[' ||
		    g_str_has_prefix(stars + 4, "Deleting file"))
			continue;
		p = g_str_has_prefix(*l, "make") ? stars + 4 : *l;
		/* as it is said when make goes on, by -k, and when it stops */
		if (g_str_has_suffix(p, "  Stop."))
			p[strlen(p) - strlen("  Stop.")] = '\0';
		add_once(list, p);
	}
}

static void take_complaints(const struct kbuild_step *s, GPtrArray *list,
			    const struct proc_job *j)
{
	g_autofree char *src = g_strconcat(s->d.srcdir, "/", NULL);

	g_string_replace(j->err, src, "", 0);
	kbuild_complaints(list, j->err->str);
}

/* Of two lines about one symbol kconfig takes the later. */
static int write_config(const struct kbuild_step *s, const char *config,
			const char *settings, GError **error)
{
	g_autofree char *path = g_build_filename(s->d.odir, ".config", NULL);
	g_autofree char *text = g_strconcat(config, settings, "\n", NULL);

	return g_file_set_contents(path, text, -1, error) ? 0 : -1;
}

int kbuild_step_try(struct kbuild_step *s, const char *config,
		    const char *settings, char **after, GError **error)
{
	if (write_config(s, config, settings, error) ||
	    run_make(s, "olddefconfig", error))
		return -1;
	*after = read_config(s, error);
	return *after ? 0 : -1;
}

/* A symbol that the patch brings has its value from the variant too. */
static int set_again(const struct kbuild_step *s, const char *before,
		     GError **error)
{
	const struct kfragment *f;

	if (!s->d.v->parent)
		return 0;
	f = s->d.v->kspec->fragments->pdata[0];
	return write_config(s, before, f->text, error);
}

/*
 * Configured anew, as the base was: a symbol that .config has keeps its value
 * whatever its default becomes.  One with a parent is made from the .config of
 * that.  Once more for what kconfig has to say.
 */
int kbuild_step_config(struct kbuild_step *s, char **before, char **after,
		       GPtrArray *complaints, GError **error)
{
	const char *words[] = { "olddefconfig", NULL };
	GError *err = NULL;
	struct proc_job *j;
	int rc = 0;

	*after = NULL;
	*before = read_config(s, error);
	if (!*before || set_again(s, *before, error))
		return -1;
	if (!s->d.v->parent)
		kbuild_configure(&s->d, &err);
	j = kbuild_run(&s->d, kbuild_make_argv(&s->d, words), NULL, NULL,
		       STEP_SECONDS);
	if (!err && kbuild_ok(j)) {
		kbuild_unmet(complaints, j->err->str);
		*after = read_config(s, error);
		rc = *after ? 0 : -1;
	} else {
		if (j->end == PROC_EXITED && j->status)
			take_complaints(s, complaints, j);
		rc = complaints->len ? 0 : -1;
		if (rc && err)
			g_propagate_error(error, g_steal_pointer(&err));
		else if (rc)
			kbuild_error(&s->d, j, "make olddefconfig", error);
	}
	g_clear_error(&err);
	proc_job_free(j);
	return rc;
}

int kbuild_step_prepare(struct kbuild_step *s, GError **error)
{
	return run_make(s, "prepare", error);
}

/* The whole kernel's own: nothing is built, so nothing can be linked. */
static void drop_linked(GPtrArray *list)
{
	for (guint i = 0; i < list->len;) {
		const char *text = list->pdata[i];

		if (strstr(text, "'vmlinux.a'") || strstr(text, "'vmlinux'") ||
		    strstr(text, "'vmlinux.o'") || strstr(text, ".ko'"))
			g_ptr_array_remove_index(list, i);
		else
			i++;
	}
}

int kbuild_step_dry_run(struct kbuild_step *s, const char *dir,
			struct compdb *now, GPtrArray *complaints,
			GError **error)
{
	g_autofree char *out = g_build_filename(s->d.dir, "step-dry-run", NULL);
	g_autoptr(GPtrArray) goals = NULL;
	g_autoptr(GMappedFile) map = NULL;
	struct proc_job *j;
	int rc;

	if (*dir) {
		goals = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(goals, g_strconcat(dir, "/", NULL));
	}
	rc = kbuild_dry_run(&s->d, goals, out, &j, error);
	if (!rc) {
		map = g_mapped_file_new(out, FALSE, NULL);
		if (map && g_mapped_file_get_length(map))
			compdb_parse(now, g_mapped_file_get_contents(map),
				     g_mapped_file_get_length(map), s->d.srcdir);
		if (!*dir)
			kbuild_parse_boot(&s->d, now);
		compdb_finish(now);
		take_complaints(s, complaints, j);
		if (!*dir)
			drop_linked(complaints);
	}
	g_unlink(out);
	proc_job_free(j);
	return rc;
}

bool kbuild_step_has(const struct kbuild_step *s, const char *path)
{
	g_autofree char *full = g_build_filename(s->d.odir, path, NULL);

	return g_file_test(full, G_FILE_TEST_EXISTS);
}

bool kbuild_step_make(struct kbuild_step *s, const char *object)
{
	return !run_make(s, object, NULL);
}

int kbuild_step_keep(struct kbuild_step *s, unsigned int n, const char *tree,
		     char **odir, char **config_hash, GError **error)
{
	g_autofree char *name = g_strdup_printf("step-%u", n);
	g_autofree char *path = g_build_filename(s->d.dir, name, NULL);
	g_autofree char *config = read_config(s, error), *all = NULL;

	if (!config || remove_tree(path, error))
		return -1;
	if (g_rename(s->d.odir, path)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot rename '%s' to '%s': %s", s->d.odir, path,
			    g_strerror(errno));
		return -1;
	}
	g_free(s->d.odir);
	s->d.odir = g_strdup(path);
	all = g_strjoin("\n", tree, config, NULL);
	*odir = g_steal_pointer(&path);
	*config_hash = g_compute_checksum_for_string(G_CHECKSUM_SHA1, all, -1);
	return 0;
}
