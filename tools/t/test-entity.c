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

	return g_build_filename(dir ? dir : "tools/t/data", name, NULL);
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

static void expect_file(const char *name, const char *expected)
{
	g_autoptr(GPtrArray) entities = scan(name);
	g_autofree char *have = dump(entities);
	g_autofree char *path = data_path(expected);
	g_autofree char *want = NULL;

	assert_true(g_file_get_contents(path, &want, NULL, NULL));
	assert_string_equal(have, want);
}

static void tricky(void **state)
{
	expect_file("entity/tricky.h", "entity/tricky.expect");
}

static void at_line(void **state)
{
	g_autoptr(GPtrArray) entities = scan("entity/tricky.h");

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
	g_autoptr(GPtrArray) entities = scan("entity/tricky.h");

	assert_int_equal(entity_find(entities, "alternative")->line, 59);
	assert_int_equal(entity_find(entities, "IS_CAPS")->kind,
			 ENTITY_FUNCTION);
	assert_null(entity_find(entities, "attr_behind"));
	assert_null(entity_find(entities, "nobody"));
}

/* "letter line-end name[ scope]" of what entity_find() has for @name. */
static void expect_found(const GPtrArray *entities, const char *name,
			 const char *want)
{
	g_autoptr(GPtrArray) one = g_ptr_array_new();
	g_autofree char *have = NULL;
	const struct entity *e = entity_find(entities, name);

	if (e)
		g_ptr_array_add(one, (gpointer)e);
	have = dump(one);
	assert_string_equal(have, want);
}

static void header(void **state)
{
	g_autoptr(GPtrArray) entities = scan("header/helpers.h");

	expect_file("header/helpers.h", "header/helpers.entities");
	expect_found(entities, "__gate_take_level",
		     "f 83-90 __gate_take_level\n");
	/* the prototype is the other branch */
	expect_found(entities, "upper_gate_reset",
		     "d 70-70 upper_gate_reset\n");
	expect_found(entities, "boat_sink", "");
	/* no tag, so no entity: in a macro call of several lines, in #if 0 */
	assert_null(entity_at(entities, 125));
	assert_null(entity_at(entities, 132));
	assert_string_equal(entity_at(entities, 128)->name, "DECLARE_GATE");
}

static void many(void **state)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	g_autoptr(GHashTable) all = NULL;
	GPtrArray *entities;

	g_ptr_array_add(paths, "entity/tricky.h");
	g_ptr_array_add(paths, "header/helpers.h");
	all = entity_scan_many(dir ? dir : "tools/t/data", paths, NULL);
	assert_non_null(all);
	assert_int_equal(g_hash_table_size(all), 2);
	entities = g_hash_table_lookup(all, "header/helpers.h");
	assert_non_null(entity_find(entities, "gate_colour"));
	assert_null(entity_find(entities, "after"));
	entities = g_hash_table_lookup(all, "entity/tricky.h");
	assert_non_null(entity_find(entities, "after"));
	assert_null(entity_find(entities, "gate_colour"));
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
		cmocka_unit_test(header),
		cmocka_unit_test(many),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(missing_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
