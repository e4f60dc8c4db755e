// SPDX-License-Identifier: GPL-2.0
#include "series-trailer.h"

#include "mail-text.h"

struct found {
	char *base, *change;
	GPtrArray *prereqs;
};

static bool is_hex_id(const char *text)
{
	gsize n = strspn(text, "0123456789abcdef");

	return n >= 7 && n <= 64 && !text[n];
}

/* The value when the line begins with @key; to be freed. */
static char *value_of(const char *p, gsize len, const char *key)
{
	gsize n = strlen(key);

	if (len < n || g_ascii_strncasecmp(p, key, n))
		return NULL;
	return g_strstrip(g_strndup(p + n, len - n));
}

static void read_line(struct found *f, const char *p, gsize len,
		      GPtrArray *notes)
{
	g_autofree char *base = value_of(p, len, "base-commit:");
	g_autofree char *prereq = value_of(p, len, "prerequisite-patch-id:");
	char *change = value_of(p, len, "change-id:");

	if (base && is_hex_id(base)) {
		g_free(f->base);
		f->base = g_steal_pointer(&base);
	} else if (base) {
		g_ptr_array_add(notes, g_strdup_printf(
				"base-commit '%s' is no commit id", base));
	}
	if (prereq && is_hex_id(prereq))
		g_ptr_array_add(f->prereqs, g_steal_pointer(&prereq));
	if (change) {
		g_free(f->change);
		f->change = change;
	}
}

void series_trailer_read(struct series *s, const struct mail *m,
			 GPtrArray *notes)
{
	struct found f = { NULL, NULL, g_ptr_array_new_with_free_func(g_free) };

	for (guint i = 0; i < m->parts->len; i++) {
		const struct mail_part *part = m->parts->pdata[i];
		gsize size;
		const char *p = g_bytes_get_data(part->bytes, &size);
		const char *end = p + size;

		for (; p < end; p += text_line_len(p, end))
			read_line(&f, p, text_line_len(p, end), notes);
	}
	if (!s->base_commit)
		s->base_commit = g_steal_pointer(&f.base);
	if (!s->change_id)
		s->change_id = g_steal_pointer(&f.change);
	if (!s->prereqs->len)
		g_ptr_array_extend_and_steal(s->prereqs, f.prereqs);
	else
		g_ptr_array_unref(f.prereqs);
	g_free(f.base);
	g_free(f.change);
}
