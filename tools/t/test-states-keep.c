// SPDX-License-Identifier: GPL-2.0
/*
 * Every part of the key of kept states: a wrong hit would be a state that is
 * not compiled, and an error that is not found.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include "kbuild-int.h"
#include "run-keep.h"
#include "states-int.h"
#include "toggle-keep.h"

struct fixture {
	char *dir;
	struct run *run;
	struct runner runner;
	struct variant v;
	struct compdb *db;
	struct states s;
	struct plan p;
	struct state_header h;
	struct state_visit visits[2];
	struct state_round r;
};

static void write_below(const struct fixture *f, const char *name,
			const char *text)
{
	g_autofree char *path = g_build_filename(f->v.odir, name, NULL);
	g_autofree char *dir = g_path_get_dirname(path);

	g_mkdir_with_parents(dir, 0700);
	assert_true(g_file_set_contents(path, text, -1, NULL));
}

static struct step *add_step(struct fixture *f, const char *tree)
{
	struct step *s = g_new0(struct step, 1);

	s->tree = g_strdup(tree);
	g_ptr_array_add(f->run->steps->steps, s);
	return s;
}

static void add_tu(struct fixture *f, const char *object, const char *flag)
{
	g_autofree char *source = g_strdup_printf("%.*s.c",
						  (int)strlen(object) - 2, object);
	struct tu tu = { .object = g_strdup(object), .source = g_strdup(source) };
	const char *values[] = { source, flag, NULL };

	tu.values = g_strdupv((char **)values);
	tu.template = compdb_template_id(f->db, "gcc %1 -Iinclude -c -o %o %s");
	compdb_add(f->db, &tu);
}

static void state_free(gpointer data)
{
	struct tu_state *st = data;

	g_array_unref(st->parts);
	g_hash_table_unref(st->active);
	g_free(st);
}

static void visit_init(struct fixture *f, struct state_visit *sv, guint tus)
{
	sv->header = &f->h;
	sv->variant = &f->v;
	sv->seen = g_array_new(FALSE, FALSE, sizeof(struct state_seen));
	sv->order = g_ptr_array_new();
	sv->states = g_hash_table_new_full(g_bytes_hash, g_bytes_equal,
				(GDestroyNotify)g_bytes_unref, state_free);
	sv->cands = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	for (guint i = 0; i < tus; i++) {
		struct candidate c = { .tu = f->db->tus->pdata[i] };

		g_array_append_val(sv->cands, c);
	}
	g_ptr_array_add(f->s.visits, sv);
}

static int setup(void **state)
{
	struct fixture *f = g_new0(struct fixture, 1);
	guint32 lines[] = { 3, 7 };

	f->dir = g_dir_make_tmp("respin-states-XXXXXX", NULL);
	f->run = run_new();
	f->run->cur = g_strdup("/nowhere");
	f->run->dir = g_strdup(f->dir);
	f->run->runner = &f->runner;
	f->runner.reuse = true;
	f->run->steps = g_new0(struct steps, 1);
	f->run->steps->steps = g_ptr_array_new();
	add_step(f, "base");
	add_step(f, "one");
	f->v = (struct variant){ .name = (char *)"v",
		.odir = g_build_filename(f->dir, "odir", NULL),
		.config_hash = (char *)"config", .toolchain = (char *)"gcc 1" };
	f->v.db = f->db = compdb_new();
	for (guint i = 0; i < 3; i++) {
		g_autofree char *object = g_strdup_printf("t%u.o", i);

		add_tu(f, object, "-DX");
	}
	compdb_finish(f->db);
	write_below(f, "include/generated/autoconf.h", "#define CONFIG_A 1\n");
	f->h.path = (char *)"include/x.h";
	f->h.lines = g_array_new(FALSE, FALSE, sizeof(guint32));
	g_array_append_vals(f->h.lines, lines, 2);
	f->s.visits = g_ptr_array_new();
	visit_init(f, &f->visits[0], 3);
	visit_init(f, &f->visits[1], 2);
	f->p = (struct plan){ .run = f->run, .n = 1 };
	f->r = (struct state_round){ &f->p, &f->s, &f->v, 0, 2, NULL,
				     g_ptr_array_new() };
	for (guint i = 0; i < 3; i++)
		g_ptr_array_add(f->r.tus, f->db->tus->pdata[i]);
	*state = f;
	return f->dir ? 0 : -1;
}

static void visit_clear(struct state_visit *sv)
{
	g_ptr_array_set_size(sv->order, 0);
	g_hash_table_remove_all(sv->states);
	g_array_set_size(sv->seen, 0);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	for (guint i = 0; i < 2; i++) {
		visit_clear(&f->visits[i]);
		g_array_unref(f->visits[i].seen);
		g_array_unref(f->visits[i].cands);
		g_ptr_array_unref(f->visits[i].order);
		g_hash_table_unref(f->visits[i].states);
	}
	g_ptr_array_unref(f->s.visits);
	g_ptr_array_unref(f->r.tus);
	g_array_unref(f->h.lines);
	for (guint i = 0; i < f->run->steps->steps->len; i++) {
		struct step *s = f->run->steps->steps->pdata[i];

		g_free(s->tree);
		g_free(s);
	}
	g_ptr_array_unref(f->run->steps->steps);
	g_clear_pointer(&f->run->steps, g_free);
	f->run->runner = NULL;
	run_free(f->run);
	compdb_free(f->db);
	g_free(f->v.odir);
	remove_tree(f->dir, NULL);
	g_free(f->dir);
	g_free(f);
	return 0;
}

static char *key_of(const struct fixture *f)
{
	g_autoptr(GChecksum) key = states_key(&f->r);

	return g_strdup(g_checksum_get_string(key));
}

/* Is the key another than @was now? */
static void expect_other(const struct fixture *f, const char *was)
{
	g_autofree char *now = key_of(f);

	assert_string_not_equal(now, was);
}

static void expect_same(const struct fixture *f, const char *was)
{
	g_autofree char *now = key_of(f);

	assert_string_equal(now, was);
}

/* @text becomes @other, and @was back again. */
static void expect_counts(const struct fixture *f, const char *was, char **text,
			  const char *other)
{
	char *old = *text;

	*text = (char *)other;
	expect_other(f, was);
	*text = old;
	expect_same(f, was);
}

static void key_sources(void **state)
{
	struct fixture *f = *state;
	g_autofree char *was = key_of(f);
	struct step *base = f->run->steps->steps->pdata[0];
	struct step *one = f->run->steps->steps->pdata[1];
	guint32 *line = &g_array_index(f->h.lines, guint32, 1);

	/* the content of any header or source of the step */
	expect_counts(f, was, &one->tree, "two");
	expect_counts(f, was, &f->h.path, "include/y.h");
	expect_counts(f, was, &f->run->cur, "/elsewhere");
	*line = 8;
	expect_other(f, was);
	*line = 7;
	g_array_set_size(f->h.lines, 1);
	expect_other(f, was);
	/* what a walk does not read */
	f->h.lines = g_array_append_val(f->h.lines, *line);
	expect_same(f, was);
	expect_counts(f, was, &one->tree, "base");
	g_free(base->tree);
	base->tree = g_strdup("other");
	expect_same(f, was);
}

static void key_variant(void **state)
{
	struct fixture *f = *state;
	g_autofree char *was = key_of(f);

	expect_counts(f, was, &f->v.name, "w");
	expect_counts(f, was, &f->v.config_hash, "other");
	expect_counts(f, was, &f->v.toolchain, "gcc 2");
	expect_counts(f, was, &f->v.odir, "/nowhere");
}

static void key_made(void **state)
{
	struct fixture *f = *state;
	g_autofree char *was = key_of(f), *more = NULL, *path = NULL;

	write_below(f, "include/generated/autoconf.h", "#define CONFIG_A 2\n");
	expect_other(f, was);
	write_below(f, "include/generated/autoconf.h", "#define CONFIG_A 1\n");
	expect_same(f, was);
	/* of the same text, by another name */
	write_below(f, "include/generated/asm/a.h", "text");
	expect_other(f, was);
	more = key_of(f);
	write_below(f, "include/generated/asm/b.h", "text");
	path = g_build_filename(f->v.odir, "include/generated/asm/a.h", NULL);
	g_unlink(path);
	expect_other(f, more);
	expect_other(f, was);
	g_free(more);
	more = key_of(f);
	write_below(f, "lib/crc32table.c", "");
	expect_other(f, more);
	g_free(more);
	more = key_of(f);
	/* nobody includes these */
	write_below(f, "mm/a.o", "x");
	write_below(f, "mm/.a.o.cmd", "x");
	write_below(f, "include/config/A", "");
	expect_same(f, more);
}

static void key_commands(void **state)
{
	struct fixture *f = *state;
	g_autofree char *was = key_of(f);
	struct tu *tu = f->db->tus->pdata[1], *other = f->db->tus->pdata[2];
	struct tu before = *tu;
	unsigned int template = tu->template;

	expect_counts(f, was, &tu->values[1], "-DY");
	expect_counts(f, was, &tu->values[0], "z.c");
	expect_counts(f, was, &tu->source, "z.c");
	expect_counts(f, was, &tu->object, "z.o");
	tu->template = compdb_template_id(f->db, "gcc -include z.h -c %s");
	expect_other(f, was);
	tu->template = template;
	expect_same(f, was);
	/* a later step makes it otherwise */
	tu->since = 2;
	tu->before = &before;
	tu->values = other->values;
	expect_same(f, was);
	tu->since = 1;
	expect_other(f, was);
	tu->since = 2;
	tu->before = NULL;
	expect_other(f, was);
	tu->since = 0;
	tu->values = before.values;
	expect_same(f, was);
}

static void key_tus(void **state)
{
	struct fixture *f = *state;
	g_autofree char *was = key_of(f);
	gpointer *tus = f->r.tus->pdata, first = tus[0];

	tus[0] = tus[1];
	tus[1] = first;
	expect_other(f, was);
	tus[1] = tus[0];
	tus[0] = first;
	expect_same(f, was);
	g_array_set_size(f->visits[0].cands, 2);
	expect_other(f, was);
	g_array_set_size(f->visits[0].cands, 3);
	expect_same(f, was);
	f->r.to = 1;
	expect_other(f, was);
}

static void fill(struct fixture *f)
{
	static const guint64 parts[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
	static const struct state_seen seen[] = {
		{ 0, 0, 7, 8, 2 }, { 1, 1, 0, 0, 0 }, { 2, 0, 7, 0, 1 },
	};
	GHashTable *active = g_hash_table_new(NULL, NULL);

	g_hash_table_add(active, GUINT_TO_POINTER(4));
	state_new(&f->visits[0], parts[0], 3, active);
	state_new(&f->visits[0], parts[1], 2, g_hash_table_new(NULL, NULL));
	g_array_append_vals(f->visits[0].seen, seen, 3);
}

static void recall(void **state)
{
	struct fixture *f = *state;
	const struct state_visit *sv = &f->visits[0];
	const struct tu_state *a, *b;
	g_autoptr(GArray) seen = NULL;

	assert_false(states_recall(&f->r));
	fill(f);
	states_remember(&f->r);
	seen = g_array_copy(f->visits[0].seen);
	visit_clear(&f->visits[0]);
	f->runner.reuse = false;
	assert_false(states_recall(&f->r));
	f->runner.reuse = true;
	assert_true(states_recall(&f->r));
	assert_int_equal(sv->order->len, 2);
	assert_int_equal(f->visits[1].order->len, 0);
	assert_int_equal(f->visits[1].seen->len, 0);
	a = sv->order->pdata[0];
	b = sv->order->pdata[1];
	assert_int_equal(a->parts->len, 3);
	assert_int_equal(b->parts->len, 2);
	assert_int_equal(g_array_index(b->parts, guint64, 1), 5);
	assert_int_equal(g_hash_table_size(a->active), 1);
	assert_true(g_hash_table_contains(a->active, GUINT_TO_POINTER(4)));
	assert_int_equal(g_hash_table_size(b->active), 0);
	assert_int_equal(sv->seen->len, 3);
	assert_memory_equal(sv->seen->data, seen->data,
			    3 * sizeof(struct state_seen));
	/* of something else nothing is known */
	visit_clear(&f->visits[0]);
	f->v.toolchain = (char *)"gcc 2";
	assert_false(states_recall(&f->r));
}

/* Well kept, and yet not what it should be. */
static void no_sense(void **state)
{
	struct fixture *f = *state;
	struct state_seen *seen;
	g_autoptr(GChecksum) key = states_key(&f->r);
	g_autoptr(GBytes) junk = g_bytes_new_static("junk", 4);

	run_keep_put(f->run, key, junk);
	assert_false(states_recall(&f->r));
	fill(f);
	seen = &g_array_index(f->visits[0].seen, struct state_seen, 2);
	seen->state = 2;
	states_remember(&f->r);
	visit_clear(&f->visits[0]);
	assert_false(states_recall(&f->r));
	visit_clear(&f->visits[0]);
	fill(f);
	seen->tu = 3;
	states_remember(&f->r);
	visit_clear(&f->visits[0]);
	assert_false(states_recall(&f->r));
	visit_clear(&f->visits[0]);
	fill(f);
	states_remember(&f->r);
	visit_clear(&f->visits[0]);
	assert_true(states_recall(&f->r));
}

/* What kconfig refused, of the same settings on the same base only. */
static void refused(void **state)
{
	struct fixture *f = *state;
	struct step *last = f->run->steps->steps->pdata[1];
	g_autofree char *why = NULL, *tree = last->tree;

	assert_null(toggle_refused(f->run, &f->v, "# CONFIG_A is not set\n"));
	toggle_keep_refused(f->run, &f->v, "# CONFIG_A is not set\n", "B selects it");
	why = toggle_refused(f->run, &f->v, "# CONFIG_A is not set\n");
	assert_string_equal(why, "B selects it");
	assert_null(toggle_refused(f->run, &f->v, "# CONFIG_B is not set\n"));
	last->tree = g_strdup("other");
	assert_null(toggle_refused(f->run, &f->v, "# CONFIG_A is not set\n"));
	g_free(last->tree);
	last->tree = g_steal_pointer(&tree);
	f->v.config_hash = (char *)"other";
	assert_null(toggle_refused(f->run, &f->v, "# CONFIG_A is not set\n"));
	f->v.config_hash = (char *)"config";
	f->runner.reuse = false;
	assert_null(toggle_refused(f->run, &f->v, "# CONFIG_A is not set\n"));
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(key_sources), TEST(key_variant), TEST(key_made),
		TEST(key_commands), TEST(key_tus), TEST(recall), TEST(no_sense), TEST(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
