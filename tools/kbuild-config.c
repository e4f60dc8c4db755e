// SPDX-License-Identifier: GPL-2.0
/* Makes the .config of a variant: a target or a file, fragments, no WERROR. */
#include <fts.h>
#include <glib/gstdio.h>

#include "error.h"
#include "kbuild-int.h"
#include "kconf.h"

/* Wall seconds. */
#define CONFIGURE_SECONDS	300

static int run_argv(const struct kbuild_dir *d, char **argv, const char *what,
		    const char *const *env, GError **error)
{
	struct proc_job *j = kbuild_run(d, argv, env, NULL, CONFIGURE_SECONDS);
	int rc = 0;

	if (!kbuild_ok(j)) {
		kbuild_error(d, j, what, error);
		rc = -1;
	}
	proc_job_free(j);
	return rc;
}

static int run_target(const struct kbuild_dir *d, const char *target,
		      const char *const *env, GError **error)
{
	const char *words[] = { target, NULL };

	return run_argv(d, kbuild_make_argv(d, words), target, env, error);
}

static char *config_path(const struct kbuild_dir *d)
{
	return g_build_filename(d->odir, ".config", NULL);
}

int kbuild_read_config(const struct kbuild_dir *d, char **text, GError **error)
{
	g_autofree char *path = config_path(d);
	g_autoptr(GError) err = NULL;

	if (g_file_get_contents(path, text, NULL, &err))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
		    "%s: '%s' made no .config: %s", d->v->name,
		    d->v->kconfig, err->message);
	return -1;
}

/*
 * The arguments for scripts/config that turn off each WERROR that is on.
 * powerpc's has no prompt of its own, it is on unless PPC_DISABLE_WERROR is.
 */
static GPtrArray *werror_words(const char *config)
{
	g_auto(GStrv) lines = g_strsplit(config, "\n", -1);
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	for (char **l = lines; *l; l++) {
		if (!g_str_has_prefix(*l, "CONFIG_") ||
		    !g_str_has_suffix(*l, "WERROR=y") || strstr(*l, "DISABLE"))
			continue;
		g_ptr_array_add(words, g_strdup("-d"));
		g_ptr_array_add(words, g_strndup(*l + strlen("CONFIG_"),
					strlen(*l) - strlen("CONFIG_=y")));
		if (!strcmp(*l, "CONFIG_PPC_WERROR=y")) {
			g_ptr_array_add(words, g_strdup("-e"));
			g_ptr_array_add(words, g_strdup("PPC_DISABLE_WERROR"));
		}
	}
	return words;
}

/* Nothing may hide behind the first warning: the ledger makes new ones errors. */
static int werror_off(const struct kbuild_dir *d, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GPtrArray) words = NULL;
	GPtrArray *argv;

	if (kbuild_read_config(d, &text, error))
		return -1;
	words = werror_words(text);
	if (!words->len)
		return 0;
	argv = g_ptr_array_new();
	g_ptr_array_add(argv, g_build_filename(d->srcdir, "scripts", "config",
					       NULL));
	g_ptr_array_add(argv, g_strdup("--file"));
	g_ptr_array_add(argv, config_path(d));
	for (guint i = 0; i < words->len; i++)
		g_ptr_array_add(argv, g_strdup(words->pdata[i]));
	g_ptr_array_add(argv, NULL);
	if (run_argv(d, (char **)g_ptr_array_free(argv, FALSE),
		     "scripts/config", NULL, error))
		return -1;
	return run_target(d, "olddefconfig", NULL, error);
}

static int base_config(const struct kbuild_dir *d, GError **error)
{
	const struct kspec *k = d->v->kspec;
	g_autofree char *path = config_path(d);
	g_autofree char *seed = k->seed ?
		g_strconcat("KCONFIG_SEED=", k->seed, NULL) : NULL;
	const char *env[] = { seed, NULL };

	if (k->file)
		return g_file_set_contents(path, k->file, -1, error) ?
			run_target(d, "olddefconfig", NULL, error) : -1;
	if (!strcmp(k->target, "defconfig") && d->v->arch->defconfig)
		return run_target(d, d->v->arch->defconfig, NULL, error);
	return run_target(d, k->target, seed ? env : NULL, error);
}

static int merge_file(const struct kbuild_dir *d, const char *text,
		      GError **error)
{
	g_autofree char *path = g_build_filename(d->odir, ".fragment", NULL);
	char **argv;
	int ret;

	if (!g_file_set_contents(path, text, -1, error))
		return -1;
	argv = g_new0(char *, 7);
	argv[0] = g_build_filename(d->srcdir, "scripts", "kconfig",
				   "merge_config.sh", NULL);
	argv[1] = g_strdup("-m");
	argv[2] = g_strdup("-O");
	argv[3] = g_strdup(d->odir);
	argv[4] = config_path(d);
	argv[5] = g_strdup(path);
	ret = run_argv(d, argv, "merge_config.sh", NULL, error);
	g_unlink(path);
	return ret ? -1 : run_target(d, "olddefconfig", NULL, error);
}

int kbuild_configure_more(const struct kbuild_dir *d, GError **error)
{
	const struct kspec *k = d->v->kspec;
	int ret = 0;

	for (guint i = 0; !ret && i < k->fragments->len; i++) {
		const struct kfragment *f = g_ptr_array_index(k->fragments, i);

		ret = f->target ? run_target(d, f->target, NULL, error) :
		      merge_file(d, f->text, error);
	}
	return ret ? -1 : werror_off(d, error);
}

int kbuild_configure(const struct kbuild_dir *d, GError **error)
{
	kbuild_phase(d, "configure");
	return base_config(d, error) ? -1 : kbuild_configure_more(d, error);
}

void kbuild_note_refused(const struct kbuild_dir *d)
{
	const struct kspec *k = d->v->kspec;
	g_autofree char *config = NULL;

	g_clear_pointer(&d->v->note, g_free);
	if (kbuild_read_config(d, &config, NULL))
		return;
	for (guint i = 0; i < k->fragments->len && !d->v->note; i++) {
		const struct kfragment *f = g_ptr_array_index(k->fragments, i);
		g_autofree char *refused = f->text ?
			kspec_refused(f->text, config) : NULL;

		if (refused)
			d->v->note = g_strdup_printf("kconfig does not take "
				"over %s of the fragment", refused);
	}
}

static void read_kconfigs(const char *srcdir, GHashTable *unknown)
{
	char *paths[] = { (char *)srcdir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT,
			    NULL);
	FTSENT *e;

	while (fts && g_hash_table_size(unknown) && (e = fts_read(fts))) {
		g_autofree char *text = NULL;

		if (g_str_has_prefix(e->fts_name, "Kconfig") &&
		    g_file_get_contents(e->fts_path, &text, NULL, NULL))
			kconf_defined(unknown, text);
	}
	if (fts)
		fts_close(fts);
}

char *kbuild_known_settings(const struct kbuild_dir *d, const char *settings)
{
	g_autoptr(GHashTable) unknown = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	g_auto(GStrv) lines = g_strsplit(settings, "\n", -1);
	GString *known = g_string_new("");

	kconf_used(unknown, settings, strlen(settings));
	read_kconfigs(d->srcdir, unknown);
	for (char **l = lines; *l; l++) {
		const char *name = strstr(*l, "CONFIG_");
		g_autofree char *symbol = NULL;

		name = name ? name + strlen("CONFIG_") : "";
		symbol = g_strndup(name, strcspn(name, "= \t"));
		if (*symbol && !g_hash_table_contains(unknown, symbol))
			g_string_append_printf(known, "%s\n", *l);
	}
	return g_string_free(known, FALSE);
}
