// SPDX-License-Identifier: GPL-2.0
/* The directory of a variant in the cache and the stamp that vouches for it. */
#include <errno.h>
#include <fts.h>
#include <unistd.h>
#include "error.h"
#include "kbuild-int.h"

/* Raised when what this program makes of the same inputs changes. */
#define FORMAT "respin-kbuild 4"

static int io_error(GError **error, const char *what, const char *path)
{
	int err = errno;

	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
		    "cannot %s '%s': %s", what, path, g_strerror(err));
	return -1;
}

int kbuild_dir_init(struct kbuild_dir *d, struct kbuild *kb, struct variant *v,
		    GError **error)
{
	g_autofree char *cache = NULL;

	*d = (struct kbuild_dir){ .kb = kb, .v = v };
	d->srcdir = realpath(kb->srcdir, NULL);
	if (!d->srcdir)
		return io_error(error, "find the source tree", kb->srcdir);
	if (g_mkdir_with_parents(kb->cachedir, 0777)) {
		kbuild_dir_release(d);
		return io_error(error, "make", kb->cachedir);
	}
	cache = realpath(kb->cachedir, NULL);
	d->dir = g_build_filename(cache ? cache : kb->cachedir, v->name, NULL);
	d->odir = g_build_filename(d->dir, "build", NULL);
	d->stamp = g_build_filename(d->dir, "stamp", NULL);
	d->compdb = g_build_filename(d->dir, "compdb", NULL);
	d->unprinted = g_build_filename(d->dir, "unprinted", NULL);
	d->dirs = g_build_filename(d->dir, "dirs", NULL);
	d->made = g_build_filename(d->dir, "made", NULL);
	if (!kbuild_dir_make(d, error))
		return 0;
	kbuild_dir_release(d);
	return -1;
}

int kbuild_dir_make(const struct kbuild_dir *d, GError **error)
{
	if (g_mkdir_with_parents(d->odir, 0777))
		return io_error(error, "make", d->odir);
	return 0;
}

void kbuild_dir_release(struct kbuild_dir *d)
{
	free(d->srcdir);
	g_free(d->dir);
	g_free(d->odir);
	g_free(d->stamp);
	g_free(d->compdb);
	g_free(d->unprinted);
	g_free(d->dirs);
	g_free(d->made);
	*d = (struct kbuild_dir){ 0 };
}

int remove_tree(const char *path, GError **error)
{
	char *paths[] = { (char *)path, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *e;
	int rc = 0;

	if (!fts)
		return io_error(error, "remove", path);
	while (!rc && (e = fts_read(fts))) {
		switch (e->fts_info) {
		case FTS_D:
			break;
		case FTS_DNR:
		case FTS_ERR:
		case FTS_NS:
			if (e->fts_errno == ENOENT)
				break;
			errno = e->fts_errno;
			rc = io_error(error, "read", e->fts_path);
			break;
		case FTS_DP:
			if (rmdir(e->fts_accpath))
				rc = io_error(error, "remove", e->fts_path);
			break;
		default:
			if (unlink(e->fts_accpath))
				rc = io_error(error, "remove", e->fts_path);
		}
	}
	fts_close(fts);
	return rc;
}

/* What another base does not change. */
static char *stamp_head(const struct kbuild_dir *d)
{
	const struct kfragment *f = d->v->parent ?
		d->v->kspec->fragments->pdata[0] : NULL;

	return g_strdup_printf(FORMAT "\nsource %s\nkconfig %s\ncross %s\n"
			       "toolchain %s\n%s%s%s%s", d->srcdir,
			       d->v->kconfig, d->v->cross, d->v->toolchain,
			       d->v->arch->boot ? "boot 2\n" : "",
			       f ? "with 2\n" : "", f ? f->text : "",
			       f ? "\n" : "");
}

static char *config_hash(const struct kbuild_dir *d)
{
	g_autofree char *path = g_build_filename(d->odir, ".config", NULL);
	g_autofree char *text = NULL;
	gsize len;

	if (!g_file_get_contents(path, &text, &len, NULL))
		return NULL;
	return g_compute_checksum_for_string(G_CHECKSUM_SHA1, text, len);
}

/* The value of line "@name VALUE"; NULL: none. */
static char *stamp_value(char **lines, const char *name)
{
	gsize n = strlen(name);

	for (; *lines; lines++)
		if (!strncmp(*lines, name, n) && (*lines)[n] == ' ')
			return *lines + n + 1;
	return NULL;
}

enum stamp_state kbuild_stamp_check(const struct kbuild_dir *d, char **old)
{
	g_autofree char *text = NULL, *head = stamp_head(d);
	g_autofree char *hash = config_hash(d);
	g_auto(GStrv) lines = NULL;
	const char *tree;

	if (!hash || !g_file_get_contents(d->stamp, &text, NULL, NULL) ||
	    !g_str_has_prefix(text, head))
		return STAMP_NONE;
	lines = g_strsplit(text + strlen(head), "\n", -1);
	tree = stamp_value(lines, "tree");
	/* somebody may have edited .config since */
	if (!tree || !g_str_has_suffix(text, "\n") ||
	    g_strcmp0(stamp_value(lines, "config"), hash))
		return STAMP_NONE;
	g_free(d->v->config_hash);
	d->v->config_hash = g_steal_pointer(&hash);
	if (!strcmp(tree, d->kb->tree))
		return STAMP_SAME;
	*old = g_strdup(tree);
	return STAMP_OTHER;
}

char *kbuild_top_hash(const struct kbuild_dir *d)
{
	static const char *const names[] = { "VERSION", "PATCHLEVEL", "SUBLEVEL",
					     "EXTRAVERSION", "NAME" };
	g_autofree char *path = g_build_filename(d->srcdir, "Makefile", NULL);
	g_autoptr(GString) rest = g_string_new(NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++) {
		bool version = false;

		for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
			gsize n = strlen(names[i]);

			version |= !strncmp(*l, names[i], n) &&
				   g_str_has_prefix(*l + n, " =");
		}
		if (!version)
			g_string_append_printf(rest, "%s\n", *l);
	}
	return g_compute_checksum_for_string(G_CHECKSUM_SHA1, rest->str, -1);
}

char *kbuild_stamp_top(const struct kbuild_dir *d)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(d->stamp, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	return g_strdup(stamp_value(lines, "top"));
}

int kbuild_stamp_write(const struct kbuild_dir *d, GError **error)
{
	g_autofree char *head = stamp_head(d), *text = NULL;
	g_autofree char *top = kbuild_top_hash(d);
	GError *err = NULL;

	g_free(d->v->config_hash);
	d->v->config_hash = config_hash(d);
	if (!d->v->config_hash)
		return io_error(error, "read .config in", d->odir);
	text = g_strdup_printf("%sconfig %s\ntop %s\ntree %s\n", head,
			       d->v->config_hash, top ? top : "-", d->kb->tree);
	if (g_file_set_contents(d->stamp, text, -1, &err))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "%s", err->message);
	g_error_free(err);
	return -1;
}
