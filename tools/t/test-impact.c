// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <unistd.h>
#include "fake-repo.h"
#include "impact.h"

/* A header as the tests change it; lines are counted from 1. */
static const char base[] =
	"#ifndef H\n"				/* 1 */
	"#define H\n"
	"#include <linux/a.h>\n"
	"/* a comment\n"
	" */\n"					/* 5 */
	"struct s {\n"
	"\tint m;\n"
	"};\n"
	"#define MAC(x) \\\n"
	"\t(x)\n"				/* 10 */
	"static inline int one(int x)\n"
	"{\n"
	"#ifdef CONFIG_A\n"
	"\treturn x;\n"
	"#endif\n"				/* 15 */
	"\treturn 0;\n"
	"}\n"
	"int proto(int x);\n"
	"#ifdef A\n"
	"int in_a(void);\n"			/* 20 */
	"#endif\n"
	"extern int var;\n"
	"DEFINE_THING(thing);\n"
	"#define OBJ 1\n"
	"#endif\n";				/* 25 */

static GPtrArray *entities_of(const char *text)
{
	g_autofree char *file = NULL;
	int fd = g_file_open_tmp("respin-XXXXXX.h", &file, NULL);
	GPtrArray *entities;

	assert_true(fd >= 0);
	close(fd);
	assert_true(g_file_set_contents(file, text, -1, NULL));
	entities = entity_scan(file, NULL);
	assert_non_null(entities);
	g_unlink(file);
	return entities;
}

static void add_line(struct hunk *h, char op, const char *text)
{
	struct diff_line line = { op, false, text, strlen(text) };

	g_array_append_val(h->lines, line);
}

/*
 * Replaces @remove lines of @old from line @at by @add (lines with '\n'):
 * the post-image is returned, the hunk goes to @fd.
 */
static char *edit(struct file_diff *fd, const char *old, unsigned int at,
		  unsigned int remove, const char *add)
{
	g_auto(GStrv) lines = g_strsplit(old, "\n", -1);
	struct hunk *h = hunk_new();
	GString *new = g_string_new(NULL);
	unsigned int n = 0;

	for (const char *s = add; *s; s = strchr(s, '\n') + 1)
		n++;
	h->old_start = remove ? at : at - 1;
	h->old_count = remove;
	h->new_start = n ? at : at - 1;
	h->new_count = n;
	for (unsigned int i = 0; i < remove; i++)
		add_line(h, '-', "");
	for (unsigned int i = 0; i < n; i++)
		add_line(h, '+', "");
	g_ptr_array_add(fd->hunks, h);
	for (unsigned int i = 0; lines[i] && lines[i + 1]; i++) {
		if (i + 1 == at)
			g_string_append(new, add);
		if (i + 1 < at || i + 1 >= at + remove)
			g_string_append_printf(new, "%s\n", lines[i]);
	}
	return g_string_free(new, FALSE);
}

static void append_list(GString *s, const char *what, const GPtrArray *list)
{
	for (guint i = 0; i < list->len; i++)
		g_string_append_printf(s, "%s%s", i ? "," : what,
				       (char *)list->pdata[i]);
}

/* "name name | macro | why; why M:member O:orphan L:layout V:value C:case" */
static char *describe(const struct change *c)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < c->names->len; i++)
		g_string_append_printf(s, "%s ", (char *)c->names->pdata[i]);
	g_string_append_c(s, '|');
	for (guint i = 0; i < c->macros->len; i++)
		g_string_append_printf(s, " %s", (char *)c->macros->pdata[i]);
	g_string_append(s, " |");
	for (guint i = 0; i < c->why->len; i++)
		g_string_append_printf(s, " %s;", (char *)c->why->pdata[i]);
	assert_int_equal(c->whole, c->why->len > 0);
	append_list(s, " M:", c->members);
	append_list(s, " O:", c->orphans);
	append_list(s, " L:", c->layouts);
	append_list(s, " V:", c->values);
	append_list(s, " C:", c->cases);
	return g_string_free(s, FALSE);
}

static struct change *classify(const char *old, unsigned int at,
			       unsigned int remove, const char *add)
{
	struct file_diff *fd = file_diff_new();
	g_autofree char *new = edit(fd, old, at, remove, add);
	g_autoptr(GPtrArray) a = entities_of(old), b = entities_of(new);
	struct change *c;

	fd->old_path = g_strdup("include/linux/h.h");
	fd->new_path = g_strdup("include/linux/h.h");
	c = change_classify(fd, old, strlen(old), new, strlen(new), a, b);
	file_diff_free(fd);
	return c;
}

static void expect(const char *old, unsigned int at, unsigned int remove,
		   const char *add, const char *want)
{
	g_autoptr(change_t) c = classify(old, at, remove, add);
	g_autofree char *have = describe(c);

	assert_string_equal(have, want);
}

static void named_entities(void **state)
{
	expect(base, 16, 1, "\treturn 1;\n", "one | |");
	expect(base, 14, 1, "", "one | |");
	expect(base, 10, 1, "\t(x + 1)\n", "MAC | |");
	expect(base, 18, 1, "long proto(int x);\n", "proto | |");
	expect(base, 18, 1, "int other(int x);\n", "other proto | |");
	expect(base, 24, 1, "#define OBJ 2\n", "OBJ | OBJ |");
	expect(base, 24, 1, "#define OBJ OBJ\n", "OBJ | OBJ |");
	expect(base, 24, 0, "#define f f\n", "f | |");
	expect(base, 24, 0, "#undef f\n", "f | |");
	expect(base, 11, 7, "", "one | |");
	expect(base, 13, 0, "#define INNER 1\n", "INNER one | INNER |");
}

static void nothing(void **state)
{
	expect(base, 4, 1, "/* other words\n", "| |");
	expect(base, 18, 0, "\n/* more */\n", "| |");
	expect(base, 16, 0, "\t/* why */\n", "| |");
}

static void whole(void **state)
{
	expect(base, 3, 1, "#include <linux/b.h>\n",
	       "| | old line 3: #include; line 3: #include;");
	expect(base, 22, 1, "extern long var;\n",
	       "| | old line 22: variable 'var'; line 22: variable 'var';");
	expect(base, 23, 1, "", "| | old line 23: macro call 'DEFINE_THING';");
	expect(base, 19, 1, "#ifndef A\n",
	       "| | old line 19: #ifdef; line 19: #ifndef;");
	expect(base, 21, 0, "#else\nint in_b(void);\n",
	       "in_b | | line 21: #else;");
	expect(base, 18, 0, "#pragma pack(1)\n", "| | line 18: #pragma;");
	expect(base, 18, 0, "STRAY\n",
	       "| | line 18: outside of any function or macro;");
}

static const char types[] =
	"struct s {\n"				/* 1 */
	"\tint a, b;\n"
	"\tunion {\n"
	"\t\tlong c;\n"
	"\t\tstruct in {\n"			/* 5 */
	"\t\t\tchar d;\n"
	"\t\t} e;\n"
	"\t};\n"
	"#ifdef CONFIG_A\n"
	"\tint f;\n"				/* 10 */
	"#endif\n"
	"\tFIELDS\n"
	"} __packed;\n"
	"typedef struct { int g; } t_t;\n"
	"typedef int i_t;\n"			/* 15 */
	"typedef int (*fn_t)(int);\n"
	"enum e {\n"
	"\tE_A,\n"
	"\tE_B = 5,\n"
	"\tE_C,\n"				/* 20 */
	"\tE_D = E_C * 2,\n"
	"\tE_NR\n"
	"};\n"
	"typedef enum { F_A, F_B } f_t;\n";

/* Structs and unions, member by member. */
static void members(void **state)
{
	/* renamed: who spells it; the layout is as it was */
	expect(types, 4, 1, "\t\tlong cc;\n", "| | M:c");
	expect(types, 2, 1, "\tint a, bb;\n", "| | M:b");
	expect(types, 2, 1, "\tint aa, b;\n", "| | M:a");
	/* added: nobody spells it */
	expect(types, 2, 0, "\tint z;\n", "| | L:struct in,struct s");
	expect(types, 7, 0, "\t\t\tchar z;\n", "| | L:struct in,struct s");
	/* removed, retyped, a bit-field, another bound */
	expect(types, 4, 1, "", "| | M:c L:struct in,struct s");
	expect(types, 2, 1, "\tlong a, b;\n", "| | M:a,b L:struct in,struct s");
	expect(types, 2, 1, "\tint a, b:1;\n", "| | M:b L:struct in,struct s");
	expect(types, 6, 1, "\t\t\tchar d[2];\n",
	       "| | M:d L:struct in,struct s");
	/* reordered */
	expect(types, 2, 1, "\tint b, a;\n", "| | M:a,b L:struct in,struct s");
	expect(types, 2, 3, "\tunion {\n\t\tlong c;\n\t\tint a, b;\n",
	       "| | M:a,b L:struct in,struct s");
	/* attributes; a variable is another thing */
	expect(types, 13, 1, "};\n", "| | L:struct in,struct s");
	expect(types, 13, 1, "} __packed v;\n",
	       "| | line 13: what a type's end declares; L:struct in,struct s");
	/* the name of a type is a name */
	expect(types, 5, 1, "\t\tstruct out {\n",
	       "in out | | M:e L:struct in,struct out,struct s");
	expect(types, 1, 1, "struct r {\n", "r s | |");
	expect(types, 14, 1, "typedef struct { int h; } t_t;\n", "| | M:g");
	/* nobody knows what this declares */
	expect(types, 12, 1, "\tOTHERS\n", "| | old line 12: no plain "
	       "member of 'struct s'; line 12: no plain member of 'struct s'; "
	       "L:struct in,struct s");
	/* a condition is no member */
	expect(types, 9, 1, "#ifndef CONFIG_A\n",
	       "| | old line 9: #ifdef; line 9: #ifndef; M:f L:struct in,struct s");
	expect(types, 2, 1, "\tint a, b;\t/* why */\n", "| |");
}

/* Out of its condition; the directive lines are no part of the diff. */
static void moved_member(void **state)
{
	struct file_diff *fd = file_diff_new();
	g_autofree char *less = edit(fd, types, 10, 1, "");
	g_autofree char *new = edit(fd, less, 11, 0, "\tint f;\n");
	g_autoptr(GPtrArray) a = entities_of(types), b = entities_of(new);
	g_autofree char *have = NULL;
	struct change *c;

	((struct hunk *)fd->hunks->pdata[1])->old_start++;
	fd->old_path = g_strdup("include/linux/h.h");
	fd->new_path = g_strdup("include/linux/h.h");
	c = change_classify(fd, types, strlen(types), new, strlen(new), a, b);
	have = describe(c);
	assert_string_equal(have, "| | M:f L:struct in,struct s");
	change_free(c);
	file_diff_free(fd);
}

static void typedefs(void **state)
{
	expect(types, 15, 1, "typedef long i_t;\n", "i_t | | L:i_t");
	expect(types, 16, 1, "typedef int (*fn_t)(long);\n", "fn_t | |");
	expect(types, 16, 1, "typedef int fn_t;\n", "fn_t | | L:fn_t");
}

static void enumerators(void **state)
{
	/* in the middle: those up to the next value count on */
	expect(types, 20, 0, "\tE_N,\n",
	       "E_N | | V:E_C,E_D,E_NR C:E_A,E_B,E_C,E_D,E_NR,enum e");
	expect(types, 19, 0, "\tE_N,\n",
	       "E_N | | C:E_A,E_B,E_C,E_D,E_NR,enum e");
	expect(types, 18, 1, "", "E_A | |");
	expect(types, 20, 1, "\tE_X,\n",
	       "E_C E_X | | C:E_A,E_B,E_D,E_NR,enum e");
	expect(types, 19, 1, "\tE_B = 6,\n", "| | V:E_B,E_C,E_D,E_NR");
	expect(types, 19, 2, "\tE_C = 5,\n\tE_B,\n", "| | V:E_B,E_C,E_D,E_NR");
	expect(types, 24, 1, "typedef enum { F_A, F_N, F_B } f_t;\n",
	       "F_N | | V:F_B C:F_A,F_B,enum f_t");
	expect(types, 20, 0, "#ifdef X\n\tE_N,\n#endif\n",
	       "E_N | | V:E_C,E_D,E_NR C:E_A,E_B,E_C,E_D,E_NR,enum e");
	expect(types, 20, 0, "\tLIST(E)\n",
	       "E_C | | line 20: no plain member of 'enum e';");
}

/* A declaration that the other side does not have is felt by its names. */
static void new_declarations(void **state)
{
	expect(base, 22, 1, "", "var | |");
	/* a type may be elsewhere now, and its members with it */
	expect(base, 6, 3, "", "s | | O:m L:struct s");
	expect(base, 18, 0, "typedef int __bitwise new_t;\n", "new_t | |");
	expect(base, 18, 0, "enum e {\n\tE_A,\n\tE_B,\n};\n", "E_A E_B e | |");
	expect(base, 18, 0, "struct n {\n\tint member;\n};\n", "n | |");
	/* a second one of that name is a changed one */
	expect(base, 18, 0, "extern int var;\n", "| | line 18: variable 'var';");
}

static void condition_groups(void **state)
{
	/* added and removed as a whole */
	expect(base, 22, 0,
	       "#ifndef B\nint in_b(void);\n#else\n#define in_b 1\n#endif\n",
	       "in_b | in_b |");
	expect(base, 19, 3, "", "in_a | |");
	/* within a function: the function */
	expect(base, 13, 1, "#ifndef CONFIG_A\n", "one | |");
	expect(base, 16, 0, "#ifdef B\n\tx++;\n#endif\n", "one | |");
	/* around what is there already */
	expect(base, 18, 1, "#ifdef B\nint proto(int x);\n#endif\n",
	       "proto | |");
	/* an #include within: the file */
	expect(base, 22, 0, "#ifdef B\n#include <x.h>\n#endif\n",
	       "| | line 23: #include;");
}

/* The same insertion, shown by the diff one line too early: #endif first. */
static void slid_diff(void **state)
{
	expect(base, 21, 0, "#endif\n#ifdef B\nint in_b(void);\n",
	       "in_b | |");
	/* one that no place makes whole */
	expect(base, 20, 0, "#endif\n#ifdef B\n",
	       "| | line 20: #endif; line 21: #ifdef;");
}

/* Lines that are no part of the diff and mean something else after it. */
static void drift(void **state)
{
	const char text[] = "/* c\n */\nint f(void);\n/* d */\nint g(void);\n";

	expect(text, 2, 1, "", "f | |");
	expect(text, 3, 1, "int k(void);\n", "f k | |");
}

static void files(void **state)
{
	struct file_diff *fd = file_diff_new();
	g_autoptr(GPtrArray) none = NULL, entities = entities_of("int f(void);\n");
	g_autofree char *new = NULL, *have = NULL;
	struct change *c;

	new = edit(fd, "\n", 1, 0, "int f(void);\n");
	fd->new_path = g_strdup("include/new.h");
	c = change_classify(fd, "", 0, "int f(void);\n", 13, none, entities);
	have = describe(c);
	assert_string_equal(have, "f | | new file;");
	change_free(c);
	g_free(have);

	fd->old_path = g_strdup("include/old.h");
	g_ptr_array_set_size(fd->hunks, 0);
	c = change_classify(fd, "int f(void);\n", 13, "int f(void);\n", 13,
			    entities, entities);
	have = describe(c);
	assert_string_equal(have, "| | renamed from 'include/old.h';");
	change_free(c);
	g_free(have);

	/* a diff of other contents */
	g_free(fd->old_path);
	fd->old_path = g_strdup(fd->new_path);
	c = change_classify(fd, "int f(void);\n", 13, "", 0, entities, none);
	have = describe(c);
	assert_string_equal(have, "| | the diff does not fit the file;");
	change_free(c);
	file_diff_free(fd);
}

static void kinds(void **state)
{
	static const struct {
		const char *path;
		enum change_kind kind;
	} cases[] = {
		{ "mm/mprotect.c", CHANGE_SOURCE },
		{ "arch/x86/kernel/vmlinux.lds.S", CHANGE_SOURCE },
		{ "include/linux/mm.h", CHANGE_HEADER },
		{ "Documentation/mm/x.c", CHANGE_TEXT },
		{ "MAINTAINERS", CHANGE_TEXT },
		{ "mm/README.rst", CHANGE_TEXT },
		{ "arch/x86/lib/x86-opcode-map.txt", CHANGE_OTHER },
		{ "rust/helpers/mm.c", CHANGE_RUST },
		{ "drivers/net/phy/a.rs", CHANGE_RUST },
		{ "mm/Kconfig.debug", CHANGE_KCONFIG },
		{ "arch/arm64/configs/defconfig", CHANGE_KCONFIG },
		{ "kernel/configs/debug.config", CHANGE_KCONFIG },
		{ "scripts/Makefile.build", CHANGE_MAKEFILE },
		{ "scripts/Kbuild.include", CHANGE_MAKEFILE },
		{ "mm/Makefile", CHANGE_MAKEFILE },
		{ "arch/arm64/boot/dts/a.dtsi", CHANGE_DTS },
		{ "tools/mm/Makefile", CHANGE_TOOLS },
		{ "scripts/kallsyms.c", CHANGE_TOOLS },
		{ "scripts/mod/empty.c", CHANGE_SOURCE },
		{ "samples/bpf/a.c", CHANGE_SOURCE },
		{ "arch/x86/entry/syscalls/syscall_64.tbl", CHANGE_OTHER },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		assert_int_equal(change_kind_of(cases[i].path), cases[i].kind);
}

static char *data_path(const char *module)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");

	return g_build_filename(dir ? dir : "tools/t/data", module, "tree",
				NULL);
}

static char *join(GHashTable *set, bool values)
{
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(set),
					    (GCompareFunc)strcmp);
	GString *s = g_string_new(NULL);

	for (GList *l = keys; l; l = l->next)
		g_string_append_printf(s, "%s%s%s\n", (char *)l->data,
			values ? ": " : "",
			values ? (char *)g_hash_table_lookup(set, l->data) : "");
	return g_string_free(s, FALSE);
}

static void expect_closure(const char *const *names, const char *const *macros,
			   const char *const *arches, const char *want_names,
			   const char *want_sources, const char *want_headers)
{
	g_autofree char *tree = data_path("impact");
	struct incgraph *g = incgraph_load(&fake_repo, tree, NULL, NULL);
	g_autoptr(GPtrArray) n = g_ptr_array_new(), m = g_ptr_array_new();
	g_autoptr(impact_t) im = NULL;
	g_autofree char *a = NULL, *b = NULL, *c = NULL;

	for (; *names; names++)
		g_ptr_array_add(n, (gpointer)*names);
	for (; macros && *macros; macros++)
		g_ptr_array_add(m, (gpointer)*macros);
	im = impact_close(g, tree, n, m, arches, NULL);
	assert_non_null(im);
	assert_false(im->capped);
	a = join(im->names, false);
	b = join(im->sources, false);
	c = join(im->headers, true);
	assert_string_equal(a, want_names);
	assert_string_equal(b, want_sources);
	assert_string_equal(c, want_headers);
	incgraph_free(g);
}

static void closure(void **state)
{
	const char *const start[] = { "start", NULL };
	const char *const x86[] = { "x86", NULL };
	const char *const both[] = { "x86", "arm64", NULL };

	expect_closure(start, NULL, x86,
		"by_condition\nby_inline\nby_macro\nrt_inline\nstart\n",
		"arch/x86/a.c\ncond.c\nentry.S\nrt.c\nuser.c\n",
		"rt.c: line 3: 'start' in a .c that others include\n");
	/* arm64 has a header with one more name */
	expect_closure(start, NULL, both,
		"arm_inline\nby_condition\nby_inline\nby_macro\nrt_inline\n"
		"start\n",
		"arch/arm64/a.c\narch/x86/a.c\ncond.c\nentry.S\nrt.c\nuser.c\n",
		"rt.c: line 3: 'start' in a .c that others include\n");
}

static void closure_outside(void **state)
{
	const char *const size[] = { "SIZE", NULL };
	const char *const config[] = { "CONFIG_Z", NULL };
	const char *const member[] = { "member_name", NULL };
	const char *const none[] = { "nobody", NULL };

	expect_closure(size, NULL, NULL, "SIZE\n", "",
		"");
	expect_closure(config, config, NULL, "CONFIG_Z\nwith_z\n", "z.c\n",
		       "");
	/* a function's name as a member is no use of the function ... */
	expect_closure(member, NULL, NULL, "member_name\n", "", "");
	/* ... but a macro's name would be replaced */
	expect_closure(member, member, NULL, "member_name\n", "",
		"include/types.h: line 4: 'member_name' in struct 's'\n");
	expect_closure(none, NULL, NULL, "nobody\n", "", "");
}

/* Names that macros paste together: nobody spells them. */
static void pasted(void **state)
{
	const char *const amd[] = { "PCI_ID_AMD", NULL };
	const char *const field[] = { "ctrl_enable", NULL };
	const char *const helped[] = { "helped_out", NULL };

	expect_closure(amd, amd, NULL,
		"ONLY_AMD\nPCI_ID_AMD\ninline_amd\n",
		"direct.c\nhanded.c\ninlined.c\nonly.c\npasted.c\n",
		"include/bare.h: line 1: 'VDEV' makes 'PCI_ID_AMD'\n");
	expect_closure(field, NULL, NULL, "ctrl_enable\n", "field.c\n", "");
	expect_closure(helped, NULL, NULL, "helped_out\n", "helped.c\n", "");
}

static void expect_match(const char *pattern, const char *name,
			 const char *want)
{
	GPtrArray *readings = paste_match(pattern, name);
	GString *s = g_string_new(NULL);

	for (guint i = 0; readings && i < readings->len; i++) {
		const GPtrArray *pieces = readings->pdata[i];

		g_string_append_c(s, '(');
		for (guint k = 0; k < pieces->len; k++)
			g_string_append_printf(s, "%s%s", k ? " " : "",
					       (char *)pieces->pdata[k]);
		g_string_append_c(s, ')');
	}
	assert_string_equal(readings ? s->str : "no", want);
	g_string_free(s, TRUE);
	if (readings)
		g_ptr_array_unref(readings);
}

static void readings(void **state)
{
	expect_match("PCI_*", "PCI_AMD", "(AMD)");
	expect_match("PCI_*", "PCI_", "no");
	expect_match("PCI_*", "OTHER", "no");
	expect_match("*_*", "a_b_c", "(a b_c)(a_b c)");
	expect_match("whole", "whole", "()");
	expect_match("*_end", "x_end", "(x)");
	expect_match("*_end", "x_endless", "no");
	/* too many: as if none were needed */
	expect_match("************", "abcdefghijklmnopqrstuvwxyz", "()");
}

static void capped(void **state)
{
	g_autofree char *tree = data_path("impact");
	struct incgraph *g = incgraph_load(&fake_repo, tree, NULL, NULL);
	g_autoptr(GPtrArray) n = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(impact_t) chain = NULL, many = NULL;

	g_ptr_array_add(n, g_strdup("chain0"));
	chain = impact_close(g, tree, n, NULL, NULL, NULL);
	assert_true(chain->capped);
	assert_int_equal(chain->rounds, IMPACT_ROUNDS);
	for (int i = 0; i < IMPACT_NAMES; i++)
		g_ptr_array_add(n, g_strdup_printf("many%d", i));
	many = impact_close(g, tree, n, NULL, NULL, NULL);
	assert_true(many->capped);
	incgraph_free(g);
}

static char *only_file(const char *dir)
{
	GDir *d = g_dir_open(dir, 0, NULL);
	char *path = g_build_filename(dir, g_dir_read_name(d), NULL);

	assert_null(g_dir_read_name(d));
	g_dir_close(d);
	return path;
}

/* Kept the first time, read the second; what is cut short is made anew. */
static void kept(void **state)
{
	static const char *const arches[] = { "x86", NULL };
	g_autofree char *tree = data_path("impact"), *path = NULL;
	g_autofree char *dir = g_dir_make_tmp("respin-XXXXXX", NULL);
	struct incgraph *g = incgraph_load(&fake_repo, tree, NULL, NULL);
	g_autoptr(GPtrArray) n = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	guint sources = 0;

	g_ptr_array_add(n, g_strdup("chain0"));
	for (int i = 0; i < 3; i++) {
		g_autoptr(impact_t) im = impact_close_kept(dir, "tree", g, tree,
							n, none, arches, NULL);

		assert_true(im->capped);
		/* rounds are of the search, not of the result */
		assert_int_equal(im->rounds, i == 1 ? 0 : IMPACT_ROUNDS);
		if (!i)
			sources = g_hash_table_size(im->sources);
		assert_int_equal(g_hash_table_size(im->sources), sources);
		g_free(path);
		path = only_file(dir);
		if (i == 1)
			assert_int_equal(truncate(path, 30), 0);
	}
	g_unlink(path);
	g_rmdir(dir);
	incgraph_free(g);
}

static void promote(void **state)
{
	g_autofree char *tree = data_path("impact");
	struct incgraph *g = incgraph_load(&fake_repo, tree, NULL, NULL);
	struct change c = { .path = (char *)"rt.c", .kind = CHANGE_SOURCE };

	change_promote(&c, g, "x86");
	assert_int_equal(c.kind, CHANGE_HEADER);
	c.path = (char *)"user.c";
	c.kind = CHANGE_SOURCE;
	change_promote(&c, g, "x86");
	assert_int_equal(c.kind, CHANGE_SOURCE);
	incgraph_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(named_entities),
		cmocka_unit_test(nothing),
		cmocka_unit_test(whole),
		cmocka_unit_test(members),
		cmocka_unit_test(moved_member),
		cmocka_unit_test(typedefs),
		cmocka_unit_test(enumerators),
		cmocka_unit_test(new_declarations),
		cmocka_unit_test(condition_groups),
		cmocka_unit_test(slid_diff),
		cmocka_unit_test(drift),
		cmocka_unit_test(files),
		cmocka_unit_test(kinds),
		cmocka_unit_test(closure),
		cmocka_unit_test(closure_outside),
		cmocka_unit_test(pasted),
		cmocka_unit_test(readings),
		cmocka_unit_test(capped),
		cmocka_unit_test(kept),
		cmocka_unit_test(promote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
