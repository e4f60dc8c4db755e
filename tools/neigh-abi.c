// SPDX-License-Identifier: GPL-2.0
/*
 * The types of headers for user space, compared with those of the base: for
 * that the headers of the base are kept beside the checkouts, which are at
 * other steps.
 */
#include <errno.h>
#include <unistd.h>
#include "error.h"
#include "kbuild-int.h"
#include "neigh-int.h"
#include "uapi.h"

static int io_error(GError **error, const char *what, const char *path)
{
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "cannot %s '%s': %s",
		    what, path, g_strerror(errno));
	return -1;
}

static int put(const char *dir, const char *path, const char *text, gsize len,
	       GError **error)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);
	g_autofree char *parent = g_path_get_dirname(full);

	if (g_mkdir_with_parents(parent, 0755) ||
	    !g_file_set_contents(full, text, len, NULL))
		return io_error(error, "write", full);
	return 0;
}

/* The headers below @dir of the checkout, whatever its step. */
static int copy_dir(struct run *run, const char *to, const char *dir,
		    GError **error)
{
	g_autofree char *full = g_build_filename(run->cur, dir, NULL);
	g_autoptr(GDir) d = g_dir_open(full, 0, NULL);
	const char *name;
	int ret = 0;

	while (!ret && d && (name = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, name, NULL);
		g_autofree char *below = g_build_filename(full, name, NULL);
		g_autofree char *text = NULL;
		gsize len;

		if (g_file_test(below, G_FILE_TEST_IS_DIR))
			ret = copy_dir(run, to, path, error);
		else if (g_str_has_suffix(name, ".h"))
			ret = g_file_get_contents(below, &text, &len, NULL) ?
				put(to, path, text, len, error) :
				io_error(error, "read", below);
	}
	return ret;
}

/* What a patch of the series touches is put back to what the base has. */
static int put_back(struct run *run, const char *to, const char *path,
		    GError **error)
{
	g_autofree char *srcarch = NULL, *full = NULL;
	g_autoptr(GBytes) blob = NULL;
	gconstpointer text;
	gsize len;

	if (!path || !uapi_is_header(path, &srcarch))
		return 0;
	blob = repo_blob(run->repo, run_step(run, 0)->tree, path);
	if (blob) {
		text = g_bytes_get_data(blob, &len);
		return put(to, path, text ?: "", len, error);
	}
	full = g_build_filename(to, path, NULL);
	return unlink(full) && errno != ENOENT ?
	       io_error(error, "remove", full) : 0;
}

static int make_base(struct run *run, const char *to, GError **error)
{
	g_autoptr(GPtrArray) firsts = neigh_arches(run);

	if (remove_tree(to, error) || copy_dir(run, to, "include/uapi", error))
		return -1;
	for (guint i = 0; i < firsts->len; i++) {
		const struct variant *v = firsts->pdata[i];
		g_autofree char *dir = g_build_filename("arch", v->arch->srcarch,
							"include/uapi", NULL);

		if (copy_dir(run, to, dir, error))
			return -1;
	}
	for (unsigned int n = 1; n <= run_steps(run); n++) {
		const struct diff *d = run_change(run, n - 1, n);

		for (guint i = 0; i < d->files->len; i++) {
			const struct file_diff *fd = d->files->pdata[i];

			if (put_back(run, to, fd->old_path, error) ||
			    put_back(run, to, fd->new_path, error))
				return -1;
		}
	}
	return 0;
}

/* Made once for each set of variants; NULL: a gap of patch @n is said. */
static char *base_dir(struct run *run, unsigned int n)
{
	g_autofree char *dir = g_build_filename(run->dir, "uapi-base", NULL);
	g_autofree char *stage = g_strdup_printf("stage %u", run->stage);
	struct neigh *ne = neigh_state(run);

	if (neigh_first(run, 0, dir, stage)) {
		g_clear_error(&ne->no_base);
		make_base(run, dir, &ne->no_base);
	}
	if (!ne->no_base)
		return g_steal_pointer(&dir);
	run_gap(run, n, NULL, "include/uapi", ne->no_base->message);
	return NULL;
}

static void add(struct run *run, unsigned int n, GPtrArray *jobs,
		const struct variant *v, const char *base, const char *name)
{
	const char *srcarch = v->arch->srcarch;
	g_autofree char *there = uapi_source(base, v->odir, srcarch, name);
	g_autofree char *object = g_strconcat("usr/include/", name, NULL);
	g_autofree char *key = g_strconcat("types ", name, NULL);
	char *values[] = { (char *)base, (char *)name, NULL };

	/* what the base does not have nobody can have compiled */
	if (!there || g_str_has_prefix(there, "O/") ||
	    !neigh_first(run, n, key, v->arch->name))
		return;
	neigh_add_tu(run, n, jobs, "abi", v, neigh_tu(run, object,
			"scripts/headers_install.sh", g_strdupv(values)));
}

void neigh_abi(struct run *run, unsigned int n, GPtrArray *jobs,
	       const struct variant *v, GHashTable *names,
	       const GPtrArray *others)
{
	g_autofree char *tool = g_find_program_in_path("abidw");
	g_autofree char *base = NULL;
	GHashTableIter it;
	gpointer name;

	if (!tool) {
		run_gap(run, n, NULL, "include/uapi", "whether its types change is "
			"not known: abidw is not there; install 'abigail-tools'");
		return;
	}
	base = base_dir(run, n);
	if (!base)
		return;
	g_hash_table_iter_init(&it, names);
	while (g_hash_table_iter_next(&it, &name, NULL))
		add(run, n, jobs, v, base, name);
	for (guint i = 0; i < others->len; i++) {
		const char *path = others->pdata[i];

		add(run, n, jobs, v, base, uapi_name(path, v->arch->srcarch));
	}
}
