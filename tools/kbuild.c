// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "error.h"
#include "kbuild-int.h"

/* Wall seconds; allmodconfig on two slow cores takes about a third of them. */
#define PREPARE_SECONDS		900

static GMutex progress_lock;

void kbuild_phase(const struct kbuild_dir *d, const char *name)
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

int kbuild_make_prepare(const struct kbuild_dir *d, GError **error)
{
	kbuild_phase(d, "prepare");
	return run_make(d, "prepare", "make prepare", PREPARE_SECONDS, error);
}

void kbuild_say_how(const struct kbuild_dir *d, const char *format, ...)
{
	va_list ap;

	g_free(d->v->how);
	va_start(ap, format);
	d->v->how = g_strdup_vprintf(format, ap);
	va_end(ap);
	/* of what make says the first line is enough */
	d->v->how[strcspn(d->v->how, "\n")] = '\0';
}

/* The database, and the directories that asking for it makes. */
static int ask_all(const struct kbuild_dir *d, GError **error)
{
	g_autoptr(GHashTable) before = kbuild_dirs(d);

	return kbuild_database(d, error) ? -1 :
		kbuild_dirs_save(d, before, error);
}

static int from_nothing(struct kbuild_dir *d, const char *why, GError **error)
{
	if (d->v->parent) {
		kbuild_say_how(d, "made from that of '%s': %s", d->v->parent, why);
		kbuild_phase(d, "copy");
		return kbuild_from_parent(d, error) ? -1 :
			kbuild_stamp_write(d, error);
	}
	kbuild_say_how(d, "made from nothing: %s", why);
	if (remove_tree(d->dir, error) ||
	    kbuild_dir_make(d, error) ||
	    kbuild_configure(d, error) ||
	    kbuild_make_prepare(d, error) ||
	    ask_all(d, error))
		return -1;
	return kbuild_stamp_write(d, error);
}

/* What ends the run; for all else there is a cold start, which says it again. */
static bool is_deadly(const GError *error)
{
	return !g_error_matches(error, RESPIN_ERROR, RESPIN_ERROR_TOOL);
}

/* A state that could not be moved is not mended but made again. */
static int move(struct kbuild_dir *d, const char *old, GError **error)
{
	const GPtrArray *changes = d->kb->changed ?
		d->kb->changed(old, d->kb->changed_data) : NULL;
	g_autofree char *why = NULL;
	GError *err = NULL;

	if (!changes)
		return from_nothing(d, "the base before is not in the "
				    "repository any more", error);
	if (!kbuild_move(d, changes, &err))
		return kbuild_stamp_write(d, error);
	if (is_deadly(err)) {
		g_propagate_error(error, err);
		return -1;
	}
	why = g_strdup(err->message);
	g_error_free(err);
	g_clear_pointer(&d->v->db, compdb_free);
	return from_nothing(d, why, error);
}

static int bring_up(struct kbuild_dir *d, GError **error)
{
	struct variant *v = d->v;
	g_autofree char *old = NULL;
	enum stamp_state state = kbuild_stamp_check(d, &old);

	if (state == STAMP_NONE)
		return from_nothing(d, "nothing usable in the cache", error);
	v->db = compdb_load(d->compdb, NULL);
	if (!v->db)
		return from_nothing(d, "the database in the cache cannot be read",
				    error);
	if (state == STAMP_OTHER)
		return move(d, old, error);
	kbuild_phase(d, "cached");
	/* so that what is in use is not what kbuild_toggle_prune() removes */
	utimensat(AT_FDCWD, d->stamp, NULL, 0);
	return 0;
}

int kbuild_prepare(struct kbuild *kb, struct variant *v, GError **error)
{
	struct kbuild_dir d;
	int rc;

	g_clear_pointer(&v->db, compdb_free);
	g_clear_pointer(&v->how, g_free);
	if (kbuild_dir_init(&d, kb, v, error))
		return -1;
	rc = bring_up(&d, error);
	if (!rc)
		kbuild_note_refused(&d);
	if (!rc)
		kbuild_checkflags(&d);
	kbuild_phase(&d, rc ? "failed" : "done");
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
