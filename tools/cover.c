// SPDX-License-Identifier: GPL-2.0
/*
 * "Nothing new" about a line that no variant compiled would be a false green.
 * Which branch of an #if is taken is asked of the compiler itself: a branch of
 * which -E -dD leaves nothing is not compiled.
 */
#include "condition.h"
#include "cover.h"
#include "ctext.h"

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

const struct condition *cover_branch(const GPtrArray *conditions,
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

		if (is_compiled(cover_branch(conditions, line), emitted))
			g_array_remove_index(lines, i);
		else
			i++;
	}
}

guint cover_map(const struct file_diff *fd, guint line)
{
	gint moved = 0;

	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = g_ptr_array_index(fd->hunks, h);
		guint old = hunk->old_start, new = hunk->new_start;

		if (line < old || (!hunk->old_count && line == old))
			break;
		for (guint i = 0; i < hunk->lines->len; i++) {
			char op = g_array_index(hunk->lines, struct diff_line,
						i).op;

			if (op != '+' && old == line)
				return op == '-' ? 0 : new;
			old += op != '+';
			new += op != '-';
		}
		moved += (gint)hunk->new_count - (gint)hunk->old_count;
	}
	return line + moved;
}

void cover_drop_comments(GArray *lines, const struct ctext *t)
{
	for (guint i = 0; i < lines->len;) {
		if (ctext_blank(t, g_array_index(lines, guint, i)))
			g_array_remove_index(lines, i);
		else
			i++;
	}
}
