// SPDX-License-Identifier: GPL-2.0
#include "ledger-map.h"

#define KEY(line) GUINT_TO_POINTER(line)

/* One changed file; the keys and values of in_place are line numbers. */
struct file_map {
	const struct file_diff *fd;
	GHashTable *in_place;	/* changed old line -> the new line */
	GHashTable *old_text;	/* old line in a hunk -> char * */
	GHashTable *new_text;
	GHashTable *old_run;	/* deleted line -> the run it is in, from 1 */
	GHashTable *new_run;	/* added line -> the same */
	unsigned int runs;
};

struct line_map {
	GHashTable *by_old;	/* old path -> struct file_map, which it owns */
	GHashTable *by_new;	/* new path -> struct file_map */
};

/* A run of changed lines: '-' lines, then '+' lines. */
struct run {
	unsigned int old_start, new_start;
	unsigned int deleted, added;
};

static void file_map_free(gpointer p)
{
	struct file_map *f = p;

	g_hash_table_unref(f->in_place);
	g_hash_table_unref(f->old_text);
	g_hash_table_unref(f->new_text);
	g_hash_table_unref(f->old_run);
	g_hash_table_unref(f->new_run);
	g_free(f);
}

/* gcc expands tabs in what it quotes, so blanks count as one. */
static char *squeeze(const char *s, gsize len)
{
	GString *out = g_string_sized_new(len);

	for (gsize i = 0; i < len && s[i]; i++) {
		if (!g_ascii_isspace(s[i]))
			g_string_append_c(out, s[i]);
		else if (out->len && out->str[out->len - 1] != ' ')
			g_string_append_c(out, ' ');
	}
	if (out->len && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
	return g_string_free(out, FALSE);
}

static void run_end(struct file_map *f, struct run *r)
{
	if (r->deleted == r->added)
		for (unsigned int i = 0; i < r->deleted; i++)
			g_hash_table_insert(f->in_place, KEY(r->old_start + i),
					    KEY(r->new_start + i));
	r->deleted = 0;
	r->added = 0;
}

static void read_hunk(struct file_map *f, const struct hunk *h)
{
	/* a side without lines names the line before (diff -U0) */
	unsigned int old = h->old_count ? h->old_start : h->old_start + 1;
	unsigned int new = h->new_count ? h->new_start : h->new_start + 1;
	struct run run = { 0 };

	for (guint i = 0; i < h->lines->len; i++) {
		const struct diff_line *l =
			&g_array_index(h->lines, struct diff_line, i);

		if (l->op == ' ' || (l->op == '-' && run.added))
			run_end(f, &run);
		if (!run.deleted && !run.added) {
			run.old_start = old;
			run.new_start = new;
			f->runs++;
		}
		if (l->op == '-')
			g_hash_table_insert(f->old_run, KEY(old), KEY(f->runs));
		if (l->op == '+')
			g_hash_table_insert(f->new_run, KEY(new), KEY(f->runs));
		run.deleted += l->op == '-';
		run.added += l->op == '+';
		if (l->op != '+')
			g_hash_table_insert(f->old_text, KEY(old++),
					    squeeze(l->text, l->len));
		if (l->op != '-')
			g_hash_table_insert(f->new_text, KEY(new++),
					    squeeze(l->text, l->len));
	}
	run_end(f, &run);
}

static struct file_map *file_map_new(const struct file_diff *fd)
{
	struct file_map *f = g_new0(struct file_map, 1);

	f->fd = fd;
	f->in_place = g_hash_table_new(NULL, NULL);
	f->old_text = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	f->new_text = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	f->old_run = g_hash_table_new(NULL, NULL);
	f->new_run = g_hash_table_new(NULL, NULL);
	for (guint i = 0; i < fd->hunks->len; i++)
		read_hunk(f, fd->hunks->pdata[i]);
	return f;
}

struct line_map *line_map_new(const struct diff *change)
{
	struct line_map *m = g_new0(struct line_map, 1);

	m->by_old = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					  file_map_free);
	m->by_new = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; change && i < change->files->len; i++) {
		const struct file_diff *fd = change->files->pdata[i];
		struct file_map *f;

		/* the source of a copy stays as it is; the lines of a new
		 * file have no old ones */
		if (fd->is_copy || !fd->old_path ||
		    g_hash_table_contains(m->by_old, fd->old_path))
			continue;
		f = file_map_new(fd);
		g_hash_table_insert(m->by_old, fd->old_path, f);
		if (fd->new_path)
			g_hash_table_insert(m->by_new, fd->new_path, f);
	}
	return m;
}

void line_map_free(struct line_map *m)
{
	if (!m)
		return;
	g_hash_table_unref(m->by_new);
	g_hash_table_unref(m->by_old);
	g_free(m);
}

const char *line_map_file(const struct line_map *m, const char *file)
{
	const struct file_map *f = g_hash_table_lookup(m->by_old, file);

	return f && f->fd->new_path ? f->fd->new_path : file;
}

/* Where the old line is in the child; 0: deleted or changed. */
static unsigned int mapped(const struct file_map *f, unsigned int line)
{
	if (!f || !line)
		return line;
	return f->fd->new_path ? file_diff_map_line(f->fd, line) : 0;
}

static char *text_of(const struct line_at *at, const struct file_map *f,
		     bool is_new)
{
	const char *text = NULL;

	if (*at->text)
		return squeeze(at->text, strlen(at->text));
	if (f)
		text = g_hash_table_lookup(is_new ? f->new_text : f->old_text,
					   KEY(at->line));
	return g_strdup(text ? text : "");
}

/* The text of the nearest line that is not blank, @by -1 or 1; NULL: not known. */
static const char *neighbour(GHashTable *texts, unsigned int line, int by)
{
	const char *text;

	do {
		line += by;
		text = g_hash_table_lookup(texts, KEY(line));
	} while (text && !*text);
	return text;
}

/*
 * A line that is deleted here and added there was moved when it stays in its
 * run of changes (a block put around it) or when a neighbour comes along.
 * Else it is one line less, and another one of the same text.
 */
static bool is_move(const struct file_map *f, const struct file_map *to,
		    unsigned int old, unsigned int new)
{
	gpointer from = g_hash_table_lookup(f->old_run, KEY(old));
	gpointer into = g_hash_table_lookup(to->new_run, KEY(new));

	if (!from || !into)
		return false;
	if (f == to && from == into)
		return true;
	for (int by = -1; by <= 1; by += 2) {
		const char *a = neighbour(f->old_text, old, by);
		const char *b = neighbour(to->new_text, new, by);

		if (a && b && !strcmp(a, b))
			return true;
	}
	return false;
}

static bool same_text(const struct line_map *m, const struct file_map *f,
		      const struct line_at *old, const struct line_at *new)
{
	const struct file_map *to = g_hash_table_lookup(m->by_new, new->file);
	g_autofree char *was = text_of(old, f, false);
	g_autofree char *is = text_of(new, to, true);

	if (!*was || strcmp(was, is))
		return false;
	return !f || !to || !old->line || !new->line ||
	       is_move(f, to, old->line, new->line);
}

enum same line_map_compare(const struct line_map *m, const struct line_at *old,
			   const struct line_at *new)
{
	const struct file_map *f = g_hash_table_lookup(m->by_old, old->file);

	if (strcmp(line_map_file(m, old->file), new->file))
		return SAME_NOT;
	if (mapped(f, old->line) == new->line && !new->line == !old->line)
		return SAME_LINE;
	if (same_text(m, f, old, new))
		return SAME_TEXT;
	if (f && new->line &&
	    g_hash_table_lookup(f->in_place, KEY(old->line)) == KEY(new->line))
		return SAME_CHANGED;
	return SAME_NOT;
}

bool line_map_kept(const struct line_map *m, const struct line_at *old)
{
	return old->line &&
	       mapped(g_hash_table_lookup(m->by_old, old->file), old->line);
}
