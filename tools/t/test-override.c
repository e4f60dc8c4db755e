// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include "override.h"

static const char generic[] =
	"#ifndef _LINUX_G_H\n#define _LINUX_G_H\n"
	"#ifdef CONFIG_MMU\n"
	"#ifndef set_ptes\n"
	"static inline void set_ptes(struct mm *mm, pte_t *p, unsigned int nr)\n"
	"{\n}\n#endif\n"
	"#ifndef __HAVE_ARCH_PTE_SAME\n"
	"static inline int pte_same(pte_t a, pte_t b)\n{\n\treturn 0;\n}\n#endif\n"
	"#endif\n"
	"static inline int other(void)\n{\n\treturn 0;\n}\n"
	"#endif\n";

static void helpers(void **state)
{
	g_autoptr(helpers_t) h = helpers_scan(generic, strlen(generic));
	g_autoptr(GString) s = g_string_new("");

	for (guint i = 0; i < h->list->len; i++) {
		const struct helper *helper = h->list->pdata[i];

		g_string_append_printf(s, "%u %s [%s] %s", helper->line,
			helper->name, helper->guard, helper->shape);
		for (guint k = 0; k < helper->conditions->len; k++)
			g_string_append_printf(s, " if %s",
				(char *)helper->conditions->pdata[k]);
		g_string_append_c(s, '\n');
	}
	assert_string_equal(s->str,
		"5 set_ptes [set_ptes] void(struct mm*,pte_t*,unsigned int)"
		" if defined(CONFIG_MMU)\n"
		"10 pte_same [__HAVE_ARCH_PTE_SAME] int(pte_t,pte_t)"
		" if defined(CONFIG_MMU)\n");
}

static void expect_shape(const char *type, const char *params, const char *want)
{
	g_autofree char *have = override_shape(type, params);

	assert_string_equal(have, want);
}

static void shapes(void **state)
{
	expect_shape("static __always_inline bool", "void", "bool()");
	expect_shape("extern unsigned", "unsigned a , unsigned long int b",
		     "unsigned int(unsigned int,unsigned long)");
	expect_shape("struct page *", "const struct page * page , int x [ 3 ]",
		     "struct page*(const struct page*,int*)");
	expect_shape("__sum16", "__be32 a , pte_t , struct s",
		     "__sum16(__be32,pte_t,struct s)");
}

/* The tree of one architecture with one header. */
static char *tree_of(const char *text)
{
	char *dir = g_dir_make_tmp("override-XXXXXX", NULL);
	g_autofree char *inc = g_build_filename(dir, "arch/a/include/asm", NULL);
	g_autofree char *path = g_build_filename(inc, "g.h", NULL);

	assert_int_equal(g_mkdir_with_parents(inc, 0755), 0);
	assert_true(g_file_set_contents(path, text, -1, NULL));
	return dir;
}

static void remove_all(const char *dir)
{
	static const char *const below[] = { "arch/a/include/asm/g.h",
		"arch/a/include/asm", "arch/a/include", "arch/a", "arch", "" };

	for (guint i = 0; i < G_N_ELEMENTS(below); i++) {
		g_autofree char *path = g_build_filename(dir, below[i], NULL);

		g_remove(path);
	}
}

static void note(const struct helper *h, enum override_rule rule,
		 const struct override *o, void *data)
{
	g_string_append_printf(data, "%s %d %s:%u\n", h->name, rule, o->path,
			       o->f->line);
}

static void expect_wrong(const char *text, const char *want)
{
	g_autofree char *dir = tree_of(text);
	g_autoptr(helpers_t) h = helpers_scan(generic, strlen(generic));
	g_autoptr(GHashTable) names = helpers_names(h);
	g_autoptr(override_arch_t) oa = override_read(dir, "a", names,
						      "include/linux/g.h");
	g_autoptr(GString) s = g_string_new("");

	for (guint i = 0; i < h->list->len; i++)
		override_check(h->list->pdata[i], oa, note, s);
	remove_all(dir);
	assert_string_equal(s->str, want);
}

#define AT "arch/a/include/asm/g.h:"
#define SET "void set_ptes(struct mm *m, pte_t *p, unsigned nr)"

static void what_is_right(void **state)
{
	expect_wrong("int x;\n", "");
	expect_wrong("extern " SET ";\n#define set_ptes set_ptes\n", "");
	expect_wrong("#define set_ptes(m, p, n) do_it(m, p, n)\n", "");
	expect_wrong("#define set_ptes __set_ptes\n", "");
	expect_wrong("#define __HAVE_ARCH_PTE_SAME\n"
		     "#define pte_same(a, b) ((a) == (b))\n", "");
	expect_wrong("#ifdef X\nextern " SET ";\n#define set_ptes set_ptes\n"
		     "#else\n#define set_ptes(m, p, n)\n#endif\n", "");
	/* a stub of configurations that the generic one is not for */
	expect_wrong("#ifndef CONFIG_MMU\nint pte_same(pte_t a, pte_t b);\n"
		     "#endif\n", "");
}

static void what_is_wrong(void **state)
{
	expect_wrong("extern " SET ";\n", "set_ptes 0 " AT "1\n");
	expect_wrong("extern " SET ";\n#define set_pte set_pte\n",
		     "set_ptes 0 " AT "1\n");
	expect_wrong("#ifdef X\nextern " SET ";\n#else\nextern " SET ";\n"
		     "#define set_ptes set_ptes\n#endif\n", "set_ptes 0 " AT "2\n");
	expect_wrong("#define set_ptes set_ptes\n", "set_ptes 1 " AT "1\n");
	expect_wrong("#define __HAVE_ARCH_PTE_SAME\n", "pte_same 1 " AT "1\n");
	expect_wrong("int pte_same(pte_t a, pte_t b);\n", "pte_same 0 " AT "1\n");
	expect_wrong("#define set_ptes set_ptes\n"
		     "void set_ptes(struct mm *m, pte_t *p, unsigned long nr);\n",
		     "set_ptes 2 " AT "2\n");
	expect_wrong("#define set_ptes(m, p)\n", "set_ptes 2 " AT "1\n");
}

static void on_late(const struct helper *h, const char *file, unsigned int line,
		    void *data)
{
	g_string_append_printf(data, "%s %s:%u\n", h->name, file, line);
}

static void late(void **state)
{
	static const char text[] = "# 1 \"/s/mm/x.c\"\n"
		"# 1 \"/s/arch/a/include/asm/p.h\" 1\n#define set_ptes set_ptes\n"
		"# 2 \"/s/mm/x.c\" 2\n"
		"# 1 \"/s/include/linux/g.h\" 1\n"
		"# 1 \"/s/include/linux/h.h\" 1\n"
		"# 9 \"/s/include/linux/g.h\" 2\n#define set_ptes 1\n"
		"# 3 \"/s/mm/x.c\" 2\n"
		"# 7 \"/s/arch/a/include/asm/tlb.h\" 1\n\n"
		"#define __HAVE_ARCH_PTE_SAME\n#define set_ptesX\n"
		"#define set_ptes(a) b\n";
	g_autoptr(helpers_t) h = helpers_scan(generic, strlen(generic));
	g_autoptr(GString) s = g_string_new("");

	override_late(text, "/s", "include/linux/g.h", h, on_late, s);
	assert_string_equal(s->str,
		"pte_same arch/a/include/asm/tlb.h:8\n"
		"set_ptes arch/a/include/asm/tlb.h:10\n");
}

static void probe(void **state)
{
	static const char text[] = "#ifndef f\nint f(int a, ...)\n{\n}\n#endif\n";
	g_autoptr(helpers_t) h = helpers_scan(text, strlen(text));
	g_autofree char *have = override_probe(h, "#include <g.h>\n", "/s/g.h");

	assert_string_equal(have, "#include <linux/mm.h>\n#include <g.h>\n"
		"#ifdef f\n# 2 \"/s/g.h\"\nextern int respin_0(int a , ...); "
		"_Static_assert(__builtin_types_compatible_p(typeof(f), "
		"typeof(respin_0)), \"helper f\");\n#endif\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(helpers),
		cmocka_unit_test(shapes),
		cmocka_unit_test(what_is_right),
		cmocka_unit_test(what_is_wrong),
		cmocka_unit_test(late),
		cmocka_unit_test(probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
