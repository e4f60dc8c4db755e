// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "entity.h"
#include "error.h"

static char *data_path(const char *name)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");

	return g_build_filename(dir ? dir : "tools/t/data", "entity", name,
				NULL);
}

static GPtrArray *scan(const char *name)
{
	g_autofree char *path = data_path(name);
	g_autoptr(GError) error = NULL;
	GPtrArray *entities = entity_scan(path, &error);

	assert_null(error);
	assert_non_null(entities);
	return entities;
}

/* "letter line-end name[ scope]" of each entity. */
static char *dump(const GPtrArray *entities)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < entities->len; i++) {
		const struct entity *e = entities->pdata[i];

		g_string_append_printf(s, "%c %u-%u %s%s%s\n",
				       "fpdsugetvmO"[e->kind], e->line, e->end,
				       e->name, *e->scope ? " in " : "",
				       e->scope);
	}
	return g_string_free(s, FALSE);
}

static void tricky(void **state)
{
	g_autoptr(GPtrArray) entities = scan("tricky.h");
	g_autofree char *have = dump(entities);
	g_autofree char *path = data_path("tricky.expect");
	g_autofree char *want = NULL;

	assert_true(g_file_get_contents(path, &want, NULL, NULL));
	assert_string_equal(have, want);
}

static void at_line(void **state)
{
	g_autoptr(GPtrArray) entities = scan("tricky.h");

	assert_string_equal(entity_at(entities, 5)->name, "LONG_ONE");
	assert_string_equal(entity_at(entities, 13)->name, "type_above");
	assert_string_equal(entity_at(entities, 19)->name, "type_above");
	assert_null(entity_at(entities, 1));
	assert_int_equal(entity_at(entities, 25)->kind, ENTITY_OTHER);
	assert_int_equal(entity_at(entities, 40)->kind, ENTITY_OTHER);
	assert_string_equal(entity_at(entities, 48)->name, "FOO_INSIDE");
	assert_string_equal(entity_at(entities, 47)->name, "member");
}

static void find(void **state)
{
	g_autoptr(GPtrArray) entities = scan("tricky.h");

	assert_int_equal(entity_find(entities, "alternative")->line, 59);
	assert_int_equal(entity_find(entities, "IS_CAPS")->kind,
			 ENTITY_FUNCTION);
	assert_null(entity_find(entities, "attr_behind"));
	assert_null(entity_find(entities, "nobody"));
}

static void pgtable(void **state)
{
	g_autoptr(GPtrArray) entities = scan("pgtable.h");
	const struct entity *e;

	e = entity_find(entities, "__ptep_modify_prot_start");
	assert_non_null(e);
	assert_int_equal(e->kind, ENTITY_FUNCTION);
	assert_int_equal(e->end - e->line, 10);
	e = entity_find(entities, "p4d_clear_bad");
	assert_int_equal(e->kind, ENTITY_MACRO);
}

static void many(void **state)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	g_autoptr(GHashTable) all = NULL;
	GPtrArray *entities;

	g_ptr_array_add(paths, "entity/tricky.h");
	g_ptr_array_add(paths, "entity/pgtable.h");
	all = entity_scan_many(dir ? dir : "tools/t/data", paths, NULL);
	assert_non_null(all);
	assert_int_equal(g_hash_table_size(all), 2);
	entities = g_hash_table_lookup(all, "entity/pgtable.h");
	assert_non_null(entity_find(entities, "pgprot_modify"));
	assert_null(entity_find(entities, "after"));
	entities = g_hash_table_lookup(all, "entity/tricky.h");
	assert_non_null(entity_find(entities, "after"));
	assert_null(entity_find(entities, "pgprot_modify"));
}

static void hostile_names(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("respin-XXXXXX", NULL);
	static const char *const names[] = {
		"-o x.h", "$(ls) 'q' \"d\".h", "new\nline.h", "caf\xe9.h",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(dir, names[i], NULL);
		g_autoptr(GPtrArray) paths = g_ptr_array_new();
		g_autoptr(GHashTable) all = NULL;
		GPtrArray *entities;

		g_ptr_array_add(paths, (gpointer)names[i]);
		assert_true(g_file_set_contents(path,
				"#define A 1\nint f(void)\n{\n}\n", -1, NULL));
		all = entity_scan_many(dir, paths, NULL);
		assert_non_null(all);
		entities = g_hash_table_lookup(all, names[i]);
		assert_non_null(entity_find(entities, "A"));
		if (i < 2)
			assert_non_null(entity_find(entities, "f"));
		g_unlink(path);
	}
	g_rmdir(dir);
}

static void missing_file(void **state)
{
	g_autoptr(GError) error = NULL;

	assert_null(entity_scan("/nonexistent/x.h", &error));
	assert_non_null(error);
	assert_true(error->domain == RESPIN_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tricky),
		cmocka_unit_test(at_line),
		cmocka_unit_test(find),
		cmocka_unit_test(pgtable),
		cmocka_unit_test(many),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(missing_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
