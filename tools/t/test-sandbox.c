// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "error.h"
#include "proc.h"
#include "sandbox.h"

static char *ro_dir, *rw_dir;

static char *run(bool off, const char *script)
{
	struct sandbox sb = { .off = off };
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	const char *ro[] = { ro_dir, NULL }, *rw[] = { rw_dir, NULL };
	const char *env[] = { "A=b c", NULL };
	struct proc_job *j;
	char *text;

	j = proc_job_new(sandbox_argv(&sb, argv, rw_dir, ro, rw, env));
	j->seconds = 30;
	proc_run(j);
	assert_int_equal(j->end, PROC_EXITED);
	text = g_strdup_printf("%d:%s%s", j->status, j->out->str, j->err->str);
	proc_job_free(j);
	return text;
}

static void expect(bool off, const char *script, const char *want)
{
	g_autofree char *got = run(off, script);

	assert_string_equal(got, want);
}

static void works(void **state)
{
	struct sandbox sb = { 0 };
	GError *err = NULL;

	assert_int_equal(sandbox_check(&sb, &err), 0);
	assert_null(err);
	sb.off = true;
	assert_int_equal(sandbox_check(&sb, &err), 0);
}

static void missing_tool(void **state)
{
	struct sandbox sb = { 0 };
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	GError *err = NULL;

	g_setenv("PATH", "/nonexistent", TRUE);
	assert_int_equal(sandbox_check(&sb, &err), -1);
	g_setenv("PATH", path, TRUE);
	assert_true(g_error_matches(err, RESPIN_ERROR, RESPIN_ERROR_TOOL));
	assert_string_equal(err->message,
			    "the sandbox does not work: bwrap: No such file or "
			    "directory; install 'bubblewrap' and allow user "
			    "namespaces, or run with --no-sandbox if you trust "
			    "the series");
	g_clear_error(&err);
}

static void same_environment(void **state)
{
	static const char script[] = "env | grep -v -e ^_= -e ^PWD= -e ^SHLVL= |"
				     " sort; pwd";
	g_autofree char *in = run(false, script), *out = run(true, script);
	g_autofree char *want = g_strdup_printf("0:A=b c\n"
		"GIT_DIR=/nonexistent\n"
		"HOME=/var/empty\n"
		"KBUILD_BUILD_HOST=respin\n"
		"KBUILD_BUILD_TIMESTAMP=Thu Jan  1 00:00:00 UTC 1970\n"
		"KBUILD_BUILD_USER=respin\n"
		"LC_ALL=C\n"
		"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin\n"
		"TMPDIR=/tmp\n%s\n", rw_dir);

	assert_string_equal(in, want);
	assert_string_equal(out, want);
}

static void writes(void **state)
{
	g_autofree char *to_ro = g_strdup_printf("echo x 2>/dev/null >%s/new",
						 ro_dir);
	g_autofree char *file = g_build_filename(ro_dir, "file", NULL);
	g_autofree char *read = g_strdup_printf("cat %s", file);
	g_autofree char *made = g_build_filename(ro_dir, "new", NULL);

	assert_true(g_file_set_contents(file, "text", -1, NULL));
	expect(false, read, "0:text");
	expect(false, "echo 1 >here && cat here && rm here", "0:1\n");
	expect(false, "echo 1 2>/dev/null >/usr/respin-test || echo no", "0:no\n");
	{
		g_autofree char *got = run(false, to_ro);

		assert_string_not_equal(got, "0:");
	}
	assert_false(g_file_test(made, G_FILE_TEST_EXISTS));
	/* the twin: only the sandbox stops it */
	expect(true, to_ro, "0:");
	assert_true(g_file_test(made, G_FILE_TEST_EXISTS));
	g_unlink(made);
	g_unlink(file);
}

/* Nothing of the host: network, home, other processes, credentials. */
static void isolated(void **state)
{
	g_autofree char *mine = g_strdup_printf(
		"tr '\\0' ' ' </proc/%d/comm 2>/dev/null || echo none",
		getpid());

	expect(false, "ls -d /root /home /work 2>/dev/null; ls -A ~; ls /etc",
	       "0:alternatives\nld.so.cache\n");
	expect(false, "grep -c : /proc/net/dev; ls /sys 2>/dev/null", "2:1\n");
	expect(false, "ls -d /proc/[0-9]* | wc -l | tr -d '123456'", "0:\n");
	expect(true, mine, "0:test-sandbox\n");
}

static void compiles(void **state)
{
	expect(false, "echo 'int main(void) { return 0; }' >a.c && "
	       "gcc -o a a.c && ./a && rm a a.c && echo yes", "0:yes\n");
}

static int setup(void **state)
{
	ro_dir = g_dir_make_tmp("respin-ro-XXXXXX", NULL);
	rw_dir = g_dir_make_tmp("respin-rw-XXXXXX", NULL);
	return !ro_dir || !rw_dir;
}

static int teardown(void **state)
{
	g_rmdir(ro_dir);
	g_rmdir(rw_dir);
	g_free(ro_dir);
	g_free(rw_dir);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(works),
		cmocka_unit_test(missing_tool),
		cmocka_unit_test(same_environment),
		cmocka_unit_test(writes),
		cmocka_unit_test(isolated),
		cmocka_unit_test(compiles),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
