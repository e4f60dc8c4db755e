// SPDX-License-Identifier: GPL-2.0
/* What a source defines and exports, by its text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "symtext.h"

/* "D name:line X name:line=SPACE ... <SPACE (LICENCE)"; G: to GPL only */
static char *items_of(const char *text, bool assembler)
{
	struct symtext *s = symtext_scan(text, strlen(text), assembler);
	GString *out = g_string_new("");

	for (guint i = 0; i < s->items->len; i++) {
		const struct symtext_item *item = &g_array_index(s->items,
						struct symtext_item, i);

		g_string_append_printf(out, "%s%c %s:%u%s%s",
			out->len ? " " : "", item->gpl ? 'G' :
			item->kind ? 'X' : 'D', item->name,
			item->line, *item->space ? "=" : "", item->space);
	}
	for (guint i = 0; i < s->imports->len; i++)
		g_string_append_printf(out, " <%s", (char *)s->imports->pdata[i]);
	if (s->licence)
		g_string_append_printf(out, " (%s)", s->licence);
	symtext_free(s);
	return g_string_free(out, FALSE);
}

static void is(const char *text, const char *expected)
{
	g_autofree char *got = items_of(text, false);

	assert_string_equal(got, expected);
}

static void test_functions(void **state)
{
	is("int f(void)\n{\n\tg();\n}\n", "D f:1");
	is("static int f(void)\n{\n}\n", "");
	is("int f(void);\nextern int g(int);\n", "");
	is("struct x *\nf(int a, int (*b)(int))\n{\n}\n", "D f:2");
	is("__printf(1, 2) int f(const char *s, ...)\n{\n}\n", "D f:1");
	is("int f(void) __acquires(x)\n{\n}\n", "D f:1");
	is("asmlinkage __visible void __init f(void)\n{ }\nint g(void) { }\n",
	   "D f:1 D g:3");
	/* what may be static is not certain */
	is("STATIC int f(void)\n{\n}\n", "");
	is("int KSTK_ESP(int a)\n{\n}\n", "D KSTK_ESP:1");
	is("inline int f(void)\n{\n}\n", "");
	is("SYSCALL_DEFINE1(f, int, a)\n{\n}\n", "");
	is("/* int f(void) { } */\n", "");
	is("#define F() int f(void) { }\nint g(void) { }\n", "D g:2");
	is("char *s = \"int f(void) {\";\nint g(void) { }\n", "D s:1 D g:2");
}

/* "}" in column 0 ends a body whatever an #if did to the braces. */
static void test_braces(void **state)
{
	is("int f(void)\n{\n#ifdef A\n\tif (a) {\n#else\n\tif (b) {\n#endif\n"
	   "\t}\n}\nint g(void)\n{\n}\n", "D f:1 D g:10");
	is("int f(void)\n{\n#ifdef A\n\t}\n#else\n\t}\n#endif\n}\n"
	   "int g(void)\n{\n}\n", "D f:1 D g:9");
}

static void test_variables(void **state)
{
	is("int a;\nint b = 1;\nunsigned long c[N] __read_mostly;\n",
	   "D a:1 D b:2 D c:3");
	is("static int a;\nextern int b;\ntypedef int c;\nstruct d;\n", "");
	is("struct x a = {\n\t.f = f,\n};\nstruct x { int i; };\n", "D a:1");
	is("struct x *a;\nconst char *const b[] = { \"x\", };\n", "D a:1 D b:2");
	is("DEFINE_PER_CPU(int, a);\nDEFINE_MUTEX(b);\nstatic LIST_HEAD(c);\n"
	   "DEFINE_STATIC_CALL(d, f);\n__cacheline_aligned DEFINE_SPINLOCK(e);\n",
	   "D a:1 D b:2 D __SCK__d:4 D e:5");
}

static void test_exports(void **state)
{
	is("EXPORT_SYMBOL(a);\nEXPORT_SYMBOL_GPL(b);\n", "X a:1 G b:2");
	is("EXPORT_SYMBOL_NS_GPL(a, DMA_BUF);\nEXPORT_SYMBOL_NS(b, \"CXL\");\n",
	   "G a:1=DMA_BUF X b:2=CXL");
	is("#define DEFAULT_SYMBOL_NAMESPACE X\nEXPORT_SYMBOL(a);\n"
	   "EXPORT_SYMBOL_NS(b, Y);\n", "X a:2=X X b:3=Y");
	is("EXPORT_TRACEPOINT_SYMBOL_GPL(a);\n",
	   "G __tracepoint_a:1 G __traceiter_a:1 G __SCK__tp_func_a:1 "
	   "G __SCT__tp_func_a:1");
	is("MODULE_IMPORT_NS(DMA_BUF);\nMODULE_IMPORT_NS(\"CXL\");\n",
	   " <DMA_BUF <CXL");
	is("/* EXPORT_SYMBOL(a); */\n#define X(f) EXPORT_SYMBOL(f)\n", "");
	is("int f(void)\n{\n}\nEXPORT_SYMBOL(f);\n", "D f:1 X f:4");
}

static void test_licence(void **state)
{
	is("MODULE_LICENSE(\"GPL v2\");\n", " (GPL v2)");
	is("MODULE_LICENSE (\"GPL\"); /* dual */\n", " (GPL)");
	is("MODULE_LICENSE(DRV_LICENSE);\n", " ()");
	is("/* MODULE_LICENSE(\"GPL\"); */\nMODULE_AUTHOR(\"x\");\n", "");
}

static void test_assembler(void **state)
{
	g_autofree char *got = items_of(
		"#include <linux/linkage.h>\nSYM_FUNC_START(a)\n\tret\n"
		"SYM_FUNC_END(a)\nEXPORT_SYMBOL(a)\nSYM_FUNC_START_LOCAL(b)\n"
		"\t.globl c\nc:\n.globl \\d\n", true);

	assert_string_equal(got, "D c:7 X a:5 D a:2");
}

static bool same_shape(const char *a, const char *b)
{
	g_autofree char *x = symtext_shape(a, strlen(a));
	g_autofree char *y = symtext_shape(b, strlen(b));

	return !strcmp(x, y);
}

static void test_shape(void **state)
{
	static const char base[] = "int f(void)\n{\n\ta();\n}\nint b;\n";

	assert_true(same_shape(base, "int f(void)\n{\n\tc(1); /* x */\n}\n\n"
				     "int b;\n"));
	assert_false(same_shape(base, "static int f(void)\n{\n\ta();\n}\nint b;\n"));
	assert_false(same_shape(base, "int f(void)\n{\n\ta();\n}\n"));
	assert_false(same_shape(base, "int f(void)\n{\n#if 0\n\ta();\n#endif\n}\n"
				      "int b;\n"));
}

static bool may(const char *text, const char *name)
{
	return symtext_may_define(text, strlen(text), name);
}

static void test_may_define(void **state)
{
	assert_true(may("DEFINE_FOO(x, a);\n", "a"));
	assert_true(may("int a;\n", "a"));
	assert_true(may("int a(void)\n{\n}\n", "a"));
	assert_false(may("int a(void);\n", "a"));
	assert_false(may("extern int a;\n", "a"));
	assert_false(may("DECLARE_PER_CPU(int, a);\n", "a"));
	assert_false(may("int f(void)\n{\n\ta();\n}\n", "a"));
	assert_false(may("#define a 1\n", "a"));
	assert_false(may("static inline int *a(void)\n{\n}\n", "a"));
	assert_true(may("static DEFINE(a)\n{\n}\n", "a"));
	assert_true(may("STATIC int a(void)\n{\n}\n", "a"));
}

static void test_words(void **state)
{
	static const char text[] = "FOO(a);\nint f(void) __bar\n{\n\tg();\n}\n";
	g_autoptr(GHashTable) words = symtext_words(text, strlen(text));

	assert_int_equal(g_hash_table_size(words), 6);
	assert_true(g_hash_table_contains(words, "FOO"));
	assert_true(g_hash_table_contains(words, "__bar"));
	assert_false(g_hash_table_contains(words, "g"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_braces),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_exports),
		cmocka_unit_test(test_licence),
		cmocka_unit_test(test_assembler),
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_may_define),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
