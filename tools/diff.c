// SPDX-License-Identifier: GPL-2.0
#include "diff.h"
#include "binary.h"
#include "diff-internal.h"
#include "error.h"

gsize cursor_len(const struct cursor *c)
{
	const char *nl = c->p < c->end ? memchr(c->p, '\n', c->end - c->p) : NULL;

	return (nl ? nl + 1 : c->end) - c->p;
}

void cursor_step(struct cursor *c)
{
	c->p += cursor_len(c);
	c->line++;
}

bool cursor_at(const struct cursor *c, const char *prefix)
{
	gsize n = strlen(prefix);

	return (gsize)(c->end - c->p) >= n && !memcmp(c->p, prefix, n);
}

static bool line_is(const struct cursor *c, const char *text)
{
	return cursor_at(c, text) && cursor_len(c) == strlen(text);
}

static int corrupt(const struct cursor *c, const char *what, GError **error)
{
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
		    "line %u of the diff: %s", c->line, what);
	return -1;
}

/*
 * "\ No newline at end of file" in any language: git knows it by the
 * backslash, the blank and the length.
 */
static bool is_no_eol(const struct cursor *c)
{
	return cursor_at(c, "\\ ") && cursor_len(c) >= 12;
}

/* Adds the line at @c; @old and @new count down.  -1: not a hunk's line. */
static int add_line(struct cursor *c, struct hunk *h, unsigned int *old,
		    unsigned int *new)
{
	struct diff_line l = { .op = *c->p };
	gsize len = cursor_len(c);

	if (c->p[len - 1] != '\n')
		return -1;
	if (l.op == '\n') {
		/* An empty context line that lost its blank on the way. */
		l.op = ' ';
		l.text = c->p;
		l.len = 1;
	} else {
		l.text = c->p + 1;
		l.len = len - 1;
	}
	if (!strchr(" +-", l.op) || (l.op != '+' && !*old) ||
	    (l.op != '-' && !*new))
		return -1;
	*old -= l.op != '+';
	*new -= l.op != '-';
	cursor_step(c);
	if (is_no_eol(c)) {
		l.no_eol = true;
		l.len--;
		cursor_step(c);
	}
	g_array_append_val(h->lines, l);
	return 0;
}

static int parse_hunk(struct cursor *c, struct file_diff *fd, GError **error)
{
	struct hunk *h = hunk_new();
	unsigned int old, new, start = c->line;
	bool changes = false;
	guint i;

	g_ptr_array_add(fd->hunks, h);
	if (!hunk_header_parse(c, h))
		return corrupt(c, "the hunk's header is corrupt", error);
	cursor_step(c);
	old = h->old_count;
	new = h->new_count;
	while (old || new) {
		if (c->p == c->end) {
			g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
				    "line %u of the diff: the hunk is cut off, %u of %u "
				    "lines are missing",
				    start, MAX(old, new),
				    MAX(h->old_count, h->new_count));
			return -1;
		}
		if (add_line(c, h, &old, &new) < 0)
			return corrupt(c, "the hunk is corrupt (a wrapped line?)",
				       error);
	}
	for (i = 0; i < h->lines->len; i++)
		changes |= g_array_index(h->lines, struct diff_line, i).op != ' ';
	if (!changes)
		return corrupt(c, "the hunk changes nothing", error);
	if (!fd->old_path && h->old_count)
		return corrupt(c, "a new file cannot have old lines", error);
	if (!fd->new_path && h->new_count)
		return corrupt(c, "a deleted file cannot have new lines", error);
	return 0;
}

/* "literal N" or "delta N", base85 lines, a blank line. */
static int parse_binary_part(struct cursor *c, struct binary_part *part,
			     GError **error)
{
	bool literal = cursor_at(c, "literal ");
	g_autofree char *head = g_strndup(c->p, cursor_len(c));

	part->present = true;
	part->is_delta = !literal;
	part->size = g_ascii_strtoull(head + (literal ? 8 : 6), NULL, 10);
	part->deflated = g_byte_array_new();
	for (cursor_step(c); c->p < c->end && *c->p != '\n'; cursor_step(c)) {
		gsize len = cursor_len(c);

		if (c->p[len - 1] != '\n' ||
		    base85_line(c->p, len - 1, part->deflated) < 0)
			return corrupt(c, "the binary patch is corrupt", error);
	}
	if (c->p == c->end)
		return corrupt(c, "the binary patch is cut off", error);
	cursor_step(c);
	return 0;
}

static bool at_binary_part(const struct cursor *c)
{
	return cursor_at(c, "literal ") || cursor_at(c, "delta ");
}

static int parse_binary(struct cursor *c, struct file_diff *fd, GError **error)
{
	struct binary_part back = { 0 };
	int ret = 0;

	fd->is_binary = true;
	cursor_step(c);
	if (!at_binary_part(c))
		return corrupt(c, "the binary patch has no data", error);
	if (parse_binary_part(c, &fd->forward, error) < 0)
		return -1;
	/* The way back is read only to be sure that it is whole. */
	if (at_binary_part(c))
		ret = parse_binary_part(c, &back, error);
	if (back.deflated)
		g_byte_array_unref(back.deflated);
	return ret;
}

/* "Binary files a/x and b/x differ" says that there is no data. */
static bool at_binary_notice(const struct cursor *c)
{
	static const char *const start[] = { "Binary files ", "Files " };
	g_autofree char *line = g_strndup(c->p, cursor_len(c));
	gsize i;

	g_strchomp(line);
	for (i = 0; i < G_N_ELEMENTS(start); i++)
		if (cursor_at(c, start[i]) && g_str_has_suffix(line, " differ"))
			return true;
	return false;
}

static bool has_metadata(const struct file_diff *fd)
{
	return fd->is_rename || fd->is_copy || !fd->old_path || !fd->new_path ||
	       (fd->new_mode && fd->old_mode && fd->new_mode != fd->old_mode);
}

static int parse_body(struct cursor *c, struct file_diff *fd, GError **error)
{
	while (cursor_at(c, "@@ -"))
		if (parse_hunk(c, fd, error) < 0)
			return -1;
	if (fd->hunks->len)
		return 0;
	if (line_is(c, "GIT binary patch\n"))
		return parse_binary(c, fd, error);
	if (at_binary_notice(c)) {
		fd->is_binary = true;
		cursor_step(c);
		return 0;
	}
	if (!has_metadata(fd))
		return corrupt(c, "the header is followed by no change", error);
	return 0;
}

/* A hunk where none is expected: a header was lost or a hunk miscounted. */
static bool at_stray_hunk(struct cursor *c)
{
	struct hunk *h;
	bool stray;

	if (!cursor_at(c, "@@ -"))
		return false;
	h = hunk_new();
	stray = hunk_header_parse(c, h);
	hunk_free(h);
	return stray;
}

struct diff *diff_parse(GBytes *bytes, GError **error)
{
	g_autoptr(diff_t) d = g_new0(struct diff, 1);
	struct cursor c = { .line = 1 };
	gsize size;

	d->bytes = g_bytes_ref(bytes);
	d->files = g_ptr_array_new_with_free_func((GDestroyNotify)file_diff_free);
	c.p = g_bytes_get_data(bytes, &size);
	c.end = c.p + size;
	while (c.p < c.end) {
		struct file_diff *fd;
		int ret;

		if (at_stray_hunk(&c)) {
			corrupt(&c, "a hunk without the header of a file", error);
			return NULL;
		}
		fd = file_diff_new();
		ret = header_parse(&c, fd, error);
		if (ret <= 0)
			file_diff_free(fd);
		if (ret < 0)
			return NULL;
		if (!ret) {
			cursor_step(&c);
			continue;
		}
		g_ptr_array_add(d->files, fd);
		if (parse_body(&c, fd, error) < 0)
			return NULL;
	}
	return g_steal_pointer(&d);
}

struct file_diff *file_diff_new(void)
{
	struct file_diff *fd = g_new0(struct file_diff, 1);

	fd->hunks = g_ptr_array_new_with_free_func((GDestroyNotify)hunk_free);
	return fd;
}

void file_diff_free(struct file_diff *fd)
{
	if (!fd)
		return;
	g_free(fd->old_path);
	g_free(fd->new_path);
	g_free(fd->old_blob);
	g_free(fd->new_blob);
	if (fd->forward.deflated)
		g_byte_array_unref(fd->forward.deflated);
	g_ptr_array_unref(fd->hunks);
	g_free(fd);
}

struct hunk *hunk_new(void)
{
	struct hunk *h = g_new0(struct hunk, 1);

	h->lines = g_array_new(FALSE, FALSE, sizeof(struct diff_line));
	return h;
}

void hunk_free(struct hunk *h)
{
	if (!h)
		return;
	g_array_unref(h->lines);
	g_free(h);
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	g_ptr_array_unref(d->files);
	g_bytes_unref(d->bytes);
	g_free(d);
}

const char *file_diff_path(const struct file_diff *fd)
{
	return fd->new_path ? fd->new_path : fd->old_path;
}

/* 0: not in the hunk's pre-image as context */
static unsigned int map_in_hunk(const struct hunk *h, unsigned int old)
{
	unsigned int o = h->old_start, n = h->new_start;
	guint i;

	for (i = 0; i < h->lines->len; i++) {
		char op = g_array_index(h->lines, struct diff_line, i).op;

		if (o == old && op != '+')
			return op == ' ' ? n : 0;
		o += op != '+';
		n += op != '-';
	}
	return 0;
}

unsigned int file_diff_map_line(const struct file_diff *fd, unsigned int old)
{
	int shift = 0;
	guint i;

	for (i = 0; i < fd->hunks->len; i++) {
		const struct hunk *h = fd->hunks->pdata[i];
		/* "-5,0" stands behind line 5: the first line after it is 6. */
		unsigned int start = h->old_start + (h->old_count == 0);

		if (old < start)
			break;
		if (old < start + h->old_count)
			return map_in_hunk(h, old);
		shift += (int)h->new_count - (int)h->old_count;
	}
	return old + shift;
}
