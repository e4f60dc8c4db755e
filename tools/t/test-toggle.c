// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "toggle.h"

static const char source[] =
	"#ifdef CONFIG_AROUND\n"			/* 1 */
	"int f(void)\n"					/* 2 */
	"{\n"						/* 3 */
	"	if (IS_ENABLED(CONFIG_INSIDE))\n"	/* 4 */
	"		return 1; /* CONFIG_COMMENT */\n" /* 5 */
	"	return helper(CONFIG_ON_LINE);\n"	/* 6 */
	"}\n"						/* 7 */
	"#endif\n"					/* 8 */
	"int g(void)\n"					/* 9 */
	"{\n"						/* 10 */
	"	return IS_ENABLED(CONFIG_FAR);\n"	/* 11 */
	"}\n";						/* 12 */

struct scene {
	struct ctext *t;
	GPtrArray *conditions, *entities, *list;
	GArray *added, *removed;
	struct toggle_file f;
};

static void scene_init(struct scene *s, const char *text)
{
	s->t = ctext_new(text, strlen(text));
	s->conditions = condition_scan_ctext(s->t);
	s->entities = entity_array_new();
	s->list = toggle_list_new();
	s->added = g_array_new(FALSE, FALSE, sizeof(guint));
	s->removed = g_array_new(FALSE, FALSE, sizeof(guint));
	s->f = (struct toggle_file){ "mm/x.c", 2, s->t, s->conditions,
				     s->entities, s->added, s->removed };
}

static void scene_clear(struct scene *s)
{
	ctext_free(s->t);
	g_ptr_array_unref(s->conditions);
	g_ptr_array_unref(s->entities);
	g_ptr_array_unref(s->list);
	g_array_unref(s->added);
	g_array_unref(s->removed);
}

static void add_entity(GPtrArray *entities, const char *name,
		       enum entity_kind kind, guint line, guint end)
{
	g_ptr_array_add(entities, entity_new(name, kind, line, end, ""));
}

/* "rank distance line SYMBOL", the nearest first. */
static void expect(struct scene *s, const char *want)
{
	g_autoptr(GString) got = g_string_new("");

	toggle_sort(s->list);
	for (guint i = 0; i < s->list->len; i++) {
		const struct toggle *t = s->list->pdata[i];

		g_string_append_printf(got, "%u %u %u %s\n", t->rank,
				       t->distance, t->line, t->symbol);
	}
	assert_string_equal(got->str, want);
}

static void test_near(void **state)
{
	struct scene s;
	guint line = 6;

	scene_init(&s, source);
	add_entity(s.entities, "f", ENTITY_FUNCTION, 2, 7);
	add_entity(s.entities, "g", ENTITY_FUNCTION, 9, 12);
	g_array_append_val(s.added, line);
	toggle_near(s.list, &s.f);
	expect(&s, "0 0 6 ON_LINE\n0 5 6 AROUND\n3 2 6 INSIDE\n");
	scene_clear(&s);
}

/* What goes away may leave nothing to the symbols around it. */
static void test_removed(void **state)
{
	struct scene s;
	guint line = 6;

	scene_init(&s, source);
	add_entity(s.entities, "f", ENTITY_FUNCTION, 2, 7);
	g_array_append_val(s.removed, line);
	toggle_near(s.list, &s.f);
	expect(&s, "3 0 6 ON_LINE\n3 2 6 INSIDE\n3 5 6 AROUND\n");
	scene_clear(&s);
}

static char on(const char *symbol, void *data)
{
	return strstr(data, symbol) ? 'y' : 'n';
}

static GHashTable *set_of(GHashTable *names)
{
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter it;
	gpointer name;

	g_hash_table_iter_init(&it, names);
	while (g_hash_table_iter_next(&it, &name, NULL))
		g_hash_table_add(set, name);
	return set;
}

/* Line 1 of "int f(void) { return helper(); }" is added; @header declares. */
static void expect_declared(const char *text, const char *header,
			    const char *entity, const char *config,
			    const char *want)
{
	struct scene s;
	guint line = strstr(text, "helper") == strchr(text, 'h') ? 1 : 2;
	g_autoptr(GPtrArray) conditions = condition_scan(header, strlen(header));
	g_autoptr(GPtrArray) entities = entity_array_new();
	g_autoptr(GPtrArray) decls = toggle_decls_new();
	g_autoptr(GHashTable) names = NULL, set = NULL;
	g_auto(GStrv) lines = g_strsplit(header, "\n", -1);

	scene_init(&s, text);
	add_entity(s.entities, entity, ENTITY_FUNCTION, line, line);
	for (guint i = 0; lines[i]; i++)
		if (strstr(lines[i], "helper"))
			add_entity(entities, "helper", ENTITY_PROTOTYPE, i + 1,
				   i + 1);
	g_array_append_val(s.added, line);
	names = toggle_names(&s.f);
	set = set_of(names);
	toggle_decls(decls, set, "linux/h.h", conditions, entities);
	toggle_declared(s.list, &s.f, names, decls, on, (void *)config);
	expect(&s, want);
	scene_clear(&s);
}

static const char caller[] = "int f(void) { return helper(); }\n";
static const char one_sided[] = "#ifdef CONFIG_A\nint helper(void);\n#endif\n";
static const char stub[] = "#ifdef CONFIG_A\nint helper(void);\n#else\n"
	"#define helper() 0\n#endif\n";

static void test_declared(void **state)
{
	expect_declared(caller, one_sided, "f", "A", "1 0 1 A\n");
	/* Off: it is the other state that declares it. */
	expect_declared(caller, one_sided, "f", "", "4 0 1 A\n");
	expect_declared(caller, stub, "f", "A", "4 0 1 A\n");
	expect_declared(caller, "int helper(void);\n", "f", "A", "");
	expect_declared(caller, "#ifdef CONFIG_A\nint other(void);\n#endif\n",
			"f", "A", "");
	/* Either is enough. */
	expect_declared(caller, "#if defined(CONFIG_A) || defined(CONFIG_B)\n"
			"int helper(void);\n#endif\n", "f", "AB", "");
	expect_declared(caller, "#if defined(CONFIG_A) && defined(CONFIG_B)\n"
			"int helper(void);\n#endif\n", "f", "AB",
			"1 0 1 A\n1 0 1 B\n");
	/* An architecture may have its own. */
	expect_declared(caller, "#ifndef __HAVE_ARCH_HELPER\n#ifdef CONFIG_A\n"
			"int helper(void);\n#endif\n#endif\n", "f", "A",
			"1 0 1 A\n");
	expect_declared(caller, "int helper(int);\n#ifdef CONFIG_A\n"
			"int helper(void);\n#endif\n", "f", "A", "4 0 1 A\n");
}

static void test_declared_guarded(void **state)
{
	/* Where the caller is gone too, nothing can be missing. */
	expect_declared("#ifdef CONFIG_A\nint f(void) { return helper(); }\n"
			"#endif\n", one_sided, "f", "A", "");
	/* A definition that is changed itself: its other one may not fit. */
	expect_declared("int helper(void) { return 1; }\n", stub, "helper", "A",
			"2 0 1 A\n");
}

static void test_names(void **state)
{
	struct scene s;
	g_autoptr(GHashTable) names = NULL, conditional = NULL, seen = NULL;
	struct ctext *header = ctext_new(stub, strlen(stub));
	guint line = 6;

	scene_init(&s, source);
	g_array_append_val(s.added, line);
	names = toggle_names(&s.f);
	assert_int_equal(g_hash_table_size(names), 1);
	assert_true(g_hash_table_contains(names, "helper"));
	conditional = g_hash_table_new(g_str_hash, g_str_equal);
	assert_false(toggle_mentions(s.t, conditional, conditional));
	assert_true(toggle_mentions(header, names, conditional));
	assert_true(g_hash_table_contains(conditional, "helper"));
	ctext_free(header);
	header = ctext_new("int helper(void);\n", 18);
	seen = g_hash_table_new(g_str_hash, g_str_equal);
	assert_true(toggle_mentions(header, names, seen));
	assert_int_equal(g_hash_table_size(seen), 0);
	ctext_free(header);
	scene_clear(&s);
}

static struct toggle *toggle_of(const char *symbol, enum toggle_rank rank,
				unsigned int distance)
{
	struct toggle *t = g_new0(struct toggle, 1);

	t->symbol = g_strdup(symbol);
	t->rank = rank;
	t->distance = distance;
	t->path = g_strdup("mm/x.c");
	t->line = 7;
	t->name = g_strdup("helper");
	t->where = g_strdup("linux/h.h:3");
	return t;
}

static void test_reasons(void **state)
{
	static const char *const want[] = {
		[TOGGLE_LINE] = "it decides on mm/x.c:7",
		[TOGGLE_DECLARED] = "'helper' (linux/h.h:3), used on mm/x.c:7, is "
			"declared or not by it",
		[TOGGLE_CHANGED] = "it decides which 'helper' (linux/h.h:3) is "
			"taken on mm/x.c:7",
		[TOGGLE_INSIDE] = "it stands near mm/x.c:7",
		[TOGGLE_OTHER] = "it decides which 'helper' (linux/h.h:3) is "
			"taken on mm/x.c:7",
	};

	for (guint i = 0; i < G_N_ELEMENTS(want); i++) {
		struct toggle *t = toggle_of("A", i, 0);
		g_autofree char *got = toggle_reason(t);

		assert_string_equal(got, want[i]);
		assert_int_equal(toggle_decides(t), i <= TOGGLE_CHANGED);
		toggle_free(t);
	}
}

static void test_nearest_stays(void **state)
{
	GPtrArray *list = toggle_list_new();
	const struct toggle *t;

	toggle_add(list, toggle_of("A", TOGGLE_INSIDE, 3));
	toggle_add(list, toggle_of("A", TOGGLE_INSIDE, 1));
	toggle_add(list, toggle_of("A", TOGGLE_OTHER, 0));
	assert_int_equal(list->len, 1);
	t = list->pdata[0];
	assert_int_equal(t->rank, TOGGLE_INSIDE);
	assert_int_equal(t->distance, 1);
	g_ptr_array_unref(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_declared),
		cmocka_unit_test(test_declared_guarded),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_nearest_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
