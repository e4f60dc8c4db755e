// SPDX-License-Identifier: GPL-2.0
/* Symbol tables of objects that gcc makes here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <glib/gstdio.h>

#include "elf-symbols.h"
#include "proc.h"

/* The text of the symbols of @source compiled by @gcc; NULL: no object. */
static char *symbols_of(const char *gcc, const char *flag, const char *source)
{
	g_autofree char *dir = g_dir_make_tmp("respin-elf-XXXXXX", NULL);
	g_autofree char *in = g_build_filename(dir, "a.c", NULL);
	g_autofree char *out = g_build_filename(dir, "a.o", NULL);
	const char *argv[] = { gcc, flag, "-O1", "-fno-pic", "-ffreestanding",
			       "-fno-common", "-c", "-o", out, in, NULL };
	struct proc_job *job = proc_job_new(g_strdupv((char **)argv));
	struct elf_symbols *s;
	char *text;

	assert_true(g_file_set_contents(in, source, -1, NULL));
	proc_run(job);
	assert_int_equal(job->end, PROC_EXITED);
	assert_string_equal(job->err->str, "");
	proc_job_free(job);
	s = elf_symbols_read(out);
	text = s ? elf_symbols_to_text(s) : NULL;
	elf_symbols_free(s);
	g_unlink(in);
	g_unlink(out);
	g_rmdir(dir);
	return text;
}

static const char code[] =
	"extern int used, unused;\n"
	"extern int maybe(void) __attribute__((weak));\n"
	"long long divide(long long a, long long b);\n"
	"int given = 1;\n"
	"static int local;\n"
	"__attribute__((weak)) int soft(void) { return local; }\n"
	"int f(void) { return used + given + (maybe ? maybe() : 0); }\n";

static void test_names(void **state)
{
	static const char expected[] = "O\nU used f\nD f\nD given\nD soft\n";
	g_autofree char *here = symbols_of("gcc", "-O2", code);
	g_autofree char *arm = symbols_of("aarch64-linux-gnu-gcc", "-O2", code);

	assert_string_equal(here, expected);
	assert_string_equal(arm, expected);
}

/* The helpers of libgcc are no better than other names. */
static void test_division(void **state)
{
	static const char divide[] =
		"long long d(long long a, long long b) { return a / b; }\n";
	g_autofree char *wide = symbols_of("gcc", "-O2", divide);

	assert_string_equal(wide, "O\nD d\n");
#ifdef __x86_64__
	g_autofree char *narrow = symbols_of("gcc", "-m32", divide);

	assert_string_equal(narrow, "O\nU __divdi3 d\nD d\n");
#endif
}

/* A table of functions needs them too; a part of a function is the function. */
static void test_users(void **state)
{
	g_autofree char *text = symbols_of("gcc", "-O2",
		"extern int a(void), b(void), c(void);\n"
		"int (*const ops[])(void) = { b, a };\n"
		"__attribute__((noinline, cold)) static int in(void) { return c(); }\n"
		"int f(void) { return a() + in(); }\n");

	assert_string_equal(text, "O\nU a f\nU b ops\nU c in\nD f\nD ops\n");
}

#define EXPORT(name, licence, space) \
	"asm(\".section \\\".export_symbol\\\",\\\"a\\\"\\n" \
	"__export_symbol_" name ": .asciz \\\"" licence "\\\"\\n" \
	".ascii \\\"" space "\\\\0\\\"\\n.balign 8\\n.quad " name "\\n" \
	".previous\");\n"

/* ___EXPORT_SYMBOL() of 6.12, and what 6.1 has in its place. */
static void test_exports(void **state)
{
	g_autofree char *new = symbols_of("gcc", "-O2",
		"int a, b, c;\n" EXPORT("b", "GPL", "") EXPORT("a", "", "DMA_BUF")
		"char x[] __attribute__((section(\".modinfo\"))) = \n"
		"\"license=GPL\\0import_ns=CXL\\0import_ns=\";\n");
	g_autofree char *old = symbols_of("gcc", "-O2",
		"int a, b;\n"
		"asm(\".section __ksymtab_strings,\\\"aMS\\\",%progbits,1\\n"
		"__kstrtabns_a: .asciz \\\"DMA_BUF\\\"\\n"
		"__kstrtabns_b: .asciz \\\"\\\"\\n.previous\\n"
		".section ___ksymtab+a,\\\"a\\\"\\n.globl __ksymtab_a\\n"
		"__ksymtab_a: .long 0\\n"
		".section ___ksymtab_gpl+b,\\\"a\\\"\\n.globl __ksymtab_b\\n"
		"__ksymtab_b: .long 0\\n.previous\");\n");

	assert_string_equal(new, "O\nD a\nD b\nD c\nD x\nX a DMA_BUF\nG b \n"
				 "I CXL\nL GPL\n");
	assert_string_equal(old, "O\nD __ksymtab_a\nD __ksymtab_b\nD a\nD b\n"
				 "X a DMA_BUF\nG b \n");
}

/* A label of that name elsewhere is no export. */
static void test_no_export(void **state)
{
	g_autofree char *text = symbols_of("gcc", "-O2",
		"int a; asm(\".data\\n__export_symbol_a: .long 0\\n.text\");\n");

	assert_string_equal(text, "O\nD a\n");
}

/* What @text exports stands for "a", exported for all or for some. */
static void expect_gives(const char *text, bool all, bool gpl)
{
	struct elf_symbols *s = elf_symbols_from_text(text);
	struct elf_export e = { g_intern_string("a"), g_intern_string("NS"),
				false };

	assert_int_equal(elf_symbols_gives(s, &e), all);
	e.gpl = true;
	assert_int_equal(elf_symbols_gives(s, &e), gpl);
	elf_symbols_free(s);
}

static void test_gives(void **state)
{
	expect_gives("O\nX a NS\n", true, true);
	expect_gives("O\nG a NS\n", false, true);
	expect_gives("O\nX a \n", false, false);
	expect_gives("O\nX b NS\n", false, false);
	expect_gives("O\n", false, false);
}

static void test_no_object(void **state)
{
	g_autofree char *assembler = symbols_of("gcc", "-S", "int a;\n");

	assert_null(assembler);
	assert_null(elf_symbols_read("/nowhere"));
	assert_null(elf_symbols_read("/bin/sh"));
}

static void test_text(void **state)
{
	static const char text[] = "O\nU a\nU b f\nD c\nX d \nG e NS\nI NS\n"
		"L Dual MIT/GPL\n";
	struct elf_symbols *s = elf_symbols_from_text(text);
	g_autofree char *again = elf_symbols_to_text(s);

	assert_string_equal(again, text);
	assert_true(elf_symbols_needs(s, "b"));
	assert_string_equal(elf_symbols_user(s, "b"), "f");
	assert_null(elf_symbols_user(s, "a"));
	assert_false(elf_symbols_needs(s, "c"));
	assert_true(elf_symbols_defines(s, "c"));
	assert_false(elf_symbols_defines(s, "a"));
	assert_string_equal(elf_symbols_exports(s, "d"), "");
	assert_string_equal(elf_symbols_exports(s, "e"), "NS");
	assert_null(elf_symbols_exports(s, "c"));
	assert_false(elf_symbols_is_gpl(s, "d"));
	assert_true(elf_symbols_is_gpl(s, "e"));
	assert_false(elf_symbols_is_gpl(s, "c"));
	assert_true(elf_symbols_imports(s, "NS"));
	assert_false(elf_symbols_imports(s, "N"));
	elf_symbols_free(s);

	s = elf_symbols_from_text("O\n");
	assert_false(elf_symbols_needs(s, "a"));
	assert_null(elf_symbols_exports(s, "a"));
	elf_symbols_free(s);
	assert_null(elf_symbols_from_text(""));
	assert_null(elf_symbols_from_text("U a\n"));
	assert_null(elf_symbols_from_text("O\nQ a\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_division),
		cmocka_unit_test(test_users),
		cmocka_unit_test(test_exports),
		cmocka_unit_test(test_gives),
		cmocka_unit_test(test_no_export),
		cmocka_unit_test(test_no_object),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
