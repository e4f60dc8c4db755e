// SPDX-License-Identifier: GPL-2.0
/*
 * CHECKFLAGS: what `make C=1` gives to sparse beside the flags of the compiler.
 * Only the Makefiles know it, so make is asked, by a goal of ours (see
 * kbuild-extra.c), on the base.
 */
#include <string.h>
#include <unistd.h>
#include "kbuild-int.h"

#define FLAGS_SECONDS 120

static const char goal_mk[] =
	"ifeq ($(sub_make_done),1)\n"
	"respin-checkflags:\n"
	"\t@echo 'respin-checkflags: $(CHECKFLAGS)'\n"
	"endif\n";

/* All that the answer hangs on. */
static char *flags_key(const struct kbuild_dir *d)
{
	g_autofree char *top = g_build_filename(d->srcdir, "Makefile", NULL);
	g_autofree char *arch = g_build_filename(d->srcdir, "arch",
				d->v->arch->srcarch, "Makefile", NULL);
	g_autofree char *a = NULL, *b = NULL, *all = NULL;

	if (!g_file_get_contents(top, &a, NULL, NULL) ||
	    !g_file_get_contents(arch, &b, NULL, NULL))
		return NULL;
	all = g_strjoin("\n", a, b, goal_mk, d->v->config_hash,
			d->v->toolchain, NULL);
	return g_compute_checksum_for_string(G_CHECKSUM_SHA1, all, -1);
}

static char *ask(const struct kbuild_dir *d)
{
	static const char start[] = "respin-checkflags: ";
	const char *words[] = { "respin-checkflags", NULL };
	g_autofree char *mk = g_build_filename(d->odir, ".respin.mk", NULL);
	g_autofree char *env = g_strconcat("MAKEFILES=", mk, NULL);
	struct proc_job *j;
	char *flags = NULL;
	const char *at;

	if (!g_file_set_contents(mk, goal_mk, -1, NULL))
		return NULL;
	j = kbuild_run(d, kbuild_make_argv(d, words),
		       (const char *[]){ env, NULL }, NULL, FLAGS_SECONDS);
	at = kbuild_ok(j) ? strstr(j->out->str, start) : NULL;
	if (at) {
		at += strlen(start);
		flags = g_strndup(at, strcspn(at, "\n"));
	}
	proc_job_free(j);
	unlink(mk);
	return flags;
}

/* The file holds the key in its first line. */
static char *kept(const char *path, const char *key)
{
	g_autofree char *text = NULL;
	char *end;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	end = strchr(text, '\n');
	if (!end || !g_str_has_prefix(text, key) ||
	    text + strlen(key) != end)
		return NULL;
	return g_strchomp(g_strdup(end + 1));
}

void kbuild_checkflags(const struct kbuild_dir *d)
{
	g_autofree char *path = g_build_filename(d->dir, "checkflags", NULL);
	g_autofree char *key = flags_key(d), *text = NULL;

	g_clear_pointer(&d->v->checkflags, g_free);
	if (!key)
		return;
	d->v->checkflags = kept(path, key);
	if (d->v->checkflags)
		return;
	d->v->checkflags = ask(d);
	if (!d->v->checkflags)
		return;
	text = g_strconcat(key, "\n", d->v->checkflags, "\n", NULL);
	/* else make is asked again */
	g_file_set_contents(path, text, -1, NULL);
}
