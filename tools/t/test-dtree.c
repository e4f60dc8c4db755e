// SPDX-License-Identifier: GPL-2.0
/* Which device trees read what, how they are made, and what dtc says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "dtree.h"
#include "kbuild-int.h"
#include "ended.h"

#define DTS "arch/arm64/boot/dts/"

static char *root;
static const struct arch arm64 = { "arm64", "arm64", "arm64",
				   "aarch64-linux-gnu" };

static void put(const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(root, path, NULL);
	g_autofree char *dir = g_path_get_dirname(full);

	assert_int_equal(g_mkdir_with_parents(dir, 0755), 0);
	assert_true(g_file_set_contents(full, text, -1, NULL));
}

static void put_link(const char *path, const char *to)
{
	g_autofree char *full = g_build_filename(root, path, NULL);
	g_autofree char *dir = g_path_get_dirname(full);

	assert_int_equal(g_mkdir_with_parents(dir, 0755), 0);
	assert_int_equal(symlink(to, full), 0);
}

static int setup(void **state)
{
	root = g_dir_make_tmp("respin-dtree-XXXXXX", NULL);
	put(DTS "v/a.dts", "/dts-v1/;\n#include \"soc.dtsi\"\n"
	    "# include <dt-bindings/clock/c.h>\n");
	put(DTS "v/b.dts", "/dts-v1/;\n/include/ \"soc.dtsi\"\n");
	put(DTS "v/soc.dtsi", "#include <arm/v/old.dtsi>\n"
	    "#include <dt-bindings/input/codes.h>\n#include \"gone.dtsi\"\n");
	put(DTS "v/o.dtso", "/dts-v1/;\n/plugin/;\n");
	put(DTS "w/c.dts", "/ { x = /incbin/(\"logo.bin\"); };\n");
	put(DTS "w/logo.bin", "x");
	put(DTS "w/$(x).dts", "");
	put(DTS "v/Makefile", "dtb-y += a.dtb gone.dtb\n"
	    "b-o-dtbs := b.dtb \\\n\to.dtbo\ndtb-y += b-o.dtb\n");
	put(DTS "w/Makefile", "dtb-y := $(patsubst $(src)/%.dts,%.dtb, "
	    "$(wildcard $(src)/*.dts))\n");
	put("arch/arm/boot/dts/v/old.dtsi", "");
	put("arch/arm/boot/dts/v/x.dts", "#include \"old.dtsi\"\n");
	put("include/dt-bindings/clock/c.h", "");
	put("include/uapi/linux/codes.h", "");
	put_link("include/dt-bindings/input/codes.h",
		 "../../uapi/linux/codes.h");
	put_link("scripts/dtc/include-prefixes/dt-bindings",
		 "../../../include/dt-bindings");
	put_link("scripts/dtc/include-prefixes/arm",
		 "../../../arch/arm/boot/dts");
	return 0;
}

static int teardown(void **state)
{
	int ret = remove_tree(root, NULL);

	g_free(root);
	return ret;
}

static void expect_reaching(const char *path, const char *want)
{
	struct dtree *t = dtree_read(root, "arm64");
	g_autoptr(GHashTable) set = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GString) got = g_string_new("");

	g_hash_table_add(set, (char *)path);
	list = dtree_reaching(t, set);
	for (guint i = 0; i < list->len; i++)
		g_string_append_printf(got, "%s ",
				       (char *)list->pdata[i] + strlen(DTS));
	assert_string_equal(got->str, want);
	dtree_free(t);
}

static void test_reaching(void **state)
{
	expect_reaching(DTS "v/a.dts", "v/a.dts ");
	expect_reaching(DTS "v/soc.dtsi", "v/a.dts v/b.dts ");
	expect_reaching("include/dt-bindings/clock/c.h", "v/a.dts ");
	/* of another architecture */
	expect_reaching("arch/arm/boot/dts/v/old.dtsi", "v/a.dts v/b.dts ");
	expect_reaching("arch/arm/boot/dts/v/x.dts", "");
	/* a link, and what it is a link to */
	expect_reaching("include/uapi/linux/codes.h", "v/a.dts v/b.dts ");
	expect_reaching("include/dt-bindings/input/codes.h",
			"v/a.dts v/b.dts ");
	expect_reaching(DTS "w/logo.bin", "w/c.dts ");
	/* it is not there: deleted, or still to come */
	expect_reaching(DTS "v/gone.dtsi", "v/a.dts v/b.dts ");
	expect_reaching(DTS "v/other.dtsi", "");
	assert_null(dtree_read(root, "x86"));
}

static void test_closure(void **state)
{
	struct dtree *t = dtree_read(root, "arm64");
	g_autoptr(GHashTable) set = dtree_closure(t, DTS "v/b.dts");
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(set),
					    (GCompareFunc)strcmp);
	g_autoptr(GString) got = g_string_new("");

	for (const GList *l = keys; l; l = l->next)
		g_string_append_printf(got, "%s ", (char *)l->data);
	assert_string_equal(got->str, "arch/arm/boot/dts/v/old.dtsi "
			    DTS "v/b.dts " DTS "v/soc.dtsi "
			    "include/dt-bindings/input/codes.h "
			    "include/uapi/linux/codes.h ");
	dtree_free(t);
}

static void expect_target(const char *path, const char *want)
{
	g_autofree char *got = dtree_target("arch/arm64/boot/dts", path);

	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

static void expect_made(const char *target, enum dtree_made want,
			unsigned int want_line)
{
	unsigned int line;

	assert_int_equal(dtree_made(root, "arch/arm64/boot/dts", target, &line),
			 want);
	assert_int_equal(line, want_line);
}

static void test_made(void **state)
{
	g_autofree char *dts = dtree_source("arch/arm64/boot/dts", "v/a.dtb");
	g_autofree char *dtso = dtree_source("arch/arm64/boot/dts", "v/o.dtbo");

	expect_target(DTS "v/a.dts", "v/a.dtb");
	expect_target(DTS "v/o.dtso", "v/o.dtbo");
	expect_target(DTS "v/soc.dtsi", NULL);
	expect_target(DTS "w/$(x).dts", NULL);
	expect_target("arch/arm/boot/dts/v/x.dts", NULL);
	assert_string_equal(dts, DTS "v/a.dts");
	assert_string_equal(dtso, DTS "v/o.dtso");

	expect_made("v/a.dtb", DTREE_MADE, 1);
	expect_made("v/gone.dtb", DTREE_NO_SOURCE, 1);
	expect_made("v/none.dtb", DTREE_NOTHING, 0);
	expect_made("v/o.dtbo", DTREE_MADE, 3);
	expect_made("v/b-o.dtb", DTREE_MADE, 4);
	expect_made("w/c.dtb", DTREE_MADE, 0);
	assert_true(dtree_lists(root, "arch/arm64/boot/dts", "v/b.dtb"));
	assert_false(dtree_lists(root, "arch/arm64/boot/dts", "w/c.dtb"));
}

static void expect_composites(const char *target, const char *want)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);

	dtree_composites(root, "arch/arm64/boot/dts", target, list);
	assert_int_equal(list->len, want ? 1 : 0);
	if (want)
		assert_string_equal(list->pdata[0], want);
}

static void test_composites(void **state)
{
	expect_composites("v/b.dtb", "v/b-o.dtb");
	expect_composites("v/o.dtbo", "v/b-o.dtb");
	expect_composites("v/a.dtb", NULL);
	expect_composites("w/b.dtb", NULL);
}

static char *said(const GPtrArray *diags)
{
	GString *s = g_string_new("");

	for (guint i = 0; i < diags->len; i++) {
		const struct diag *d = diags->pdata[i];

		g_string_append_printf(s, "%s %s [%s] %s:%u:%u: %s\n", d->check,
			d->kind == DIAG_ERROR ? "error" : "warning", d->rule,
			d->file, d->line, d->column, d->message);
		for (guint k = 0; k < d->notes->len; k++)
			g_string_append_printf(s, "\t%s\n",
					       (char *)d->notes->pdata[k]);
	}
	return g_string_free(s, FALSE);
}

/* "@/" stands for the tree. */
static void expect_diags(const char *text, const char *want)
{
	g_auto(GStrv) parts = g_strsplit(text, "@/", -1);
	g_autofree char *here = g_strconcat(root, "/", NULL);
	g_autofree char *all = g_strjoinv(here, parts), *got = NULL;
	g_autoptr(GPtrArray) diags = dtree_diags(all, root);

	got = said(diags);
	assert_string_equal(got, want);
}

static void test_diags(void **state)
{
	expect_diags("@/" DTS "v/soc.dtsi:12.27-15.6: Warning (reg_format): /a@1: "
		     "text: \"x\"\n"
		     "  also defined at @/" DTS "v/a.dts:5.12-9.3\n"
		     "@/" DTS "v/soc.dtsi:12.27-15.6: Warning (reg_format): /a@1: "
		     "text: \"x\"\n",
		     "dtbs warning [reg_format] " DTS "v/soc.dtsi:12:27: /a@1: text: "
		     "\"x\"\n\t" DTS "v/a.dts:5: also defined here\n");
	expect_diags("Error: @/scripts/dtc/include-prefixes/arm/v/old.dtsi:3.1-9 "
		     "Label or path x not found\nFATAL ERROR: Syntax error parsing "
		     "input tree\nmake[3]: *** [x] Error 1\n",
		     "dtbs error [] arch/arm/boot/dts/v/old.dtsi:3:1: Label or path x "
		     "not found\n");
	expect_diags("Lexical error: @/" DTS "v/a.dts:3.1-2 Unexpected ''\n"
		     "FATAL ERROR: Unable to parse input tree\n",
		     "dtbs error [] " DTS "v/a.dts:3:1: Unexpected ''\n");
	expect_diags(DTS "v/a.dtb: ERROR (phandle_references): /x: no\n"
		     "ERROR: Input tree has errors, aborting (use -f to force "
		     "output)\n",
		     "dtbs error [phandle_references] " DTS "v/a.dts:0:0: /x: no\n");
	expect_diags("FATAL ERROR: Couldn't open \"gone.dtsi\": No such file or "
		     "directory\n",
		     "dtbs error [] :0:0: Couldn't open \"gone.dtsi\": No such file or "
		     "directory\n");
	expect_diags("In file included from @/" DTS "v/a.dts:2:\n"
		     "@/" DTS "v/soc.dtsi:3:10: fatal error: gone.dtsi: No such file "
		     "or directory\ncompilation terminated.\n",
		     "dtbs error [] " DTS "v/soc.dtsi:3:10: gone.dtsi: No such file or "
		     "directory\n");
	expect_diags("\nFailed to apply '" DTS "v/o.dtbo': FDT_ERR_NOTFOUND\n",
		     "dtbs error [] " DTS "v/o.dtso:0:0: FDT_ERR_NOTFOUND\n");
	expect_diags("make: Target 'v/a.dtb' not remade because of errors.\n", "");
}

/* What the check makes of @err of a job for @targets. */
static void expect_job(const char *targets, int status, const char *err,
		       enum outcome outcome, const char *want)
{
	struct variant v = { .arch = &arm64, .name = (char *)"arm64-defconfig",
			     .cross = (char *)"", .odir = root };
	struct tu tu = { .object = (char *)"x.dtb",
			 .source = (char *)DTS "Makefile",
			 .values = g_strsplit(targets, " ", -1) };
	struct job *job = job_new(check_find("dtbs"), &v, &tu, NULL, 1,
				  WHY_REACH);
	struct proc_job *p = ended(status, err);
	g_autofree char *got = NULL;

	job->check->judge(job, p, root);
	assert_int_equal(job->outcome, outcome);
	got = said(job->diags);
	assert_string_equal(outcome == OUTCOME_ERROR ? job->reason : got, want);
	if (outcome != OUTCOME_ERROR)
		assert_true(g_strv_contains((const char *const *)job->deps,
					    DTS "v/soc.dtsi"));
	proc_job_free(p);
	job_free(job);
	g_strfreev(tu.values);
}

static void test_judge(void **state)
{
	expect_job("v/a.dtb v/none.dtb", 0, "", OUTCOME_PASS, "");
	expect_job("v/a.dtb v/gone.dtb", 0, "", OUTCOME_FINDINGS,
		   "dtbs error [] " DTS "v/Makefile:1:0: it names a device tree whose "
		   "source '" DTS "v/gone.dts' is not there\n");
	/* an error says why it is not made */
	expect_job("v/a.dtb v/b.dtb", 2, "Error: " DTS "v/soc.dtsi:3.1-2 syntax "
		   "error\nrespin: not made: v/a.dtb\nrespin: not made: v/b.dtb\n",
		   OUTCOME_FINDINGS, "dtbs error [] " DTS "v/soc.dtsi:3:1: syntax "
		   "error\n");
	/* ... of another one does not */
	expect_job("v/a.dtb v/b.dtb", 2, "Error: " DTS "v/a.dts:3.1-2 syntax "
		   "error\nrespin: not made: v/a.dtb\nrespin: not made: v/b.dtb\n",
		   OUTCOME_ERROR, "v/b.dtb is not made, and respin does not understand "
		   "why: make: exit status 2: Error: " DTS "v/a.dts:3.1-2 syntax "
		   "error\nrespin: not made: v/a.dtb\nrespin: not made: v/b.dtb\n");
	/* put together of others */
	expect_job("v/b-o.dtb v/b.dtb", 2, "\nFailed to apply '" DTS "v/o.dtbo': "
		   "FDT_ERR_NOTFOUND\nrespin: not made: v/b-o.dtb\n",
		   OUTCOME_FINDINGS, "dtbs error [] " DTS "v/o.dtso:0:0: "
		   "FDT_ERR_NOTFOUND\n");
	/* what dtc has no place for: who names the file */
	expect_job("v/a.dtb", 2, "FATAL ERROR: Couldn't open \"gone.dtsi\": No such "
		   "file or directory\nrespin: not made: v/a.dtb\n",
		   OUTCOME_FINDINGS, "dtbs error [] " DTS "v/soc.dtsi:0:0: Couldn't open "
		   "\"gone.dtsi\": No such file or directory\n");
	expect_job("v/a.dtb", 125, "cp: no space\n", OUTCOME_ERROR,
		   "no copy of O= could be made");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reaching),
		cmocka_unit_test(test_closure),
		cmocka_unit_test(test_made),
		cmocka_unit_test(test_composites),
		cmocka_unit_test(test_diags),
		cmocka_unit_test(test_judge),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
