// SPDX-License-Identifier: GPL-2.0
/*
 * What is asked of each file that a patch touches, whatever the configuration.
 * The rules and scripts are respin's and the base's, never the patched tree's:
 * they are put beside the checkouts, under names that change with their text.
 */
#include <string.h>
#include "check.h"
#include "checkset.h"
#include "coccirules.h"
#include "file-job.h"
#include "neigh-int.h"
#include "nrparams.h"
#include "patchtext.h"
#include "order-plan.h"
#include "override-plan.h"

/* Writes @text as @stem-HASH@suffix into the directory of the host. */
static char *put(const char *dir, const char *stem, const char *suffix,
		 const char *text)
{
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA1,
							      text, -1);
	g_autofree char *name = g_strdup_printf("%s-%.12s%s", stem, hash, suffix);
	char *path = g_build_filename(dir, name, NULL);

	if (g_file_test(path, G_FILE_TEST_EXISTS) ||
	    g_file_set_contents(path, text, -1, NULL))
		return path;
	g_free(path);
	return NULL;
}

static char *put_script(struct run *run, const char *dir, const char *path,
			const char *stem)
{
	g_autoptr(GBytes) blob = repo_blob(run->repo, run_step(run, 0)->tree,
					   path);
	g_autofree char *text = NULL;
	const char *data;
	gsize len;

	if (!blob)
		return NULL;
	data = g_bytes_get_data(blob, &len);
	text = g_strndup(data, len);
	return put(dir, stem, "", text);
}

static bool is_c(const char *path)
{
	return g_str_has_suffix(path, ".c") || g_str_has_suffix(path, ".h");
}

/* Of the base, and of what the series adds to it: one table for all steps. */
static char *table_of(struct run *run)
{
	g_autoptr(GHashTable) table = nrparams_new();
	unsigned int last = run_steps(run);
	const struct diff *d = run_change(run, 0, last);

	nrparams_tree(table, run->prev);
	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];
		g_autoptr(GBytes) blob = fd->new_path && is_c(fd->new_path) ?
			repo_blob(run->repo, run_step(run, last)->tree,
				  fd->new_path) : NULL;
		gsize len = 0;
		const char *text = blob ? g_bytes_get_data(blob, &len) : NULL;

		if (text)
			nrparams_scan(table, text, len);
	}
	return nrparams_json(table);
}

/* Once for a run: [rules, table, kernel-doc] */
static char **tools_of(struct run *run, const struct variant *host)
{
	struct neigh *ne = neigh_state(run);
	g_autofree char *table = NULL;
	char **t = ne->file_tools;

	if (t)
		return t;
	table = table_of(run);
	t = g_new0(char *, 4);
	t[0] = put(host->odir, "rules", ".cocci", cocci_rules_text);
	t[1] = put(host->odir, "nr", ".json", table);
	t[2] = put_script(run, host->odir, "scripts/kernel-doc", "kernel-doc");
	for (int i = 0; i < 3; i++)
		if (!t[i])
			t[i] = g_strdup("");
	ne->file_tools = t;
	return t;
}

/* Its parent is the same file, under the name that it had. */
static const struct tu *file_tu(struct run *run, const struct variant *host,
				const struct file_diff *fd)
{
	char **t = tools_of(run, host);
	const char *old = fd->old_path ?: fd->new_path;
	const char *values[] = { fd->new_path, t[0], t[1], t[2], old, NULL };

	/* source: what must be there, or there is nothing to judge */
	return neigh_tu(run, fd->new_path, strcmp(old, fd->new_path) ?
			"Makefile" : fd->new_path, g_strdupv((char **)values));
}

static void ask(struct run *run, unsigned int n, GPtrArray *jobs,
		const char *name, const struct variant *host,
		const struct file_diff *fd)
{
	g_autofree char *what = g_strconcat(name, " ", fd->new_path, NULL);

	if (neigh_first(run, n, what, host->name))
		neigh_add_tu(run, n, jobs, name, host, file_tu(run, host, fd));
}

void neigh_files(struct run *run, unsigned int n, GPtrArray *jobs)
{
	static const char *const names[] = { "cocci", "kernel-doc" };
	const struct diff *d = run_change(run, n - 1, n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];
		const struct variant *host;

		if (!fd->new_path || !is_c(fd->new_path))
			continue;
		for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
			if (!run_has_check(run, names[k]))
				continue;
			host = neigh_host(run, n, fd->new_path);
			if (host)
				ask(run, n, jobs, names[k], host, fd);
		}
	}
	order_plan(run, n, jobs);
	override_plan(run, n, jobs);
}

/* The script with the lists that it reads from its own directory. */
static char *checkpatch_dir(struct run *run, const struct variant *host)
{
	static const char *const files[] = { "checkpatch.pl", "spelling.txt",
					     "const_structs.checkpatch" };
	g_autofree char *name = g_strdup_printf("checkpatch-%.12s",
						run_step(run, 0)->tree);
	g_autofree char *dir = g_build_filename(host->odir, name, NULL);

	if (g_mkdir_with_parents(dir, 0755))
		return NULL;
	for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename("scripts", files[i], NULL);
		g_autofree char *to = g_build_filename(dir, files[i], NULL);
		g_autoptr(GBytes) blob = repo_blob(run->repo,
					run_step(run, 0)->tree, path);
		gsize len = 0;
		const char *data = blob ? g_bytes_get_data(blob, &len) : NULL;

		if (!data || (!g_file_test(to, G_FILE_TEST_EXISTS) &&
			      !g_file_set_contents(to, data, len, NULL)))
			return NULL;
	}
	return g_steal_pointer(&dir);
}

void neigh_patch(struct run *run, unsigned int n, GPtrArray *jobs)
{
	const struct patch *p = run->series->patches->pdata[n - 1];
	g_autofree char *dir = NULL, *file = NULL, *text = NULL, *name = NULL;
	const struct variant *host;
	struct tu *tu;
	gsize len;

	if (!run_has_check(run, "checkpatch"))
		return;
	name = g_strdup_printf("patch %u", n);
	host = neigh_host(run, n, name);
	if (!host || !neigh_first(run, n, "checkpatch", host->name))
		return;
	dir = checkpatch_dir(run, host);
	text = patch_text(p, run_change(run, n - 1, n), &len);
	file = put(host->odir, "patch", "", text);
	if (!dir || !file) {
		run_gap(run, n, NULL, "checkpatch", "its scripts are not in the base, or "
			"cannot be copied")
			->keeps = true;
		return;
	}
	tu = (struct tu *)neigh_tu(run, name, "Makefile", g_strdupv((char *[])
				   { dir, file, NULL }));
	/* before it there is nothing to compare with */
	tu->since = n;
	neigh_add_tu(run, n, jobs, "checkpatch", host, tu);
}

/* Does @hunk change or add a line from @first to @last of the new file, or take
 * one out between them? */
static bool hunk_touches(const struct hunk *hunk, unsigned int first,
			 unsigned int last)
{
	unsigned int line = hunk->new_start;

	for (guint i = 0; i < hunk->lines->len; i++) {
		const struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);

		if (l->op != ' ' && line >= first && line <= last)
			return true;
		line += l->op != '-';
	}
	return false;
}

/* Does patch @n change or add a line of @path from @first to @last? */
static bool touches(struct run *run, unsigned int n, const char *path,
		    unsigned int first, unsigned int last)
{
	const struct diff *d = run_change(run, n - 1, n);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		for (guint h = 0; !g_strcmp0(fd->new_path, path) && fd->hunks &&
		     h < fd->hunks->len; h++)
			if (hunk_touches(fd->hunks->pdata[h], first, last))
				return true;
	}
	return false;
}

void neigh_files_unread(struct run *run, unsigned int n, GPtrArray *jobs)
{
	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = jobs->pdata[i];

		for (guint k = 0; job->done && k < job->diags->len;) {
			const struct diag *d = job->diags->pdata[k];
			g_autofree char *what = NULL;

			if (strcmp(d->rule, UNREAD_RULE)) {
				k++;
				continue;
			}
			what = g_strdup_printf("%s %s", d->file, d->message);
			if (job->step == n && touches(run, n, d->file, d->line,
						      d->column)) {
				g_autofree char *why = g_strdup_printf("%s cannot "
					"parse it", job->check->tool);

				/* it is not asked again in later stages */
				run_gap(run, n, NULL, what, why)->keeps = true;
			}
			g_ptr_array_remove_index(job->diags, k);
		}
	}
}
