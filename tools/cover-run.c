// SPDX-License-Identifier: GPL-2.0
/*
 * Which added lines no variant has compiled so far.  A line is taken out by the
 * first variant of any stage that compiles it; what is left is a gap.
 */
#include <string.h>
#include "checkset.h"
#include "check.h"
#include "condition.h"
#include "cover-run.h"
#include "defines.h"
#include "states.h"

static void uncovered_free(gpointer data)
{
	struct uncovered *u = data;

	g_free(u->path);
	g_array_unref(u->lines);
	g_ptr_array_unref(u->conditions);
	g_free(u);
}

GPtrArray *uncovered_list_new(void)
{
	return g_ptr_array_new_with_free_func(uncovered_free);
}

const struct job *cover_reader(const GPtrArray *jobs, const struct variant *v,
			       const char *path)
{
	const struct job *found = NULL;

	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);

		if (job->variant != v || !job_usable(job) ||
		    strcmp(job->check->name, "gcc"))
			continue;
		if (!g_strcmp0(job->header, path) ||
		    (!job->header && !strcmp(job->tu->source, path)))
			return job;
		for (char **d = job->deps; !found && d && *d; d++)
			if (!strcmp(*d, path))
				found = job;
	}
	return found;
}

static struct uncovered *find(struct run *run, unsigned int n, const char *path)
{
	for (guint i = 0; i < run->uncovered->len; i++) {
		struct uncovered *u = run->uncovered->pdata[i];

		if (u->n == n && !strcmp(u->path, path))
			return u;
	}
	return NULL;
}

static char *read_cur(const struct run *run, const char *path, gsize *len)
{
	g_autofree char *full = g_build_filename(run->cur, path, NULL);
	char *text = NULL;

	return g_file_get_contents(full, &text, len, NULL) ? text : NULL;
}

static struct uncovered *add(struct run *run, unsigned int n,
			     const struct file_diff *fd)
{
	g_autoptr(GArray) lines = cover_added(fd);
	g_autofree char *text = NULL;
	g_autoptr(ctext_t) t = NULL;
	struct uncovered *u;
	gsize len;

	if (!lines->len)
		return NULL;
	text = read_cur(run, fd->new_path, &len);
	if (!text)
		return NULL;
	t = ctext_new(text, len);
	cover_drop_comments(lines, t);
	u = g_new0(struct uncovered, 1);
	u->n = n;
	u->path = g_strdup(fd->new_path);
	u->lines = g_steal_pointer(&lines);
	u->conditions = condition_scan_ctext(t);
	g_ptr_array_add(run->uncovered, u);
	return u;
}

/* Takes out of @lines what @job (NULL: nothing) compiles of @path. */
static void narrow_by(struct run *run, struct uncovered *u, const char *path,
		      GArray *lines, const GPtrArray *conditions,
		      const struct job *job)
{
	g_autoptr(GHashTable) emitted = g_hash_table_new(NULL, NULL);
	g_autofree char *text = NULL;

	if (!job || !lines->len)
		return;
	u->read = true;
	cover_remove(lines, conditions, emitted);
	text = lines->len ? defines_text(run->runner, job, run->cur) : NULL;
	if (!text)
		return;
	g_hash_table_unref(emitted);
	emitted = cover_emitted(text, run->cur, path);
	cover_remove(lines, conditions, emitted);
}

static const struct job *job_of(const GPtrArray *jobs, const struct variant *v,
				const struct tu *tu)
{
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);

		if (job->variant == v && job->tu == tu && !job->header &&
		    job_usable(job))
			return job;
	}
	return NULL;
}

/*
 * The same of the jobs at hand as @path is now: one that reads it and, for
 * lines that hang on what was included before, those that know this.
 */
static void narrow(struct run *run, struct uncovered *u, const char *path,
		   GArray *lines, const GPtrArray *conditions,
		   const GPtrArray *jobs)
{
	for (guint i = 0; i < run->variants->len && lines->len; i++) {
		const struct variant *v = run->variants->pdata[i];
		const GPtrArray *readers = states_readers(run, v, path);

		narrow_by(run, u, path, lines, conditions,
			  cover_reader(jobs, v, path));
		for (guint k = 0; readers && k < readers->len; k++)
			narrow_by(run, u, path, lines, conditions,
				  job_of(jobs, v, readers->pdata[k]));
	}
}

/* "12", "12-14" for a run of neighbours with one condition. */
char *cover_what(const struct uncovered *u, guint i, guint *next,
		 const struct condition **c)
{
	guint from = g_array_index(u->lines, guint, i), to = from, j;

	*c = cover_branch(u->conditions, from);
	for (j = i + 1; j < u->lines->len; j++) {
		guint line = g_array_index(u->lines, guint, j);

		if (cover_branch(u->conditions, line) != *c)
			break;
		to = line;
	}
	*next = j;
	return from == to ? g_strdup_printf("%s:%u", u->path, from) :
		g_strdup_printf("%s:%u-%u", u->path, from, to);
}

/* A file that nobody compiles is a gap by plan.c; what --cover says of it. */
static void say_file(struct run *run, const struct uncovered *u)
{
	const struct condition *c = u->lines->len ? cover_branch(u->conditions,
				g_array_index(u->lines, guint, 0)) : NULL;
	g_autofree char *id = cover_id(u, c);
	const char *why = g_hash_table_lookup(run->cover_whys, id);

	if (why)
		run_gap(run, u->n, NULL, u->path, why)->lines = true;
}

static void say(struct run *run, const struct uncovered *u)
{
	if (!u->read)
		say_file(run, u);
	for (guint i = 0; u->read && i < u->lines->len;) {
		const struct condition *c;
		g_autofree char *what = cover_what(u, i, &i, &c);
		g_autofree char *why = cover_why(run, u, c);

		run_gap(run, u->n, NULL, what, why)->lines = true;
	}
}

/* Of patch @n, 0: of all. */
static void say_again(struct run *run, unsigned int n)
{
	for (guint i = 0; i < run->gaps->len;) {
		const struct gap *g = g_ptr_array_index(run->gaps, i);

		if (g->lines && (!n || g->n == n))
			g_ptr_array_remove_index(run->gaps, i);
		else
			i++;
	}
	for (guint i = 0; i < run->uncovered->len; i++) {
		const struct uncovered *u = run->uncovered->pdata[i];

		if (!n || u->n == n)
			say(run, u);
	}
}

void cover_gaps(struct run *run)
{
	say_again(run, 0);
}

/* What --cover found out comes after the condition. */
char *cover_why(const struct run *run, const struct uncovered *u,
		const struct condition *c)
{
	g_autofree char *id = cover_id(u, c);
	const char *more = g_hash_table_lookup(run->cover_whys, id);

	return g_strdup_printf("no variant compiles it: only where %s%s%s",
			       c ? c->text : "another file includes it",
			       more ? "; " : "", more ? more : "");
}

char *cover_id(const struct uncovered *u, const struct condition *c)
{
	return g_strdup_printf("%u %s %u", u->n, u->path, c ? c->line : 0);
}

void cover_step(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	const struct diff *d = run_change(run, n - 1, n);

	/* a run without the compiler says that it is left out, once */
	for (guint i = 0; checkset_has(run->checks, "gcc") &&
	     i < d->files->len; i++) {
		const struct file_diff *fd = g_ptr_array_index(d->files, i);
		struct uncovered *u;

		if (!fd->new_path || fd->is_binary)
			continue;
		u = find(run, n, fd->new_path);
		if (!u)
			u = add(run, n, fd);
		if (!u)
			continue;
		narrow(run, u, u->path, u->lines, u->conditions, jobs);
	}
	say_again(run, n);
}

/* What changed in @path between @from and the last step; NULL: nothing. */
static const struct file_diff *change_of(struct run *run, unsigned int from,
					 const char *path)
{
	const struct diff *d = run_change(run, from, run_steps(run));

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (!g_strcmp0(fd->old_path, path))
			return fd;
	}
	return NULL;
}

/* The lines of @u that are there at the last step, as they count there. */
static GArray *at_tip(const struct uncovered *u, const struct file_diff *fd)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 0; i < u->lines->len; i++) {
		guint line = g_array_index(u->lines, guint, i);

		line = fd ? cover_map(fd, line) : line;
		if (line)
			g_array_append_val(lines, line);
	}
	return lines;
}

static bool contains(const GArray *lines, guint line)
{
	for (guint i = 0; i < lines->len; i++)
		if (g_array_index(lines, guint, i) == line)
			return true;
	return false;
}

static void narrow_at_tip(struct run *run, struct uncovered *u,
			  const GPtrArray *jobs)
{
	const struct file_diff *fd = u->n < run_steps(run) ?
		change_of(run, u->n, u->path) : NULL;
	const char *path = fd ? fd->new_path : u->path;
	g_autofree char *text = NULL;
	g_autoptr(GPtrArray) conditions = NULL;
	g_autoptr(GArray) lines = NULL;
	gsize len;

	text = path ? read_cur(run, path, &len) : NULL;
	if (!text)
		return;
	conditions = condition_scan(text, len);
	lines = at_tip(u, fd);
	narrow(run, u, path, lines, conditions, jobs);
	for (guint i = 0; i < u->lines->len;) {
		guint line = g_array_index(u->lines, guint, i);

		line = fd ? cover_map(fd, line) : line;
		if (line && !contains(lines, line))
			g_array_remove_index(u->lines, i);
		else
			i++;
	}
}

void cover_tip(struct run *run, const GPtrArray *jobs)
{
	for (guint i = 0; i < run->uncovered->len; i++) {
		struct uncovered *u = run->uncovered->pdata[i];

		if (u->lines->len)
			narrow_at_tip(run, u, jobs);
	}
	cover_gaps(run);
}
