// SPDX-License-Identifier: GPL-2.0
#include "patchtext.h"

static void add_hunk(GString *s, const struct hunk *h)
{
	g_string_append_printf(s, "@@ -%u,%u +%u,%u @@\n", h->old_start,
			       h->old_count, h->new_start, h->new_count);
	for (guint i = 0; i < h->lines->len; i++) {
		const struct diff_line *l = &g_array_index(h->lines,
							struct diff_line, i);

		g_string_append_c(s, l->op);
		g_string_append_len(s, l->text, l->len);
		if (l->no_eol)
			g_string_append(s, "\n\\ No newline at end of file\n");
	}
}

static void add_file(GString *s, const struct file_diff *fd)
{
	const char *old = fd->old_path ?: fd->new_path;
	const char *new = fd->new_path ?: fd->old_path;

	g_string_append_printf(s, "diff --git a/%s b/%s\n", old, new);
	if (!fd->old_path)
		g_string_append_printf(s, "new file mode %o\n",
				       fd->new_mode ?: 0100644);
	else if (!fd->new_path)
		g_string_append_printf(s, "deleted file mode %o\n",
				       fd->old_mode ?: 0100644);
	else if (fd->old_mode && fd->new_mode && fd->old_mode != fd->new_mode)
		g_string_append_printf(s, "old mode %o\nnew mode %o\n",
				       fd->old_mode, fd->new_mode);
	if (fd->is_rename)
		g_string_append_printf(s, "rename from %s\nrename to %s\n",
				       old, new);
	if (fd->is_binary || !fd->hunks || !fd->hunks->len)
		return;
	g_string_append_printf(s, "--- %s%s\n+++ %s%s\n",
			       fd->old_path ? "a/" : "/dev/null",
			       fd->old_path ?: "",
			       fd->new_path ? "b/" : "/dev/null",
			       fd->new_path ?: "");
	for (guint i = 0; i < fd->hunks->len; i++)
		add_hunk(s, fd->hunks->pdata[i]);
}

char *patch_text(const struct patch *p, const struct diff *d, gsize *len)
{
	GString *s = g_string_new("");
	const char *body = strchr(p->message ?: "", '\n');

	g_string_append_printf(s, "From: %s <%s>\nSubject: [PATCH] %s\n",
			       p->author_name, p->author_email, p->subject);
	g_string_append(s, body ? body + 1 : "\n");
	if (s->str[s->len - 1] != '\n')
		g_string_append_c(s, '\n');
	g_string_append(s, "---\n");
	for (guint i = 0; i < d->files->len; i++)
		add_file(s, d->files->pdata[i]);
	g_string_append(s, "-- \nrespin\n");
	*len = s->len;
	return g_string_free(s, FALSE);
}
