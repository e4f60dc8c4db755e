// SPDX-License-Identifier: GPL-2.0
/*
 * Prints what series_read() makes of a one-patch series, for comparison with
 * git: mail-dump MAIL MESSAGE-FILE PATCH-FILE [--keep-cr]
 */
#include <stdio.h>

#include "series.h"

static int put(const char *path, const void *data, gsize len)
{
	return g_file_set_contents(path, data, len, NULL) ? 0 : 1;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	char *paths[] = { argc > 3 ? argv[1] : NULL, NULL };
	g_autoptr(series_t) s = NULL;
	const struct patch *p;
	const char *diff;
	gsize len;

	if (argc < 4) {
		fprintf(stderr, "usage: mail-dump mail message patch "
			"[--keep-cr]\n");
		return 2;
	}
	s = series_read(paths, argc > 4, &error);
	if (!s) {
		fprintf(stderr, "%s\n", error->message);
		return 1;
	}
	p = s->patches->pdata[0];
	printf("%s <%s> %" G_GINT64_FORMAT " %c%02d%02d\n", p->author_name,
	       p->author_email, p->date, p->date_offset < 0 ? '-' : '+',
	       ABS(p->date_offset) / 60, ABS(p->date_offset) % 60);
	for (guint i = 0; i < p->notes->len; i++)
		fprintf(stderr, "note: %s\n", (char *)p->notes->pdata[i]);
	diff = g_bytes_get_data(p->diff, &len);
	return put(argv[2], p->message, strlen(p->message)) |
	       put(argv[3], diff, len);
}
