// SPDX-License-Identifier: GPL-2.0
/*
 * A variant that differs from another by a few settings.  Its O= is a copy, and
 * its database is the parent's but for the directories whose Makefiles name a
 * symbol that has another value: a dry run of those takes seconds.
 */
#include <fts.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include "error.h"
#include "follow-int.h"
#include "kbuild-int.h"
#include "kconf.h"

#define COPY_SECONDS	600
#define MAKE_SECONDS	900
#define DIRS_MAX	16	/* more are not cheaper than all of the kernel */

struct variant *variant_toggle(const struct variant *parent, const char *toggle,
			       const char *settings)
{
	struct variant *v = g_new0(struct variant, 1);

	v->arch = parent->arch;
	v->kspec = kspec_of_text(settings, toggle);
	v->kconfig = g_strdup(parent->kconfig);
	v->cross = g_strdup(parent->cross);
	v->toolchain = g_strdup(parent->toolchain);
	v->tooldir = g_strdup(parent->tooldir);
	v->parent = g_strdup(parent->name);
	v->toggle = g_strdup(toggle);
	v->name = g_strdup_printf("%s-%s", parent->name, toggle);
	v->tip = true;
	return v;
}

static int run_argv(const struct kbuild_dir *d, struct proc_job *j,
		    const char *what, GError **error)
{
	int rc = 0;

	if (!kbuild_ok(j)) {
		kbuild_error(d, j, what, error);
		rc = -1;
	}
	proc_job_free(j);
	return rc;
}

static int copy_parent(const struct kbuild_dir *d, GError **error)
{
	g_autofree char *top = g_path_get_dirname(d->dir);
	g_autofree char *from = g_build_filename(top, d->v->parent, "build", NULL);
	g_autofree char *all = g_strconcat(from, "/.", NULL);
	char *argv[] = { (char *)"cp", (char *)"-a", (char *)"--reflink=auto",
			 all, d->odir, NULL };
	const char *ro[] = { from, NULL };
	const char *rw[] = { d->odir, NULL };
	struct proc_job *j = proc_job_new(sandbox_argv(d->kb->sandbox, argv, "/",
						       ro, rw, NULL));

	j->seconds = COPY_SECONDS;
	proc_run(j);
	return run_argv(d, j, "copy of O=", error);
}

/*
 * The rest of `prepare` builds programs (objtool, resolve_btfids) that a
 * compile does not run: two thirds of the time.
 */
int kbuild_prepare_sources(const struct kbuild_dir *d, GError **error)
{
	g_autofree char *jobs = g_strdup_printf("-j%u", d->kb->jobs ?: 2);
	const char *words[] = { jobs, "prepare0", NULL };

	return run_argv(d, kbuild_run(d, kbuild_make_argv(d, words), NULL, NULL,
				      MAKE_SECONDS), "make prepare0", error);
}

/* What of the Makefiles hangs on the symbols that differ. */
struct hanging {
	GHashTable *symbols;	/* of char * */
	GHashTable *dirs;	/* of char *, owned */
	bool whole;		/* flags of all of the kernel */
	bool boot;
};

static bool names_any(const struct hanging *h, const char *text, gsize len)
{
	g_autoptr(GHashTable) used = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	GHashTableIter it;
	gpointer name;

	kconf_used(used, text, len);
	g_hash_table_iter_init(&it, used);
	while (g_hash_table_iter_next(&it, &name, NULL))
		if (g_hash_table_contains(h->symbols, name))
			return true;
	return false;
}

/* The Makefile @path (relative to the tree) names one of them. */
static void hang(struct hanging *h, const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	g_autofree char *base = g_path_get_basename(path);
	bool plain = !strcmp(base, "Makefile") || !strcmp(base, "Kbuild");

	if (g_pattern_match_simple("arch/*/boot/*", path))
		h->boot = true;
	else if (!parts[1] || !plain || (!strcmp(parts[0], "arch") && !parts[3] &&
					 !strcmp(base, "Makefile")))
		h->whole = true;
	else
		g_hash_table_add(h->dirs, g_path_get_dirname(path));
}

static bool is_makefile(const char *name)
{
	return g_str_has_prefix(name, "Makefile") ||
	       g_str_has_prefix(name, "Kbuild") ||
	       !strcmp(name, "Platform") || g_str_has_suffix(name, ".mk");
}

/* No part of this kernel: host programs, texts, other architectures. */
static bool is_apart(const char *path, const char *srcarch)
{
	g_autofree char *own = g_strconcat("arch/", srcarch, NULL);
	static const char *const dirs[] = { "Documentation", "tools", ".git",
		"scripts/dtc", "scripts/kconfig", "scripts/gdb" };

	for (gsize i = 0; i < G_N_ELEMENTS(dirs); i++)
		if (!strcmp(path, dirs[i]))
			return true;
	return g_str_has_prefix(path, "arch/") && !path_is_below(path, own) &&
	       strcmp(path, own);
}

static void find_hanging(const struct kbuild_dir *d, struct hanging *h)
{
	char *paths[] = { d->srcdir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT,
			    NULL);
	gsize skip = strlen(d->srcdir) + 1;
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		g_autofree char *text = NULL;
		gsize len;

		if (e->fts_info == FTS_D && e->fts_level &&
		    is_apart(e->fts_path + skip, d->v->arch->srcarch))
			fts_set(fts, e, FTS_SKIP);
		if (e->fts_info == FTS_D || e->fts_info == FTS_DP ||
		    !is_makefile(e->fts_name) ||
		    !g_file_get_contents(e->fts_path, &text, &len, NULL))
			continue;
		if (names_any(h, text, len))
			hang(h, e->fts_path + skip);
	}
	if (fts)
		fts_close(fts);
}

static bool prints(const struct compdb *db, const char *dir)
{
	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		if (path_is_below(tu->object, dir) ||
		    path_is_below(tu->source, dir))
			return true;
	}
	return false;
}

/*
 * A directory of which nothing is printed and which had something is off now,
 * or is built by the Makefile of one above: that one tells.
 */
static bool climb(struct hanging *h, const struct compdb *db,
		  const struct compdb *now)
{
	g_autofree gpointer *dirs = g_hash_table_get_keys_as_array(h->dirs, NULL);
	bool any = false;

	for (gpointer *dir = dirs; *dir; dir++) {
		g_autofree char *up = g_path_get_dirname(*dir);

		if (prints(now, *dir) || !prints(db, *dir))
			continue;
		any = true;
		if (!strcmp(up, "."))
			h->whole = true;
		else
			g_hash_table_add(h->dirs, g_strdup(up));
		g_hash_table_remove(h->dirs, *dir);
	}
	return any;
}

/* A directory is asked for with all that is below it. */
static void reduce(struct hanging *h)
{
	g_autofree gpointer *dirs = g_hash_table_get_keys_as_array(h->dirs, NULL);
	g_autoptr(GPtrArray) inner = g_ptr_array_new();

	for (gpointer *a = dirs; *a; a++)
		for (gpointer *b = dirs; *b; b++)
			if (path_is_below(*a, *b))
				g_ptr_array_add(inner, *a);
	for (guint i = 0; i < inner->len; i++)
		if (g_hash_table_contains(h->dirs, inner->pdata[i]))
			g_hash_table_remove(h->dirs, inner->pdata[i]);
}

static char **goals(const struct hanging *h)
{
	GPtrArray *words = g_ptr_array_new();
	GHashTableIter it;
	gpointer dir;

	g_ptr_array_add(words, g_strdup("V=1"));
	g_ptr_array_add(words, g_strdup("-n"));
	g_ptr_array_add(words, g_strdup("-k"));
	g_hash_table_iter_init(&it, h->dirs);
	while (g_hash_table_iter_next(&it, &dir, NULL))
		g_ptr_array_add(words, g_strconcat(dir, "/", NULL));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static bool is_in_dirs(const struct hanging *h, const struct tu *tu)
{
	GHashTableIter it;
	gpointer dir;

	g_hash_table_iter_init(&it, h->dirs);
	while (g_hash_table_iter_next(&it, &dir, NULL))
		if (path_is_below(tu->object, dir))
			return true;
	return false;
}

/* Is anything of the dirs not printed that @db has? */
static bool lacks(const struct compdb *db, const struct hanging *h,
		  const struct compdb *now)
{
	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		if (is_in_dirs(h, tu) && !compdb_find_object(now, tu->object))
			return true;
	}
	return false;
}

/*
 * What the parent prints for the same directories.  Objects that are below them
 * and belong to another list (arch/x86/lib, the boot code) are not among it.
 */
static int ask_parent(const struct kbuild_dir *d, const struct hanging *h,
		      struct compdb *was, GError **error)
{
	g_autofree char *odir = g_build_filename(d->dir, "was", NULL);
	struct kbuild_dir parent = *d;
	g_auto(GStrv) words = goals(h);
	struct proc_job *j;

	parent.odir = odir;
	if (kbuild_dir_make(&parent, error) || copy_parent(&parent, error))
		return -1;
	j = kbuild_run(&parent, kbuild_make_argv(&parent,
		(const char *const *)words), NULL, NULL, MAKE_SECONDS);
	if (j->end != PROC_EXITED)
		return run_argv(&parent, j, "dry run", error);
	compdb_parse(was, j->out->str, j->out->len, d->srcdir);
	compdb_finish(was);
	proc_job_free(j);
	return remove_tree(odir, error);
}

/* Puts what the dry run printed in the place of what @db had of the dirs. */
static void replace(const struct kbuild_dir *d, struct compdb *db,
		    const struct hanging *h, const struct compdb *now,
		    const struct compdb *was, const GString *text)
{
	for (guint i = db->tus->len; i > 0; i--) {
		const struct tu *tu = db->tus->pdata[i - 1];

		if (is_in_dirs(h, tu) && (compdb_find_object(now, tu->object) ||
					  compdb_find_object(was, tu->object)))
			g_ptr_array_remove_index(db->tus, i - 1);
	}
	compdb_parse(db, text->str, text->len, d->srcdir);
	kbuild_parse_built(d, db);
	compdb_finish(db);
}

/* Did the dry run of some directories lose lines?  The lists of all of the
 * kernel are no part of it. */
static bool is_torn(const struct compdb *now, const struct proc_job *j)
{
	g_autoptr(GPtrArray) missing = compdb_missing(now, j->out->str,
						      j->out->len);

	for (guint i = 0; i < missing->len; i++)
		if (strcmp(missing->pdata[i], "built-in.a") &&
		    strcmp(missing->pdata[i], "modules.order"))
			return true;
	return false;
}

/* One dry run; *again: other directories have to be asked for. */
static int ask(const struct kbuild_dir *d, struct compdb *db, struct hanging *h,
	       bool *again, GError **error)
{
	g_auto(GStrv) words = goals(h);
	struct proc_job *j = kbuild_run(d, kbuild_make_argv(d,
		(const char *const *)words), NULL, NULL, MAKE_SECONDS);
	struct compdb *now, *was;
	int ret = 0;

	*again = false;
	if (j->end != PROC_EXITED)
		return run_argv(d, j, "dry run", error);
	now = compdb_new();
	was = compdb_new();
	compdb_parse(now, j->out->str, j->out->len, d->srcdir);
	compdb_finish(now);
	*again = climb(h, db, now);
	h->whole |= is_torn(now, j);
	if (!*again && !h->whole && lacks(db, h, now))
		ret = ask_parent(d, h, was, error);
	if (!ret && !*again && !h->whole)
		replace(d, db, h, now, was, j->out);
	compdb_free(now);
	compdb_free(was);
	proc_job_free(j);
	return ret;
}

/* The database of the parent, brought to the new values. */
static int follow_parent(const struct kbuild_dir *d, struct hanging *h,
			 GError **error)
{
	g_autofree char *top = g_path_get_dirname(d->dir);
	g_autofree char *path = g_build_filename(top, d->v->parent, "compdb",
						 NULL);
	struct compdb *db = compdb_load(path, error);
	bool again = g_hash_table_size(h->dirs) > 0;
	int ret = db ? 0 : -1;

	while (!ret && again && !h->whole) {
		reduce(h);
		h->whole = g_hash_table_size(h->dirs) > DIRS_MAX;
		if (!h->whole)
			ret = ask(d, db, h, &again, error);
	}
	if (!ret && !h->whole)
		ret = compdb_save(db, d->compdb, error);
	if (!ret && !h->whole)
		d->v->db = g_steal_pointer(&db);
	compdb_free(db);
	return !ret && h->whole ? kbuild_database(d, error) : ret;
}

static void note_changes(GHashTable *symbols, const GPtrArray *changes)
{
	for (guint i = 0; i < changes->len; i++) {
		const struct kconf_change *c = changes->pdata[i];

		g_hash_table_add(symbols, c->name);
	}
}

/*
 * kconfig sets it again: there is no such kernel.  What the base does not know
 * comes with a patch, and is set again where that is.
 */
static int check_taken(const struct kbuild_dir *d, const char *after,
		       GError **error)
{
	const struct kfragment *f = d->v->kspec->fragments->pdata[0];
	g_autofree char *all = kspec_refused(f->text, after);
	g_autofree char *known = all ? kbuild_known_settings(d, f->text) : NULL;
	g_autofree char *refused = known ? kspec_refused(known, after) : NULL;

	if (!refused)
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
		    "%s: kconfig does not take over %s", d->v->name, refused);
	return -1;
}

int kbuild_from_parent(const struct kbuild_dir *d, GError **error)
{
	g_autofree char *before = NULL, *after = NULL;
	g_autoptr(GPtrArray) changes = NULL;
	struct hanging h = { 0 };
	int ret;

	if (remove_tree(d->dir, error) || kbuild_dir_make(d, error) ||
	    copy_parent(d, error) || kbuild_read_config(d, &before, error) ||
	    kbuild_configure_more(d, error) ||
	    kbuild_read_config(d, &after, error) ||
	    check_taken(d, after, error) ||
	    kbuild_prepare_sources(d, error))
		return -1;
	changes = kconf_diff(before, after);
	h.symbols = g_hash_table_new(g_str_hash, g_str_equal);
	h.dirs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	note_changes(h.symbols, changes);
	if (changes->len)
		find_hanging(d, &h);
	h.whole |= h.boot;
	ret = follow_parent(d, &h, error);
	g_hash_table_unref(h.symbols);
	g_hash_table_unref(h.dirs);
	return ret;
}

struct aged {
	char *path;
	gint64 time;
};

static gint by_age(gconstpointer a, gconstpointer b)
{
	const struct aged *x = a, *y = b;

	return x->time > y->time ? -1 : x->time < y->time;
}

void kbuild_toggle_prune(const struct kbuild *kb, unsigned int keep)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct aged));
	g_autoptr(GDir) d = g_dir_open(kb->cachedir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *stamp = g_build_filename(kb->cachedir, name,
							  "stamp", NULL);
		struct aged one = { 0 };
		struct stat st;

		/* no other name in there has one */
		if (!strchr(name, '='))
			continue;
		one.path = g_build_filename(kb->cachedir, name, NULL);
		one.time = stat(stamp, &st) ? 0 : st.st_mtime;
		g_array_append_val(all, one);
	}
	g_array_sort(all, by_age);
	for (guint i = 0; i < all->len; i++) {
		const struct aged *one = &g_array_index(all, struct aged, i);

		if (i >= keep)
			remove_tree(one->path, NULL);
		g_free(one->path);
	}
}
