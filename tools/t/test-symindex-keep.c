// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "kbuild-int.h"
#include "symindex-keep.h"

struct fixture {
	char *dir;
	struct run *run;
	struct runner runner;
	struct step base;
	struct steps steps;
	GHashTable *texts;
};

static GHashTable *new_texts(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				     (GDestroyNotify)symtext_free);
}

static int setup(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);

	f->dir = g_dir_make_tmp("respin-symbols-XXXXXX", NULL);
	f->run = run_new();
	f->run->dir = g_strdup(f->dir);
	f->run->runner = &f->runner;
	f->runner.reuse = true;
	f->base.tree = (char *)"base";
	f->steps.steps = g_ptr_array_new();
	g_ptr_array_add(f->steps.steps, &f->base);
	f->run->steps = &f->steps;
	f->texts = new_texts();
	*state = f;
	return f->dir ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	f->run->runner = NULL;
	f->run->steps = NULL;
	run_free(f->run);
	g_ptr_array_unref(f->steps.steps);
	g_hash_table_unref(f->texts);
	remove_tree(f->dir, NULL);
	g_free(f->dir);
	g_free(f);
	return 0;
}

static void write_below(const struct fixture *f, const char *name,
			const char *text)
{
	g_autofree char *path = g_build_filename(f->dir, name, NULL);

	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static char *as_text(GHashTable *texts, const char *path)
{
	const struct symtext *s = g_hash_table_lookup(texts, path);
	GString *out = g_string_new(s && s->conditional ? "#if\n" : "");

	for (guint i = 0; s && i < s->items->len; i++) {
		const struct symtext_item *it = &g_array_index(s->items,
						struct symtext_item, i);

		g_string_append_printf(out, "%s%s %s '%s' %u\n", it->kind ==
			SYMTEXT_EXPORT ? "export" : "define",
			it->gpl ? " gpl" : "", it->name, it->space, it->line);
	}
	if (s)
		g_string_append_printf(out, "licence %s\n", s->licence);
	for (guint i = 0; s && i < s->imports->len; i++)
		g_string_append_printf(out, "import %s\n",
				       (char *)s->imports->pdata[i]);
	for (guint i = 0; s && i < s->includes->len; i++) {
		const struct symtext_include *inc = &g_array_index(s->includes,
						struct symtext_include, i);

		g_string_append_printf(out, "include %s %u\n", inc->name,
				       inc->line);
	}
	return g_string_free(out, FALSE);
}

static void expect(GHashTable *texts, const char *path, const char *want)
{
	g_autofree char *have = as_text(texts, path);

	assert_string_equal(have, want);
}

static const char want_a[] =
	"#if\ndefine f '' 4\nexport f 'NS' 5\nexport gpl f '' 7\n"
	"licence GPL\nimport OTHER\ninclude b.h 1\n";
static const char want_b[] = "define g '' 1\nlicence (null)\n";

static void read_files(struct fixture *f)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new();

	write_below(f, "a.c", "#include \"b.h\"\n#ifdef X\n#endif\n"
		    "int f(void) { return 0; }\n"
		    "EXPORT_SYMBOL_NS(f, NS);\nMODULE_IMPORT_NS(OTHER);\n"
		    "EXPORT_SYMBOL_GPL(f);\nMODULE_LICENSE(\"GPL\");\n");
	write_below(f, "b.S", "SYM_FUNC_START(g)\n");
	g_ptr_array_add(paths, (char *)"a.c");
	g_ptr_array_add(paths, (char *)"b.S");
	g_ptr_array_add(paths, (char *)"a.c");
	g_ptr_array_add(paths, (char *)"none.c");
	assert_int_equal(symindex_read(f->texts, paths, f->dir), 2);
	assert_int_equal(symindex_read(f->texts, paths, f->dir), 0);
	assert_int_equal(g_hash_table_size(f->texts), 2);
}

static void test_read(void **state)
{
	struct fixture *f = *state;

	read_files(f);
	expect(f->texts, "a.c", want_a);
	expect(f->texts, "b.S", want_b);
	expect(f->texts, "none.c", "");
}

static void test_recall(void **state)
{
	struct fixture *f = *state;
	g_autoptr(GHashTable) texts = new_texts(), none = new_texts();

	read_files(f);
	symindex_recall(texts, f->run);
	assert_int_equal(g_hash_table_size(texts), 0);
	symindex_remember(f->texts, f->run);
	f->runner.reuse = false;
	symindex_recall(texts, f->run);
	assert_int_equal(g_hash_table_size(texts), 0);
	f->runner.reuse = true;
	symindex_recall(texts, f->run);
	assert_int_equal(g_hash_table_size(texts), 2);
	expect(texts, "a.c", want_a);
	expect(texts, "b.S", want_b);
	/* another base may hold other texts */
	f->base.tree = (char *)"other";
	symindex_recall(none, f->run);
	assert_int_equal(g_hash_table_size(none), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_read, setup, teardown),
		cmocka_unit_test_setup_teardown(test_recall, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
