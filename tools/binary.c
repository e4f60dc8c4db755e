// SPDX-License-Identifier: GPL-2.0
#include "binary.h"
#include <zlib.h>

/* A blob larger than this is no part of a kernel patch. */
#define BINARY_MAX (256u << 20)

static int base85_digit(char c)
{
	static const char digits[] =
		"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"!#$%&()*+-;<=>?@^_`{|}~";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? p - digits : -1;
}

/* Five digits make four bytes. */
static int base85_group(const char *p, guint32 *value)
{
	guint64 v = 0;
	int i;

	for (i = 0; i < 5; i++) {
		int d = base85_digit(p[i]);

		if (d < 0)
			return -1;
		v = v * 85 + d;
	}
	*value = v;
	return v > G_MAXUINT32 ? -1 : 0;
}

int base85_line(const char *line, gsize len, GByteArray *out)
{
	gsize want, i;

	if (!len)
		return -1;
	if (*line >= 'A' && *line <= 'Z')
		want = *line - 'A' + 1;
	else if (*line >= 'a' && *line <= 'z')
		want = *line - 'a' + 27;
	else
		return -1;
	if (len != 1 + (want + 3) / 4 * 5)
		return -1;
	for (i = 1; want; i += 5) {
		guint32 value;
		guint8 b[4];
		gsize n = MIN(want, 4);

		if (base85_group(line + i, &value) < 0)
			return -1;
		value = GUINT32_TO_BE(value);
		memcpy(b, &value, 4);
		g_byte_array_append(out, b, n);
		want -= n;
	}
	return 0;
}

/* Exactly @size bytes, or NULL. */
static guint8 *inflate_all(const GByteArray *in, gsize size)
{
	guint8 *out;
	uLongf got = size;

	if (size > BINARY_MAX)
		return NULL;
	out = g_malloc(size + 1);
	if (uncompress(out, &got, in->data, in->len) != Z_OK || got != size) {
		g_free(out);
		return NULL;
	}
	return out;
}

/* A number of a delta's head, 7 bits a byte, low ones first.  -1: cut off. */
static int delta_size(const guint8 **p, const guint8 *end, gsize *size)
{
	unsigned int shift = 0;
	guint8 c;

	*size = 0;
	do {
		if (*p == end || shift > 56)
			return -1;
		c = *(*p)++;
		*size |= (gsize)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	return 0;
}

/* The bits of @op say which bytes of the number follow. */
static int delta_number(const guint8 **p, const guint8 *end, guint8 op,
			int bytes, gsize *value)
{
	int i;

	*value = 0;
	for (i = 0; i < bytes; i++) {
		if (!(op & (1 << i)))
			continue;
		if (*p == end)
			return -1;
		*value |= (gsize)*(*p)++ << (8 * i);
	}
	return 0;
}

/* git's pack format: an op with bit 7 copies from the old, else inserts. */
static int delta_op(const guint8 **p, const guint8 *end, const guint8 *old,
		    gsize old_size, GByteArray *out)
{
	guint8 op = *(*p)++;
	gsize from, n;

	if (!(op & 0x80)) {
		if (!op || end - *p < op)
			return -1;
		g_byte_array_append(out, *p, op);
		*p += op;
		return 0;
	}
	if (delta_number(p, end, op, 4, &from) < 0 ||
	    delta_number(p, end, op >> 4 & 7, 3, &n) < 0)
		return -1;
	if (!n)
		n = 0x10000;
	if (from > old_size || n > old_size - from)
		return -1;
	g_byte_array_append(out, old + from, n);
	return 0;
}

static GBytes *delta_apply(const guint8 *delta, gsize size, GBytes *old)
{
	const guint8 *p = delta, *end = delta + size, *data;
	gsize old_size, want_old, want_new;
	g_autoptr(GByteArray) out = g_byte_array_new();

	data = g_bytes_get_data(old, &old_size);
	if (delta_size(&p, end, &want_old) < 0 ||
	    delta_size(&p, end, &want_new) < 0 || want_old != old_size ||
	    want_new > BINARY_MAX)
		return NULL;
	while (p < end)
		if (delta_op(&p, end, data, old_size, out) < 0 ||
		    out->len > want_new)
			return NULL;
	if (out->len != want_new)
		return NULL;
	return g_byte_array_free_to_bytes(g_steal_pointer(&out));
}

GBytes *binary_apply(const struct binary_part *part, GBytes *old)
{
	guint8 *data;
	GBytes *out;

	if (!part->present)
		return NULL;
	data = inflate_all(part->deflated, part->size);
	if (!data)
		return NULL;
	if (!part->is_delta)
		return g_bytes_new_take(data, part->size);
	out = delta_apply(data, part->size, old);
	g_free(data);
	return out;
}
