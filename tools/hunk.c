// SPDX-License-Identifier: GPL-2.0
/*
 * The search is that of git-apply(1), so that a hunk with several places
 * where it fits goes to the same one.  One thing differs on purpose: a line
 * without a newline matches only such a line.  git compares bytes, takes
 * "foo" for the start of "foo\n" and glues the next line to it.
 */
#include "hunk.h"

struct span {
	const char *text;
	gsize len;
	bool patched;		/* written by a hunk before: not matched again */
};

/* One hunk, ready to be searched. */
struct piece {
	GArray *pre, *post;	/* of struct span */
	guint leading, trailing;	/* context lines around the changes */
	guint pos;		/* where it should be, from 0 */
	bool at_start, at_end;
};

static GArray *split(GBytes *bytes)
{
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct span));
	gsize size;
	const char *p = g_bytes_get_data(bytes, &size), *end = p + size;

	while (p && p < end) {
		const char *nl = memchr(p, '\n', end - p);
		struct span s = { .text = p };

		s.len = (nl ? nl + 1 : end) - p;
		g_array_append_val(out, s);
		p += s.len;
	}
	return out;
}

static struct span *span_at(const GArray *a, guint i)
{
	return &g_array_index(a, struct span, i);
}

static void piece_init(struct piece *p, const struct hunk *h)
{
	bool changed = false;
	guint i;

	memset(p, 0, sizeof(*p));
	p->pre = g_array_new(FALSE, FALSE, sizeof(struct span));
	p->post = g_array_new(FALSE, FALSE, sizeof(struct span));
	for (i = 0; i < h->lines->len; i++) {
		struct diff_line *l = &g_array_index(h->lines, struct diff_line, i);
		struct span s = { .text = l->text, .len = l->len };

		if (l->op != '+')
			g_array_append_val(p->pre, s);
		s.patched = true;
		if (l->op != '-')
			g_array_append_val(p->post, s);
		if (l->op != ' ') {
			changed = true;
			p->trailing = 0;
		} else {
			p->trailing++;
			p->leading += !changed;
		}
	}
	/* "+5,0" means behind line 5. */
	p->pos = h->new_start - (h->new_count && h->new_start);
	p->at_start = h->old_start <= 1;
	p->at_end = !p->trailing;
}

static void piece_clear(struct piece *p)
{
	g_array_unref(p->pre);
	g_array_unref(p->post);
}

/* Leaves out context as patch(1) does: first from the longer side. */
static void piece_reduce(struct piece *p, guint fuzz)
{
	guint most = MAX(p->leading, p->trailing), head, tail;

	head = MIN(p->leading, fuzz + p->leading > most ?
				       fuzz + p->leading - most : 0);
	tail = MIN(p->trailing, fuzz + p->trailing > most ?
				       fuzz + p->trailing - most : 0);
	g_array_remove_range(p->pre, p->pre->len - tail, tail);
	g_array_remove_range(p->post, p->post->len - tail, tail);
	g_array_remove_range(p->pre, 0, head);
	g_array_remove_range(p->post, 0, head);
	p->pos += head;
	p->at_start = p->at_start && !fuzz;
	p->at_end = p->at_end && !fuzz;
}

static bool span_equal(const struct span *a, const struct span *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static bool fits(const GArray *img, const struct piece *p, guint at)
{
	guint i;

	if (at + p->pre->len > img->len || (p->at_start && at) ||
	    (p->at_end && at + p->pre->len != img->len))
		return false;
	for (i = 0; i < p->pre->len; i++) {
		const struct span *s = span_at(img, at + i);

		if (s->patched || !span_equal(s, span_at(p->pre, i)))
			return false;
	}
	return true;
}

/* Where it fits: @pos, one after, one before, two after...; -1: nowhere. */
static gint64 search(const GArray *img, const struct piece *p)
{
	guint back, forth, pos = MIN(p->pos, img->len);

	if (p->at_start)
		pos = 0;
	else if (p->at_end)
		pos = img->len > p->pre->len ? img->len - p->pre->len : 0;
	if (fits(img, p, pos))
		return pos;
	for (back = forth = pos; back > 0 || forth < img->len;) {
		if (forth < img->len && fits(img, p, ++forth))
			return forth;
		if (back > 0 && fits(img, p, --back))
			return back;
	}
	return -1;
}

static GBytes *join(const GArray *img)
{
	GByteArray *out = g_byte_array_new();
	guint i;

	for (i = 0; i < img->len; i++)
		g_byte_array_append(out, (const guint8 *)span_at(img, i)->text,
				    span_at(img, i)->len);
	return g_byte_array_free_to_bytes(out);
}

/* A line for a message: one that differs only in its end must show that. */
static char *quote(const struct span *s, bool show_end)
{
	gsize len = s->len;
	bool nl = len && s->text[len - 1] == '\n', cr;
	g_autofree char *text = NULL;

	len -= nl;
	cr = len && s->text[len - 1] == '\r';
	len -= cr;
	text = g_utf8_make_valid(s->text, len);
	if (!show_end)
		return g_strdup_printf("'%s'", text);
	return g_strdup_printf("'%s' (ends in %s)", text,
			       !nl ? "no newline" : cr ? "CRLF" : "LF");
}

static bool same_text(const struct span *a, const struct span *b)
{
	gsize x = a->len, y = b->len;

	while (x && strchr("\r\n", a->text[x - 1]))
		x--;
	while (y && strchr("\r\n", b->text[y - 1]))
		y--;
	return x == y && !memcmp(a->text, b->text, x);
}

/* The place where most lines agree; of equal ones the nearest. */
static guint best_place(const GArray *img, const struct piece *p)
{
	guint at, i, best = MIN(p->pos, img->len), most = 0;

	for (at = 0; at < img->len; at++) {
		guint n = 0;

		for (i = 0; i < p->pre->len && at + i < img->len; i++)
			n += span_equal(span_at(img, at + i), span_at(p->pre, i));
		if (n < most || !n)
			continue;
		if (n > most || ABS((gint64)at - p->pos) <
					ABS((gint64)best - p->pos))
			best = at;
		most = n;
	}
	return best;
}

/* @shift: lines that earlier hunks have added before this one */
static void explain(const GArray *img, const struct piece *p, int shift,
		    struct hunk_miss *miss)
{
	guint at = best_place(img, p), i;

	for (i = 0; i < p->pre->len && at + i < img->len; i++)
		if (!span_equal(span_at(img, at + i), span_at(p->pre, i)))
			break;
	miss->line = MAX((gint64)at + i + 1 - shift, 1);
	if (i < p->pre->len && at + i < img->len) {
		const struct span *w = span_at(p->pre, i);
		const struct span *h = span_at(img, at + i);
		bool ends = same_text(w, h);

		miss->want = quote(w, ends);
		miss->have = quote(h, ends);
	} else if (i < p->pre->len) {
		miss->want = quote(span_at(p->pre, i), false);
		miss->have = g_strdup("the end of the file");
	} else if (p->at_end && at + i < img->len) {
		miss->want = g_strdup("the end of the file");
		miss->have = quote(span_at(img, at + i), false);
	} else if (p->at_start && at) {
		miss->line = MAX((gint64)at - shift, 1);
		miss->want = g_strdup("the start of the file");
		miss->have = quote(span_at(img, at - 1), false);
	} else {
		miss->want = g_strdup("lines of its own");
		miss->have = g_strdup("lines that a hunk before has changed");
	}
}

/* Applies one hunk with up to @fuzz lines less; -1: it fits nowhere. */
static int apply_one(GArray *img, const struct hunk *h, guint fuzz, int *off,
		     int shift, struct hunk_miss *miss)
{
	struct piece p;
	gint64 at = -1;
	guint f;

	for (f = 0; f <= fuzz && at < 0; f++) {
		if (f)
			piece_clear(&p);
		piece_init(&p, h);
		if (f)
			piece_reduce(&p, f);
		at = search(img, &p);
	}
	if (at < 0) {
		explain(img, &p, shift, miss);
		piece_clear(&p);
		return -1;
	}
	*off = at - p.pos;
	g_array_remove_range(img, at, p.pre->len);
	g_array_insert_vals(img, at, p.post->data, p.post->len);
	piece_clear(&p);
	return 0;
}

GBytes *hunk_apply(const struct file_diff *fd, GBytes *old, unsigned int fuzz,
		   int *moved, struct hunk_miss *miss)
{
	g_autoptr(GArray) img = split(old);
	int largest = 0, shift = 0;
	guint i;

	memset(miss, 0, sizeof(*miss));
	for (i = 0; i < fd->hunks->len; i++) {
		const struct hunk *h = fd->hunks->pdata[i];
		int off = 0;

		if (apply_one(img, h, fuzz, &off, shift, miss) < 0) {
			miss->hunk = i + 1;
			return NULL;
		}
		if (ABS(off) > ABS(largest))
			largest = off;
		shift += (int)h->new_count - (int)h->old_count;
	}
	if (moved)
		*moved = largest;
	return join(img);
}

void hunk_miss_clear(struct hunk_miss *miss)
{
	g_clear_pointer(&miss->want, g_free);
	g_clear_pointer(&miss->have, g_free);
	miss->hunk = miss->line = 0;
}
