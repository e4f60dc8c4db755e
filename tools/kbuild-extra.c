// SPDX-License-Identifier: GPL-2.0
/* Compile commands that a dry run of vmlinux and modules does not print. */
#include <fts.h>
#include <unistd.h>
#include "kbuild-int.h"

#define BOOT_SECONDS	120

/*
 * What `prepare` compiled already (the vDSO of arm64, powerpc and riscv,
 * asm-offsets, bounds) is up to date for the dry run.
 */
void kbuild_parse_built(const struct kbuild_dir *d, struct compdb *db)
{
	char *paths[] = { d->odir, NULL };
	FTS *fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT,
			    NULL);
	FTSENT *e;

	while (fts && (e = fts_read(fts))) {
		g_autofree char *text = NULL;
		gsize len;

		if (!g_str_has_suffix(e->fts_name, ".o.cmd") &&
		    !g_str_has_suffix(e->fts_name, ".s.cmd"))
			continue;
		if (g_file_get_contents(e->fts_path, &text, &len, NULL))
			compdb_parse_cmd(db, text, len, d->srcdir);
	}
	if (fts)
		fts_close(fts);
}

/*
 * The image's goal depends on vmlinux, which cannot be made.  make reads
 * $MAKEFILES before its own, so that a goal of ours can enter the directory
 * as the architecture's Makefile does, with all of its variables.
 */
static const char boot_mk[] =
	"ifeq ($(sub_make_done),1)\n"
	"respin-boot:\n"
	"\t$(MAKE) $(build)=$(boot) $(KBUILD_IMAGE)\n"
	"endif\n";

/*
 * The decompressor and the setup code of x86.  An empty vmlinux lets make go
 * on to what takes its addresses from there; an object that needs the linked
 * image itself (header.o) is not printed, and so nothing lists what must be
 * there: this is as much as can be had, and no part of compdb_missing().
 */
void kbuild_parse_boot(const struct kbuild_dir *d, struct compdb *db)
{
	const char *words[] = { "V=1", "-n", "-k", "respin-boot", NULL };
	g_autofree char *mk = g_build_filename(d->odir, ".respin.mk", NULL);
	g_autofree char *image = g_build_filename(d->odir, "vmlinux", NULL);
	g_autofree char *env = g_strconcat("MAKEFILES=", mk, NULL);
	struct proc_job *j;

	if (!d->v->arch->boot || g_file_test(image, G_FILE_TEST_EXISTS))
		return;
	if (g_file_set_contents(mk, boot_mk, -1, NULL) &&
	    g_file_set_contents(image, "", 0, NULL)) {
		j = kbuild_run(d, kbuild_make_argv(d, words),
			       (const char *[]){ env, NULL }, NULL,
			       BOOT_SECONDS);
		compdb_parse(db, j->out->str, j->out->len, d->srcdir);
		proc_job_free(j);
	}
	unlink(image);
	unlink(mk);
}
