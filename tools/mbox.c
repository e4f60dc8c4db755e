// SPDX-License-Identifier: GPL-2.0
#include "mbox.h"

#include <errno.h>

#include "error.h"
#include "mail.h"
#include "mail-text.h"
#include "strsort.h"

static void mbox_mail_free(void *data)
{
	struct mbox_mail *mail = data;

	g_bytes_unref(mail->bytes);
	g_free(mail->source);
	g_free(mail);
}

GPtrArray *mbox_new(void)
{
	return g_ptr_array_new_with_free_func(mbox_mail_free);
}

bool mbox_is_from_line(const char *line, gsize len)
{
	const char *colon;

	if (len < 20 || memcmp(line, "From ", 5))
		return false;
	/* The last colon is the one before the seconds. */
	for (colon = line + len - 3; *colon != ':'; colon--)
		if (colon < line + 9)
			return false;
	return g_ascii_isdigit(colon[-4]) && g_ascii_isdigit(colon[-2]) &&
	       g_ascii_isdigit(colon[-1]) && g_ascii_isdigit(colon[1]) &&
	       g_ascii_isdigit(colon[2]) &&
	       g_ascii_strtoull(colon + 3, NULL, 10) > 90;
}

/*
 * In a file that begins without a "From " line git never splits, and would
 * take a second mail's diff for the first one's.  Here a From line counts in
 * such a file after a blank line and before a header.
 */
static bool splits(const char *start, const char *line, gsize len,
		   const char *end, bool bare)
{
	const char *next = line + len;

	if (!mbox_is_from_line(line, len))
		return false;
	if (!bare)
		return true;
	return line - start >= 2 && line[-1] == '\n' &&
	       (line[-2] == '\n' || line[-2] == '\r') &&
	       mail_has_header(next, end - next);
}

static GBytes *without_cr(GBytes *text)
{
	gsize size;
	const char *p = g_bytes_get_data(text, &size), *end = p + size;
	GByteArray *out = g_byte_array_sized_new(size);

	while (p < end) {
		gsize len = text_line_len(p, end);

		if (len > 1 && p[len - 1] == '\n' && p[len - 2] == '\r') {
			g_byte_array_append(out, (const void *)p, len - 2);
			g_byte_array_append(out, (const void *)"\n", 1);
		} else {
			g_byte_array_append(out, (const void *)p, len);
		}
		p += len;
	}
	return g_byte_array_free_to_bytes(out);
}

void mbox_drop_cr(GPtrArray *mails)
{
	for (guint i = 0; i < mails->len; i++) {
		struct mbox_mail *mail = mails->pdata[i];
		GBytes *old = mail->bytes;

		mail->bytes = without_cr(old);
		g_bytes_unref(old);
	}
}

static int add_mail(GPtrArray *mails, const char *p, const char *end,
		    char *source, GError **error)
{
	struct mbox_mail *mail;

	if (mails->len >= MBOX_MAX_MAILS)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "'%s': more than %u mails; give only the series",
			    source, MBOX_MAX_MAILS);
	else if (end - p > MAIL_MAX_BYTES)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "'%s' has more than %u MiB", source,
			    MAIL_MAX_BYTES >> 20);
	if (mails->len >= MBOX_MAX_MAILS || end - p > MAIL_MAX_BYTES) {
		g_free(source);
		return -1;
	}
	mail = g_new0(struct mbox_mail, 1);
	mail->bytes = g_bytes_new(p, end - p);
	mail->source = source;
	g_ptr_array_add(mails, mail);
	return 0;
}

static bool has_line(const char *p, const char *end, const char *prefix)
{
	gsize n = strlen(prefix);

	while (p < end) {
		if ((gsize)(end - p) >= n && !memcmp(p, prefix, n))
			return true;
		p += text_line_len(p, end);
	}
	return false;
}

static const char NO_MAIL[] = "no mail and no mbox: it begins without a header";

/* Why nothing can be read from this text; NULL: it begins as a mail does. */
static const char *why_no_mail(GBytes *text)
{
	gsize size;
	const char *p = g_bytes_get_data(text, &size), *end = p + size;

	while (p < end && g_ascii_isspace(*p))
		p++;
	if (p == end)
		return "empty";
	if (mbox_is_from_line(p, text_line_len(p, end)) ||
	    mail_has_header(p, end - p))
		return NULL;
	if (end - p > 2 && !memcmp(p, "\x1f\x8b", 2))
		return "compressed; run gunzip on it first";
	if (has_line(p, end, "diff --git ") ||
	    (has_line(p, end, "--- ") && has_line(p, end, "+++ ")))
		return "a bare diff without a log message; "
		       "make the patch with git format-patch";
	return NO_MAIL;
}

int mbox_split(GBytes *text, const char *name, GPtrArray *mails, GError **error)
{
	const char *why = why_no_mail(text);
	gsize size;
	const char *start = g_bytes_get_data(text, &size), *end = start + size;
	unsigned int first = mails->len, nr = 1;
	bool bare;

	if (why) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "'%s' is %s", name, why);
		return -1;
	}
	while (g_ascii_isspace(*start))
		start++;
	bare = !mbox_is_from_line(start, text_line_len(start, end));
	for (const char *p = start; p < end; ) {
		gsize len = text_line_len(p, end);

		if (p > start && splits(start, p, len, end, bare)) {
			if (add_mail(mails, start, p,
				     g_strdup_printf("%s (mail %u)", name, nr),
				     error))
				return -1;
			nr++;
			start = p;
		}
		p += len;
	}
	return add_mail(mails, start, end, mails->len == first ?
			g_strdup(name) :
			g_strdup_printf("%s (mail %u)", name, nr), error);
}

static GBytes *read_stream(FILE *in, const char *name, GError **error)
{
	GByteArray *all = g_byte_array_new();
	char buf[65536];
	gsize n;

	while ((n = fread(buf, 1, sizeof(buf), in))) {
		g_byte_array_append(all, (void *)buf, n);
		if (all->len > MBOX_MAX_BYTES) {
			g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
				    "'%s' has more than %u MiB", name,
				    MBOX_MAX_BYTES >> 20);
			break;
		}
	}
	if (ferror(in))
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot read '%s': %s", name, g_strerror(errno));
	if (ferror(in) || all->len > MBOX_MAX_BYTES) {
		g_byte_array_unref(all);
		return NULL;
	}
	return g_byte_array_free_to_bytes(all);
}

static GBytes *load(const char *path, GError **error)
{
	GBytes *text;
	FILE *in = fopen(path, "rbe");

	if (!in) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot open '%s': %s", path, g_strerror(errno));
		return NULL;
	}
	text = read_stream(in, path, error);
	fclose(in);	/* read only: nothing can be lost */
	return text;
}

static GPtrArray *list_dir(const char *path, GError **error)
{
	g_autoptr(GError) cause = NULL;
	GDir *dir = g_dir_open(path, 0, &cause);
	GPtrArray *names;
	const char *name;

	if (!dir) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "%s",
			    cause->message);
		return NULL;
	}
	names = g_ptr_array_new_with_free_func(g_free);
	while ((name = g_dir_read_name(dir)))
		if (*name != '.')
			g_ptr_array_add(names, g_strdup(name));
	g_dir_close(dir);
	g_ptr_array_sort(names, by_string);
	return names;
}

/* One stray file (a README, a log) must not spoil a directory of mails. */
static int read_dir_file(const char *path, GPtrArray *mails,
			 GPtrArray *left_out, GError **error)
{
	g_autoptr(GBytes) text = NULL;

	if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
		g_ptr_array_add(left_out, g_strdup_printf(
				"'%s' is a directory in a directory", path));
		return 0;
	}
	text = load(path, error);
	if (!text)
		return -1;
	if (why_no_mail(text) == NO_MAIL) {
		g_ptr_array_add(left_out, g_strdup_printf("'%s' is %s", path,
							  NO_MAIL));
		return 0;
	}
	return mbox_split(text, path, mails, error);
}

static int read_dir(const char *path, GPtrArray *mails, GPtrArray *left_out,
		    GError **error)
{
	g_autoptr(GPtrArray) names = list_dir(path, error);

	if (!names)
		return -1;
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *file =
			g_build_filename(path, names->pdata[i], NULL);

		if (read_dir_file(file, mails, left_out, error))
			return -1;
	}
	return 0;
}

static int read_maildir(const char *cur, const char *new, GPtrArray *mails,
			GPtrArray *left_out, GError **error)
{
	const char *const dirs[] = { cur, new };

	for (gsize i = 0; i < G_N_ELEMENTS(dirs); i++)
		if (g_file_test(dirs[i], G_FILE_TEST_IS_DIR) &&
		    read_dir(dirs[i], mails, left_out, error))
			return -1;
	return 0;
}

int mbox_read(const char *path, GPtrArray *mails, GPtrArray *left_out,
	      GError **error)
{
	g_autofree char *cur = g_build_filename(path, "cur", NULL);
	g_autofree char *new = g_build_filename(path, "new", NULL);
	g_autoptr(GBytes) text = NULL;
	bool is_stdin = !strcmp(path, "-");

	if (g_file_test(cur, G_FILE_TEST_IS_DIR) ||
	    g_file_test(new, G_FILE_TEST_IS_DIR))
		return read_maildir(cur, new, mails, left_out, error);
	if (!is_stdin && g_file_test(path, G_FILE_TEST_IS_DIR))
		return read_dir(path, mails, left_out, error);
	if (is_stdin)
		path = "standard input";
	text = is_stdin ? read_stream(stdin, path, error) : load(path, error);
	return text ? mbox_split(text, path, mails, error) : -1;
}
