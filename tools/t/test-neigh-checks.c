// SPDX-License-Identifier: GPL-2.0
/* The checks beside gcc: what their programs print, as results of jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <string.h>
#include "check.h"
#include "farm.h"
#include "kbuild-int.h"
#include "ended.h"

static char *root;
static const struct arch x86 = { "x86_64", "x86_64", "x86", "" };

static void put(const char *path, const char *text)
{
	g_autofree char *full = g_build_filename(root, path, NULL);
	g_autofree char *dir = g_path_get_dirname(full);

	assert_int_equal(g_mkdir_with_parents(dir, 0755), 0);
	assert_true(g_file_set_contents(full, text, -1, NULL));
}

static int setup(void **state)
{
	root = g_dir_make_tmp("respin-checks-XXXXXX", NULL);
	put("tools/testing/vma/Makefile", "");
	put("tools/testing/vma/vma.c", "");
	put("tools/testing/vma/linux/a.h", "");
	put("tools/testing/shared/linux.c", "");
	put("mm/vma.c", "");
	put("lib/radix-tree.c", "");
	put("include/uapi/linux/a.h", "#include <linux/b.h>\n");
	put("include/uapi/linux/b.h", "");
	put("MAINTAINERS", "X\nF:\tDocumentation/gone.rst\nF:\tmm/\n");
	put("Documentation/core-api/a.rst", "A\n=\n\n.. kernel-doc:: mm/vma.c\n"
	    "   :internal:\n\n.. kernel-doc:: mm/gone.c\n.. kernel-doc:: mm/*.c\n");
	put("Documentation/b.txt", ".. kernel-doc:: mm/gone.c\n");
	put("mm/a.c", "see Documentation/x.rst\nint a;\n  see Documentation/x.rst\n");
	return 0;
}

static int teardown(void **state)
{
	int ret = remove_tree(root, NULL);

	g_free(root);
	return ret;
}

static struct variant variant(void)
{
	return (struct variant){ .arch = &x86, .name = (char *)"host",
				 .cross = (char *)"", .odir = root };
}

static char *said(const struct job *job)
{
	static const char *const outcomes[] = { "PASS", "FINDINGS", "ERROR",
						"SKIPPED", "TIMEOUT" };
	GString *s = g_string_new(outcomes[job->outcome]);

	if (job->reason)
		g_string_append_printf(s, ": %s", job->reason);
	for (guint i = 0; !job->reason && i < job->diags->len; i++) {
		const struct diag *d = job->diags->pdata[i];

		g_string_append_printf(s, "\n%s %s %s %s:%u %s: %s", d->check,
			d->kind == DIAG_ERROR ? "error" : "warning", d->rule,
			d->file, d->line, d->function, d->message);
	}
	return g_string_free(s, FALSE);
}

/* What @check makes of @err and @status of a job for @tu. */
static void expect(const char *check, struct tu *tu, int status,
		   const char *err, const char *want)
{
	const struct check *c = check_find(check);
	struct variant v = variant();
	struct job *job = job_new(c, &v, tu, NULL, 1, WHY_REACH);
	g_autofree char *got = NULL;

	if (c->here) {
		c->here(job, root);
	} else {
		struct proc_job *p = ended(status, err);

		c->judge(job, p, root);
		proc_job_free(p);
	}
	got = said(job);
	assert_string_equal(got, want);
	job_free(job);
}

static struct tu vma = { .object = (char *)"tools/testing/vma",
			 .source = (char *)"tools/testing/vma/Makefile" };

static void test_tools(void **state)
{
	expect("tools", &vma, 0, "", "PASS");
	expect("tools", &vma, 2,
	       "radix-tree.c:5:1: warning: unused variable 'x' [-Wunused-variable]\n"
	       "In file included from vma.c:23:\n"
	       "../../../mm/vma.c: In function 'f':\n"
	       "../../../mm/vma.c:3:9: warning: implicit declaration of function "
	       "'g' [-Wimplicit-function-declaration]\n"
	       "/usr/bin/ld: vma.o: in function `f':\n"
	       "/j/tools/testing/vma/../../../mm/vma.c:3: undefined reference to `g'\n"
	       "collect2: error: ld returned 1 exit status\n"
	       "make: *** [Makefile:15: vma] Error 1\n",
	       "FINDINGS\n"
	       "tools warning -Wunused-variable lib/radix-tree.c:5 : unused variable "
	       "'x'\n"
	       "tools warning -Wimplicit-function-declaration mm/vma.c:3 f: implicit "
	       "declaration of function 'g'\n"
	       "tools error link mm/vma.c:3 f: undefined reference to 'g'");
	expect("tools", &vma, 2, "make: *** No rule to make target "
	       "'../../../mm/vma.c', needed by 'vma.o'.\n",
	       "FINDINGS\ntools error  tools/testing/vma/Makefile:0 : no rule to make "
	       "target '../../../mm/vma.c', needed by 'vma.o'");
	expect("tools", &vma, 2, "../shared/linux/rcupdate.h:5:10: fatal error: "
	       "urcu.h: No such file or directory\ncompilation terminated.\n"
	       "make: *** [<builtin>: idr.o] Error 1\n",
	       "ERROR: <urcu.h> is not there; install 'liburcu-dev'");
	expect("tools", &vma, 2, "/usr/bin/ld: cannot find -lurcu: No such file or "
	       "directory\ncollect2: error: ld returned 1 exit status\n",
	       "ERROR: liburcu is not there; install 'liburcu-dev'");
	/* a header that the patch forgot is a finding */
	expect("tools", &vma, 2, "vma.c:5:10: fatal error: linux/new.h: No such "
	       "file or directory\ncompilation terminated.\n",
	       "FINDINGS\ntools error  tools/testing/vma/vma.c:5 : linux/new.h: No such "
	       "file or directory");
	expect("tools", &vma, 2, "make: oops\n",
	       "ERROR: make: exit status 2 without an error that respin "
	       "understands: make: oops\n");
}

static struct tu header = { .object = (char *)"usr/include/linux/a.hdrtest",
			    .source = (char *)"include/uapi/linux/a.h" };

static void test_uapi(void **state)
{
	expect("uapi", &header, 0, "", "PASS");
	expect("uapi", &header, 2,
	       "In file included from <command-line>:\n"
	       "linux/a.h:4:1: error: C++ style comments are not allowed in ISO C90\n"
	       "linux/a.h:7: found __[us]{8,16,32,64} type without #include "
	       "<linux/types.h>\n"
	       "make: *** [x.mk:3: compile] Error 1\n",
	       "FINDINGS\n"
	       "uapi error  include/uapi/linux/a.h:4 : C++ style comments are not "
	       "allowed in ISO C90\n"
	       "uapi warning headers_check include/uapi/linux/a.h:7 : found "
	       "__[us]{8,16,32,64} type without #include <linux/types.h>");
	expect("uapi", &header, 2, "make: oops\n",
	       "ERROR: make: exit status 2 without an error that respin "
	       "understands: make: oops\n");
}

static void test_leak(void **state)
{
	g_autofree char *err = g_strdup_printf("error: %s/include/uapi/linux/b.h: "
		"leak CONFIG_X to user-space\nmake: *** [x.mk:3: b.h] Error 1\n",
		root);

	expect("uapi", &header, 2, err, "FINDINGS\nuapi error headers_install "
	       "include/uapi/linux/b.h:0 : leak CONFIG_X to user-space");
}

static struct tu documents = { .object = (char *)"Documentation",
			       .source = (char *)"MAINTAINERS" };

static void test_docref(void **state)
{
	expect("docref", &documents, 0, "", "PASS");
	/* twice in a file; a pattern of MAINTAINERS is not its business */
	expect("docref", &documents, 0, "mm/a.c: Documentation/x.rst\n"
	       "mm/a.c: Documentation/x.rst\n"
	       "MAINTAINERS: Documentation/gone.rst\n",
	       "FINDINGS\n"
	       "docref warning file-ref mm/a.c:1 : 'Documentation/x.rst' is not there\n"
	       "docref warning file-ref mm/a.c:3 : 'Documentation/x.rst' is not there");
	expect("docref", &documents, 0, "Can't exec \"git\": No such file\n",
	       "ERROR: documentation-file-ref-check says what respin does not "
	       "understand: Can't exec \"git\": No such file\n");
	expect("docref", &documents, 2, "", "ERROR: documentation-file-ref-check "
	       "says what respin does not understand: ");
}

static void test_maintainers(void **state)
{
	expect("maintainers", &documents, 0, "", "FINDINGS\nmaintainers warning "
	       "patterns MAINTAINERS:2 : no file matches 'F: Documentation/gone.rst'");
}

static void test_kdocref(void **state)
{
	expect("kdocref", &documents, 0, "", "FINDINGS\nkdocref warning kernel-doc "
	       "Documentation/core-api/a.rst:7 : 'mm/gone.c' is not there");
}

static bool is_link(const char *dir, const char *path)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);

	assert_true(g_file_test(full, G_FILE_TEST_EXISTS));
	return g_file_test(full, G_FILE_TEST_IS_SYMLINK);
}

static void test_farm(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("respin-farm-XXXXXX", NULL);

	assert_int_equal(farm_make(dir, root, "tools/testing/vma", NULL), 0);
	assert_true(is_link(dir, "mm"));
	assert_true(is_link(dir, "tools/testing/shared"));
	assert_true(is_link(dir, "tools/testing/vma/vma.c"));
	assert_true(is_link(dir, "tools/testing/vma/linux/a.h"));
	assert_false(is_link(dir, "tools"));
	assert_false(is_link(dir, "tools/testing/vma"));
	assert_false(is_link(dir, "tools/testing/vma/linux"));
	assert_int_equal(remove_tree(dir, NULL), 0);
	assert_int_equal(farm_make(dir, root, "", NULL), 0);
	assert_true(is_link(dir, "tools"));
	assert_int_equal(remove_tree(dir, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tools),
		cmocka_unit_test(test_uapi),
		cmocka_unit_test(test_leak),
		cmocka_unit_test(test_docref),
		cmocka_unit_test(test_maintainers),
		cmocka_unit_test(test_kdocref),
		cmocka_unit_test(test_farm),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
