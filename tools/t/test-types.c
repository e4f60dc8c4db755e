// SPDX-License-Identifier: GPL-2.0
/* The closures over types: who holds or measures one, who switches over one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "fake-repo.h"
#include "impact.h"

static const char *const srcarches[] = { "x86", NULL };

static char *data_path(void)
{
	const char *dir = g_getenv("RESPIN_TEST_DATA");

	return g_build_filename(dir ? dir : "tools/t/data", "types", "tree",
				NULL);
}

/* "what:item value\n" for each item of @set, sorted. */
static void append_set(GString *s, const char *what, GHashTable *set,
		       GHashTable *ranks)
{
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(set),
					    (GCompareFunc)strcmp);

	for (GList *l = keys; l; l = l->next) {
		g_string_append_printf(s, "%s:%s", what, (char *)l->data);
		if (ranks)
			g_string_append_printf(s, " %u", GPOINTER_TO_UINT(
				g_hash_table_lookup(ranks, l->data)));
		else if (*what == 'H')
			g_string_append_printf(s, " %s", (char *)
				g_hash_table_lookup(set, l->data));
		g_string_append_c(s, '\n');
	}
}

static char *describe(const struct impact *im, bool ranked)
{
	GString *s = g_string_new(NULL);

	assert_false(im->capped);
	append_set(s, "N", im->names, NULL);
	append_set(s, "M", im->members, NULL);
	append_set(s, "L", im->layouts, NULL);
	append_set(s, "S", im->sources, ranked ? im->ranks : NULL);
	append_set(s, "H", im->headers, NULL);
	return g_string_free(s, FALSE);
}

static struct impact *close_names(struct incgraph *g, const char *checkout,
				  const GPtrArray *words,
				  const char *const *arches, GError **error)
{
	return impact_close(g, checkout, words, NULL, arches, error);
}

static void expect(impact_fn fn, const char *const *words, const char *want)
{
	g_autofree char *tree = data_path(), *have = NULL;
	struct incgraph *g = incgraph_load(&fake_repo, tree, NULL, NULL);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	g_autoptr(impact_t) im = NULL;

	for (; *words; words++)
		g_ptr_array_add(list, (gpointer)*words);
	im = fn(g, tree, list, srcarches, NULL);
	assert_non_null(im);
	have = describe(im, fn != close_names);
	assert_string_equal(have, want);
	incgraph_free(g);
}

static void hold(void **state)
{
	const char *const parm[] = { "struct parm", NULL };
	const char *const points[] = { "struct points", NULL };
	const char *const nobody[] = { "struct nobody", NULL };
	const char *const word[] = { "outer", NULL };

	expect(impact_hold, parm,
	       "N:CB\nN:DEFINE_PARM\nN:PARM\nN:PARM_SIZE\nN:first_parm\n"
	       "N:parm_checked\nN:parm_local\n"
	       "N:weak_of\n"
	       "L:cb_t\nL:struct cb\nL:struct outer\nL:struct parm\n"
	       "S:asserts.c 0\nS:asserts_macro.c 1\nS:checked.c 1\nS:holds.c 1\n"
	       "S:holds_inline.c 1\nS:holds_macro.c 1\nS:holds_variable.c 1\n"
	       "S:measures.c 2\n"
	       "H:include/assert.h line 1: 'outer' outside of any function\n");
	expect(impact_hold, points,
	       "L:struct points\n"
	       "S:points_not.c 1\n"
	       "H:include/assert_not.h line 1: 'points' outside of any "
	       "function\n");
	expect(impact_hold, nobody, "L:struct nobody\n");
	/* a typedef of that name would be another thing than the tag */
	expect(impact_hold, word, "L:outer\n");
}

static void switches(void **state)
{
	const char *const kind[] = { "KIND_A", "KIND_B", "enum kind", NULL };
	const char *const other[] = { "OTHER_A", "enum other", NULL };

	expect(impact_switch, kind,
	       "N:KIND_A\nN:KIND_ALIAS\nN:KIND_B\nN:kind\n"
	       "S:switch.c 0\nS:switch_alias.c 0\nS:switch_type.c 1\n"
	       "H:include/kind_inline.h line 4: 'KIND_A' in a case label\n");
	expect(impact_switch, other,
	       "N:OTHER_A\nN:other\nS:switch_other.c 0\n");
}

/* A name in a type: its layout, the member, the enumerators that count on. */
static void inner(void **state)
{
	const char *const bits[] = { "KIND_BITS", NULL };
	const char *const nr[] = { "NR_KINDS", NULL };
	const char *const kind[] = { "kind", NULL };
	const char *const config[] = { "CONFIG_KINDS", NULL };

	expect(close_names, config,
	       "N:CONFIG_KINDS\nM:maybe\nM:member\n"
	       "L:struct conditional\nL:struct whole\n"
	       "H:include/config.h line 7: 'CONFIG_KINDS' guards struct "
	       "'whole'\n");
	expect(close_names, bits, "N:KIND_BITS\nM:kind\nL:struct kinds\n");
	/* in a macro's arguments it may make the member's name */
	expect(close_names, nr,
	       "N:KIND_BITS\nN:NEXT_FIRST\nN:NEXT_SECOND\nN:NR_KINDS\n"
	       "M:count\nM:kind\nM:more\nM:of_kind\n"
	       "L:struct kinds\nL:struct kinds_plain\n"
	       "S:value.c\n"
	       "H:include/kind.h line 11: 'NR_KINDS' in struct 'kinds'\n");
	expect(close_names, kind,
	       "N:kind\nN:kind_name\nN:kind_t\nM:kind\n"
	       "L:kind_t\nL:struct kinds\n"
	       "S:switch.c\nS:switch_not.c\nS:switch_type.c\n");
}

static void kept(void **state)
{
	g_autofree char *tree = data_path(), *path = NULL;
	g_autofree char *dir = g_dir_make_tmp("respin-XXXXXX", NULL);
	struct incgraph *g = incgraph_load(&fake_repo, tree, NULL, NULL);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	g_autofree char *first = NULL, *second = NULL;
	g_autoptr(impact_t) a = NULL, b = NULL, other = NULL;
	GDir *d;

	g_ptr_array_add(list, (gpointer)"struct parm");
	a = impact_kept(impact_hold, "hold", dir, "t", g, tree, list, srcarches,
			NULL);
	b = impact_kept(impact_hold, "hold", dir, "t", g, tree, list, srcarches,
			NULL);
	first = describe(a, true);
	second = describe(b, true);
	assert_string_equal(first, second);
	assert_true(a->rounds > 0);
	assert_int_equal(b->rounds, 0);
	assert_int_equal(a->files, b->files);
	/* another closure of the same words is another file */
	other = impact_kept(impact_switch, "switch", dir, "t", g, tree, list,
			    srcarches, NULL);
	assert_true(other->rounds > 0);
	d = g_dir_open(dir, 0, NULL);
	for (int i = 0; i < 2; i++) {
		path = g_build_filename(dir, g_dir_read_name(d), NULL);
		g_unlink(path);
		g_clear_pointer(&path, g_free);
	}
	assert_null(g_dir_read_name(d));
	g_dir_close(d);
	g_rmdir(dir);
	incgraph_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hold),
		cmocka_unit_test(switches),
		cmocka_unit_test(inner),
		cmocka_unit_test(kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
