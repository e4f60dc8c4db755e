// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include "kbuild-int.h"
#include "kept.h"

static int setup(void **state)
{
	*state = g_dir_make_tmp("respin-kept-XXXXXX", NULL);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	remove_tree(*state, NULL);
	g_free(*state);
	return 0;
}

/* Parts with '|' between them. */
static GChecksum *key_of(const char *parts)
{
	g_auto(GStrv) list = g_strsplit(parts, "|", -1);
	GChecksum *key = kept_key(list[0]);

	for (char **p = list + 1; *p; p++)
		kept_add(key, *p);
	return key;
}

static void put(const char *dir, const char *parts, const char *text)
{
	g_autoptr(GChecksum) key = key_of(parts);
	g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));

	kept_put(dir, key, bytes);
}

/* @want NULL: nothing is kept. */
static void expect(const char *dir, const char *parts, const char *want)
{
	g_autoptr(GChecksum) key = key_of(parts);
	g_autoptr(GBytes) bytes = kept_get(dir, key);
	gsize len;

	if (!want) {
		assert_null(bytes);
		return;
	}
	assert_non_null(bytes);
	assert_memory_equal(g_bytes_get_data(bytes, &len) ?: "", want,
			    strlen(want));
	assert_int_equal(len, strlen(want));
}

static char *path_of(const char *dir, const char *parts)
{
	g_autoptr(GChecksum) key = key_of(parts);

	return g_build_filename(dir, g_checksum_get_string(key), NULL);
}

static void test_keys(void **state)
{
	g_autofree char *below = g_build_filename(*state, "not/yet", NULL);

	put(below, "kind|ab|c", "answer\n");
	expect(below, "kind|ab|c", "answer\n");
	/* not what is joined, nor another kind, nor a part more or less */
	expect(below, "kind|a|bc", NULL);
	expect(below, "kind|abc", NULL);
	expect(below, "other|ab|c", NULL);
	expect(below, "kind|ab|c|", NULL);
	expect(below, "kind|ab", NULL);
	put(below, "kind|ab|c", "");
	expect(below, "kind|ab|c", "");
	expect(NULL, "kind|ab|c", NULL);
	put(NULL, "kind|ab|c", "nowhere");
}

static void test_data(void **state)
{
	g_autoptr(GChecksum) a = kept_key("k"), b = kept_key("k");
	g_autoptr(GChecksum) c = kept_key("k"), d = kept_key("k");

	kept_add_data(a, "x\0y", 3);
	kept_add_data(b, "x\0z", 3);
	kept_add_number(c, 1);
	kept_add_number(d, 256);
	assert_string_not_equal(g_checksum_get_string(a),
				g_checksum_get_string(b));
	assert_string_not_equal(g_checksum_get_string(c),
				g_checksum_get_string(d));
}

/* Every byte counts, and so does the name. */
static void test_damaged(void **state)
{
	g_autofree char *path = path_of(*state, "kind|a");
	g_autofree char *other = path_of(*state, "kind|b"), *text = NULL;
	gsize len;

	put(*state, "kind|a", "some answer");
	assert_true(g_file_get_contents(path, &text, &len, NULL));
	for (gsize i = 0; i < len; i++) {
		text[i] ^= 1;
		assert_true(g_file_set_contents(path, text, len, NULL));
		expect(*state, "kind|a", NULL);
		text[i] ^= 1;
	}
	for (gsize i = 0; i < len; i++) {
		assert_true(g_file_set_contents(path, text, i, NULL));
		expect(*state, "kind|a", NULL);
	}
	assert_true(g_file_set_contents(path, text, len, NULL));
	expect(*state, "kind|a", "some answer");
	assert_true(g_file_set_contents(other, text, len, NULL));
	expect(*state, "kind|b", NULL);
	/* it is made anew */
	put(*state, "kind|b", "another");
	expect(*state, "kind|b", "another");
}

static void age(const char *dir, const char *parts, int seconds)
{
	g_autofree char *path = path_of(dir, parts);
	struct timespec t[2] = { { .tv_sec = seconds }, { .tv_sec = seconds } };

	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

static void test_prune(void **state)
{
	g_autofree char *fill = g_strnfill(1000, 'x');

	for (int i = 0; i < 4; i++) {
		g_autofree char *parts = g_strdup_printf("kind|%d", i);

		put(*state, parts, fill);
		age(*state, parts, 1000 + i);
	}
	kept_prune(*state, 8000);
	expect(*state, "kind|3", fill);
	/* the first was of use since, so that the second is the oldest */
	expect(*state, "kind|0", fill);
	age(*state, "kind|3", 1003);
	kept_prune(*state, 4000);
	expect(*state, "kind|1", NULL);
	expect(*state, "kind|2", NULL);
	expect(*state, "kind|3", fill);
	expect(*state, "kind|0", fill);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_keys, setup, teardown),
		cmocka_unit_test_setup_teardown(test_data, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
		cmocka_unit_test_setup_teardown(test_prune, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
