// SPDX-License-Identifier: GPL-2.0
/* What `make -n` says, and the database that is made of it. */
#include <unistd.h>
#include "error.h"
#include "kbuild-int.h"

/* Wall seconds; allmodconfig on two slow cores takes about a third of them. */
#define DRY_RUN_SECONDS		1200

/*
 * make fails always: with nothing built "No rule to make target 'vmlinux.a'".
 * So its status says nothing and completeness is looked at instead.
 * Serial: plain -j loses lines; -j2 -Oline loses none, but took 12.7 s against
 * 9.9 on x86_64 and 23 against 28 on arm64 (one run each, other work beside
 * it), and a second variant uses the other core better.
 */
int kbuild_dry_run(const struct kbuild_dir *d, const GPtrArray *goals,
		   const char *out, struct proc_job **job, GError **error)
{
	static const char *const all[] = { "vmlinux", "modules" };
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	struct proc_job *j;

	g_ptr_array_add(words, "V=1");
	g_ptr_array_add(words, "-n");
	g_ptr_array_add(words, "-k");
	for (guint i = 0; goals ? i < goals->len : i < G_N_ELEMENTS(all); i++)
		g_ptr_array_add(words, goals ? goals->pdata[i] : (char *)all[i]);
	g_ptr_array_add(words, NULL);
	*job = j = kbuild_run(d, kbuild_make_argv(d, (const char *const *)
						  words->pdata), NULL, out,
			      DRY_RUN_SECONDS);
	if (j->end == PROC_EXITED &&
	    !strstr(j->err->str, "No space left on device"))
		return 0;
	kbuild_error(d, j, "dry run", error);
	return -1;
}

int kbuild_complete(const struct kbuild_dir *d, const struct compdb *db,
		    const GPtrArray *missing, const struct proc_job *j,
		    GError **error)
{
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

GHashTable *kbuild_printed(const struct compdb *db)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);

	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		g_hash_table_add(set, g_strdup(tu->object));
	}
	return set;
}

int kbuild_database_save(const struct kbuild_dir *d, struct compdb *db,
			 GHashTable *printed, GError **error)
{
	g_autoptr(GString) list = g_string_new(NULL);
	GError *err = NULL;

	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		if (!g_hash_table_contains(printed, tu->object))
			g_string_append_printf(list, "%s\n", tu->object);
	}
	compdb_flatten(db);
	if (compdb_save(db, d->compdb, error))
		return -1;
	if (g_file_set_contents(d->unprinted, list->str, list->len, &err))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO, "%s", err->message);
	g_error_free(err);
	return -1;
}

GHashTable *kbuild_unprinted(const struct kbuild_dir *d)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	GHashTable *set;

	if (!g_file_get_contents(d->unprinted, &text, NULL, NULL))
		return NULL;
	set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++)
		if (**l)
			g_hash_table_add(set, g_strdup(*l));
	return set;
}

static int fill(const struct kbuild_dir *d, struct compdb *db, const char *text,
		gsize len, const struct proc_job *j, GError **error)
{
	g_autoptr(GHashTable) printed = NULL;
	g_autoptr(GPtrArray) missing = NULL;

	compdb_parse(db, text, len, d->srcdir);
	printed = kbuild_printed(db);
	kbuild_parse_built(d, db);
	kbuild_parse_boot(d, db);
	compdb_finish(db);
	missing = compdb_missing(db, text, len);
	if (kbuild_complete(d, db, missing, j, error))
		return -1;
	return kbuild_database_save(d, db, printed, error);
}

int kbuild_database(const struct kbuild_dir *d, GError **error)
{
	g_autofree char *path = g_build_filename(d->dir, "dry-run", NULL);
	g_autoptr(GMappedFile) map = NULL;
	struct compdb *db = compdb_new();
	struct proc_job *j;
	int rc;

	kbuild_phase(d, "dry run");
	rc = kbuild_dry_run(d, NULL, path, &j, error);
	if (!rc) {
		map = g_mapped_file_new(path, FALSE, NULL);
		if (map && g_mapped_file_get_length(map)) {
			rc = fill(d, db, g_mapped_file_get_contents(map),
				  g_mapped_file_get_length(map), j, error);
		} else {
			kbuild_error(d, j, "dry run", error);
			rc = -1;
		}
	}
	unlink(path);
	proc_job_free(j);
	g_clear_pointer(&d->v->db, compdb_free);
	if (rc)
		compdb_free(db);
	else
		d->v->db = db;
	return rc;
}
