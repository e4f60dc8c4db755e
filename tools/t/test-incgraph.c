// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "fake-repo.h"
#include "error.h"
#include "incgraph.h"

static char *tree_path(void)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");

	return g_build_filename(dir ? dir : "tools/t/data", "incgraph", "tree",
				NULL);
}

static int load(void **state)
{
	g_autofree char *tree = tree_path();

	*state = incgraph_load(&fake_repo, tree, NULL, NULL);
	return *state ? 0 : -1;
}

static int unload(void **state)
{
	incgraph_free(*state);
	return 0;
}

static char *join_keys(GHashTable *set)
{
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(set),
					    (GCompareFunc)strcmp);
	GString *s = g_string_new(NULL);

	for (GList *l = keys; l; l = l->next)
		g_string_append_printf(s, "%s%s", s->len ? " " : "",
				       (char *)l->data);
	return g_string_free(s, FALSE);
}

static void expect_reaching(struct incgraph *g, const char *header,
			    const char *srcarch, const char *want)
{
	g_autoptr(GHashTable) set = incgraph_reaching(g, header, srcarch);
	g_autofree char *have = join_keys(set);

	assert_string_equal(have, want);
}

static void cycle_and_arch(void **state)
{
	expect_reaching(*state, "include/linux/mm.h", "x86",
			"arch/x86/mm/fault.c include/linux/cycle.h");
	expect_reaching(*state, "include/linux/mm.h", "arm64",
			"arch/arm64/mm/fault.c include/linux/cycle.h");
	expect_reaching(*state, "arch/x86/include/asm/pgtable.h", "x86",
			"arch/x86/lib/entry.S arch/x86/mm/fault.c "
			"include/linux/cycle.h include/linux/mm.h "
			"include/linux/pgtable.h");
	expect_reaching(*state, "arch/x86/include/asm/pgtable.h", "arm64", "");
	expect_reaching(*state, "no/such.h", "x86", "");
}

static void wrapper_only_without_own(void **state)
{
	expect_reaching(*state, "include/asm-generic/wrapped.h", "x86",
			"arch/x86/mm/fault.c");
	expect_reaching(*state, "include/asm-generic/pgtable.h", "x86", "");
	/* riscv has no asm/pgtable.h here: kbuild would wrap the generic one */
	expect_reaching(*state, "include/asm-generic/pgtable.h", "riscv",
			"include/linux/cycle.h include/linux/mm.h "
			"include/linux/pgtable.h");
}

static void expect_naming(struct incgraph *g, const char *path,
			  const char *srcarch, const char *want)
{
	g_autoptr(GPtrArray) list = incgraph_naming(g, path, srcarch);
	g_autofree char *have = NULL;

	g_ptr_array_add(list, NULL);
	have = g_strjoinv(" ", (char **)list->pdata);
	assert_string_equal(have, want);
}

/* What the build generates is known by the end of its path. */
static void naming(void **state)
{
	expect_naming(*state, "include/linux/only.h", "x86",
		      "include/linux/joined.h kernel/sched/build.c");
	expect_naming(*state, "arch/x86/include/generated/asm/own.h", "x86",
		      "include/linux/joined.h");
	expect_naming(*state, "include/generated/xown.h", "x86", "");
	expect_naming(*state, "include/generated/asm/pgtable.h", "x86",
		      "arch/x86/lib/entry.S include/linux/pgtable.h");
	expect_naming(*state, "include/generated/nobody.h", "x86", "");
}

static void odd_lines(void **state)
{
	/* <linux/only.h> is only in uapi; joined lines, comments before # */
	expect_reaching(*state, "include/uapi/linux/only.h", "x86",
			"drivers/gpu/user.c include/linux/joined.h "
			"kernel/sched/build.c");
	expect_reaching(*state, "include/linux/own.h", "x86",
			"drivers/gpu/user.c include/linux/joined.h");
	expect_reaching(*state, "include/linux/target.h", "x86",
			"drivers/gpu/user.c include/linux/computed.h");
}

static void other_places(void **state)
{
	struct incgraph *g = *state;

	expect_reaching(g, "kernel/sched/rt.c", "x86", "kernel/sched/build.c");
	assert_true(incgraph_is_included(g, "kernel/sched/rt.c", "x86"));
	assert_false(incgraph_is_included(g, "kernel/sched/build.c", "x86"));
	expect_reaching(g, "drivers/gpu/inc/dc.h", "x86",
			"kernel/sched/build.c kernel/sched/rt.c "
			"kernel/sched/sched.h");
	expect_reaching(g, "drivers/gpu/made.h_shipped", "x86",
			"drivers/gpu/far.c");
	expect_reaching(g, "tools/lib/shared.h", "x86", "drivers/gpu/far.c");
	/* A relative path into another arch brings what that includes. */
	expect_reaching(g, "arch/arm64/include/asm/pgtable.h", "x86",
			"arch/arm64/mm/shared.c drivers/gpu/far.c");
	assert_true(incgraph_has(g, "kernel/plain.c"));
	assert_false(incgraph_has(g, "kernel/none.c"));
}

static void forced_headers(void **state)
{
	static const char all[] =
		"arch/arm64/mm/shared.c arch/x86/entry/vdso/vgettimeofday.c "
		"arch/x86/lib/entry.S arch/x86/mm/fault.c drivers/gpu/far.c "
		"drivers/gpu/user.c kernel/plain.c kernel/sched/build.c "
		"kernel/sched/rt.c lib/vdso/gettimeofday.c";

	expect_reaching(*state, "include/linux/compiler_types.h", "x86", all);
	/* by -include in a Makefile of this arch, and of another one */
	expect_reaching(*state, "include/linux/hidden.h", "x86", all);
	expect_reaching(*state, "arch/x86/entry/vdso/local.h", "x86", all);
	expect_reaching(*state, "include/linux/hidden.h", "arm64", "");
	expect_reaching(*state, "lib/vdso/gettimeofday.c", "x86",
			"arch/x86/entry/vdso/vgettimeofday.c");
}

static void foreign_paths(void **state)
{
	assert_true(path_is_foreign("arch/arm64/mm/a.c", "x86"));
	assert_true(path_is_foreign("arch/x86_64/mm/a.c", "x86"));
	assert_true(path_is_foreign("tools/a.c", "x86"));
	assert_false(path_is_foreign("arch/x86/a.c", "x86"));
	assert_false(path_is_foreign("arch/Kconfig", "x86"));
	assert_false(path_is_foreign("mm/a.c", "x86"));
}

static void expect_mentions(struct incgraph *g, const char *const *names,
			    const char *want)
{
	g_autofree char *tree = tree_path();
	g_autoptr(GHashTable) set = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) found = NULL;
	g_autoptr(GList) keys = NULL;
	GString *s = g_string_new(NULL);

	for (; *names; names++)
		g_hash_table_add(set, (gpointer)*names);
	found = incgraph_mentions(g, tree, set, NULL);
	assert_non_null(found);
	keys = g_list_sort(g_hash_table_get_keys(found), (GCompareFunc)strcmp);
	for (GList *l = keys; l; l = l->next) {
		GPtrArray *list = g_hash_table_lookup(found, l->data);

		g_string_append(s, l->data);
		for (guint i = 0; i < list->len; i++) {
			struct mention *m = list->pdata[i];

			g_string_append_printf(s, " %u:%s", m->line, m->name);
		}
		g_string_append_c(s, '\n');
	}
	assert_string_equal(s->str, want);
	g_string_free(s, TRUE);
}

static void mentions(void **state)
{
	const char *const pte[] = { "pte_start", "mm_use", NULL };
	const char *const letter[] = { "b", "x", NULL };
	const char *const none[] = { "nowhere", "pte_star", NULL };
	const char *const empty[] = { NULL };

	expect_mentions(*state, pte,
		"arch/arm64/mm/fault.c 2:pte_start\n"
		"include/linux/mm.h 5:mm_use 7:pte_start\n"
		"include/linux/pgtable.h 2:pte_start 3:pte_start 4:pte_start "
		"5:pte_start\n"
		"include/struct.h 2:pte_start\n"
		"kernel/plain.c 2:mm_use\n"
		"kernel/sched/rt.c 4:pte_start\n"
		"tools/lib/shared.h 2:pte_start\n");
	expect_mentions(*state, letter,
		"arch/x86/mm/fault.c 3:b\n"
		"include/linux/mm.h 5:x 7:x\n"
		"include/linux/pgtable.h 2:x 4:x 4:x\n"
		"include/linux/unused.h 2:x\n"
		"include/struct.h 2:x\n"
		"kernel/sched/rt.c 6:x 8:x\n");
	expect_mentions(*state, none, "");
	expect_mentions(*state, empty, "");
}

static void missing_checkout(void **state)
{
	g_autoptr(GHashTable) set = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GError) error = NULL, error2 = NULL;
	g_autofree char *dir = g_dir_make_tmp("respin-XXXXXX", NULL);

	g_hash_table_add(set, (gpointer)"x");
	assert_null(incgraph_mentions(*state, "/no/such", set, &error));
	assert_int_equal(error->code, RESPIN_ERROR_IO);
	/* A checkout that lacks files must not look like "nobody". */
	assert_null(incgraph_mentions(*state, dir, set, &error2));
	assert_int_equal(error2->code, RESPIN_ERROR_IO);
	g_rmdir(dir);
}

static void cache(void **state)
{
	g_autofree char *tree = tree_path(), *text = NULL;
	g_autofree char *dir = g_dir_make_tmp("respin-XXXXXX", NULL);
	g_autofree char *file = g_build_filename(dir, "cache", NULL);
	gsize len;

	for (int i = 0; i < 4; i++) {
		struct incgraph *g;

		/* The third load sees a cut file, the fourth what it mended. */
		if (i == 2) {
			assert_true(g_file_get_contents(file, &text, &len, NULL));
			assert_true(g_file_set_contents(file, text, len - 5,
							NULL));
		}
		fake_blobs_read = 0;
		g = incgraph_load(&fake_repo, tree, file, NULL);
		assert_non_null(g);
		assert_int_equal(fake_blobs_read > 0, i == 0 || i == 2);
		expect_reaching(g, "include/uapi/linux/only.h", "x86",
				"drivers/gpu/user.c include/linux/joined.h "
				"kernel/sched/build.c");
		incgraph_free(g);
	}
	g_unlink(file);
	g_rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycle_and_arch),
		cmocka_unit_test(wrapper_only_without_own),
		cmocka_unit_test(naming),
		cmocka_unit_test(odd_lines),
		cmocka_unit_test(other_places),
		cmocka_unit_test(forced_headers),
		cmocka_unit_test(foreign_paths),
		cmocka_unit_test(mentions),
		cmocka_unit_test(missing_checkout),
		cmocka_unit_test(cache),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
