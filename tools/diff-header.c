// SPDX-License-Identifier: GPL-2.0
/* The header of one file's diff: git's extended form and plain "---/+++". */
#include "diff-internal.h"
#include "error.h"

struct header {
	struct file_diff *fd;
	char *def_name;		/* of the "diff --git" line; NULL: not said */
	bool is_new, is_delete;
	bool bad;		/* a line that contradicts another */
};

/* text, len: the line behind its keyword */
typedef void (*header_fn)(struct header *h, const char *text, gsize len);

/* A name that a rename line gave before must be the same. */
static void set_path(struct header *h, char **path, const char *text,
		     gsize len)
{
	g_autofree char *full = name_of_line(text, len, true);
	char *name = name_strip(full);

	if (!name || (*path && strcmp(*path, name)))
		h->bad = true;
	g_free(*path);
	*path = name;
}

static void on_minus(struct header *h, const char *text, gsize len)
{
	if (name_is_dev_null(text, len))
		h->is_new = true;
	else
		set_path(h, &h->fd->old_path, text, len);
}

static void on_plus(struct header *h, const char *text, gsize len)
{
	if (name_is_dev_null(text, len))
		h->is_delete = true;
	else
		set_path(h, &h->fd->new_path, text, len);
}

static unsigned int mode_of(struct header *h, const char *text)
{
	unsigned long mode = strtoul(text, NULL, 8);

	if (mode < 0100000 || mode > 0177777) {
		h->bad = true;
		return 0;
	}
	return mode;
}

static void on_old_mode(struct header *h, const char *text, gsize len)
{
	h->fd->old_mode = mode_of(h, text);
}

static void on_new_mode(struct header *h, const char *text, gsize len)
{
	h->fd->new_mode = mode_of(h, text);
}

static void on_deleted(struct header *h, const char *text, gsize len)
{
	h->is_delete = true;
	h->fd->old_mode = mode_of(h, text);
}

static void on_created(struct header *h, const char *text, gsize len)
{
	h->is_new = true;
	h->fd->new_mode = mode_of(h, text);
}

/* These names have no a/ or b/ prefix. */
static void set_plain(struct header *h, char **path, const char *text,
		      gsize len)
{
	g_free(*path);
	*path = name_of_line(text, len, false);
	if (!*path)
		h->bad = true;
}

static void on_copy_from(struct header *h, const char *text, gsize len)
{
	h->fd->is_copy = true;
	set_plain(h, &h->fd->old_path, text, len);
}

static void on_copy_to(struct header *h, const char *text, gsize len)
{
	h->fd->is_copy = true;
	set_plain(h, &h->fd->new_path, text, len);
}

static void on_rename_from(struct header *h, const char *text, gsize len)
{
	h->fd->is_rename = true;
	set_plain(h, &h->fd->old_path, text, len);
}

static void on_rename_to(struct header *h, const char *text, gsize len)
{
	h->fd->is_rename = true;
	set_plain(h, &h->fd->new_path, text, len);
}

static gsize hex_len(const char *text, gsize len)
{
	gsize n = 0;

	while (n < len && g_ascii_isxdigit(text[n]))
		n++;
	return n;
}

/* "index OLD..NEW[ MODE]"; anything else is left alone, as git does. */
static void on_index(struct header *h, const char *text, gsize len)
{
	gsize a = hex_len(text, len), b;
	const char *p = text + a;

	if (!a || len < a + 3 || p[0] != '.' || p[1] != '.')
		return;
	b = hex_len(p + 2, len - a - 2);
	if (!b)
		return;
	g_free(h->fd->old_blob);
	g_free(h->fd->new_blob);
	h->fd->old_blob = g_strndup(text, a);
	h->fd->new_blob = g_strndup(p + 2, b);
	if (a + 2 + b + 1 < len && p[2 + b] == ' ')
		h->fd->old_mode = mode_of(h, p + 2 + b + 1);
}

static void on_ignored(struct header *h, const char *text, gsize len)
{
}

static const struct {
	const char *key;
	header_fn fn;
} header_lines[] = {
	{ "--- ", on_minus },
	{ "+++ ", on_plus },
	{ "old mode ", on_old_mode },
	{ "new mode ", on_new_mode },
	{ "deleted file mode ", on_deleted },
	{ "new file mode ", on_created },
	{ "copy from ", on_copy_from },
	{ "copy to ", on_copy_to },
	{ "rename from ", on_rename_from },
	{ "rename to ", on_rename_to },
	{ "rename old ", on_rename_from },
	{ "rename new ", on_rename_to },
	{ "similarity index ", on_ignored },
	{ "dissimilarity index ", on_ignored },
	{ "index ", on_index },
};

static bool header_line(struct header *h, const struct cursor *c)
{
	gsize i;

	for (i = 0; i < G_N_ELEMENTS(header_lines); i++) {
		gsize n = strlen(header_lines[i].key);

		if (!cursor_at(c, header_lines[i].key))
			continue;
		header_lines[i].fn(h, c->p + n, cursor_len(c) - n);
		return true;
	}
	return false;
}

/* Names that no line gave come from "diff --git"; -1: none there either. */
static int header_names(struct header *h)
{
	struct file_diff *fd = h->fd;

	if (!fd->old_path && !h->is_new)
		fd->old_path = g_strdup(h->def_name);
	if (!fd->new_path && !h->is_delete)
		fd->new_path = g_strdup(h->def_name);
	if (h->is_new)
		g_clear_pointer(&fd->old_path, g_free);
	if (h->is_delete)
		g_clear_pointer(&fd->new_path, g_free);
	return (!fd->old_path && !h->is_new) || (!fd->new_path && !h->is_delete) ||
	       (!fd->old_path && !fd->new_path) ? -1 : 0;
}

/* Said once: a git header, or a plain one whose names do not differ. */
static int header_git(struct cursor *c, struct file_diff *fd, GError **error)
{
	struct header h = { .fd = fd };
	unsigned int line = c->line;
	int ret = -1;

	h.def_name = name_default(c->p + 11, cursor_len(c) - 11);
	for (cursor_step(c); header_line(&h, c) && !h.bad; cursor_step(c)) {
		/* The text behind "+++" is hunks: "--- x" there is a line. */
		if (cursor_at(c, "+++ ")) {
			cursor_step(c);
			break;
		}
	}
	if (h.bad)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "line %u of the diff: contradicts the header at line %u",
			    c->line, line);
	else if (header_names(&h) < 0)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "line %u of the diff: the header names no file",
			    line);
	else
		ret = 1;
	g_free(h.def_name);
	return ret;
}

/* -p1, but a name without a directory is taken whole, as git guesses. */
static char *plain_name(const char *text, gsize len)
{
	g_autofree char *full = name_of_line(text, len, true);

	if (full && !strchr(full, '/'))
		return g_steal_pointer(&full);
	return name_strip(full);
}

/*
 * Of two names that differ the shorter is right when the other only has
 * something tacked on ("x.orig", "x~"); else the new one.
 */
static void plain_pick(struct file_diff *fd)
{
	char *a = fd->old_path, *b = fd->new_path;

	if (strlen(a) < strlen(b) && g_str_has_prefix(b, a)) {
		g_free(b);
		fd->new_path = g_strdup(a);
	} else {
		g_free(a);
		fd->old_path = g_strdup(b);
	}
}

static int header_plain(struct cursor *c, struct file_diff *fd, GError **error)
{
	struct cursor minus = *c, plus = *c, next;
	gsize mlen, plen;

	cursor_step(&plus);
	next = plus;
	if (!cursor_at(&plus, "+++ "))
		return 0;
	cursor_step(&next);
	if (!cursor_at(&next, "@@ -"))
		return 0;
	minus.p += 4;
	plus.p += 4;
	mlen = cursor_len(&minus);
	plen = cursor_len(&plus);
	fd->old_path = plain_name(minus.p, mlen);
	fd->new_path = plain_name(plus.p, plen);
	if (!fd->old_path || !fd->new_path) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "line %u of the diff: the header names no file",
			    c->line);
		return -1;
	}
	if (name_is_dev_null(minus.p, mlen)) {
		g_clear_pointer(&fd->old_path, g_free);
	} else if (name_is_dev_null(plus.p, plen)) {
		g_clear_pointer(&fd->new_path, g_free);
	} else {
		plain_pick(fd);
		if (name_is_epoch(minus.p, mlen))
			g_clear_pointer(&fd->old_path, g_free);
		else if (name_is_epoch(plus.p, plen))
			g_clear_pointer(&fd->new_path, g_free);
	}
	*c = next;
	return 1;
}

static int header_safe(const struct file_diff *fd, unsigned int line,
		       GError **error)
{
	const char *path[] = { fd->old_path, fd->new_path };
	int i;

	for (i = 0; i < 2; i++) {
		const char *why = path[i] ? name_unsafe(path[i]) : NULL;

		if (!why)
			continue;
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "line %u of the diff: path '%s' %s", line, path[i],
			    why);
		return -1;
	}
	return 0;
}

int header_parse(struct cursor *c, struct file_diff *fd, GError **error)
{
	unsigned int line = c->line;
	int ret;

	if (cursor_at(c, "diff --git "))
		ret = header_git(c, fd, error);
	else if (cursor_at(c, "--- "))
		ret = header_plain(c, fd, error);
	else
		return 0;
	if (ret == 1 && header_safe(fd, line, error) < 0)
		return -1;
	return ret;
}

/* "N" or "N,N" at @p; NULL: neither. */
static const char *parse_range(const char *p, unsigned int *start,
			       unsigned int *count)
{
	guint64 a, b = 1;
	char *end;

	if (!g_ascii_isdigit(*p))
		return NULL;
	a = g_ascii_strtoull(p, &end, 10);
	if (*end == ',') {
		if (!g_ascii_isdigit(end[1]))
			return NULL;
		b = g_ascii_strtoull(end + 1, &end, 10);
	}
	/* Also keeps every sum of the two within an int. */
	if (a > G_MAXINT / 4 || b > G_MAXINT / 4)
		return NULL;
	*start = a;
	*count = b;
	return end;
}

bool hunk_header_parse(struct cursor *c, struct hunk *h)
{
	/* A copy, so that no digit is read behind the end of the bytes. */
	g_autofree char *line = g_strndup(c->p, cursor_len(c));
	const char *p;

	if (!g_str_has_prefix(line, "@@ -"))
		return false;
	p = parse_range(line + 4, &h->old_start, &h->old_count);
	if (!p || !g_str_has_prefix(p, " +"))
		return false;
	p = parse_range(p + 2, &h->new_start, &h->new_count);
	return p && g_str_has_prefix(p, " @@");
}
