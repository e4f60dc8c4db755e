// SPDX-License-Identifier: GPL-2.0
/* Compile commands that a dry run of vmlinux and modules does not print. */
#include <fts.h>
#include <unistd.h>
#include "kbuild-int.h"

#define BOOT_SECONDS	120

void kbuild_each_cmd(const struct kbuild_dir *d, kbuild_cmd_fn fn, void *data)
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
			fn(e->fts_path, text, len, data);
	}
	if (fts)
		fts_close(fts);
}

struct built {
	const struct kbuild_dir *d;
	struct compdb *db;
};

static void take_built(const char *path, const char *text, gsize len, void *data)
{
	const struct built *b = data;

	compdb_parse_cmd(b->db, text, len, b->d->srcdir);
}

/*
 * What `prepare` compiled already (the vDSO of arm64, powerpc and riscv,
 * asm-offsets, bounds) is up to date for the dry run.
 */
void kbuild_parse_built(const struct kbuild_dir *d, struct compdb *db)
{
	struct built b = { d, db };

	kbuild_each_cmd(d, take_built, &b);
}

/*
 * The image's goal depends on vmlinux, which is never linked here.  make reads
 * $MAKEFILES before its own, so that goals of ours can enter a directory as
 * the architecture's Makefile does, with all of its variables.
 *
 * voffset.h holds addresses of the linked kernel, by kbuild's own rule from
 * a vmlinux that has these symbols and nothing else: what includes it can be
 * compiled, and no verdict hangs on where the kernel lies.
 */
static const char boot_mk[] =
	"ifeq ($(sub_make_done),1)\n"
	"respin-image:\n"
	"\t$(CC) $(KBUILD_CFLAGS) -c -x assembler-with-cpp -o vmlinux $(RESPIN_IMAGE)\n"
	"\t$(MAKE) $(build)=$(boot)/compressed $(boot)/compressed/../voffset.h\n"
	"\t$(MAKE) $(build)=init include/generated/utsversion.h\n"
	"respin-boot:\n"
	"\t$(MAKE) $(build)=$(boot) $(KBUILD_IMAGE)\n"
	"endif\n";

static const char image_s[] =
	"#ifdef __LP64__\n"
	"#define AT(x) 0xffffffff##x\n"
	"#else\n"
	"#define AT(x) 0x##x\n"
	"#endif\n"
	".globl _text, __start_rodata, __bss_start, _end\n"
	".set _text, AT(c1000000)\n"
	".set __start_rodata, AT(c2000000)\n"
	".set __bss_start, AT(c3000000)\n"
	".set _end, AT(c4000000)\n";

static struct proc_job *run_goal(const struct kbuild_dir *d, const char *mk,
				 const char *source, const char *const *words)
{
	g_autofree char *env = g_strconcat("MAKEFILES=", mk, NULL);
	g_autofree char *image = g_strconcat("RESPIN_IMAGE=", source, NULL);

	return kbuild_run(d, kbuild_make_argv(d, words),
			  (const char *[]){ env, image, NULL }, NULL,
			  BOOT_SECONDS);
}

/*
 * The decompressor and the setup code of x86.  An object that needs the linked
 * image itself (header.o) is not printed, and so nothing lists what must be
 * there: this is as much as can be had, and no part of compdb_missing().  A
 * header that could not be made is missed by what includes it.
 */
void kbuild_parse_boot(const struct kbuild_dir *d, struct compdb *db)
{
	const char *make[] = { "respin-image", NULL };
	const char *print[] = { "V=1", "-n", "-k", "respin-boot", NULL };
	g_autofree char *mk = g_build_filename(d->odir, ".respin.mk", NULL);
	g_autofree char *source = g_build_filename(d->odir, ".respin.S", NULL);
	g_autofree char *image = g_build_filename(d->odir, "vmlinux", NULL);
	struct proc_job *j;

	if (!d->v->arch->boot || g_file_test(image, G_FILE_TEST_EXISTS))
		return;
	if (g_file_set_contents(mk, boot_mk, -1, NULL) &&
	    g_file_set_contents(source, image_s, -1, NULL)) {
		proc_job_free(run_goal(d, mk, source, make));
		j = run_goal(d, mk, source, print);
		compdb_parse(db, j->out->str, j->out->len, d->srcdir);
		proc_job_free(j);
	}
	unlink(image);
	unlink(source);
	unlink(mk);
}
