// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "doctor.h"
#include "term.h"

#define GB (1024.0 * 1024 * 1024)

/* A first run makes the checkouts and build directories of all variants. */
#define SPACE_FIRST_RUN (6 * GB)
#define SPACE_LATER (1 * GB)
/* Some TUs of allmodconfig take half of it, and there are several at once. */
#define MEMORY_LEAST (2 * GB)

static void row_free(void *p)
{
	struct doctor_row *r = p;

	g_free(r->name);
	g_free(r->version);
	g_free(r->path);
	g_free(r->purpose);
	g_free(r->package);
	g_free(r->hint);
	g_free(r);
}

GPtrArray *doctor_rows_new(void)
{
	return g_ptr_array_new_with_free_func(row_free);
}

struct doctor_row *doctor_add(GPtrArray *rows, enum doctor_state state,
			      const char *name, const char *version,
			      const char *path, const char *purpose)
{
	struct doctor_row *r = g_new0(struct doctor_row, 1);

	r->state = state;
	r->name = g_strdup(name);
	r->version = g_strdup(version);
	r->path = g_strdup(path);
	r->purpose = g_strdup(purpose);
	g_ptr_array_add(rows, r);
	return r;
}

/* @dir, or the directory above it that is there. */
static char *existing_dir(const char *dir)
{
	char *d = g_strdup(dir);

	while (!g_file_test(d, G_FILE_TEST_EXISTS) && d[1]) {
		char *up = g_path_get_dirname(d);

		g_free(d);
		d = up;
	}
	return d;
}

static bool is_empty(const char *dir)
{
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);

	return !d || !g_dir_read_name(d);
}

static void check_space(GPtrArray *rows, const char *cache_dir)
{
	g_autofree char *dir = existing_dir(cache_dir), *space = NULL;
	double need = is_empty(cache_dir) ? SPACE_FIRST_RUN : SPACE_LATER;
	struct doctor_row *row;
	struct statvfs fs;
	double free_bytes;

	row = doctor_add(rows, DOCTOR_OK, "cache", "", cache_dir,
			 "results, checkouts, build directories");
	if (statvfs(dir, &fs) || access(dir, W_OK | X_OK)) {
		row->state = DOCTOR_BROKEN;
		row->hint = g_strdup_printf("cannot write in '%s': %s; set respin.cacheDir",
					    dir, g_strerror(errno));
		return;
	}
	free_bytes = (double)fs.f_bavail * fs.f_frsize;
	space = g_strdup_printf("%.1f GB", free_bytes / GB);
	g_free(row->version);
	row->version = g_steal_pointer(&space);
	if (free_bytes >= need)
		return;
	row->state = DOCTOR_BROKEN;
	row->hint = g_strdup_printf("%.1f GB free, respin needs %.0f GB; make room or set "
				    "respin.cacheDir",
				    free_bytes / GB, need / GB);
}

static void check_memory(GPtrArray *rows)
{
	g_autofree char *text = NULL, *size = NULL;
	struct doctor_row *row;
	const char *field;
	double bytes = 0;

	if (g_file_get_contents("/proc/meminfo", &text, NULL, NULL)) {
		field = strstr(text, "MemAvailable:");
		if (field)
			bytes = g_ascii_strtod(strchr(field, ':') + 1, NULL) * 1024;
	}
	size = bytes ? g_strdup_printf("%.1f GB", bytes / GB) : g_strdup("");
	row = doctor_add(rows, DOCTOR_OK, "memory", size, "",
			 "about 1 GB for each job at once");
	if (!bytes || bytes >= MEMORY_LEAST)
		return;
	row->state = DOCTOR_BROKEN;
	row->hint = g_strdup_printf("%s available, respin needs %.0f GB",
				    size, MEMORY_LEAST / GB);
}

void doctor_check_machine(GPtrArray *rows, const char *cache_dir)
{
	check_space(rows, cache_dir);
	check_memory(rows);
}

char *doctor_install_line(const GPtrArray *rows)
{
	g_autoptr(GString) line = g_string_new("apt-get install");
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < rows->len; i++) {
		const struct doctor_row *r = rows->pdata[i];

		if (r->state == DOCTOR_MISSING && r->package &&
		    g_hash_table_add(seen, r->package))
			g_string_append_printf(line, " %s", r->package);
	}
	if (!g_hash_table_size(seen))
		return NULL;
	return g_string_free(g_steal_pointer(&line), FALSE);
}

static const char *state_name(enum doctor_state state)
{
	static const char *const names[] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_MISSING] = "missing",
		[DOCTOR_BROKEN] = "broken",
	};

	return names[state];
}

struct widths {
	unsigned int name, version, path;
};

static void print_row(const struct doctor_row *r, const struct widths *w,
		      FILE *out)
{
	g_autofree char *name = term_pad(r->name, w->name);
	g_autofree char *version = term_pad(r->version, w->version);
	g_autofree char *shown = term_escape(r->path);
	g_autofree char *path = term_pad(shown, w->path);
	const char *on = r->state == DOCTOR_OK ? term_green(out) : term_red(out);

	fprintf(out, "%s%-7s%s  %s  %s  %s  %s\n", on, state_name(r->state),
		term_off(out), name, version, path, r->purpose);
}

static struct widths measure(const GPtrArray *rows)
{
	struct widths w = { 0 };

	for (guint i = 0; i < rows->len; i++) {
		const struct doctor_row *r = rows->pdata[i];
		g_autofree char *path = term_escape(r->path);

		w.name = MAX(w.name, term_width(r->name));
		w.version = MAX(w.version, term_width(r->version));
		w.path = MAX(w.path, term_width(path));
	}
	return w;
}

bool doctor_print(const GPtrArray *rows, FILE *out)
{
	const struct widths w = measure(rows);
	g_autofree char *install = doctor_install_line(rows);
	bool all = true;

	for (guint i = 0; i < rows->len; i++) {
		const struct doctor_row *r = rows->pdata[i];

		print_row(r, &w, out);
		all = all && r->state == DOCTOR_OK;
	}
	if (all) {
		fputs("\nall is there\n", out);
		return true;
	}
	fputc('\n', out);
	for (guint i = 0; i < rows->len; i++) {
		const struct doctor_row *r = rows->pdata[i];
		g_autofree char *hint = r->hint ? term_escape(r->hint) : NULL;

		if (r->state != DOCTOR_OK && hint)
			fprintf(out, "%s: %s\n", r->name, hint);
	}
	if (install)
		fprintf(out, "to install what is missing, as root: %s\n",
			install);
	return false;
}
