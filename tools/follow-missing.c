// SPDX-License-Identifier: GPL-2.0
/*
 * What make cannot do at a step and could before, as results of jobs, so that
 * attrib treats it as it treats a compiler's error.
 */
#include "check.h"
#include "follow-int.h"
#include "kconf.h"

void missing_free(struct missing *m)
{
	g_free(m->text);
	g_free(m->file);
	g_strfreev(m->targets);
	if (m->tu) {
		g_free(m->tu->object);
		g_free(m->tu->source);
	}
	g_free(m->tu);
	g_free(m);
}

/* "No rule to make target 'mm/x.o', needed by 'mm/built-in.a'." */
static void place_target(struct diag *d, const char *srcdir, char **object)
{
	const char *p = strchr(d->message, '\'');
	g_autofree char *dir = NULL, *base = NULL, *full = NULL, *text = NULL;
	char *makefile = NULL;

	if (!p)
		return;
	g_free(*object);
	*object = g_strndup(p + 1, strcspn(p + 1, "'"));
	dir = g_path_get_dirname(*object);
	base = g_path_get_basename(*object);
	makefile = kdir_makefile(srcdir, dir);
	if (!makefile)
		return;
	g_free(d->file);
	d->file = makefile;
	full = g_build_filename(srcdir, makefile, NULL);
	if (g_file_get_contents(full, &text, NULL, NULL))
		d->line = kconf_line(text, base);
}

/* "mm/Makefile:12: *** missing separator." */
static void place_line(struct diag *d, char **object)
{
	char *stars = strstr(d->message, ": *** "), *colon;
	g_autofree char *where = NULL, *message = NULL;

	if (!stars)
		return;
	where = g_strndup(d->message, stars - d->message);
	colon = strrchr(where, ':');
	if (!colon)
		return;
	d->line = strtoul(colon + 1, NULL, 10);
	*colon = '\0';
	g_free(d->file);
	d->file = g_strdup(where);
	g_free(*object);
	*object = g_strdup(where);
	message = g_strdup(stars + strlen(": *** "));
	g_free(d->message);
	d->message = g_steal_pointer(&message);
}

struct diag *follow_diag(const char *text, const char *srcdir, char **object)
{
	struct diag *d = diag_say(DIAG_ERROR, "kbuild", "", "", 0, g_strdup(text));

	if (g_str_has_suffix(d->message, "."))
		d->message[strlen(d->message) - 1] = '\0';
	*object = g_strdup(text);
	if (g_str_has_prefix(text, "unmet direct dependencies"))
		d->kind = DIAG_WARNING;
	else if (g_str_has_prefix(text, "No rule to make target"))
		place_target(d, srcdir, object);
	else
		place_line(d, object);
	d->message[0] = g_ascii_tolower(d->message[0]);
	return d;
}

static struct missing *find(struct follow *f, const struct follow_work *w,
			    const char *text)
{
	for (guint i = 0; i < f->missing->len; i++) {
		struct missing *m = f->missing->pdata[i];

		if (m->v == w->v && m->ask == w->ask && !strcmp(m->text, text))
			return m;
	}
	return NULL;
}

static bool has(const GPtrArray *texts, const char *text)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)texts, text,
						g_str_equal, NULL);
}

/*
 * The result at this step.  It read nothing that a patch could touch: when
 * it is to be asked again is known here, not to attrib.
 */
static void add_job(struct follow_work *w, const struct missing *m,
		    struct diag *d)
{
	struct job *job = job_new(check_find("kbuild"), w->v, m->tu, NULL, w->n,
				  WHY_SOURCE);

	job->diags = diag_array_new();
	job->deps = g_strsplit("O/kbuild", "\n", -1);
	if (d)
		g_ptr_array_add(job->diags, d);
	job_set_outcome(job, d ? OUTCOME_FINDINGS : OUTCOME_PASS, NULL);
	g_ptr_array_add(w->out->jobs, job);
}

/* make does not say where: at what the patch touches. */
static void place_otherwise(const struct follow_work *w, struct diag *d)
{
	const struct diff *change = run_change(w->run, w->n - 1, w->n);
	const char *file = w->ask == ASK_MADE ? w->blame_made :
			   w->ask == ASK_CONFIG ? w->blame : "";

	if (*d->file)
		return;
	if (!file && change->files->len)
		file = file_diff_path(change->files->pdata[0]);
	g_free(d->file);
	d->file = g_strdup(file ? file : "");
}

static char **copy_targets(const struct follow_work *w)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; w->ask == ASK_MADE && i < w->targets->len; i++)
		g_ptr_array_add(list, g_strdup(w->targets->pdata[i]));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

static void take_new(struct follow_work *w, const char *text, bool old)
{
	struct missing *m = g_new0(struct missing, 1);
	char *object;
	struct diag *d = follow_diag(text, w->run->cur, &object);

	place_otherwise(w, d);
	m->v = w->v;
	m->ask = w->ask;
	m->targets = copy_targets(w);
	m->text = g_strdup(text);
	m->old = old;
	m->live = true;
	m->tu = g_new0(struct tu, 1);
	m->tu->object = object;
	m->tu->source = g_strdup("");
	m->tu->since = w->n;
	g_ptr_array_add(follow_state(w->run)->missing, m);
	if (old) {
		diag_free(d);
		return;
	}
	m->file = g_strdup(d->file);
	g_hash_table_add(w->moved, g_strdup(d->file));
	add_job(w, m, d);
}

/* What was known already: is it still there? */
static void take_known(struct follow_work *w, struct missing *m, bool live)
{
	g_autofree char *object = NULL;
	struct diag *d = live ? follow_diag(m->text, w->run->cur, &object) :
				NULL;

	if (d && !*d->file) {
		g_free(d->file);
		d->file = g_strdup(m->file);
	}
	if (!m->old && (live || m->live))
		add_job(w, m, d);
	else
		diag_free(d);
	m->live = live;
}

/* What make or kconfig complains of in the tree that run->cur holds now. */
static int complaints_now(struct follow_work *w, const char *dir,
			  GPtrArray *texts, GError **error)
{
	g_autofree char *before = NULL, *after = NULL;
	struct compdb *now;
	int ret;

	if (w->ask == ASK_MADE)
		return follow_made_complaints(w, texts, error);
	if (w->ask == ASK_CONFIG)
		return kbuild_step_config(w->step, &before, &after, texts, error);
	now = compdb_new();
	ret = kbuild_step_dry_run(w->step, dir, now, texts, error);
	compdb_free(now);
	return ret;
}

int follow_back(struct run *run, unsigned int n, int ret, GError **error)
{
	GError *err = NULL;

	if (!repo_checkout(run->repo, run_step(run, n)->tree, run->cur, NULL,
			   &err))
		return ret;
	g_clear_error(error);
	g_propagate_error(error, err);
	return -1;
}

/*
 * Asks the same at the step before: only when there is a complaint.  What that
 * makes of the copy is made again.
 */
static GPtrArray *complaints_before(struct follow_work *w, const char *dir,
				    GError **error)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) again = g_ptr_array_new_with_free_func(g_free);
	struct run *run = w->run;
	int ret = repo_checkout(run->repo, run_step(run, w->n - 1)->tree,
				run->cur, NULL, error);

	if (!ret)
		ret = complaints_now(w, dir, texts, error);
	ret = follow_back(run, w->n, ret, error);
	if (!ret && w->ask != ASK_BUILD)
		ret = complaints_now(w, dir, again, error);
	if (!ret)
		return texts;
	g_ptr_array_unref(texts);
	return NULL;
}

int follow_complain(struct follow_work *w, const char *dir,
		    const GPtrArray *texts, GError **error)
{
	struct follow *f = follow_state(w->run);
	g_autoptr(GPtrArray) before = NULL;

	for (guint i = 0; i < f->missing->len; i++) {
		struct missing *m = f->missing->pdata[i];

		if (m->v == w->v && m->ask == w->ask &&
		    path_is_below(m->tu->object, dir))
			take_known(w, m, has(texts, m->text));
	}
	for (guint i = 0; i < texts->len; i++) {
		const char *text = texts->pdata[i];

		if (find(f, w, text))
			continue;
		if (!before)
			before = complaints_before(w, dir, error);
		if (!before)
			return -1;
		take_new(w, text, has(before, text));
	}
	return 0;
}
