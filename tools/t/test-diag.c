// SPDX-License-Identifier: GPL-2.0
/*
 * out/NAME is what a compiler printed (see data/diag/regen), expect/NAME what
 * respin makes of it: every field of every diagnostic, folded.  To see the
 * text for a new case, run with RESPIN_TEST_UPDATE=1 and read the diff.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "diag.h"

static char *data_path(const char *dir, const char *name)
{
	const char *root = g_getenv("RESPIN_TEST_DATA");

	return g_build_filename(root ? root : "tools/t/data", "diag", dir, name,
				NULL);
}

static char *read_data(const char *dir, const char *name)
{
	g_autofree char *path = data_path(dir, name);
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, NULL);
	if (!text)
		fail_msg("cannot read '%s'", path);
	return text;
}

static void render(GString *out, const GPtrArray *diags, const char *indent)
{
	g_autofree char *deeper = g_strconcat(indent, "\t", NULL);

	for (guint i = 0; i < diags->len; i++) {
		const struct diag *d = diags->pdata[i];

		g_string_append_printf(out, "%s%s%s%s %s:%u:%u %s() %s %s\n",
				       indent,
				       d->kind == DIAG_ERROR ? "E" : "W",
				       d->fatal ? " fatal" : "",
				       d->tool ? " tool" : "", d->file, d->line,
				       d->column, d->function, d->rule, d->check);
		g_string_append_printf(out, "%s    message: %s\n", indent,
				       d->message);
		if (*d->text)
			g_string_append_printf(out, "%s    text: %s\n", indent,
					       d->text);
		if (*d->chain)
			g_string_append_printf(out, "%s    chain: %s\n", indent,
					       d->chain);
		if (d->repeats)
			g_string_append_printf(out, "%s    repeats: %u\n",
					       indent, d->repeats);
		for (guint j = 0; j < d->places->len; j++) {
			const struct diag_place *p = d->places->pdata[j];

			g_string_append_printf(out, "%s    %s %s:%u:%u %s: %s\n",
					       indent,
					       p->inlined ? "inlined" : "macro",
					       p->file, p->line, p->column,
					       p->via, p->text);
		}
		for (guint j = 0; j < d->notes->len; j++)
			g_string_append_printf(out, "%s    note: %s\n", indent,
					       (char *)d->notes->pdata[j]);
		render(out, d->follow_ons, deeper);
	}
}

static char *rendered(const GPtrArray *diags)
{
	GString *out = g_string_new(NULL);

	render(out, diags, "");
	return g_string_free(out, FALSE);
}

static GPtrArray *parse_folded(const char *text)
{
	GPtrArray *diags = diag_parse(text, "/src", "/obj");

	diag_fold(diags);
	return diags;
}

static void expect_file(const char *name)
{
	g_autofree char *text = read_data("out", name);
	g_autoptr(GPtrArray) diags = parse_folded(text);
	g_autofree char *got = rendered(diags), *want = NULL;

	if (g_getenv("RESPIN_TEST_UPDATE")) {
		g_autofree char *path = data_path("expect", name);

		assert_true(g_file_set_contents(path, got, -1, NULL));
	}
	want = read_data("expect", name);
	if (strcmp(got, want))
		print_error("in '%s':\n", name);
	assert_string_equal(got, want);
}

/* Each output has its expectation, and the other way round. */
static void test_outputs(void **state)
{
	g_autofree char *out = data_path("out", NULL);
	g_autofree char *expect = data_path("expect", NULL);
	g_autoptr(GDir) dir = g_dir_open(out, 0, NULL);
	g_autoptr(GDir) expected = g_dir_open(expect, 0, NULL);
	const char *name;
	unsigned int n = 0;

	assert_non_null(dir);
	assert_non_null(expected);
	while ((name = g_dir_read_name(dir))) {
		expect_file(name);
		n++;
	}
	while (g_dir_read_name(expected))
		n--;
	assert_int_equal(n, 0);
}

static void test_repeats(void **state)
{
	static const char one[] =
		"In function 'a',\n    inlined from 'b' at /src/m.c:9:2:\n"
		"/src/m.c:4:3: warning: w [-Wx]\n    4 | \tw;\n      |  ^\n";
	static const char other[] =
		"In function 'a',\n    inlined from 'b' at /src/m.c:9:20:\n"
		"/src/m.c:4:3: warning: w [-Wx]\n    4 | \tw;\n      |  ^\n"
		"In function 'a',\n    inlined from 'c' at /src/m.c:19:2:\n"
		"/src/m.c:4:3: warning: w [-Wx]\n";
	g_autofree char *text = g_strconcat(one, one, other, NULL);
	g_autoptr(GPtrArray) diags = diag_parse(text, "/src", "/obj");
	g_autofree char *got = rendered(diags);

	assert_string_equal(got,
		"W m.c:4:3 a() -Wx gcc\n    message: w\n    text: w;\n"
		"    repeats: 1\n"
		"    inlined m.c:9:2 b: \n    note: m.c:9: inlined from 'b'\n"
		"W m.c:4:3 a() -Wx gcc\n    message: w\n    text: w;\n"
		"    inlined m.c:9:20 b: \n    note: m.c:9: inlined from 'b'\n"
		"W m.c:4:3 a() -Wx gcc\n    message: w\n"
		"    text: w;\n    inlined m.c:19:2 c: \n    note: m.c:19: inlined from 'c'\n");
}

/* A note can come with callers of its own: they are not the diagnostic's. */
static void test_note_inlined(void **state)
{
	g_autoptr(GPtrArray) diags = diag_parse(
		"/src/a.c:1:2: warning: w\n"
		"In function 'g',\n    inlined from 'f' at /src/a.c:90:1,\n"
		"    inlined from 'h' at /src/a.c:91:1:\n"
		"/src/a.c:4:2: note: in expansion of macro 'M'\n",
		"/src", "/obj");
	g_autofree char *got = rendered(diags);

	assert_string_equal(got,
		"W a.c:1:2 ()  gcc\n    message: w\n    macro a.c:4:2 M: \n"
		"    note: a.c:4: in expansion of macro 'M'\n");
}

/* A compiler that dies says it in many ways. */
static void test_deaths(void **state)
{
	static const char *const deaths[][2] = {
		{ "virtual memory exhausted: Cannot allocate memory",
		  "virtual memory exhausted: Cannot allocate memory" },
		{ "cc1: out of memory allocating 8 bytes after a total of 9 bytes",
		  "cc1: out of memory allocating 8 bytes after a total of 9 bytes" },
		{ "aarch64-linux-gnu-gcc: fatal error: Killed signal terminated "
		  "program cc1", "Killed signal terminated program cc1" },
		{ "during GIMPLE pass: vrp\n/src/m.c:3:1: internal compiler "
		  "error: in f, at g.cc:12",
		  "internal compiler error: in f, at g.cc:12" },
		{ "as: out of memory", "as: out of memory" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(deaths); i++) {
		g_autoptr(GPtrArray) diags = diag_parse(deaths[i][0], "/src",
							"/obj");
		const struct diag *d;

		assert_int_equal(diags->len, 1);
		d = diags->pdata[0];
		assert_true(d->tool && d->fatal && d->kind == DIAG_ERROR);
		assert_string_equal(d->message, deaths[i][1]);
	}
}

/* What a patch writes into an #error must not hide the error. */
static void test_posing(void **state)
{
	g_autoptr(GPtrArray) diags = diag_parse(
		"/src/m.c:1:2: error: #error m.c: At top level:\n"
		"/src/m.c:2:2: error: #error m.c: In function 'x':\n"
		"/src/m.c:3:2: error: #error cc1: out of memory\n"
		"    3 | #error cc1: error: x\n"
		"/src/m.c:4:2: error: #error [-Werror=x y]\n"
		"/src/m.c:5:2: error: #error: warning: x\n",
		"/src", "/obj");
	g_autofree char *got = rendered(diags);

	assert_string_equal(got,
		"E m.c:1:2 ()  gcc\n    message: #error m.c: At top level:\n"
		"E m.c:2:2 ()  gcc\n    message: #error m.c: In function 'x':\n"
		"E m.c:3:2 ()  gcc\n    message: #error cc1: out of memory\n"
		"    text: #error cc1: error: x\n"
		"E m.c:4:2 ()  gcc\n    message: #error [-Werror=x y]\n"
		"E m.c:5:2 ()  gcc\n    message: #error: warning: x\n");
}

static void test_nothing(void **state)
{
	static const char *const none[] = {
		"", "\n\n", "cc1: some warnings being treated as errors\n",
		"cc1: all warnings being treated as errors\n",
		"/src/m.c: In function 'f':\n", "compilation terminated.\n",
		"In file included from /src/m.c:1:\n",
		"/src/m.c:1:2: note: a note that belongs to nothing\n",
		"cc1: note: unrecognized command-line option '-Wno-x' may have "
		"been intended to silence earlier diagnostics\n",
	};

	for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
		g_autoptr(GPtrArray) diags = diag_parse(none[i], "/src", "/obj");

		assert_int_equal(diags->len, 0);
	}
}

static void test_rules(void **state)
{
	static const struct {
		const char *text, *rule, *message;
	} cases[] = {
		{ "a.c:1:1: error: m [-Werror=implicit-function-declaration]",
		  "-Wimplicit-function-declaration", "m" },
		{ "a.c:1:1: warning: m [-Wframe-larger-than=]",
		  "-Wframe-larger-than=", "m" },
		{ "a.c:1:1: error: m [-Werror=format=]", "-Wformat=", "m" },
		{ "a.c:1:1: warning: m [CWE-416] [-Wanalyzer-x]",
		  "-Wanalyzer-x", "m [CWE-416]" },
		{ "a.c:1:1: error: m [-fpermissive]", "-fpermissive", "m" },
		{ "a.c:1:1: error: 'a[-W]'", "", "'a[-W]'" },
		{ "a.c:1:1: error: a [3]", "", "a [3]" },
		{ "a.c:1:1: error: [-Wx]", "", "[-Wx]" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GPtrArray) diags = diag_parse(cases[i].text, NULL, NULL);
		const struct diag *d;

		assert_int_equal(diags->len, 1);
		d = diags->pdata[0];
		assert_string_equal(d->rule, cases[i].rule);
		assert_string_equal(d->message, cases[i].message);
	}
}

static void test_paths(void **state)
{
	static const struct {
		const char *file, *srcdir, *odir, *want;
	} cases[] = {
		{ "/src/mm/a.c", "/src", "/obj", "mm/a.c" },
		{ "/src/mm/a.c", "/src/", "/obj/", "mm/a.c" },
		{ "/srcs/mm/a.c", "/src", "/obj", "/srcs/mm/a.c" },
		{ "/src/arch/x86/kvm/../../../virt/k.c", "/src", "/obj",
		  "virt/k.c" },
		{ "./include/generated/b.h", "/src", "/obj",
		  "O/include/generated/b.h" },
		{ "mm/a.c", "/src", "/obj", "O/mm/a.c" },
		{ "/obj/mm/a.c", "/src", "/obj", "O/mm/a.c" },
		{ "../mm/a.c", "/src", "/src/o", "mm/a.c" },
		{ "../../x/a.c", "/src", "/obj", "/x/a.c" },
		{ "/src/o/a.h", "/src", "/src/o", "O/a.h" },
		{ "/o/src/a.h", "/o/src", "/o", "a.h" },
		{ "./mm/a.c", "/src", "/src", "mm/a.c" },
		{ "<command-line>", "/src", "/obj", "<command-line>" },
		{ "../a.c", NULL, NULL, "../a.c" },
		{ "/src", "/src", "/obj", "/src" },
		{ "/usr/include/x.h", "/src", "/obj", "/usr/include/x.h" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = diag_path(cases[i].file, cases[i].srcdir,
						 cases[i].odir);

		assert_string_equal(got, cases[i].want);
	}
}

static void test_mask(void **state)
{
	static const char *const cases[][2] = {
		{ "the frame size of 2064 bytes is larger than 1024 bytes",
		  "the frame size of N bytes is larger than N bytes" },
		{ "call to '__compiletime_assert_123' declared",
		  "call to '__compiletime_assert_N' declared" },
		{ "'__UNIQUE_ID_x_571' and '__UNIQUE_ID_ddebug12'",
		  "'__UNIQUE_ID_x_N' and '__UNIQUE_ID_ddebugN'" },
		{ "'__func__.12' 'f.isra.0'", "'__func__.N' 'f.isra.N'" },
		{ "'u64', 'set_64' and crc32c", "'u64', 'set_64' and crc32c" },
		{ "at file.c:12 and mm/x.h:3:4", "at file.c:N and mm/x.h:N:N" },
		{ "value 0xffffULL, -5 or 12UL", "value N, N or N" },
		{ "[-1, 3] x86-64 4-byte 3rd", "[N, N] x86-N N-byte 3rd" },
		{ "char[16]", "char[N]" },
		{ "implicit declaration of function 'f'; did you mean 'g'?",
		  "implicit declaration of function 'f'" },
		{ "", "" },
		{ "-", "-" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *got = diag_mask(cases[i][0]);

		assert_string_equal(got, cases[i][1]);
	}
}

static void test_where(void **state)
{
	g_autoptr(GPtrArray) diags = diag_parse(
		"In function 'g',\n    inlined from 'f' at /src/a.c:90:1:\n"
		"/src/m.h:1:2: warning: w\n"
		"/src/m.h:3:2: note: in expansion of macro 'INNER'\n"
		"/src/a.c:40:2: note: in expansion of macro 'OUTER'\n"
		"/src/a.c: In function 'f':\n"
		"/src/a.c:50:2: warning: w\n"
		"/src/a.c:60:2: note: some note\n"
		"/src/a.c:70:2: note: in expansion of macro 'OTHER'\n",
		"/src", "/obj");
	unsigned int line;

	assert_int_equal(diags->len, 2);
	assert_string_equal(diag_where(diags->pdata[0], &line), "a.c");
	assert_int_equal(line, 40);
	assert_string_equal(diag_where(diags->pdata[1], &line), "a.c");
	assert_int_equal(line, 50);
}

static void test_subject(void **state)
{
	static const char *const cases[][2] = {
		{ "implicit declaration of function 'f'; did you mean 'g'?", "f" },
		{ "'x' undeclared (first use in this function)", "x" },
		{ "unknown type name 'foo_t'", "foo_t" },
		{ "conflicting types for 'f'; have 'int(void)'", "f" },
		{ "'struct s' has no member named 'm'", "m" },
		{ "expected ';' before '}' token", NULL },
		{ "unbalanced 'quote", NULL },
		{ "none", NULL },
		{ "'4' 'a'", "a" },
	};

	for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct diag *d = diag_new();
		g_autofree char *got = NULL;

		g_free(d->message);
		d->message = g_strdup(cases[i][0]);
		got = diag_subject(d);
		if (cases[i][1])
			assert_string_equal(got, cases[i][1]);
		else
			assert_null(got);
		diag_free(d);
	}
}

/* Whole words, the right function, the right kind: what must not fold. */
static void test_fold_not(void **state)
{
	g_autoptr(GPtrArray) diags = parse_folded(
		"/src/m.c: In function 'f':\n"
		"/src/m.c:1:1: error: 'ret' undeclared (first use in this "
		"function)\n"
		"/src/m.c:2:1: error: implicit declaration of function 'get'\n"
		"/src/m.c:3:1: error: too few arguments to function 'get_page'\n"
		"/src/m.c:4:1: error: incompatible types when assigning\n"
		"    4 | a = get_page();\n"
		"/src/m.c:5:1: error: 'struct s' has no member named 'm'\n"
		"    5 | s->m = get();\n"
		"/src/m.c:6:1: warning: unused variable 'b'\n"
		"    6 | int b = get();\n"
		"/src/m.c: In function 'g':\n"
		"/src/m.c:7:1: error: 'ret' undeclared (first use in this "
		"function)\n"
		"/src/m.c: In function 'h':\n"
		"/src/m.c:8:1: error: control reaches end of non-void function "
		"[-Werror=return-type]\n");

	assert_int_equal(diags->len, 8);
	for (guint i = 0; i < diags->len; i++) {
		const struct diag *d = diags->pdata[i];

		assert_int_equal(d->line, i + 1);
		assert_int_equal(d->follow_ons->len, 0);
	}
}

/* Flags of their own (a decompressor's) leave the cause a warning. */
static void test_fold_under_warning(void **state)
{
	g_autoptr(GPtrArray) diags = parse_folded(
		"/src/m.c: In function 'f':\n"
		"/src/m.c:1:1: warning: implicit declaration of function 'get' "
		"[-Wimplicit-function-declaration]\n"
		"/src/m.c:1:1: error: invalid initializer\n"
		"    1 | pte_t a = get();\n"
		"/src/m.c:9:1: error: conflicting types for 'get'\n");
	const struct diag *d = diags->pdata[0];

	assert_int_equal(diags->len, 1);
	assert_int_equal(d->kind, DIAG_ERROR);
	assert_int_equal(d->follow_ons->len, 2);
}

/* After an error gcc folds no constants; without one these stand alone. */
static void test_fold_constants(void **state)
{
	static const char text[] =
		"/src/b.h:16:1: error: bit-field '<anonymous>' width not an "
		"integer constant\n"
		"/src/m.c:64:1: warning: 'index' defined but not used "
		"[-Wunused-variable]\n"
		"/src/m.c:65:1: warning: unused variable 'i' "
		"[-Wunused-variable]\n";
	g_autofree char *behind = g_strconcat("/src/p.h:8:1: error: implicit "
		"declaration of function 'get'\n", text, NULL);
	g_autoptr(GPtrArray) alone = parse_folded(text);
	g_autoptr(GPtrArray) diags = parse_folded(behind);
	const struct diag *d = diags->pdata[0];

	assert_int_equal(alone->len, 3);
	assert_int_equal(diags->len, 2);
	assert_int_equal(d->line, 8);
	assert_int_equal(d->follow_ons->len, 2);
	d = diags->pdata[1];
	assert_int_equal(d->line, 65);
}

static void test_json(void **state)
{
	static const char *const bad[] = { "", "{", "{}", "[1]", "[{}]",
		"[{\"kind\":\"error\"}]", "\"x\"", "null" };
	g_autofree char *text = read_data("out", "inl.c.x86_64");
	g_autofree char *order = read_data("out", "order.c.x86_64");
	g_autofree char *both = g_strconcat(text, order, "\n/src/m.c:1:1: error:"
					    " bad \xff byte \"\n", NULL);
	g_autoptr(GPtrArray) diags = parse_folded(both);
	g_autofree char *json = diag_to_json(diags), *again = NULL;
	g_autoptr(GPtrArray) back = diag_from_json(json, NULL);
	g_autofree char *want = rendered(diags), *got = NULL;

	assert_non_null(back);
	got = rendered(back);
	assert_string_equal(got, want);
	assert_non_null(strstr(got, "bad \xef\xbf\xbd byte \""));
	again = diag_to_json(back);
	assert_string_equal(again, json);
	for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(diag_from_json(bad[i], &error));
		assert_non_null(error);
	}
}

static void test_copy(void **state)
{
	g_autofree char *text = read_data("out", "order.c.x86_64");
	g_autoptr(GPtrArray) diags = parse_folded(text);
	g_autoptr(GPtrArray) copies = diag_array_new();
	g_autofree char *want = rendered(diags), *got = NULL;

	for (guint i = 0; i < diags->len; i++)
		g_ptr_array_add(copies, diag_copy(diags->pdata[i]));
	g_ptr_array_set_size(diags, 0);
	got = rendered(copies);
	assert_string_equal(got, want);
	assert_null(diag_copy(NULL));
	diag_free(NULL);
}

/* Folding twice is folding once. */
static void test_fold_twice(void **state)
{
	g_autofree char *text = read_data("out", "order.c.x86_64");
	g_autoptr(GPtrArray) diags = parse_folded(text);
	g_autofree char *once = rendered(diags), *twice = NULL;

	diag_fold(diags);
	twice = rendered(diags);
	assert_string_equal(twice, once);
}

static void parse_any(const char *text)
{
	g_autoptr(GPtrArray) diags = parse_folded(text);
	g_autofree char *json = diag_to_json(diags);
	g_autoptr(GPtrArray) back = diag_from_json(json, NULL);

	assert_non_null(back);
	assert_int_equal(back->len, diags->len);
}

static void test_truncated(void **state)
{
	static const char *const names[] = { "undecl.c.x86_64", "inl.c.x86_64",
		"asmbad.c.riscv", "signal-SEGV.x86_64" };

	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *text = read_data("out", names[i]);

		for (gsize len = strlen(text); len > 0; len -= MIN(len, 7)) {
			text[len] = '\0';
			parse_any(text);
		}
	}
}

static void test_random(void **state)
{
	static const char *const bits[] = {
		":", ": ", "error: ", "warning: ", "note: ", "Error: ", "\n",
		" | ", "12", "/src/", "a.c", "In function '", "':", "',",
		"    inlined from '", "' at ", "In file included from ",
		"[-W", "]", "'", "in expansion of macro '", " ", "<", "..",
		"\xff", "undeclared (first use", "4294967296", "/tmp/cc",
		"implicit declaration of function ", "internal compiler error: ",
	};
	GRand *rand = g_rand_new_with_seed(1);

	for (int i = 0; i < 3000; i++) {
		GString *text = g_string_new(NULL);

		for (int j = g_rand_int_range(rand, 0, 60); j > 0; j--) {
			if (g_rand_boolean(rand))
				g_string_append(text, bits[g_rand_int_range(
					rand, 0, G_N_ELEMENTS(bits))]);
			else
				g_string_append_c(text, g_rand_int_range(
					rand, 1, 256));
		}
		parse_any(text->str);
		g_string_free(text, TRUE);
	}
	g_rand_free(rand);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_outputs),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_note_inlined),
		cmocka_unit_test(test_deaths),
		cmocka_unit_test(test_posing),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_mask),
		cmocka_unit_test(test_where),
		cmocka_unit_test(test_subject),
		cmocka_unit_test(test_fold_not),
		cmocka_unit_test(test_fold_twice),
		cmocka_unit_test(test_fold_under_warning),
		cmocka_unit_test(test_fold_constants),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_random),
	};

	g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
