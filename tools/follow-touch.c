// SPDX-License-Identifier: GPL-2.0
/* Which files of a patch concern the build, and in what way: by their names. */
#include <string.h>
#include "follow-int.h"
#include "impact.h"
#include "kconf.h"
#include "neigh.h"

/* arch/X/ of an architecture that none of @variants is of */
static bool is_outside(const GPtrArray *variants, const char *path)
{
	if (!g_str_has_prefix(path, "arch/") || !strchr(path + 5, '/'))
		return false;
	for (guint i = 0; i < variants->len; i++) {
		const struct variant *v = variants->pdata[i];
		g_autofree char *dir = g_strconcat("arch/", v->arch->srcarch,
						   NULL);

		if (path_is_below(path, dir))
			return false;
	}
	return true;
}

bool follow_is_elsewhere(const struct run *run, const char *path)
{
	return is_outside(run->variants, path);
}

bool follow_is_nowhere(const struct run *run, const char *path)
{
	return follow_is_elsewhere(run, path) && is_outside(run->judged, path);
}

/* Does a variant have the commands of its boot code (kbuild-extra.c)? */
static bool has_boot(const struct run *run, const char *path)
{
	for (guint i = 0; kdir_is_boot(path) && i < run->variants->len; i++) {
		const struct variant *v = run->variants->pdata[i];
		g_autofree char *dir = g_strconcat("arch/", v->arch->srcarch,
						   "/boot", NULL);

		if (v->arch->boot && path_is_below(path, dir))
			return true;
	}
	return false;
}

bool follow_is_global_makefile(const struct run *run, const char *path)
{
	if (change_kind_of(path) != CHANGE_MAKEFILE ||
	    kdir_is_makefile(path) || follow_is_elsewhere(run, path))
		return false;
	return !kdir_is_boot(path) || has_boot(run, path);
}

bool follow_is_kconfig(const char *path)
{
	g_autofree char *base = g_path_get_basename(path);

	return change_kind_of(path) == CHANGE_KCONFIG &&
	       g_str_has_prefix(base, "Kconfig");
}

static void add_dir(const struct run *run, struct touch *t, const char *path)
{
	char *dir = kdir_of(run->cur, path);

	if (*dir)
		g_hash_table_add(t->dirs, dir);
	else
		g_free(dir);
}

/* A file that comes or goes without its Makefile is told by make. */
static void touch_source(struct run *run, struct touch *t,
			 const struct file_diff *fd)
{
	bool goes = !fd->new_path || fd->is_rename;
	bool comes = fd->new_path &&
		     (!fd->old_path || fd->is_rename || fd->is_copy);

	if (kdir_is_boot(file_diff_path(fd))) {
		t->whole |= (goes || comes) && has_boot(run, file_diff_path(fd));
		return;
	}
	if (goes)
		add_dir(run, t, fd->old_path);
	if (comes)
		add_dir(run, t, fd->new_path);
}

/* Does the Makefile of its directory build a host program of it, and no object? */
static bool is_host_source(const struct run *run, const char *path)
{
	g_autofree char *dir = kdir_of(run->cur, path);
	g_autofree char *makefile = kdir_makefile(run->cur, dir);
	g_autofree char *full = NULL, *text = NULL, *stem = NULL;
	g_autofree char *object = NULL, *by = NULL;
	const char *slash = strrchr(path, '/');

	if (!*dir || !makefile || !g_str_has_suffix(path, ".c"))
		return false;
	full = g_build_filename(run->cur, makefile, NULL);
	if (!g_file_get_contents(full, &text, NULL, NULL) ||
	    !strstr(text, "hostprogs"))
		return false;
	stem = g_strndup(slash + 1, strlen(slash + 1) - 2);
	object = g_strconcat(stem, ".o", NULL);
	by = kconf_decides(text, object);
	return !by && (kconf_line(text, stem) || kconf_line(text, object));
}

static bool is_built(const struct run *run, const char *path)
{
	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = run->variants->pdata[i];

		if (compdb_by_source(v->db, path))
			return true;
	}
	return false;
}

/* Then it is a header, whatever its name. */
static bool is_included(const struct run *run, const char *path)
{
	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = run->variants->pdata[i];

		if (incgraph_is_included(run->graph, path, v->arch->srcarch))
			return true;
	}
	return false;
}

bool follow_is_other(struct run *run, const char *path)
{
	enum change_kind kind = change_kind_of(path);

	if (kind == CHANGE_OTHER && !g_str_has_suffix(path, "_shipped") &&
	    is_included(run, path))
		return false;
	if (kind == CHANGE_OTHER || kind == CHANGE_TOOLS)
		return !g_str_has_prefix(path, "scripts/kconfig/") &&
		       !neigh_settles(run, path);
	if (kind != CHANGE_SOURCE || is_built(run, path))
		return false;
	return g_str_has_suffix(path, ".lds.S") || is_host_source(run, path);
}

/* Wrappers of include/asm-generic/ come and go with these. */
static bool moves_wrappers(const struct file_diff *fd)
{
	const char *path = file_diff_path(fd);

	if (fd->old_path && fd->new_path && !fd->is_rename)
		return false;
	return g_str_has_suffix(path, ".h") &&
	       (strstr(path, "include/asm-generic/") ||
		strstr(path, "/include/asm/") ||
		strstr(path, "/include/uapi/asm/") ||
		strstr(path, "include/uapi/asm-generic/"));
}

static void touch_file(struct run *run, struct touch *t,
		       const struct file_diff *fd)
{
	const char *path = file_diff_path(fd);
	enum change_kind kind = change_kind_of(path);

	if (follow_is_elsewhere(run, path))
		return;
	if (kind == CHANGE_MAKEFILE && kdir_is_makefile(path) &&
	    follow_is_real(fd))
		add_dir(run, t, path);
	if (follow_is_global_makefile(run, path) && follow_is_real(fd)) {
		t->made = true;
		t->whole |= !kdir_is_header_list(path);
	}
	if (follow_is_other(run, path)) {
		g_ptr_array_add(t->others, (gpointer)path);
		t->made = true;
	} else if (kind == CHANGE_SOURCE) {
		touch_source(run, t, fd);
	}
	t->made |= moves_wrappers(fd);
	t->kconfig |= kind == CHANGE_KCONFIG ||
		      g_str_has_prefix(path, "scripts/kconfig/");
}

/*
 * Does the step have other Kconfig files than the base?  A symbol that is not
 * in .config would make kconfig ask for its value in every dry run.
 */
static bool has_kconfig(struct run *run, unsigned int n)
{
	const struct diff *d = run_change(run, 0, n);

	for (guint i = 0; i < d->files->len; i++) {
		const char *path = file_diff_path(d->files->pdata[i]);

		if (follow_is_kconfig(path) && !follow_is_elsewhere(run, path))
			return true;
	}
	return false;
}

void follow_touch(struct run *run, unsigned int n, struct touch *t)
{
	const struct diff *d = run_change(run, n - 1, n);

	*t = (struct touch){ 0 };
	t->dirs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	t->others = g_ptr_array_new();
	for (guint i = 0; i < d->files->len; i++)
		touch_file(run, t, d->files->pdata[i]);
	kdir_reduce(t->dirs);
	t->any = t->kconfig || t->whole || t->made || t->others->len ||
		 g_hash_table_size(t->dirs);
	t->kconfig |= has_kconfig(run, n);
}

void follow_touch_clear(struct touch *t)
{
	g_hash_table_unref(t->dirs);
	g_ptr_array_unref(t->others);
}
