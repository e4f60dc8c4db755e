// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "ctype.h"

static void append_words(GString *s, const char *before, const GPtrArray *words)
{
	for (guint i = 0; i < words->len; i++)
		g_string_append_printf(s, "%s%s", before,
				       (char *)words->pdata[i]);
}

/* "label line-end head|tail tags aliases:\n name key line-end flags\n" */
static char *describe(const GPtrArray *types)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < types->len; i++) {
		const struct ctype *c = types->pdata[i];
		g_autofree char *label = ctype_label(c);

		g_string_append_printf(s, "%s %u-%u [%s|%s]%s", label, c->line,
				       c->end, c->head, c->tail,
				       c->indirect ? " indirect" : "");
		append_words(s, " tag:", c->tags);
		append_words(s, " alias:", c->aliases);
		g_string_append_c(s, '\n');
		for (guint k = 0; k < c->items->len; k++) {
			const struct ctype_item *item = c->items->pdata[k];

			g_string_append_printf(s, "  %s = %s%s%s%s\n",
				item->name, item->key, item->where,
				item->odd ? " odd" : "",
				item->macro ? " macro" : "");
		}
	}
	return g_string_free(s, FALSE);
}

static void expect(const char *text, const char *want)
{
	g_autoptr(ctext_t) t = ctext_new(text, strlen(text));
	g_autoptr(GPtrArray) conditions = condition_scan_ctext(t);
	g_autoptr(GPtrArray) types = ctype_scan(t, conditions);
	g_autofree char *have = describe(types);

	assert_string_equal(have, want);
}

static void members(void **state)
{
	expect("struct s {\n"
	       "\tint a;\t/* not; this */\n"
	       "\tunsigned long b, *c, d[N];\n"
	       "\tu8 e:4, :3, f:1;\n"
	       "\tconst struct list_head *const g __rcu;\n"
	       "\tint (*h)(int x, struct s *y);\n"
	       "\tu64 i ____cacheline_aligned;\n"
	       "\t__u32 __j;\n"
	       "\tatomic_t k __aligned(8);\n"
	       "\ttypeof(int) l;\n"
	       "};\n",
	       "struct s 1-11 [@|] tag:s\n"
	       "  a = ||int@\n"
	       "  b = ||unsigned long@\n"
	       "  c = ||unsigned long@,*@\n"
	       "  d = ||unsigned long@,@[N]\n"
	       "  e = ||u8@:4\n"
	       "   = ||u8@:4,:3\n"
	       "  f = ||u8@:4,@:1\n"
	       "  g = ||const struct list_head*const@__rcu\n"
	       "  h = ||int(*@)(int x,struct s*y)\n"
	       "  i = ||u64@____cacheline_aligned\n"
	       "  __j = ||__u32@\n"
	       "  k = ||atomic_t@__aligned(8)\n"
	       "  l = ||typeof(int)@\n");
}

static void nested(void **state)
{
	expect("struct s {\n"
	       "\tunion {\n"
	       "\t\tint a;\n"
	       "\t\tstruct inner { int b; } c;\n"
	       "\t};\n"
	       "\tstruct { long d; } __packed e[2];\n"
	       "#ifdef CONFIG_X\n"
	       "\tint f;\n"
	       "#endif\n"
	       "} __packed;\n",
	       "struct s 1-10 [@|__packed] tag:s tag:inner\n"
	       "  a = union{}||int@\n"
	       "  b = union{}c.||int@\n"
	       "  c = union{}||struct inner@{}@\n"
	       "   = ||union {}\n"
	       "  d = e.||long@\n"
	       "  e = ||struct {}__packed@[2]\n"
	       "  f = |defined(CONFIG_X);|int@\n");
}

static void macros(void **state)
{
	expect("struct s {\n"
	       "\tDECLARE_BITMAP(bits, NR_BITS);\n"
	       "\tstruct_group(both, int a; long b;);\n"
	       "\tstruct_group_tagged(named, n, int c;);\n"
	       "\trandom_start\n"
	       "\tvoid *d;\n"
	       "\tFIELDS\n"
	       "};\n",
	       "struct s 1-8 [@|] tag:s tag:named\n"
	       "  bits = ||DECLARE_BITMAP(bits,NR_BITS) macro\n"
	       "  both = ||struct_group\n"
	       "  a = ||int@\n"
	       "  b = ||long@\n"
	       "  named = ||struct_group_tagged\n"
	       "  n = ||struct_group_tagged\n"
	       "  c = ||int@\n"
	       "  d = ||random_start void*@\n"
	       "   = ||FIELDS odd\n");
}

static void enums(void **state)
{
	expect("enum e {\n"
	       "\tA,\n"
	       "\tB = 1 << 3, /* , */\n"
	       "#ifdef X\n"
	       "\tC __deprecated,\n"
	       "#endif\n"
	       "\tLIST(D)\n"
	       "};\n"
	       "enum { Z };\n",
	       "enum e 1-8 [@|] tag:e\n"
	       "  A = \n"
	       "  B = 1<<3\n"
	       "  C = defined(X);\n"
	       "   = LIST(D) odd\n"
	       "enum without a name 9-9 [|]\n"
	       "  Z = \n");
}

static void typedefs(void **state)
{
	expect("typedef unsigned int foo_t;\n"
	       "typedef struct s *ptr_t;\n"
	       "typedef int (*fn_t)(struct s *x);\n"
	       "typedef u8 mac_t[6];\n"
	       "typedef struct { int a; } __packed bar_t, *pbar_t;\n"
	       "typedef struct t { int a; } t_t;\n",
	       "foo_t 1-1 [unsigned int@||] alias:foo_t\n"
	       "ptr_t 2-2 [struct s*@||] indirect alias:ptr_t\n"
	       "fn_t 3-3 [int(*@)(struct s*x)||] indirect alias:fn_t\n"
	       "mac_t 4-4 [u8@[6]||] alias:mac_t\n"
	       "bar_t 5-5 [|__packed@,*@] alias:bar_t alias:pbar_t\n"
	       "  a = ||int@\n"
	       "struct t 6-6 [@|@] tag:t alias:t_t\n"
	       "  a = ||int@\n");
}

/* What is no type, and what stands around types. */
static void others(void **state)
{
	expect("#define M struct no { int a; }\n"
	       "struct forward;\n"
	       "static inline struct s *f(struct s *x)\n"
	       "{\n"
	       "\tstruct local { int a; } l = { 0 };\n"
	       "\treturn x;\n"
	       "}\n"
	       "static const struct ops o = {\n"
	       "\t.m = { 1 },\n"
	       "};\n"
	       "struct s g(void) { }\n"
	       "PAGEFLAG(Foo, foo)\n"
	       "extern \"C\" {\n"
	       "struct __packed s { char c; };\n"
	       "}\n"
	       "static const char t[] = \"struct u {\";\n"
	       "struct __una { int x; };\n",
	       "struct s 14-14 [__packed@|] tag:s\n"
	       "  c = ||char@\n"
	       "struct __una 17-17 [@|] tag:__una\n"
	       "  x = ||int@\n");
}

/* Two heads and one end: the first column says where it is. */
static void unbalanced(void **state)
{
	expect("#ifdef A\n"
	       "struct s {\n"
	       "#else\n"
	       "struct t {\n"
	       "#endif\n"
	       "\tint a;\n"
	       "};\n"
	       "struct u {\n"
	       "\tint b;\n"
	       "};\n",
	       "struct s 2-7 [@|] tag:s tag:t\n"
	       "  a = struct{}||int@\n"
	       "   = ||struct t@{}\n"
	       "struct u 8-10 [@|] tag:u\n"
	       "  b = ||int@\n");
	expect("struct s {\n\tint a;\n", "struct s 1-2 [@|] tag:s\n"
	       "  a = ||int@\n");
	expect("", "");
}

static void at(void **state)
{
	const char *text = "\nstruct s {\n\tint a;\n};\nint x;\n";
	g_autoptr(ctext_t) t = ctext_new(text, strlen(text));
	g_autoptr(GPtrArray) conditions = condition_scan_ctext(t);
	g_autoptr(GPtrArray) types = ctype_scan(t, conditions);

	assert_null(ctype_at(types, 1));
	assert_string_equal(ctype_at(types, 2)->tag, "s");
	assert_string_equal(ctype_at(types, 4)->tag, "s");
	assert_null(ctype_at(types, 5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members),
		cmocka_unit_test(nested),
		cmocka_unit_test(macros),
		cmocka_unit_test(enums),
		cmocka_unit_test(typedefs),
		cmocka_unit_test(others),
		cmocka_unit_test(unbalanced),
		cmocka_unit_test(at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
