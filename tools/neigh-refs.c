// SPDX-License-Identifier: GPL-2.0
/*
 * References to files: from anywhere to Documentation/, and the patterns of
 * MAINTAINERS.  Both break when a file goes, or by a line that is added.
 */
#include "neigh-int.h"

static bool adds_text(const struct file_diff *fd, const char *const *texts)
{
	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = fd->hunks->pdata[h];

		for (guint i = 0; i < hunk->lines->len; i++) {
			struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);

			for (const char *const *t = texts; l->op == '+' && *t; t++)
				if (g_strstr_len(l->text, l->len, *t))
					return true;
		}
	}
	return false;
}

static bool goes(const struct file_diff *fd)
{
	return fd->old_path && (!fd->new_path || fd->is_rename);
}

static bool breaks_refs(const struct file_diff *fd)
{
	/* What scripts/documentation-file-ref-check looks for. */
	static const char *const refs[] = { "Documentation/", ":doc:`", NULL };

	return (goes(fd) && g_str_has_prefix(fd->old_path, "Documentation/")) ||
	       (fd->new_path && adds_text(fd, refs));
}

static bool breaks_kdoc(const struct file_diff *fd)
{
	static const char *const refs[] = { "kernel-doc::", NULL };

	return goes(fd) || (fd->new_path && adds_text(fd, refs));
}

static bool breaks_patterns(const struct file_diff *fd)
{
	static const char *const patterns[] = { "F:", "X:", NULL };

	return goes(fd) || (!g_strcmp0(fd->new_path, "MAINTAINERS") &&
			    adds_text(fd, patterns));
}

void neigh_refs(struct run *run, unsigned int n, GPtrArray *jobs)
{
	static const char script[] = "scripts/documentation-file-ref-check";
	const struct diff *d = run_change(run, n - 1, n);
	bool refs = false, patterns = false, kdoc = false;

	for (guint i = 0; i < d->files->len; i++) {
		refs |= breaks_refs(d->files->pdata[i]);
		kdoc |= breaks_kdoc(d->files->pdata[i]);
		patterns |= breaks_patterns(d->files->pdata[i]);
	}
	if (refs && neigh_has(run->cur, script))
		neigh_add(run, n, jobs, "docref", NULL, "Documentation/", script);
	if (kdoc && neigh_has(run->cur, "Documentation/index.rst"))
		neigh_add(run, n, jobs, "kdocref", NULL, "Documentation/*.rst",
			  "Documentation/index.rst");
	if (patterns && neigh_has(run->cur, "MAINTAINERS"))
		neigh_add(run, n, jobs, "maintainers", NULL, "MAINTAINERS",
			  "MAINTAINERS");
}
