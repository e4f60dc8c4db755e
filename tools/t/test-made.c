// SPDX-License-Identifier: GPL-2.0
/* What make makes of what, and what differs between two generated texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "madediff.h"
#include "makegraph.h"

static const char said[] =
	"Considering target file '__all'.\n"
	" File '__all' does not exist.\n"
	"  Considering target file 'lib/crc32.o'.\n"
	"   File 'lib/crc32.o' does not exist.\n"
	"    Considering target file 'lib/crc32table.h'.\n"
	"      Considering target file 'lib/gen_crc32table'.\n"
	"        Considering target file '/src/lib/gen_crc32table.c'.\n"
	"         Finished prerequisites of target file '/src/lib/gen_crc32table.c'.\n"
	"        No need to remake target '/src/lib/gen_crc32table.c'.\n"
	"       Finished prerequisites of target file 'lib/gen_crc32table'.\n"
	"      Must remake target 'lib/gen_crc32table'.\n"
	"      Considering target file 'FORCE'.\n"
	"       Finished prerequisites of target file 'FORCE'.\n"
	"     Finished prerequisites of target file 'lib/crc32table.h'.\n"
	"    Pruning file './lib/crc32.c'.\n"
	"   Finished prerequisites of target file 'lib/crc32.o'.\n"
	"  Must remake target 'lib/crc32.o'.\n"
	"gcc -c Considering target file 'lib/none.c'.\n"
	"  Considering target file '/o/lib/built-in.a'.\n"
	"    Considering target file 'left/open'.\n"
	"    Pruning file 'lib/crc32.o'.\n"
	"   Finished prerequisites of target file '/o/lib/built-in.a'.\n"
	"  Pruning file 'lib/late.c'.\n"
	" Finished prerequisites of target file '__all'.\n"
	"Pruning file 'lib/nobody.c'.\n"
	"Considering target file 'cut";

static bool is_object(const char *name, void *data)
{
	return g_str_has_suffix(name, data);
}

static void expect_made(const struct makegraph *g, const char *path,
			const char *end, const char *want)
{
	g_autoptr(GPtrArray) all = makegraph_made_of(g, path, is_object,
						     (void *)end);
	g_autofree char *got = NULL;

	g_ptr_array_add(all, NULL);
	got = g_strjoinv(" ", (char **)all->pdata);
	assert_string_equal(got, want);
}

static void test_graph(void **state)
{
	g_autoptr(makegraph_t) g = makegraph_new();
	g_autoptr(GHashTable) targets = NULL;

	makegraph_parse(g, said, strlen(said), "/src", "/o");
	expect_made(g, "lib/gen_crc32table.c", ".o",
		    "lib/gen_crc32table lib/crc32table.h lib/crc32.o");
	expect_made(g, "lib/gen_crc32table.c", ".h",
		    "lib/gen_crc32table lib/crc32table.h");
	expect_made(g, "lib/crc32.c", ".none",
		    "lib/crc32.o __all left/open lib/built-in.a");
	expect_made(g, "lib/late.c", ".o", "__all");
	expect_made(g, "lib/nobody.c", ".o", "");
	expect_made(g, "lib/none.c", ".o", "");
	assert_true(makegraph_knows(g, "lib/crc32.c"));
	targets = makegraph_targets(g);
	assert_true(g_hash_table_contains(targets, "lib/crc32table.h"));
	assert_true(g_hash_table_contains(targets, "__all"));
	assert_false(g_hash_table_contains(targets, "lib/gen_crc32table.c"));
	assert_false(g_hash_table_contains(targets, "lib/nobody.c"));
	assert_false(makegraph_knows(g, "lib/nobody.c"));
	assert_false(makegraph_knows(g, "lib/none.c"));
}

/* What was considered before is opened, and not finished a second time. */
static void test_again(void **state)
{
	static const char text[] =
		"Considering target file 'lib/x.o'.\n"
		" File 'lib/x.o' does not exist.\n"
		" Considering target file 'FORCE'.\n"
		" File 'FORCE' was considered already.\n"
		" Considering target file 'gone'.\n"
		" Recently tried and failed to update file 'gone'.\n"
		" Considering target file 'busy'.\n"
		" Still updating file 'busy'.\n"
		" Considering target file 'lib/x.h'.\n"
		"  File 'lib/x.h' does not exist.\n"
		"  Pruning file 'lib/x.tbl'.\n"
		" Finished prerequisites of target file 'lib/x.h'.\n"
		"Finished prerequisites of target file 'lib/x.o'.\n";
	g_autoptr(makegraph_t) g = makegraph_new();

	makegraph_parse(g, text, strlen(text), "/src", "/o");
	expect_made(g, "lib/x.tbl", ".none", "lib/x.h lib/x.o");
	expect_made(g, "FORCE", ".none", "lib/x.o");
	expect_made(g, "gone", ".none", "lib/x.o");
}

/* Names in a circle end. */
static void test_circle(void **state)
{
	static const char text[] =
		"Considering target file 'a'.\n"
		" Considering target file 'b'.\n"
		"  Pruning file 'a'.\n"
		" Finished prerequisites of target file 'b'.\n"
		"Finished prerequisites of target file 'a'.\n";
	g_autoptr(makegraph_t) g = makegraph_new();

	makegraph_parse(g, text, strlen(text), "/src", "/o");
	expect_made(g, "a", ".o", "b");
	expect_made(g, "b", ".o", "a");
}

static void expect_names(const char *was, const char *is, const char *want)
{
	bool whole;
	g_autoptr(GPtrArray) names = madediff_names(was, is, &whole);
	g_autofree char *got = NULL;

	g_ptr_array_add(names, NULL);
	got = whole ? g_strdup("whole") : g_strjoinv(" ", (char **)names->pdata);
	assert_string_equal(got, want);
}

static void test_names(void **state)
{
	static const char was[] = "#ifndef X_H\n#define X_H\n/* one */\n"
		"#define A 1 /* first */\n#define B 2\n#define F(x) \\\n\t(x)\n"
		"struct s;\n#endif\n";

	expect_names(was, was, "");
	expect_names(was, "#ifndef X_H\n#define X_H\n"
		"#define A 1 /* first */\n#define B 2\n#define F(x) \\\n\t(x)\n"
		"struct s;\n#endif\n", "");
	expect_names(was, "#ifndef X_H\n#define X_H\n/* one */\n#define C 1\n"
		"#define A 7 /* first */\n#define F(x) \\\n\t(x + 1)\n"
		"struct s;\n#endif\n", "A B C F");
	expect_names(was, "#ifndef X_H\n#define X_H\n/* one */\n"
		"#define A 1 /* first */\n#define B 2\n#define F(x) \\\n\t(x)\n"
		"struct t;\n#endif\n", "whole");
	/* a second definition, and one that moves to another condition */
	expect_names("#define A 1\n", "#define A 1\n#define A 1\n", "A");
	expect_names("#ifdef C\n#define A 1\n#else\n#endif\n",
		     "#ifdef C\n#else\n#define A 1\n#endif\n", "A");
	expect_names("#ifdef C\n#endif\n", "#ifdef D\n#endif\n", "whole");
	expect_names("__SYSCALL(0, sys_read)\n", "__SYSCALL(0, sys_write)\n",
		     "whole");
	expect_names("\"a\"\n", "\"b\"\n", "whole");
	expect_names(NULL, "#define A 1\n", "whole");
	expect_names("#define A 1\n", NULL, "whole");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_circle),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
