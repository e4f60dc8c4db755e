// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "cfunc.h"
#include "condset.h"
#include "order-plan.h"
#include "ordertext.h"

static char *atoms(const char *text, unsigned int line)
{
	g_autoptr(GPtrArray) conditions = condition_scan(text, strlen(text));
	g_autoptr(condset_t) s = condset_at(conditions, line);
	GString *out = g_string_new("");

	for (guint i = 0; i < s->atoms->len; i++)
		g_string_append_printf(out, "%s%s", i ? " " : "",
				       (char *)s->atoms->pdata[i]);
	return g_string_free(out, FALSE);
}

static void expect_atoms(const char *condition, const char *yes, const char *no)
{
	g_autofree char *text = g_strdup_printf("#if %s\na\n#else\nb\n#endif\n",
						condition);
	g_autofree char *a = atoms(text, 2), *b = atoms(text, 4);

	assert_string_equal(a, yes);
	assert_string_equal(b, no);
}

static void what_is_sure(void **state)
{
	expect_atoms("defined(A)", "defined(A)", "!defined(A)");
	expect_atoms("!defined A", "!defined(A)", "defined(A)");
	expect_atoms("defined A && ! defined ( B )", "defined(A) !defined(B)",
		     "!(definedA&&!defined(B))");
	expect_atoms("defined(A) || defined(B)", "defined(A)||defined(B)",
		     "!defined(A) !defined(B)");
	expect_atoms("(X > 2) && !(defined(A) || Y)", "X>2 !defined(A) !Y",
		     "!((X>2)&&!(defined(A)||Y))");
	expect_atoms("((A))", "A", "!A");
}

static bool excludes(const char *text, unsigned int a, unsigned int b)
{
	g_autoptr(GPtrArray) conditions = condition_scan(text, strlen(text));
	g_autoptr(condset_t) x = condset_at(conditions, a);
	g_autoptr(condset_t) y = condset_at(conditions, b);

	return condset_excludes(x, y);
}

static void what_excludes(void **state)
{
	/* two branches; another #if of the same symbol; one that is not */
	const char *text = "#ifdef A\nx\n#else\ny\n#endif\n"
		"#ifndef A\nz\n#endif\n#ifdef B\nw\n#endif\n";

	assert_true(excludes(text, 2, 4));
	assert_true(excludes(text, 2, 7));
	assert_false(excludes(text, 4, 7));
	assert_false(excludes(text, 2, 10));
	assert_false(excludes(text, 2, 12));
}

static void functions(void **state)
{
	static const char text[] = "#define ONE(a, b) \\\n\tdo_it(a)\n"
		"#define two two\n"
		"extern int three(unsigned long addr, pte_t *ptep);\n"
		"PAGEFLAG(Foo, foo) TESTFLAG(Bar, bar)\n"
		"static __always_inline void *\nfour(void)\n{\n"
		"#define five 5\n\treturn a->b(1) + c.d(2) + e (3) + \"f(4)\";\n}\n"
		"struct s { int (*g)(int); };\n"
		"typedef int (h)(int);\n"
		"DEFINE_GUARD(a, b, c(d), e(f))\n"
		"int i = j(1);\n"
		"__printf(1, 2) void k(const char *fmt, ...) __cold;\n";
	g_autoptr(ctext_t) t = ctext_new(text, strlen(text));
	g_autoptr(GPtrArray) all = cfunc_scan(t);
	g_autoptr(GString) s = g_string_new("");

	for (guint i = 0; i < all->len; i++) {
		const struct cfunc *f = all->pdata[i];

		g_string_append_printf(s, "%u %s %d [%s] (%s) = %s\n", f->line,
			f->name, f->kind, f->type, f->params ?: "-",
			f->value ?: "-");
	}
	assert_string_equal(s->str, "1 ONE 2 [] (a, b) = do_it(a)\n"
		"3 two 2 [] (-) = two\n"
		"4 three 1 [extern int] (unsigned long addr , pte_t * ptep) = -\n"
		"7 four 0 [static __always_inline void *] (void) = -\n"
		"9 five 2 [] (-) = 5\n"
		"16 k 1 [void] (const char * fmt , . . .) = -\n");
}

/* "user>name@line:below guards" of each. */
static char *uses(const char *text)
{
	g_autoptr(GPtrArray) all = order_scan(text, strlen(text));
	GString *s = g_string_new("");

	for (guint i = 0; i < all->len; i++) {
		const struct order_use *u = all->pdata[i];

		g_string_append_printf(s, "%s>%s@%u:%u", u->user, u->name,
				       u->line, u->below);
		for (guint k = 0; k < u->guards->len; k++)
			g_string_append_printf(s, " %s",
					       (char *)u->guards->pdata[k]);
		g_string_append_c(s, '\n');
	}
	return g_string_free(s, FALSE);
}

static void expect_uses(const char *text, const char *want)
{
	g_autofree char *have = uses(text);

	assert_string_equal(have, want);
}

#define F(name) "static inline int " name "(int x)\n{\n\treturn x;\n}\n"
#define G(name, calls) "static inline int " name "(int x)\n{\n\treturn " \
	calls "(x);\n}\n"

static void used_above(void **state)
{
	expect_uses(G("a", "b") F("b"), "a>b@3:5\n");
	expect_uses(F("b") G("a", "b"), "");
	/* declared, or a macro, above */
	expect_uses("int b(int x);\n" G("a", "b") F("b"), "");
	expect_uses("#define b b\n" G("a", "b") F("b"), "");
	/* not defined in this header; itself; a member */
	expect_uses(G("a", "b") G("c", "c") G("d", "x->a"), "");
	/* twins of an #if and its #else, and of two groups */
	expect_uses("#ifdef X\n" G("a", "b") "#else\n" F("b") "#endif\n", "");
	expect_uses("#ifdef X\n" G("a", "b") "#endif\n#ifndef X\n" F("b")
		    "#endif\n", "");
	/* what stands above is of the other branch */
	expect_uses("#ifdef X\n" F("b") "#else\n" G("a", "b") "#endif\n" F("b"),
		    "a>b@9:12\n");
	/* the generic version, and what hides it; the guard of the header not */
	expect_uses("#ifndef _LINUX_T_H\n#define _LINUX_T_H\n#ifndef a\n"
		    G("a", "b") "#endif\n#ifndef __HAVE_ARCH_B\n" F("b")
		    "#endif\n#endif\n", "a>b@6:10 __HAVE_ARCH_B a\n");
}

static void hidden(void **state)
{
	static const struct {
		const char *text;
		enum order_arch how;
		const char *condition;
	} cases[] = {
		{ "int x;\n#define BB\n", ORDER_FAILS, NULL },
		{ "#ifndef _ASM_T_H\n#define _ASM_T_H\n#define B\n#endif\n",
		  ORDER_HIDES, NULL },
		{ "#ifdef CONFIG_X\n#define B B\n#endif\n", ORDER_MAY_HIDE,
		  "defined(CONFIG_X)" },
		{ "#ifdef CONFIG_X\n#define B B\n#endif\n#define  B\n", ORDER_HIDES,
		  NULL },
	};
	g_autoptr(GPtrArray) guards = g_ptr_array_new();

	g_ptr_array_add(guards, (gpointer)"A");
	g_ptr_array_add(guards, (gpointer)"B");
	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *condition = NULL;
		const char *by = "";

		assert_int_equal(order_hidden(cases[i].text,
			strlen(cases[i].text), guards, &by, &condition),
			cases[i].how);
		assert_string_equal(condition ?: "", cases[i].condition ?: "");
		assert_string_equal(by, cases[i].how ? "B" : "");
	}
}

static void flags(void **state)
{
	g_autofree char *s = order_flags("-nostdinc -include %S/include/linux/"
		"kconfig.h -D__KERNEL__ -Wall -O2 -fno-strict-aliasing -m64 "
		"-mno-sse -include init/utsversion-tmp.h -fno-PIE -std=gnu11 "
		"-DDEFAULT_SYMBOL_NAMESPACE=\"X\" -fPIC -Os -g");

	assert_string_equal(s, "-include %S/include/linux/kconfig.h "
		"-D__KERNEL__ -m64 -include -std=gnu11 -fPIC -Os");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_sure),
		cmocka_unit_test(what_excludes),
		cmocka_unit_test(functions),
		cmocka_unit_test(used_above),
		cmocka_unit_test(hidden),
		cmocka_unit_test(flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
