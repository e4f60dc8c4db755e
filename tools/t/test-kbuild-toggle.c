// SPDX-License-Identifier: GPL-2.0
/* Variants that are made from another one, on a tree that stands in for the
 * kernel's: three symbols, one of which kconfig always sets again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <utime.h>
#include "error.h"
#include "kbuild-int.h"

static const struct { const char *path, *text; } files[] = {
	/* elsewhere, or the top Makefile would name the symbols */
	{ "Makefile", "include $(CURDIR)/rules\n" },
	{ "rules",
	  "-include $(O)/.config\n"
	  "S := $(CURDIR)\n"
	  "defconfig:\n"
	  "\t@printf 'CONFIG_B=y\\nCONFIG_W=y\\nCONFIG_HELD=y\\n' >$(O)/.config\n"
	  "olddefconfig:\n"
	  "\t@grep -q HELD=y $(O)/.config || echo CONFIG_HELD=y >>$(O)/.config\n"
	  "\t@sed -i '/CONFIG_NEW/d' $(O)/.config\n"
	  "prepare prepare0:\n"
	  "\t@echo $@ >>$(O)/calls\n"
	  "one = set -e; scripts/basic/fixdep $1.d $1.o 'gcc -nostdinc $2 -c -o"
	  " $1.o $S/$1.c' > $1.cmd\n"
	  /* what the parent's command has, as long as it is not asked again */
	  "lib = $(call one,lib/a,-DB=$(CONFIG_B) -DW=$(CONFIG_W))\n"
	  "mm = $(if $(CONFIG_B),$(call one,mm/b,-DX))\n"
	  "vmlinux:\n\t$(lib)\n\t$(mm)\n\t$(call one,mm/c,-DX)\n"
	  /* another list has it, as arch/x86/Makefile has arch/x86/lib */
	  "\t$(call one,mm/d,-DX)\n"
	  "\tset -e; printf '%s\\n' 'savedcmd_./built-in.a := rm -f ./built-in.a; "
	  " printf \"./%s \" lib/a.o mm/c.o | xargs ar cDPrST ./built-in.a' > b\n"
	  "mm/:\n\t$(mm)\n\t$(call one,mm/c,-DX)\n"
	  "modules:\n"
	  "\tset -e; printf '%s\\n' 'savedcmd_modules.order := { :; } > m' > m\n"
	  ".PHONY: defconfig olddefconfig prepare prepare0 vmlinux modules mm/\n" },
	{ "mm/Makefile", "obj-$(CONFIG_B) += b.o\nobj-y += c.o\n" },
	{ "lib/Makefile", "obj-y += a.o\n" },
	{ "lib/Kconfig", "config HELD\n\tdef_bool y\n" },
	{ "arch/x86/Makefile", "KBUILD_CFLAGS += -DW=$(CONFIG_W)\n" },
	/* of no concern to x86 */
	{ "arch/arm/Makefile", "KBUILD_CFLAGS += $(CONFIG_B)\n" },
	{ "Documentation/Makefile", "x-$(CONFIG_B) := 1\n" },
	{ "scripts/kconfig/merge_config.sh",
	  "#!/bin/sh\n"
	  "sed -n 's/^#* *\\(CONFIG_[A-Z]*\\).*/\\1/p' $5 | while read s; do\n"
	  "\tsed -i \"/$s[ =]/d\" $4\ndone\ncat $5 >>$4\n" },
};

static struct sandbox sandbox;
static char *top, *srcdir;

struct fixture {
	struct kbuild kb;
	struct variant *parent;
	GString *phases;
};

static void on_phase(const struct variant *v, const char *phase, void *data)
{
	struct fixture *f = data;

	g_string_append_printf(f->phases, "%s|", phase);
}

static void start(struct fixture *f)
{
	GError *err = NULL;

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
		.parent = variant_new("x86_64", "defconfig", "", NULL),
	};
	assert_non_null(f->parent);
	kbuild_prepare(&f->kb, f->parent, &err);
	assert_string_equal(err ? err->message : "", "");
	g_string_truncate(f->phases, 0);
}

static void stop(struct fixture *f)
{
	assert_int_equal(remove_tree(f->kb.cachedir, NULL), 0);
	g_free(f->kb.cachedir);
	g_string_free(f->phases, TRUE);
	variant_free(f->parent);
}

static struct variant *toggle(struct fixture *f, const char *name,
			      const char *settings, const char *phases)
{
	struct variant *v = variant_toggle(f->parent, name, settings);
	GError *err = NULL;

	kbuild_prepare(&f->kb, v, &err);
	assert_string_equal(err ? err->message : "", "");
	assert_string_equal(f->phases->str, phases);
	g_string_truncate(f->phases, 0);
	return v;
}

/* "lib/a.o -DB=y -DW=y; mm/c.o -DX; mm/d.o -DX": the objects and their own flags. */
static void expect_db(const struct variant *v, const char *want)
{
	g_autoptr(GString) got = g_string_new("");

	for (guint i = 0; i < v->db->tus->len; i++) {
		const struct tu *tu = v->db->tus->pdata[i];
		g_auto(GStrv) argv = compdb_argv(v->db, tu, srcdir, "o", "d",
						 NULL);

		g_string_append_printf(got, "%s%s", i ? "; " : "", tu->object);
		for (char **a = argv; *a; a++)
			if (g_str_has_prefix(*a, "-D"))
				g_string_append_printf(got, " %s", *a);
	}
	assert_string_equal(got->str, want);
}

static void expect_file(const struct variant *v, const char *name,
			const char *want)
{
	g_autofree char *path = g_build_filename(v->odir, name, NULL);
	g_autofree char *text = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(text, want);
}

static void one_directory(void **state)
{
	struct fixture f;
	struct variant *v;

	start(&f);
	expect_db(f.parent, "lib/a.o -DB=y -DW=y; mm/b.o -DX; mm/c.o -DX; mm/d.o -DX");
	v = toggle(&f, "B=n", "# CONFIG_B is not set\n", "copy|done|");
	assert_string_equal(v->name, "x86_64-defconfig-B=n");
	assert_string_equal(v->kconfig, "defconfig");
	assert_true(v->tip);
	expect_file(v, ".config", "CONFIG_W=y\nCONFIG_HELD=y\n"
		    "# CONFIG_B is not set\n");
	expect_file(v, "calls", "prepare\nprepare0\n");
	/* mm/ was asked again, lib/ was not */
	expect_db(v, "lib/a.o -DB=y -DW=y; mm/c.o -DX; mm/d.o -DX");
	variant_free(v);
	expect_file(f.parent, ".config",
		    "CONFIG_B=y\nCONFIG_W=y\nCONFIG_HELD=y\n");
	expect_db(f.parent, "lib/a.o -DB=y -DW=y; mm/b.o -DX; mm/c.o -DX; mm/d.o -DX");
	stop(&f);
}

static void flags_of_all(void **state)
{
	struct fixture f;
	struct variant *v;

	start(&f);
	v = toggle(&f, "W=n", "# CONFIG_W is not set\n", "copy|dry run|done|");
	expect_db(v, "lib/a.o -DB=y -DW=; mm/b.o -DX; mm/c.o -DX; mm/d.o -DX");
	variant_free(v);
	stop(&f);
}

static void refused(void **state)
{
	struct fixture f;
	struct variant *v;
	GError *err = NULL;

	start(&f);
	v = variant_toggle(f.parent, "HELD=n", "# CONFIG_HELD is not set\n");
	assert_int_equal(kbuild_prepare(&f.kb, v, &err), -1);
	assert_string_equal(err->message, "x86_64-defconfig-HELD=n: kconfig does "
			    "not take over # CONFIG_HELD is not set");
	assert_true(g_error_matches(err, RESPIN_ERROR, RESPIN_ERROR_USAGE));
	g_clear_error(&err);
	assert_null(v->db);
	variant_free(v);
	/* What the base does not know yet is no reason to refuse. */
	v = toggle(&f, "NEW=y", "CONFIG_NEW=y\n", "copy|failed|copy|done|");
	expect_db(v, "lib/a.o -DB=y -DW=y; mm/b.o -DX; mm/c.o -DX; mm/d.o -DX");
	variant_free(v);
	stop(&f);
}

/* A source changed: that is generated again, and nothing else. */
static const GPtrArray *changed(const char *old, void *data)
{
	static struct kbuild_change source = { (char *)"mm/c.c", true };
	static gpointer list[] = { &source };
	static const GPtrArray changes = { list, 1 };

	assert_string_equal(old, "tree1");
	return &changes;
}

static void reuse(void **state)
{
	struct fixture f;
	struct variant *v;

	start(&f);
	variant_free(toggle(&f, "B=n", "# CONFIG_B is not set\n", "copy|done|"));
	v = toggle(&f, "B=n", "# CONFIG_B is not set\n", "cached|done|");
	expect_db(v, "lib/a.o -DB=y -DW=y; mm/c.o -DX; mm/d.o -DX");
	variant_free(v);
	/* The same name with other settings is another. */
	variant_free(toggle(&f, "B=n", "# CONFIG_B is not set\n"
			    "# CONFIG_W is not set\n", "copy|dry run|done|"));
	f.kb.tree = (char *)"tree2";
	f.kb.changed = changed;
	v = toggle(&f, "B=n", "# CONFIG_B is not set\n# CONFIG_W is not set\n",
		   "done|");
	expect_file(v, "calls", "prepare\nprepare0\nprepare0\n");
	variant_free(v);
	stop(&f);
}

static bool is_there(const struct fixture *f, const char *name)
{
	g_autofree char *path = g_build_filename(f->kb.cachedir, name, NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void prune(void **state)
{
	struct fixture f;
	g_autofree char *stamp = NULL;
	struct utimbuf old = { 1000, 1000 };

	start(&f);
	variant_free(toggle(&f, "B=n", "# CONFIG_B is not set\n", "copy|done|"));
	variant_free(toggle(&f, "NEW=n", "# CONFIG_NEW is not set\n",
			    "copy|done|"));
	stamp = g_build_filename(f.kb.cachedir, "x86_64-defconfig-B=n", "stamp",
				 NULL);
	assert_int_equal(utime(stamp, &old), 0);
	kbuild_toggle_prune(&f.kb, 2);
	assert_true(is_there(&f, "x86_64-defconfig-B=n"));
	kbuild_toggle_prune(&f.kb, 1);
	assert_false(is_there(&f, "x86_64-defconfig-B=n"));
	assert_true(is_there(&f, "x86_64-defconfig-NEW=n"));
	assert_true(is_there(&f, "x86_64-defconfig"));
	stop(&f);
}

static int setup(void **state)
{
	g_autofree char *made = g_dir_make_tmp("respin-toggle-XXXXXX", NULL);

	top = realpath(made, NULL);
	srcdir = g_build_filename(top, "src", NULL);
	for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(srcdir, files[i].path,
							 NULL);
		g_autofree char *dir = g_path_get_dirname(path);

		if (g_mkdir_with_parents(dir, 0777) ||
		    !g_file_set_contents(path, files[i].text, -1, NULL))
			return -1;
		g_chmod(path, 0755);
	}
	return 0;
}

static int teardown(void **state)
{
	int rc = remove_tree(top, NULL);

	free(top);
	g_free(srcdir);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_directory),
		cmocka_unit_test(flags_of_all),
		cmocka_unit_test(refused),
		cmocka_unit_test(reuse),
		cmocka_unit_test(prune),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
