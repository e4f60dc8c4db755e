// SPDX-License-Identifier: GPL-2.0
/* What of tools/ and scripts/ is dealt with, and what is named out of scope. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "neigh-int.h"

static void expect(const char *path, bool settled, const char *scope)
{
	struct run *run = g_new0(struct run, 1);

	run->out_of_scope = g_ptr_array_new_with_free_func(g_free);
	assert_int_equal(neigh_settles(run, path), settled);
	assert_int_equal(run->out_of_scope->len, scope ? 1 : 0);
	if (scope)
		assert_string_equal(run->out_of_scope->pdata[0], scope);
	g_ptr_array_unref(run->out_of_scope);
	g_free(run);
}

static void test_settles(void **state)
{
	/* a job looks at them */
	expect("tools/testing/vma/vma_internal.h", true, NULL);
	expect("tools/testing/shared/linux.c", true, NULL);
	/* the build of the kernel uses them */
	expect("tools/objtool/check.c", false, NULL);
	expect("tools/include/linux/list.h", false, NULL);
	expect("tools/bpf/resolve_btfids/main.c", false, NULL);
	expect("scripts/mod/modpost.c", false, NULL);
	expect("scripts/checksyscalls.sh", false, NULL);
	expect("usr/gen_init_cpio.c", false, NULL);
	/* nobody's but their users' */
	expect("tools/perf/builtin-stat.c", true, "tools/perf");
	expect("tools/testing/selftests/mm/mlock2.h", true,
	       "tools/testing/selftests");
	expect("tools/testing/vma2/x.c", true, "tools/testing/vma2");
	expect("tools/bpf/bpftool/main.c", true, "tools/bpf");
	expect("samples/bpf/xdp_fwd_user.c", true, "samples/bpf");
	expect("samples/kobject/kobject-example.c", false, NULL);
	expect("mm/vma.c", false, NULL);
	expect("scripts/checkpatch.pl", true, "scripts/checkpatch.pl");
	expect("scripts/coccinelle/api/alloc.cocci", true,
	       "scripts/coccinelle/api/alloc.cocci");
}

static void test_first(void **state)
{
	struct run *run = g_new0(struct run, 1);

	assert_true(neigh_first(run, 1, "usr/include/a.hdrtest", "x86_64"));
	assert_false(neigh_first(run, 1, "usr/include/a.hdrtest", "x86_64"));
	assert_true(neigh_first(run, 2, "usr/include/a.hdrtest", "x86_64"));
	assert_true(neigh_first(run, 1, "usr/include/a.hdrtest", "arm64"));
	assert_true(neigh_first(run, 1, "usr/include/b.hdrtest", "x86_64"));
	neigh_free(run->neigh);
	g_free(run);
}

/* Without abidw types are not known to be the same. */
static void test_no_abidw(void **state)
{
	struct run *run = g_new0(struct run, 1);
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) jobs = g_ptr_array_new(), none = g_ptr_array_new();
	g_autofree char *path = g_strdup(g_getenv("PATH"));
	struct gap *gap;

	run->gaps = g_ptr_array_new();
	g_hash_table_add(names, (char *)"linux/a.h");
	g_setenv("PATH", "/nowhere", TRUE);
	neigh_abi(run, 3, jobs, NULL, names, none);
	g_setenv("PATH", path, TRUE);
	assert_int_equal(jobs->len, 0);
	assert_int_equal(run->gaps->len, 1);
	gap = run->gaps->pdata[0];
	assert_int_equal(gap->n, 3);
	assert_string_equal(gap->what, "include/uapi");
	assert_string_equal(gap->reason, "whether its types change is not known: "
			    "abidw is not there; install 'abigail-tools'");
	g_free(gap->what);
	g_free(gap->reason);
	g_free(gap);
	g_ptr_array_unref(run->gaps);
	g_free(run);
}

/* No patch is compared with what could not be copied. */
static void test_no_base(void **state)
{
	struct run *run = run_new();
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) jobs = g_ptr_array_new(), none = g_ptr_array_new();

	/* nothing can be made below a file */
	run->dir = g_strdup("/proc/self/status");
	g_hash_table_add(names, (char *)"linux/a.h");
	for (unsigned int n = 1; n <= 2; n++) {
		const struct gap *gap;

		neigh_abi(run, n, jobs, NULL, names, none);
		assert_int_equal(jobs->len, 0);
		assert_int_equal(run->gaps->len, n);
		gap = run->gaps->pdata[n - 1];
		assert_int_equal(gap->n, n);
		assert_string_equal(gap->what, "include/uapi");
		assert_string_equal(gap->reason, "cannot read "
			"'/proc/self/status/uapi-base': Not a directory");
	}
	run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settles),
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_no_abidw),
		cmocka_unit_test(test_no_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
