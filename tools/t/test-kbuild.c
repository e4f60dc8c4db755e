// SPDX-License-Identifier: GPL-2.0
/* The steps of kbuild.c on a Makefile that stands in for the kernel's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "error.h"
#include "kbuild.h"
#include "kbuild-int.h"

static struct sandbox sandbox;
static char *srcdir, *top;

struct fixture {
	struct kbuild kb;
	struct variant *v;
	GString *phases;
};

static void on_phase(const struct variant *v, const char *phase, void *data)
{
	struct fixture *f = data;

	g_string_append_printf(f->phases, "%s|", phase);
}

static void start(struct fixture *f)
{
	*f = (struct fixture){
		.kb = {
			.sandbox = &sandbox,
			.srcdir = srcdir,
			.cachedir = g_build_filename(top, "cache", NULL),
			.tree = (char *)"tree1",
			.progress = on_phase,
			.progress_data = f,
		},
		.phases = g_string_new(NULL),
		.v = variant_new("x86_64", "defconfig", NULL, NULL),
	};
	assert_non_null(f->v);
}

static void stop(struct fixture *f)
{
	assert_int_equal(remove_tree(f->kb.cachedir, NULL), 0);
	g_free(f->kb.cachedir);
	g_string_free(f->phases, TRUE);
	variant_free(f->v);
}

static void set_break(const struct fixture *f, const char *what)
{
	g_autofree char *path = g_build_filename(f->kb.cachedir, "break", NULL);

	g_mkdir_with_parents(f->kb.cachedir, 0777);
	assert_true(g_file_set_contents(path, what, -1, NULL));
}

static void expect_phases(struct fixture *f, const char *want)
{
	assert_string_equal(f->phases->str, want);
	g_string_truncate(f->phases, 0);
}

static void expect_file(const struct fixture *f, const char *name,
			const char *want)
{
	g_autofree char *path = g_build_filename(f->v->odir, name, NULL);
	g_autofree char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(text, want);
}

static void prepare_ok(struct fixture *f)
{
	GError *err = NULL;

	kbuild_prepare(&f->kb, f->v, &err);
	assert_string_equal(err ? err->message : "", "");
}

static void expect_error(struct fixture *f, int code, const char *want)
{
	GError *err = NULL;

	assert_int_equal(kbuild_prepare(&f->kb, f->v, &err), -1);
	assert_string_equal(err->message, want);
	assert_true(g_error_matches(err, RESPIN_ERROR, code));
	assert_null(f->v->db);
	g_clear_error(&err);
}

static void from_nothing(void **state)
{
	struct fixture f;
	struct compdb *db;

	start(&f);
	prepare_ok(&f);
	expect_phases(&f, "configure|prepare|dry run|done|");
	expect_file(&f, "calls", "defconfig x86_64 W=1\n"
		    "olddefconfig x86_64 W=1\nprepare x86_64 W=1\n");
	expect_file(&f, ".config", "CONFIG_X=y\n# CONFIG_WERROR is not set\n"
		    "# CONFIG_DRM_WERROR is not set\n");
	db = f.v->db;
	assert_int_equal(db->tus->len, 3);
	assert_string_equal(((struct tu *)db->tus->pdata[0])->source, "a.c");
	assert_string_equal(((struct tu *)db->tus->pdata[1])->source, "b.c");
	assert_string_equal(((struct tu *)db->tus->pdata[2])->source,
			    "kernel/bounds.c");
	assert_string_equal(f.v->config_hash,
			    "edb39ac6810bd400bcfb0c96d204f6a930f60e1e");
	stop(&f);
}

/* the same tree: cached; another, of which nothing is known: all of it */
static void reuse(void **state)
{
	struct fixture f;
	g_autofree char *config = NULL;

	start(&f);
	prepare_ok(&f);
	expect_phases(&f, "configure|prepare|dry run|done|");
	prepare_ok(&f);
	expect_phases(&f, "cached|done|");
	assert_int_equal(f.v->db->tus->len, 3);

	f.kb.tree = (char *)"tree2";
	prepare_ok(&f);
	expect_phases(&f, "configure|prepare|dry run|done|");
	assert_int_equal(f.v->db->tus->len, 3);
	prepare_ok(&f);
	expect_phases(&f, "cached|done|");

	config = g_build_filename(f.v->odir, ".config", NULL);
	assert_true(g_file_set_contents(config, "CONFIG_Y=y\n", -1, NULL));
	prepare_ok(&f);
	expect_phases(&f, "configure|prepare|dry run|done|");
	stop(&f);
}

/* without the sandbox, which hides the file "break" from the Makefile */
static void failures(void **state)
{
	struct sandbox off = { .off = true };
	struct fixture f;
	g_autofree char *full = NULL;

	start(&f);
	f.kb.sandbox = &off;
	set_break(&f, "prepare");
	expect_error(&f, RESPIN_ERROR_TOOL, "x86_64-defconfig: make prepare "
		     "failed: make: exit status 2\n    x.c:1: no <libelf.h>\n"
		     "    make: *** [Makefile:15: prepare] Error 3");
	expect_phases(&f, "configure|prepare|failed|");
	set_break(&f, "disk");
	full = g_strdup_printf("x86_64-defconfig: make prepare: the disk of "
			       "'%s' is full; make room there", f.kb.cachedir);
	expect_error(&f, RESPIN_ERROR_IO, full);
	set_break(&f, "line");
	expect_error(&f, RESPIN_ERROR_TOOL, "x86_64-defconfig: the dry run is "
		     "incomplete: 2 objects have a command and 1 have none, "
		     "'b.o' is the first");
	/* a failed run is not believed */
	set_break(&f, "");
	g_string_truncate(f.phases, 0);
	prepare_ok(&f);
	expect_phases(&f, "configure|prepare|dry run|done|");

	/* neither is one that failed halfway on another tree */
	f.kb.tree = (char *)"tree2";
	set_break(&f, "disk");
	expect_error(&f, RESPIN_ERROR_IO, full);
	set_break(&f, "");
	g_string_truncate(f.phases, 0);
	prepare_ok(&f);
	expect_phases(&f, "configure|prepare|dry run|done|");
	stop(&f);
}

static void no_source(void **state)
{
	struct fixture f;

	start(&f);
	f.kb.srcdir = (char *)"/no/such/tree";
	expect_error(&f, RESPIN_ERROR_IO, "cannot find the source tree "
		     "'/no/such/tree': No such file or directory");
	stop(&f);
}

static void make_object(void **state)
{
	static const char calls[] = "defconfig x86_64 W=1\n"
		"olddefconfig x86_64 W=1\nprepare x86_64 W=1\n"
		"a.o x86_64 W=1\nb.o x86_64 W=1\n";
	struct fixture f;
	GError *err = NULL;

	start(&f);
	prepare_ok(&f);
	for (int i = 0; i < 2; i++)
		assert_int_equal(kbuild_make_object(&f.kb, f.v, "a.o", &err), 0);
	assert_int_equal(kbuild_make_object(&f.kb, f.v, "b.o", &err), -1);
	assert_string_equal(err->message, "x86_64-defconfig: make b.o failed: "
			    "make: exit status 2\n    b.c: no rule for gen.h\n"
			    "    make: *** [Makefile:39: b.o] Error 1");
	g_clear_error(&err);
	assert_int_equal(kbuild_make_object(&f.kb, f.v, "b.o", &err), -1);
	assert_string_equal(err->message, "x86_64-defconfig: 'make b.o' failed "
			    "before on this base");
	g_clear_error(&err);
	expect_file(&f, "calls", calls);

	f.kb.tree = (char *)"tree2";
	assert_int_equal(kbuild_make_object(&f.kb, f.v, "a.o", &err), 0);
	{
		g_autofree char *want = g_strconcat(calls, "a.o x86_64 W=1\n",
						    NULL);

		expect_file(&f, "calls", want);
	}
	stop(&f);
}

static void all(void **state)
{
	struct fixture f;
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	GError *errors[2] = { NULL, NULL };
	struct variant *bad = variant_new("x86_64", "nosuchconfig", NULL, NULL);

	start(&f);
	f.kb.progress = NULL;
	g_ptr_array_add(list, bad);
	g_ptr_array_add(list, f.v);
	assert_int_equal(kbuild_prepare_all(&f.kb, list, 2, errors), 1);
	assert_null(errors[1]);
	assert_int_equal(f.v->db->tus->len, 3);
	assert_string_equal(errors[0]->message, "x86_64-nosuchconfig: "
			    "nosuchconfig failed: make: exit status 2\n    make:"
			    " *** No rule to make target 'nosuchconfig'.  Stop.");
	g_clear_error(&errors[0]);
	variant_free(bad);
	stop(&f);
}

static void expect_variant_error(const char *arch, const char *kconfig,
				 const char *cross, int code, const char *want)
{
	GError *err = NULL;

	assert_null(variant_new(arch, kconfig, cross, &err));
	assert_string_equal(err->message, want);
	assert_true(g_error_matches(err, RESPIN_ERROR, code));
	g_clear_error(&err);
}

static void variants(void **state)
{
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	struct variant *v = variant_new("arm64", "allmodconfig", NULL, NULL);

	if (v) {
		assert_string_equal(v->name, "arm64-allmodconfig");
		assert_ptr_equal(v->arch, arch_find("arm64"));
		assert_null(strchr(v->toolchain, '\n'));
	}
	variant_free(v);
	assert_null(arch_find("alpha"));
	expect_variant_error("alpha", "defconfig", NULL, RESPIN_ERROR_USAGE,
			     "unknown architecture 'alpha'; known are x86_64, "
			     "arm64, powerpc, riscv, i386, riscv32, "
			     "powerpc32");
	expect_variant_error("arm64", "-fconfig", NULL, RESPIN_ERROR_USAGE,
			     "'-fconfig' is no kconfig target; try 'defconfig', "
			     "'allmodconfig', 'randconfig:1' or the path of a "
			     ".config with a '/' in it");
	expect_variant_error("arm64", "clean", NULL, RESPIN_ERROR_USAGE,
			     "'clean' is no kconfig target; try 'defconfig', "
			     "'allmodconfig', 'randconfig:1' or the path of a "
			     ".config with a '/' in it");
	expect_variant_error("arm64", "defconfig", "/no/such-",
			     RESPIN_ERROR_TOOL, "no compiler '/no/such-gcc' for "
			     "arm64; check the configured cross prefix");
	g_setenv("PATH", "/nonexistent", TRUE);
	expect_variant_error("powerpc", "defconfig", NULL, RESPIN_ERROR_TOOL,
			     "no compiler for powerpc ('powerpc64le-linux-gnu-"
			     "gcc'); apt install gcc-powerpc64le-linux-gnu");
	g_setenv("PATH", path, TRUE);
}

/* Outside of /usr: called by its full name, its directory shown. */
static void own_toolchain(void **state)
{
	g_autofree char *bin = g_build_filename(top, "cc", "bin", NULL);
	g_autofree char *dir = g_build_filename(top, "cc", NULL);
	g_autofree char *gcc = g_build_filename(bin, "x-gcc", NULL);
	g_autofree char *cross = g_build_filename(bin, "x-", NULL);
	struct variant *v;

	g_mkdir_with_parents(bin, 0777);
	assert_true(g_file_set_contents(gcc, "#!/bin/sh\necho 'x-gcc 1'\n"
					"echo 2\n", -1, NULL));
	g_chmod(gcc, 0755);
	v = variant_new("riscv", "defconfig", cross, NULL);
	assert_non_null(v);
	assert_string_equal(v->cross, cross);
	assert_string_equal(v->tooldir, dir);
	assert_string_equal(v->toolchain, "x-gcc 1");
	variant_free(v);
}

static int setup(void **state)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");
	g_autofree char *path = g_build_filename(dir ? dir : "tools/t/data",
						 "kbuild", "tree", NULL);

	srcdir = realpath(path, NULL);
	top = g_dir_make_tmp("respin-kbuild-XXXXXX", NULL);
	return !srcdir || !top;
}

static int teardown(void **state)
{
	int rc = remove_tree(top, NULL);

	free(srcdir);
	g_free(top);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variants),
		cmocka_unit_test(own_toolchain),
		cmocka_unit_test(from_nothing),
		cmocka_unit_test(reuse),
		cmocka_unit_test(failures),
		cmocka_unit_test(no_source),
		cmocka_unit_test(make_object),
		cmocka_unit_test(all),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
