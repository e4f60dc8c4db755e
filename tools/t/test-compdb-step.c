// SPDX-License-Identifier: GPL-2.0
/* The database follows the series: which command at which step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "compdb.h"

/* "a b/c:-Wx": objects a.o and b/c.o, the latter with one more flag. */
static struct compdb *database(const char *words)
{
	g_auto(GStrv) list = g_strsplit(words, " ", -1);
	struct compdb *db = compdb_new();

	for (char **w = list; **w; w++) {
		g_auto(GStrv) part = g_strsplit(*w, ":", 2);
		g_autofree char *line = g_strdup_printf(
			"scripts/basic/fixdep %1$s.d %1$s.o 'gcc -nostdinc "
			"-D__KERNEL__ %2$s -c -o %1$s.o /src/%1$s.c' > x\n",
			part[0], part[1] ? part[1] : "");

		assert_int_equal(compdb_parse(db, line, strlen(line), "/src"), 1);
		if (!w[1])
			break;
	}
	compdb_finish(db);
	return db;
}

static void append(GString *s, const char *sign, const GPtrArray *tus)
{
	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];

		g_string_append_printf(s, "%s%s%s", s->len ? " " : "", sign,
				       tu->object);
	}
}

static bool stays_named(const struct tu *tu, void *data)
{
	return data && !strcmp(tu->object, data);
}

/* "+added *changed -gone" */
static void expect(struct compdb *db, const char *words, const char *dir,
		   unsigned int step, const char *stays, const char *want)
{
	struct compdb *now = database(words);
	g_autoptr(GString) got = g_string_new("");
	struct compdb_delta d;

	compdb_delta_init(&d);
	compdb_update(db, now, dir, step, stays_named, (void *)stays, &d);
	append(got, "+", d.added);
	append(got, "*", d.changed);
	append(got, "-", d.gone);
	assert_string_equal(got->str, want);
	compdb_delta_clear(&d);
	compdb_free(now);
}

static void expect_argv(const struct compdb *db, const struct tu *tu,
			unsigned int step, const char *want)
{
	const struct tu *at = compdb_at(tu, step);
	g_auto(GStrv) argv = at ? compdb_argv(db, at, "/t", "O", "D", NULL) : NULL;
	g_autofree char *got = argv ? g_strjoinv(" ", argv) : g_strdup("nothing");

	assert_string_equal(got, want);
}

#define CMD(flags) "gcc -nostdinc -D__KERNEL__ " flags "-c -o O /t/mm/a.c"

static void test_same(void **state)
{
	struct compdb *db = database("mm/a mm/b lib/c");

	expect(db, "mm/a mm/b", "mm", 1, NULL, "");
	/* what is elsewhere is not compared, though it be printed or not */
	expect(db, "mm/a mm/b lib/new", "mm", 1, NULL, "");
	expect(db, "mm/a mm/b mmm/x", "mm", 1, NULL, "");
	assert_int_equal(db->tus->len, 3);
	compdb_free(db);
}

static void test_moves(void **state)
{
	struct compdb *db = database("mm/a mm/b lib/c");
	struct tu *a = compdb_find_object(db, "mm/a.o");
	struct tu *b = compdb_find_object(db, "mm/b.o");

	expect(db, "mm/a:-Wx mm/new", "mm", 2, NULL,
	       "+mm/new.o *mm/a.o -mm/b.o");
	assert_ptr_equal(compdb_find_object(db, "mm/a.o"), a);
	assert_null(compdb_find_object(db, "mm/b.o"));
	assert_null(compdb_by_source(db, "mm/b.c"));
	assert_int_equal(compdb_by_source(db, "mm/new.c")->len, 1);
	assert_int_equal(compdb_by_source(db, "mm/a.c")->len, 1);
	expect_argv(db, a, 0, CMD(""));
	expect_argv(db, a, 1, CMD(""));
	expect_argv(db, a, 2, CMD("-Wx "));
	expect_argv(db, a, 9, CMD("-Wx "));
	assert_non_null(compdb_at(b, 1));
	assert_null(compdb_at(b, 2));
	assert_null(compdb_at(compdb_find_object(db, "mm/new.o"), 1));
	compdb_free(db);
}

static void test_comes_back(void **state)
{
	struct compdb *db = database("mm/a mm/b");
	struct tu *a = compdb_find_object(db, "mm/a.o");

	expect(db, "mm/b", "mm", 1, NULL, "-mm/a.o");
	expect(db, "mm/b mm/a:-Wx", "mm", 3, NULL, "+mm/a.o");
	assert_ptr_equal(compdb_find_object(db, "mm/a.o"), a);
	expect_argv(db, a, 0, CMD(""));
	expect_argv(db, a, 1, "nothing");
	expect_argv(db, a, 2, "nothing");
	expect_argv(db, a, 3, CMD("-Wx "));
	compdb_free(db);
}

static void test_stays(void **state)
{
	struct compdb *db = database("mm/a mm/b");

	expect(db, "mm/b", "mm", 1, "mm/a.o", "");
	assert_non_null(compdb_find_object(db, "mm/a.o"));
	expect(db, "mm/b", "mm", 1, NULL, "-mm/a.o");
	compdb_free(db);
}

static void test_whole(void **state)
{
	struct compdb *db = database("mm/a lib/c");

	expect(db, "mm/a fs/d", "", 1, NULL, "+fs/d.o -lib/c.o");
	compdb_free(db);
}

static char *saved(const struct compdb *db)
{
	g_autofree char *path = NULL;
	char *text = NULL;

	close(g_file_open_tmp("respin-compdb-XXXXXX", &path, NULL));
	assert_int_equal(compdb_save(db, path, NULL), 0);
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	unlink(path);
	return text;
}

/* However it came about, the same commands are saved as the same text. */
static void test_flatten(void **state)
{
	struct compdb *a = database("mm/b:-Wb mm/a:-Wa mm/c lib/d");
	struct compdb *b = database("lib/d mm/x:-Wx mm/c mm/b:-Wx mm/a:-Wa");
	g_autofree char *one = NULL, *other = NULL, *raw = NULL;

	expect(b, "mm/b:-Wb mm/a:-Wa mm/c", "mm", 0, NULL, "*mm/b.o -mm/x.o");
	raw = saved(b);
	compdb_flatten(a);
	compdb_flatten(b);
	one = saved(a);
	other = saved(b);
	assert_string_not_equal(one, raw);
	assert_string_equal(one, other);
	assert_int_equal(b->gone->len, 0);
	assert_null(compdb_find_object(b, "mm/b.o")->before);
	expect_argv(b, compdb_find_object(b, "mm/a.o"), 0, CMD("-Wa "));
	compdb_free(a);
	compdb_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_comes_back),
		cmocka_unit_test(test_stays),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_flatten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
