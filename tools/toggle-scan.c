// SPDX-License-Identifier: GPL-2.0
/*
 * The symbols that a patch hangs on, found while the checkout stands at it.
 * Which headers a file reads is known from its compile, so declarations are
 * looked for in those and in no others.
 */
#include <string.h>
#include "cover.h"
#include "follow.h"
#include "impact.h"
#include "kconf.h"
#include "toggle-run.h"

static bool is_header(const char *path)
{
	return !g_str_has_prefix(path, "O/") && !g_str_has_suffix(path, ".c");
}

/* The lines that follow removed ones, in the post-image. */
static GArray *removed_lines(const struct file_diff *fd)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = fd->hunks->pdata[h];
		guint at = MAX(hunk->new_start, 1);

		for (guint i = 0; i < hunk->lines->len; i++) {
			struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);

			if (l->op == '-')
				g_array_append_val(lines, at);
			at += l->op != '-';
		}
	}
	return lines;
}

/* Those of @job's headers that mention a name which has a condition. */
static GPtrArray *headers_with(const struct run *run, const struct job *job,
			       GHashTable *names, GHashTable *conditional)
{
	g_autoptr(GPtrArray) some = g_ptr_array_new();
	g_autoptr(GHashTable) texts = g_hash_table_new_full(g_str_hash,
				g_str_equal, NULL, (GDestroyNotify)ctext_free);
	GPtrArray *paths = g_ptr_array_new();

	for (char **d = job->deps; d && *d; d++) {
		g_autofree char *full = NULL, *text = NULL;
		struct ctext *t;
		gsize len;

		if (!is_header(*d) || g_hash_table_contains(texts, *d))
			continue;
		full = g_build_filename(run->cur, *d, NULL);
		if (!g_file_get_contents(full, &text, &len, NULL))
			continue;
		t = ctext_new(text, len);
		if (toggle_mentions(t, names, conditional)) {
			g_hash_table_insert(texts, *d, t);
			g_ptr_array_add(some, *d);
		} else {
			ctext_free(t);
		}
	}
	/* Only now all the names are known that have one somewhere. */
	for (guint i = 0; i < some->len; i++) {
		struct ctext *t = g_hash_table_lookup(texts, some->pdata[i]);
		g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash,
							      g_str_equal);

		if (toggle_mentions(t, conditional, seen))
			g_ptr_array_add(paths, some->pdata[i]);
	}
	return paths;
}

static int read_decls(const struct run *run, const GPtrArray *paths,
		      GHashTable *names, GPtrArray *decls, GError **error)
{
	g_autoptr(GHashTable) found = NULL;
	GHashTableIter it;
	gpointer path, entities;

	if (!paths->len)
		return 0;
	found = entity_scan_many(run->cur, paths, error);
	if (!found)
		return -1;
	g_hash_table_iter_init(&it, found);
	while (g_hash_table_iter_next(&it, &path, &entities)) {
		g_autofree char *full = g_build_filename(run->cur, path, NULL);
		g_autofree char *text = NULL;
		g_autoptr(GPtrArray) conditions = NULL;
		gsize len;

		if (!g_file_get_contents(full, &text, &len, NULL))
			continue;
		conditions = condition_scan(text, len);
		toggle_decls(decls, names, path, conditions, entities);
	}
	return 0;
}

/* A job that compiles @path; of the host's own architecture if there is one. */
static const struct job *find_reader(const struct run *run,
				     const GPtrArray *jobs, const char *path)
{
	const struct job *found = NULL;

	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = run->variants->pdata[i];
		const struct job *job = cover_reader(jobs, v, path);

		if (job && !*v->cross)
			return job;
		found = found ? found : job;
	}
	return found;
}

/* Which symbols decide on the declaration of what the added lines use. */
static int scan_declared(struct run *run, GPtrArray *list,
			 const struct toggle_file *f, const struct job *job,
			 GError **error)
{
	g_autoptr(GHashTable) names = toggle_names(f);
	g_autoptr(GHashTable) conditional = g_hash_table_new(g_str_hash,
							     g_str_equal);
	g_autoptr(GPtrArray) paths = NULL, decls = toggle_decls_new();
	g_autoptr(GHashTable) config = NULL;

	config = toggle_config(follow_odir(run, job->variant, f->n));
	if (!config)
		return 0;
	toggle_mentions(f->t, names, conditional);
	paths = headers_with(run, job, names, conditional);
	if (read_decls(run, paths, conditional, decls, error))
		return -1;
	if (!g_ptr_array_find_with_equal_func(paths, f->path, g_str_equal, NULL))
		toggle_decls(decls, conditional, f->path, f->conditions,
			     f->entities);
	toggle_declared(list, f, names, decls, toggle_value, config);
	return 0;
}

static int scan_text(struct run *run, GPtrArray *list,
		     const struct file_diff *fd, unsigned int n,
		     const GPtrArray *jobs, const char *text, gsize len,
		     GError **error)
{
	g_autofree char *full = g_build_filename(run->cur, fd->new_path, NULL);
	g_autoptr(ctext_t) t = ctext_new(text, len);
	g_autoptr(GPtrArray) conditions = condition_scan_ctext(t);
	g_autoptr(GPtrArray) entities = entity_scan(full, error);
	g_autoptr(GArray) added = cover_added(fd), removed = removed_lines(fd);
	struct toggle_file f = { fd->new_path, n, t, conditions, entities,
				 added, removed };
	const struct job *job = find_reader(run, jobs, fd->new_path);

	if (!entities)
		return -1;
	toggle_near(list, &f);
	return job && added->len ? scan_declared(run, list, &f, job, error) : 0;
}

/* What decides on a whole file is no choice inside of it. */
static void drop_deciding(struct run *run, GPtrArray *list, const char *path)
{
	for (guint i = 0; i < list->len;) {
		const struct toggle *t = list->pdata[i];

		if (!strcmp(t->path, path) &&
		    follow_hangs_on(run, path, t->symbol))
			g_ptr_array_remove_index(list, i);
		else
			i++;
	}
}

static int scan_file(struct run *run, const struct file_diff *fd,
		     unsigned int n, const GPtrArray *jobs, GError **error)
{
	g_autofree char *full = g_build_filename(run->cur, fd->new_path, NULL);
	g_autofree char *text = NULL;
	g_autoptr(GPtrArray) list = toggle_list_new();
	enum change_kind kind = change_kind_of(fd->new_path);
	gsize len;

	if ((kind != CHANGE_SOURCE && kind != CHANGE_HEADER) ||
	    !g_file_get_contents(full, &text, &len, NULL))
		return 0;
	if (scan_text(run, list, fd, n, jobs, text, len, error))
		return -1;
	if (kind == CHANGE_SOURCE)
		drop_deciding(run, list, fd->new_path);
	g_ptr_array_set_free_func(list, NULL);
	for (guint i = 0; i < list->len; i++)
		toggle_add(run->toggles, list->pdata[i]);
	return 0;
}

int toggle_step(struct run *run, unsigned int n, const GPtrArray *jobs,
		GError **error)
{
	const struct diff *d = run_change(run, n - 1, n);

	for (guint i = 0; run->toggle_max && i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (fd->new_path && !fd->is_binary &&
		    scan_file(run, fd, n, jobs, error))
			return -1;
	}
	return 0;
}
