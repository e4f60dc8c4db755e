// SPDX-License-Identifier: GPL-2.0
/*
 * A file for each answer, its name the key:
 *	"respin-kept 1\n", SHA-256 of what follows it (hex) and "\n",
 *	the key and "\n", the answer
 */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include "kept.h"

#define MAGIC "respin-kept 1\n"
#define HEX 64
#define HEAD (sizeof(MAGIC) - 1 + HEX + 1)

/*
 * A version that somebody has to raise is forgotten one day, and then an
 * answer of the old algorithm stands for one of the new.
 */
static const char *program_sum(void)
{
	static char *sum;

	if (g_once_init_enter(&sum)) {
		g_autoptr(GMappedFile) map = g_mapped_file_new("/proc/self/exe",
							       FALSE, NULL);
		char *text = map ? g_compute_checksum_for_data(G_CHECKSUM_SHA1,
			(const guchar *)g_mapped_file_get_contents(map),
			g_mapped_file_get_length(map)) : g_strdup("");

		g_once_init_leave(&sum, text);
	}
	return sum;
}

GChecksum *kept_key(const char *kind)
{
	GChecksum *key = g_checksum_new(G_CHECKSUM_SHA256);

	kept_add(key, kind);
	kept_add(key, program_sum());
	return key;
}

void kept_add_data(GChecksum *key, gconstpointer data, gsize len)
{
	guint64 size = len;

	g_checksum_update(key, (const guchar *)&size, sizeof(size));
	if (len)
		g_checksum_update(key, data, len);
}

void kept_add(GChecksum *key, const char *text)
{
	kept_add_data(key, text, strlen(text));
}

void kept_add_number(GChecksum *key, guint64 number)
{
	kept_add_data(key, &number, sizeof(number));
}

static char *path_of(const char *dir, GChecksum *key)
{
	return g_build_filename(dir, g_checksum_get_string(key), NULL);
}

static bool is_whole(const char *text, gsize size, const char *key)
{
	g_autofree char *sum = NULL;

	if (size < HEAD + HEX + 1 || memcmp(text, MAGIC, sizeof(MAGIC) - 1) ||
	    text[HEAD - 1] != '\n' || memcmp(text + HEAD, key, HEX) || text[HEAD + HEX] != '\n')
		return false;
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256,
					  (const guchar *)text + HEAD,
					  size - HEAD);
	return !memcmp(text + sizeof(MAGIC) - 1, sum, HEX);
}

GBytes *kept_get(const char *dir, GChecksum *key)
{
	g_autofree char *path = dir ? path_of(dir, key) : NULL;
	g_autofree char *text = NULL;
	gsize size;

	/* Without a sum of the program nothing says who found it out. */
	if (!path || !*program_sum() ||
	    !g_file_get_contents(path, &text, &size, NULL) ||
	    !is_whole(text, size, g_checksum_get_string(key)))
		return NULL;
	/* it was of use just now */
	utimensat(AT_FDCWD, path, NULL, 0);
	return g_bytes_new(text + HEAD + HEX + 1, size - HEAD - HEX - 1);
}

void kept_put(const char *dir, GChecksum *key, GBytes *what)
{
	g_autofree char *path = dir ? path_of(dir, key) : NULL;
	g_autofree char *sum = NULL;
	g_autoptr(GString) out = NULL;
	gconstpointer data;
	gsize len;

	if (!path || g_mkdir_with_parents(dir, 0755))
		return;
	data = g_bytes_get_data(what, &len);
	out = g_string_sized_new(len + HEAD + HEX + 1);
	g_string_append_printf(out, "%s\n", g_checksum_get_string(key));
	g_string_append_len(out, data, len);
	sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, out->str,
					    out->len);
	g_string_prepend(out, "\n");
	g_string_prepend(out, sum);
	g_string_prepend(out, MAGIC);
	g_file_set_contents(path, out->str, out->len, NULL);
}

struct file {
	char *path;
	guint64 size;
	gint64 used;		/* ns */
};

static void file_clear(gpointer data)
{
	struct file *f = data;

	g_free(f->path);
}

static gint by_use(gconstpointer a, gconstpointer b)
{
	const struct file *x = a, *y = b;

	return x->used < y->used ? -1 : x->used > y->used;
}

static GArray *files_in(const char *dir, guint64 *total)
{
	GArray *files = g_array_new(FALSE, FALSE, sizeof(struct file));
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *name;

	g_array_set_clear_func(files, file_clear);
	while (d && (name = g_dir_read_name(d))) {
		struct file f = { .path = g_build_filename(dir, name, NULL) };
		struct stat st;

		if (lstat(f.path, &st) || !S_ISREG(st.st_mode)) {
			g_free(f.path);
			continue;
		}
		f.size = st.st_size;
		f.used = st.st_mtim.tv_sec * G_GINT64_CONSTANT(1000000000) +
			 st.st_mtim.tv_nsec;
		*total += f.size;
		g_array_append_val(files, f);
	}
	return files;
}

/* Some more than must go, so that the next run need not begin again. */
void kept_prune(const char *dir, guint64 max)
{
	guint64 total = 0;
	g_autoptr(GArray) files = files_in(dir, &total);

	if (total <= max)
		return;
	g_array_sort(files, by_use);
	for (guint i = 0; i < files->len && total > max / 4 * 3; i++) {
		const struct file *f = &g_array_index(files, struct file, i);

		if (!g_unlink(f->path))
			total -= f->size;
	}
}
