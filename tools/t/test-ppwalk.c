// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "ppwalk.h"

struct fixture {
	char *dir;
	struct pp *pp;
	struct pp_walk *walk;
	GArray *lines;
	struct pp_target target;
	GString *seen;		/* a line for each call */
	const char *names;	/* asked for, separated by blanks */
	guint walks;		/* that expect() took */
};

static void write_file(struct fixture *f, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(f->dir, name, NULL);
	g_autofree char *dir = g_path_get_dirname(path);

	g_mkdir_with_parents(dir, 0700);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char known_char(enum pp_known k)
{
	return "-?+"[k];
}

/* "12+ name:mdt ...": line, activity; macro, declaration, tag of each name. */
static void at(struct pp_walk *w, struct pp_target *t, guint line,
	       enum pp_known active)
{
	struct fixture *f = t->data;
	g_auto(GStrv) names = g_strsplit(f->names, " ", -1);

	g_string_append_printf(f->seen, "%u%c",
			       g_array_index(f->lines, guint32, line),
			       known_char(active));
	for (char **n = names; *n && active; n++) {
		struct pp_status st;

		pp_walk_status(w, pp_name(f->pp, *n, strlen(*n)), &st);
		g_string_append_printf(f->seen, " %s:%c%c%c", *n,
				       known_char(st.macro),
				       known_char(st.decl), known_char(st.tag));
	}
	g_string_append_c(f->seen, '\n');
}

static void enter(struct pp_walk *w, struct pp_target *t)
{
	struct fixture *f = t->data;
	const GPtrArray *open = pp_walk_open(w);

	for (guint i = 0; i < open->len; i++) {
		const struct pp_file *file = open->pdata[i];
		g_autofree char *base = g_path_get_basename(file->path);

		g_string_append_printf(f->seen, "%s>", base);
	}
	g_string_append(f->seen, "\n");
}

static int setup(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->dir = g_dir_make_tmp("respin-pp-XXXXXX", NULL);
	f->pp = pp_new();
	f->walk = pp_walk_new(f->pp);
	f->lines = g_array_new(FALSE, FALSE, sizeof(guint32));
	f->seen = g_string_new(NULL);
	*state = f;
	return f->dir ? 0 : -1;
}

static void remove_tree(const char *path)
{
	GDir *d = g_dir_open(path, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *full = g_build_filename(path, name, NULL);

		remove_tree(full);
	}
	if (d)
		g_dir_close(d);
	g_remove(path);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	pp_walk_free(f->walk);
	pp_free(f->pp);
	g_array_unref(f->lines);
	g_string_free(f->seen, TRUE);
	remove_tree(f->dir);
	g_free(f->dir);
	g_free(f);
	return 0;
}

/*
 * Walks main.c, with @option on its command line, up to lines of t.h: what is
 * seen of @names at @line (0: none) there.
 */
static void expect(struct fixture *f, const char *option, guint32 line,
		   const char *names, const char *want)
{
	char *argv[] = { (char *)"gcc", (char *)"-Iinc", (char *)"-I",
			 (char *)"more", (char *)option, NULL, NULL };
	g_auto(GStrv) split = g_strsplit(option ? option : "", " ", 2);
	g_autofree char *source = g_build_filename(f->dir, "main.c", NULL);
	g_autofree char *header = g_build_filename(f->dir, "inc/t.h", NULL);
	struct pp_file *file = pp_file(f->pp, header);
	g_auto(GStrv) list = g_strsplit(names, " ", -1);

	for (int i = 0; split[0] && split[1] && i < 2; i++)
		argv[4 + i] = split[i];
	for (char **n = list; *n; n++)
		pp_set_trait(f->pp, pp_name(f->pp, *n, strlen(*n)), PP_WATCHED);
	f->names = names;
	g_array_set_size(f->lines, 0);
	if (line)
		g_array_append_val(f->lines, line);
	f->target = (struct pp_target){ .lines = f->lines, .at = at,
					.enter = enter, .data = f };
	if (file)
		file->mark = &f->target;
	f->walks = 0;
	do {
		f->target.over = false;
		g_string_truncate(f->seen, 0);
		assert_true(f->walks++ < 10);
	} while (!pp_walk_tu(f->walk, argv, f->dir, source, 1));
	assert_string_equal(f->seen->str, want);
}

#define GUARD(x, text) "#ifndef " x "\n#define " x "\n" text "#endif\n"

static void order(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/a.h", GUARD("A", "int get(void);\nstruct s { int x; };\n"
				       "#define mac 1\n"));
	write_file(f, "main.c", "#include <a.h>\n#include <t.h>\n");
	expect(f, NULL, 3, "get s mac nope",
	       "main.c>\n3+ get:-+- s:--+ mac:+-- nope:---\n");
}

static void order_twin(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/a.h", GUARD("A", "int get(void);\nstruct s { int x; };\n"
				       "#define mac 1\n"));
	write_file(f, "main.c", "#include <t.h>\n#include <a.h>\n");
	expect(f, NULL, 3, "get s mac nope",
	       "main.c>\n3+ get:--- s:--- mac:--- nope:---\n");
}

/* A header that is open is finished up to its #include only. */
static void open_header(void **state)
{
	struct fixture *f = *state;
	g_autofree char *path = g_build_filename(f->dir, "inc/t.h", NULL);
	g_autoptr(GHashTable) cycle = NULL;

	write_file(f, "inc/t.h", GUARD("T", "#include \"mm.h\"\nint t;\n"));
	write_file(f, "inc/mm.h", GUARD("M", "int early;\n#include <t.h>\n"
					"int late;\n"));
	write_file(f, "main.c", "#include <mm.h>\n");
	expect(f, NULL, 4, "early late",
	       "main.c>mm.h>\n4+ early:-+- late:---\n");
	cycle = pp_walk_reached(f->walk, pp_file(f->pp, path));
	assert_int_equal(g_hash_table_size(cycle), 2);
}

/* The same entered by itself: mm.h is finished then. */
static void open_header_twin(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "#include \"mm.h\"\nint t;\n"));
	write_file(f, "inc/mm.h", GUARD("M", "int early;\n#include <t.h>\n"
					"int late;\n"));
	write_file(f, "main.c", "#include <t.h>\n");
	expect(f, NULL, 4, "early late", "main.c>\n4+ early:-+- late:-+-\n");
}

/* What is replaced needs no declaration, unless by itself. */
static void replaced(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "main.c", "int a;\nint b;\nint c;\n#define a 1\n"
		   "#define b b\n#define c(x) c(x, 1)\n#include <t.h>\n");
	expect(f, NULL, 3, "a b c", "main.c>\n3+ a:+-- b:++- c:++-\n");
}

static void once(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/a.h", GUARD("A", "#define mac 1\n"));
	write_file(f, "inc/b.h", "#define again 1\n");
	write_file(f, "main.c", "#include <a.h>\n#include <b.h>\n#undef mac\n"
		   "#undef again\n#include <a.h>\n#include <b.h>\n#include <t.h>\n");
	expect(f, NULL, 3, "mac again", "main.c>\n3+ mac:--- again:+--\n");
}

static void conditions(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/a.h",
		   "#ifdef CONFIG_ON\n#define is_on 1\n#else\n#define is_off 1\n#endif\n"
		   "#if IS_ENABLED(CONFIG_M) && !IS_BUILTIN(CONFIG_M)\n#define mod 1\n#endif\n"
		   "#if LEVELS > 3\n#define four 1\n#elif LEVELS == 3\n#define three 1\n#endif\n"
		   "#if defined(CONFIG_ON) || __x86_64__\n#define either 1\n#endif\n"
		   "#if defined(__x86_64__) && defined(CONFIG_ON)\n#define both 1\n"
		   "#else\n#define other 1\n#endif\n"
		   "#if (1 << 4) == 16 && -1 < 0 ? 1 : 0\n#define sums 1\n#endif\n");
	write_file(f, "main.c", "#define CONFIG_ON 1\n#define CONFIG_M_MODULE 1\n"
		   "#define LEVELS (2 + 1)\n#include <a.h>\n#include <t.h>\n");
	expect(f, NULL, 3, "is_on is_off mod four three either both other sums",
	       "main.c>\n3+ is_on:+-- is_off:--- mod:+-- four:--- three:+-- "
	       "either:+-- both:?-- other:?-- sums:+--\n");
}

/*
 * What nobody asks about is left out, until a file that is read later does:
 * then its definition counts, in the file that was read before too.
 */
static void asked_late(void **state)
{
	struct fixture *f = *state;
	g_autofree char *source = NULL;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/def.h", GUARD("D", "#define NR 4\n#define deep NR\n"
			"#define UNSEEN 1\n#ifdef SET\n#define left 1\n#endif\n"));
	write_file(f, "inc/late.h", GUARD("L", "#if deep == 4\n#define yes 1\n"
			"#else\n#define no 1\n#endif\n"));
	write_file(f, "main.c", "#include <def.h>\n#include <t.h>\n");
	expect(f, NULL, 3, "yes no", "main.c>\n3+ yes:--- no:---\n");
	assert_int_equal(f->walks, 1);
	write_file(f, "more/main.c", "#include <def.h>\n#include <late.h>\n"
		   "#include <t.h>\n");
	write_file(f, "main.c", "#include \"more/main.c\"\n");
	source = g_build_filename(f->dir, "main.c", NULL);
	pp_forget(f->pp, source);
	expect(f, NULL, 3, "yes no", "main.c>main.c>\n3+ yes:+-- no:---\n");
	assert_int_equal(f->walks, 2);
	/* it is known now */
	expect(f, NULL, 3, "yes no", "main.c>main.c>\n3+ yes:+-- no:---\n");
	assert_int_equal(f->walks, 1);
}

/* The same when a declaration is watched from then on. */
static void watched_late(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/a.h", GUARD("A", "#ifndef NO\nint get(void);\n"
				       "#define mac 1\n#undef gone\n#endif\n"));
	write_file(f, "main.c", "#define gone 1\n#include <a.h>\n"
		   "#include <t.h>\n");
	expect(f, NULL, 3, "other", "main.c>\n3+ other:---\n");
	expect(f, NULL, 3, "get mac gone",
	       "main.c>\n3+ get:-+- mac:+-- gone:---\n");
	expect(f, "-DNO -DX", 3, "get mac gone",
	       "main.c>\n3+ get:--- mac:--- gone:+--\n");
}

/* In doubt first, for certain later: certain.  With #ifndef NAME, too. */
static void doubt(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/a.h", GUARD("A", "int get(void);\n"));
	write_file(f, "inc/b.h", GUARD("B", "int put(void);\n"));
	write_file(f, "main.c", "#ifdef __x86_64__\n#include <a.h>\n"
		   "#include <b.h>\n#define mac 1\n#endif\n#include <a.h>\n"
		   "#ifndef mac\n#define mac 2\n#endif\n#include <t.h>\n");
	expect(f, NULL, 3, "get put mac",
	       "main.c>\n3+ get:-+- put:-?- mac:+--\n");
}

/* Reached in doubt only; and not at all. */
static void reached(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "main.c", "#ifdef __x86_64__\n#include <t.h>\n#endif\n");
	expect(f, NULL, 3, "t", "main.c>\n3? t:---\n");
	expect(f, "-DX=1", 3, "t", "main.c>\n3? t:---\n");
}

static void not_reached(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "main.c", "#ifdef CONFIG_OFF\n#include <t.h>\n#endif\n"
		   "#include <nowhere.h>\n");
	expect(f, NULL, 3, "t", "");
}

static void hidden_lines(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "#ifdef A\nint a;\n#else\nint b;\n"
				       "#endif\nint c;\n"));
	write_file(f, "main.c", "#include <t.h>\n");
	expect(f, NULL, 4, "a", "main.c>\n4-\n");
	expect(f, NULL, 6, "a", "main.c>\n6+ a:---\n");
	expect(f, "-DA", 4, "a", "main.c>\n4+ a:---\n");
	expect(f, "-DA", 6, "a", "main.c>\n6-\n");
	expect(f, "-DA", 8, "a", "main.c>\n8+ a:-+-\n");
	/* behind the last of its items */
	expect(f, "-DA", 30, "a", "main.c>\n30+ a:-+-\n");
}

static void command_line(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "forced.h", "int get(void);\n");
	write_file(f, "main.c", "#include <t.h>\n");
	expect(f, "-DX=y", 3, "X get", "main.c>\n3+ X:+-- get:---\n");
	expect(f, "-include forced.h", 3, "X get", "main.c>\n3+ X:--- get:-+-\n");
}

static void which_file(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/a.h", "int in_inc;\n#include_next <a.h>\n");
	write_file(f, "more/a.h", "int in_more;\n#include \"b.h\"\n");
	write_file(f, "more/b.h", "int beside;\n");
	write_file(f, "inc/b.h", "int not_beside;\n");
	write_file(f, "inc/c.h", "int computed;\n");
	write_file(f, "main.c", "#include <a.h>\n#define WHICH <c.h>\n"
		   "#include WHICH\n#include <t.h>\n");
	expect(f, NULL, 3, "in_inc in_more beside not_beside computed",
	       "main.c>\n3+ in_inc:-+- in_more:-+- beside:-+- "
	       "not_beside:--- computed:-+-\n");
}

/* Without a guard it comes again, and may see something else. */
static void twice(void **state)
{
	struct fixture *f = *state;

	write_file(f, "inc/t.h", "int t;\n");
	write_file(f, "main.c", "#include <t.h>\nint get;\n#include <t.h>\n");
	expect(f, NULL, 1, "t", "main.c>\n1+ t:---\nmain.c>\n1+ t:-+-\n");
	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	{
		g_autofree char *path = g_build_filename(f->dir, "inc/t.h", NULL);

		pp_forget(f->pp, path);
		pp_walk_forget(f->walk);
	}
	expect(f, NULL, 3, "t", "main.c>\n3+ t:---\n");
}

static void toggles(void **state)
{
	struct fixture *f = *state;
	guint32 none, off, on;

	write_file(f, "inc/t.h", GUARD("T", "int t;\n"));
	write_file(f, "inc/include/generated/autoconf.h", "#define CONFIG_A 1\n");
	write_file(f, "inc/off.h", "#undef CONFIG_A\n");
	write_file(f, "inc/on.h", "#define CONFIG_B 1\n");
	write_file(f, "main.c", "#include <include/generated/autoconf.h>\n"
		   "#include <t.h>\n");
	expect(f, NULL, 0, "", "main.c>\n");
	none = pp_walk_toggles(f->walk);
	expect(f, "-include inc/off.h", 0, "", "main.c>\n");
	off = pp_walk_toggles(f->walk);
	expect(f, "-include inc/on.h", 0, "", "main.c>\n");
	on = pp_walk_toggles(f->walk);
	assert_int_equal(none, 0);
	assert_int_not_equal(off, 0);
	assert_int_not_equal(on, 0);
	assert_int_not_equal(on, off);
}

/* What a text declares, in order: "name" or "tag name". */
static char *declared(const char *text)
{
	struct pp *pp = pp_new();
	struct pp_file *f = pp_parse(pp, "/x.h", text, strlen(text));
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < f->items->len; i++) {
		const struct pp_item *it =
			&g_array_index(f->items, struct pp_item, i);

		if (it->op == PP_DECL || it->op == PP_TAG)
			g_string_append_printf(s, "%s%s%s", s->len ? " " : "",
				it->op == PP_TAG ? "tag:" : "",
				pp_text(pp, it->arg));
	}
	pp_file_free(f);
	pp_free(pp);
	return g_string_free(s, FALSE);
}

static void declarations(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "int a, *b, c[3] = { d, e };", "a b c" },
		{ "static inline int f(struct page *p, int n)\n{\n\tint x;\n\n"
		  "\tg(x);\n}\nextern int h(void);", "f h" },
		{ "struct s;\nunion u { int m; } v;\nstruct s { int k; };",
		  "tag:u v tag:s" },
		{ "enum e { A, B = 1 + C, D };", "tag:e A B D" },
		{ "struct s { enum { IN } x; struct t { int y; } z; };",
		  "tag:s IN tag:t" },
		{ "typedef unsigned long pte_t;\ntypedef struct { int x; } pmd_t;",
		  "pte_t pmd_t" },
		{ "typedef int (*fn_t)(int a);\ntypedef void (g_t)(int);\n"
		  "int (*hook)(int);", "fn_t g_t hook" },
		{ "DECLARE_PER_CPU(int, counter);\nstatic DEFINE_MUTEX(lock);",
		  "counter lock" },
		{ "DEFINE_GUARD(a, b)\nTRACE_EVENT(c, TP(d), e)\nint f;",
		  "a b c e f" },
		{ "struct __packed s { int a; };\nstruct t { int b; } __packed;",
		  "tag:s tag:t __packed" },
		{ "/* int no; */ // int no2;\nchar *s = \"int no3;\";", "s" },
		{ "#define X int no;\nint yes;", "yes" },
		{ "static int f(void)\n{\n#ifdef A\n\tif (a) {\n#else\n\tif (b) {\n"
		  "#endif\n\t}\n}\nint after;", "f after" },
		{ "extern \"C\" {\nint a;\n}\nint b;", "a b" },
		{ "struct s *f(void);\nstruct s *g(void)\n{\n\treturn 0;\n}",
		  "f g" },
		{ "int f(void)\n#ifdef A\n{\n\treturn 1;\n}\n#else\n{\n\treturn 2;\n}\n"
		  "#endif\nint after;", "f after" },
		{ "static const struct ops o = {\n\t.open = my_open,\n};\nint b;",
		  "o b" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *have = declared(cases[i].text);

		assert_string_equal(have, cases[i].want);
	}
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(order), TEST(order_twin), TEST(open_header),
		TEST(open_header_twin), TEST(replaced), TEST(once), TEST(conditions),
		TEST(doubt), TEST(reached), TEST(not_reached),
		TEST(hidden_lines), TEST(command_line), TEST(which_file),
		TEST(asked_late), TEST(watched_late), TEST(twice),
		TEST(toggles), cmocka_unit_test(declarations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
