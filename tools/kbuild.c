// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "error.h"
#include "kbuild-int.h"

/* Wall seconds; allmodconfig on two slow cores takes about a third of them. */
#define PREPARE_SECONDS		900
#define DRY_RUN_SECONDS		1200

static GMutex progress_lock;

static void phase(const struct kbuild_dir *d, const char *name)
{
	struct kbuild *kb = d->kb;

	if (!kb->progress)
		return;
	g_mutex_lock(&progress_lock);
	kb->progress(d->v, name, kb->progress_data);
	g_mutex_unlock(&progress_lock);
}

static int run_argv(const struct kbuild_dir *d, char **argv, const char *what,
		    unsigned int seconds, GError **error)
{
	struct proc_job *j = kbuild_run(d, argv, NULL, NULL, seconds);
	int rc = 0;

	if (!kbuild_ok(j)) {
		kbuild_error(d, j, what, error);
		rc = -1;
	}
	proc_job_free(j);
	return rc;
}

static int run_make(const struct kbuild_dir *d, const char *target,
		    const char *what, unsigned int seconds, GError **error)
{
	g_autofree char *jobs = g_strdup_printf("-j%u", d->kb->jobs ?: 2);
	const char *words[] = { jobs, target, NULL };

	return run_argv(d, kbuild_make_argv(d, words), what, seconds, error);
}

static int configure(const struct kbuild_dir *d, GError **error)
{
	phase(d, "configure");
	return kbuild_configure(d, error);
}

static int prepare(const struct kbuild_dir *d, GError **error)
{
	phase(d, "prepare");
	return run_make(d, "prepare", "make prepare", PREPARE_SECONDS, error);
}

static int check_complete(const struct kbuild_dir *d, const struct compdb *db,
			  const struct proc_job *j, const char *text, gsize len,
			  GError **error)
{
	g_autoptr(GPtrArray) missing = compdb_missing(db, text, len);
	g_autofree char *last = NULL;

	if (!missing->len)
		return 0;
	last = kbuild_quote(j);
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
		    "%s: the dry run is incomplete: %u objects have a command "
		    "and %u have none, '%s' is the first%s", d->v->name,
		    db->tus->len, missing->len, (char *)missing->pdata[0], last);
	return -1;
}

/*
 * make fails always: with nothing built "No rule to make target 'vmlinux.a'".
 * So its status says nothing and completeness is looked at instead.
 * Serial: plain -j loses lines; -j2 -Oline loses none, but took 12.7 s against
 * 9.9 on x86_64 and 23 against 28 on arm64 (one run each, other work beside
 * it), and a second variant uses the other core better.
 */
int kbuild_dry_run(const struct kbuild_dir *d, GError **error)
{
	const char *words[] = { "V=1", "-n", "-k", "vmlinux", "modules", NULL };
	g_autofree char *path = g_build_filename(d->dir, "dry-run", NULL);
	g_autoptr(GMappedFile) map = NULL;
	struct compdb *db = compdb_new();
	struct proc_job *j;
	int rc = -1;

	phase(d, "dry run");
	j = kbuild_run(d, kbuild_make_argv(d, words), NULL, path,
		       DRY_RUN_SECONDS);
	if (j->end != PROC_EXITED ||
	    strstr(j->err->str, "No space left on device")) {
		kbuild_error(d, j, "dry run", error);
		goto out;
	}
	map = g_mapped_file_new(path, FALSE, NULL);
	if (map && g_mapped_file_get_length(map)) {
		const char *text = g_mapped_file_get_contents(map);
		gsize len = g_mapped_file_get_length(map);

		compdb_parse(db, text, len, d->srcdir);
		kbuild_parse_built(d, db);
		kbuild_parse_boot(d, db);
		compdb_finish(db);
		rc = check_complete(d, db, j, text, len, error);
	} else {
		kbuild_error(d, j, "dry run", error);
	}
	if (!rc)
		rc = compdb_save(db, d->compdb, error);
out:
	unlink(path);
	proc_job_free(j);
	if (!rc)
		d->v->db = g_steal_pointer(&db);
	compdb_free(db);
	return rc;
}

static int from_nothing(struct kbuild_dir *d, GError **error)
{
	if (d->v->parent) {
		phase(d, "copy");
		return kbuild_from_parent(d, error) ? -1 :
			kbuild_stamp_write(d, error);
	}
	if (remove_tree(d->dir, error) ||
	    kbuild_dir_make(d, error) ||
	    configure(d, error) ||
	    prepare(d, error) ||
	    kbuild_dry_run(d, error))
		return -1;
	return kbuild_stamp_write(d, error);
}

/*
 * Only sources differ: the commands are the same, what prepare generates may
 * not be.  The stamp goes first, so that a killed run is not believed.
 */
static int other_tree(struct kbuild_dir *d, GError **error)
{
	unlink(d->stamp);
	if (d->v->parent ? kbuild_prepare_sources(d, error) : prepare(d, error))
		return -1;
	return kbuild_stamp_write(d, error);
}

static int bring_up(struct kbuild_dir *d, GError **error)
{
	struct variant *v = d->v;
	enum stamp_state state = kbuild_stamp_check(d);

	if (state != STAMP_NONE)
		v->db = compdb_load(d->compdb, NULL);
	if (!v->db)
		return from_nothing(d, error);
	if (state == STAMP_OTHER_TREE)
		return other_tree(d, error);
	phase(d, "cached");
	/* so that what is in use is not what kbuild_toggle_prune() removes */
	utimensat(AT_FDCWD, d->stamp, NULL, 0);
	return 0;
}

int kbuild_prepare(struct kbuild *kb, struct variant *v, GError **error)
{
	struct kbuild_dir d;
	int rc;

	g_clear_pointer(&v->db, compdb_free);
	if (kbuild_dir_init(&d, kb, v, error))
		return -1;
	rc = bring_up(&d, error);
	if (!rc)
		kbuild_note_refused(&d);
	phase(&d, rc ? "failed" : "done");
	if (rc)
		g_clear_pointer(&v->db, compdb_free);
	g_free(v->odir);
	v->odir = g_strdup(d.odir);
	kbuild_dir_release(&d);
	return rc;
}

struct batch {
	struct kbuild *kb;
	GError **errors;
	const GPtrArray *variants;
	unsigned int failed;
};

static void batch_one(void *data, void *user)
{
	struct batch *b = user;
	guint i = GPOINTER_TO_UINT(data) - 1;

	if (kbuild_prepare(b->kb, b->variants->pdata[i], &b->errors[i]))
		g_atomic_int_inc((gint *)&b->failed);
}

unsigned int kbuild_prepare_all(struct kbuild *kb, const GPtrArray *variants,
				unsigned int width, GError **errors)
{
	struct batch b = { kb, errors, variants };
	GThreadPool *pool = g_thread_pool_new(batch_one, &b, MAX(width, 1),
					      TRUE, NULL);

	/* data of NULL is not allowed, so they count from 1 */
	for (guint i = 0; i < variants->len; i++)
		g_thread_pool_push(pool, GUINT_TO_POINTER(i + 1), NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	return b.failed;
}
