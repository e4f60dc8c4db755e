// SPDX-License-Identifier: GPL-2.0
/*
 * "Nothing new" about a line that no variant compiled would be a false green.
 * Which branch of an #if is taken is asked of the compiler itself: a branch of
 * which -E -dD leaves nothing is not compiled.
 */
#include "condition.h"
#include "cover.h"
#include "defines.h"
#include "run.h"

static bool is_blank(const struct diff_line *l)
{
	for (gsize i = 0; i < l->len; i++)
		if (!g_ascii_isspace(l->text[i]))
			return false;
	return true;
}

GArray *cover_added(const struct file_diff *fd)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = g_ptr_array_index(fd->hunks, h);
		guint at = hunk->new_start;

		for (guint i = 0; i < hunk->lines->len; i++) {
			struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);

			if (l->op == '+' && !is_blank(l))
				g_array_append_val(lines, at);
			at += l->op != '-';
		}
	}
	return lines;
}

GHashTable *cover_emitted(const char *text, const char *srcdir,
			  const char *path)
{
	GHashTable *set = g_hash_table_new(NULL, NULL);
	g_autofree char *full = g_strdup_printf("\"%s/%s\"", srcdir, path);
	gsize n = strlen(full);
	bool inside = false;
	guint at = 0;

	for (const char *p = text; *p;) {
		const char *end = strchrnul(p, '\n');

		if (p[0] == '#' && p[1] == ' ' && g_ascii_isdigit(p[2])) {
			const char *quote = memchr(p, '"', end - p);

			at = strtoul(p + 2, NULL, 10);
			inside = quote && (gsize)(end - quote) >= n &&
				 !strncmp(quote, full, n);
		} else {
			if (inside && end > p)
				g_hash_table_add(set, GUINT_TO_POINTER(at));
			at++;
		}
		p = *end ? end + 1 : end;
	}
	return set;
}

/* The innermost branch that holds @line; NULL: it is under no #if. */
static const struct condition *innermost(const GPtrArray *conditions,
					 guint line)
{
	g_autoptr(GPtrArray) at = condition_at(conditions, line);

	return at->len ? g_ptr_array_index(at, at->len - 1) : NULL;
}

static bool is_compiled(const struct condition *c, GHashTable *emitted)
{
	if (!c)
		return true;
	for (guint l = c->start; l <= c->end; l++)
		if (g_hash_table_contains(emitted, GUINT_TO_POINTER(l)))
			return true;
	return false;
}

void cover_remove(GArray *lines, const GPtrArray *conditions,
		  GHashTable *emitted)
{
	for (guint i = 0; i < lines->len;) {
		guint line = g_array_index(lines, guint, i);

		if (is_compiled(innermost(conditions, line), emitted))
			g_array_remove_index(lines, i);
		else
			i++;
	}
}

const struct job *cover_reader(const GPtrArray *jobs, const struct variant *v,
			       const char *path)
{
	const struct job *found = NULL;

	for (guint i = 0; i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);

		if (job->variant != v || !job_usable(job))
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

/* "12", "12-14" for each run of neighbours with one condition. */
static void note_lines(struct run *run, unsigned int n, const char *path,
		       const GArray *lines, const GPtrArray *conditions)
{
	for (guint i = 0, j; i < lines->len; i = j) {
		guint from = g_array_index(lines, guint, i), to = from;
		const struct condition *c = innermost(conditions, from);
		g_autofree char *what = NULL, *why = NULL;

		for (j = i + 1; j < lines->len; j++) {
			guint line = g_array_index(lines, guint, j);

			if (innermost(conditions, line) != c)
				break;
			to = line;
		}
		what = from == to ? g_strdup_printf("%s:%u", path, from) :
			g_strdup_printf("%s:%u-%u", path, from, to);
		why = g_strdup_printf("no variant compiles it: only where %s",
				      c ? c->text : "another file includes it");
		run_gap(run, n, NULL, what, why);
	}
}

/* A comment needs no compiler. */
static void drop_comments(GArray *lines, const char *text, gsize len)
{
	struct ctext *t = ctext_new(text, len);

	for (guint i = 0; i < lines->len;) {
		if (ctext_blank(t, g_array_index(lines, guint, i)))
			g_array_remove_index(lines, i);
		else
			i++;
	}
	ctext_free(t);
}

static void cover_file(struct run *run, unsigned int n,
		       const struct file_diff *fd, const GPtrArray *jobs)
{
	g_autofree char *full = g_build_filename(run->cur, fd->new_path, NULL);
	g_autoptr(GArray) lines = cover_added(fd);
	g_autoptr(GPtrArray) conditions = NULL;
	g_autofree char *file = NULL;
	bool any = false;
	gsize len;

	if (!lines->len || !g_file_get_contents(full, &file, &len, NULL))
		return;
	drop_comments(lines, file, len);
	conditions = condition_scan(file, len);
	for (guint v = 0; v < run->variants->len && lines->len; v++) {
		const struct job *job = cover_reader(jobs,
			g_ptr_array_index(run->variants, v), fd->new_path);
		g_autoptr(GHashTable) emitted = g_hash_table_new(NULL, NULL);
		g_autofree char *text = NULL;

		if (!job)
			continue;
		any = true;
		cover_remove(lines, conditions, emitted);
		if (!lines->len)
			break;
		text = defines_text(run->runner, job, run->cur);
		g_clear_pointer(&emitted, g_hash_table_unref);
		emitted = text ? cover_emitted(text, run->cur, fd->new_path) :
			g_hash_table_new(NULL, NULL);
		cover_remove(lines, conditions, emitted);
	}
	/* A file that nobody compiles is a gap of its own, see plan.c. */
	if (any)
		note_lines(run, n, fd->new_path, lines, conditions);
}

void cover_step(struct run *run, unsigned int n, const GPtrArray *jobs)
{
	const struct diff *d = run_change(run, n - 1, n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = g_ptr_array_index(d->files, i);

		if (fd->new_path && !fd->is_binary)
			cover_file(run, n, fd, jobs);
	}
}
