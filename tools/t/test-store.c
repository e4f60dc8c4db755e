// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <cmocka.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include "error.h"
#include "store.h"

static char *dir, *path;

static int setup(void **state)
{
	dir = g_dir_make_tmp("respin-test-XXXXXX", NULL);
	path = g_build_filename(dir, "new", "results.db", NULL);
	return 0;
}

static int teardown(void **state)
{
	g_autofree char *sub = g_path_get_dirname(path);
	g_autoptr(GDir) d = g_dir_open(sub, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *p = g_build_filename(sub, name, NULL);

		g_unlink(p);
	}
	g_rmdir(sub);
	g_rmdir(dir);
	g_free(dir);
	g_free(path);
	return 0;
}

static struct store *open_ok(void)
{
	GError *error = NULL;
	struct store *s = store_open(path, &error);

	if (error)
		print_error("%s\n", error->message);
	assert_non_null(s);
	return s;
}

/* "@" in @expected stands for the path of the store. */
static void check_refused(const char *expected)
{
	g_autoptr(GString) text = g_string_new(expected);
	GError *error = NULL;

	g_string_replace(text, "@", path, 0);
	assert_null(store_open(path, &error));
	assert_string_equal(error->message, text->str);
	assert_true(g_error_matches(error, RESPIN_ERROR, RESPIN_ERROR_IO));
	g_error_free(error);
}

static const struct job_result sample = {
	.outcome = 1,
	.diags = (char *)"[{\"message\": \"unused variable 'π'\"}]",
	.deps = (char *)"include/linux/mm.h\nmm/mmap.c\n",
	.reason = (char *)"it's \"quoted\"; DROP TABLE result",
	.symbols = (char *)"O\nU kfree\n",
	.seconds = 1.25,
};

static void check_sample(struct store *s, const char *key)
{
	struct job_result r;

	assert_true(store_get(s, key, &r));
	assert_int_equal(r.outcome, sample.outcome);
	assert_string_equal(r.diags, sample.diags);
	assert_string_equal(r.deps, sample.deps);
	assert_string_equal(r.reason, sample.reason);
	assert_string_equal(r.symbols, sample.symbols);
	assert_true(r.seconds == sample.seconds);
	job_result_clear(&r);
	assert_null(r.diags);
}

static void test_round_trip(void **state)
{
	g_autoptr(store_t) s = open_ok();
	const struct job_result empty = { .outcome = 3 };
	struct job_result r;

	assert_false(store_get(s, "k", &r));
	assert_null(r.diags);
	assert_int_equal(store_put(s, "k", &sample, NULL), 0);
	assert_int_equal(store_put(s, "K", &empty, NULL), 0);
	check_sample(s, "k");
	assert_true(store_get(s, "K", &r));
	assert_int_equal(r.outcome, 3);
	assert_string_equal(r.diags, "");
	assert_string_equal(r.deps, "");
	assert_string_equal(r.reason, "");
	assert_string_equal(r.symbols, "");
	job_result_clear(&r);
	assert_false(store_get(s, "k ", &r));

	/* replaced */
	assert_int_equal(store_put(s, "K", &sample, NULL), 0);
	check_sample(s, "K");
}

static void test_reopen(void **state)
{
	struct store *s = open_ok();
	struct job_result r;

	assert_int_equal(store_put(s, "k", &sample, NULL), 0);
	store_close(s);
	s = open_ok();
	check_sample(s, "k");
	assert_false(store_get(s, "l", &r));
	store_close(s);
	store_close(NULL);
}

static void check_report(char *got, const char *expected)
{
	if (expected)
		assert_string_equal(got, expected);
	else
		assert_null(got);
	g_free(got);
}

static void test_reports(void **state)
{
	g_autoptr(store_t) s = open_ok();
	g_auto(GStrv) none = store_report_names(s), names = NULL;
	g_autofree char *joined = NULL;

	assert_null(none[0]);
	check_report(store_last_report(s), NULL);
	assert_int_equal(store_put_report(s, "a", "{1}", NULL), 0);
	assert_int_equal(store_put_report(s, "b", "{2}", NULL), 0);
	check_report(store_last_report(s), "{2}");
	assert_int_equal(store_put_report(s, "a", "{3}", NULL), 0);
	check_report(store_last_report(s), "{3}");
	check_report(store_report(s, "a"), "{3}");
	check_report(store_report(s, "b"), "{2}");
	check_report(store_report(s, "c"), NULL);
	names = store_report_names(s);
	joined = g_strjoinv("|", names);
	assert_string_equal(joined, "a|b");
}

/* Puts without end, and says after each that it is committed. */
static void put_until_killed(int fd)
{
	struct store *s = store_open(path, NULL);

	for (int i = 0; s; i++) {
		g_autofree char *key = g_strdup_printf("key%d", i);

		if (store_put(s, key, &sample, NULL) ||
		    write(fd, "", 1) != 1)
			break;
	}
	_exit(1);
}

static void test_killed(void **state)
{
	int fds[2], status, committed = 0;
	char byte;
	pid_t pid;
	struct store *s;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid)
		put_until_killed(fds[1]);
	close(fds[1]);
	while (committed < 500 && read(fds[0], &byte, 1) == 1)
		committed++;
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_true(WIFSIGNALED(status));
	/* what it said before it was killed, and we had not read yet */
	while (read(fds[0], &byte, 1) == 1)
		committed++;
	close(fds[0]);
	assert_true(committed >= 500);

	s = open_ok();
	for (int i = 0; i < committed; i++) {
		g_autofree char *key = g_strdup_printf("key%d", i);

		check_sample(s, key);
	}
	store_close(s);
}

/* Opens a store that may be new at the same moment as others do. */
static int put_many(char who)
{
	GError *error = NULL;
	struct store *s = store_open(path, &error);
	int failed = !s;

	if (error)
		print_error("%s\n", error->message);

	for (int i = 0; s && i < 100; i++) {
		g_autofree char *key = g_strdup_printf("%c%d", who, i);

		failed += store_put(s, key, &sample, NULL) != 0;
	}
	store_close(s);
	return failed;
}

static void test_two_at_once(void **state)
{
	struct store *s;

	for (int round = 0; round < 10; round++) {
		pid_t pids[3];

		for (int p = 0; p < 3; p++) {
			pids[p] = fork();
			if (!pids[p])
				_exit(put_many('a' + p));
		}
		for (int p = 0; p < 3; p++) {
			int status;

			waitpid(pids[p], &status, 0);
			assert_int_equal(status, 0);
		}
		s = open_ok();
		check_sample(s, "a99");
		check_sample(s, "b99");
		check_sample(s, "c0");
		store_close(s);
		g_unlink(path);
	}
}

static void exec_sql(const char *query)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, query, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void test_newer_schema(void **state)
{
	store_close(open_ok());
	store_close(open_ok());
	exec_sql("PRAGMA user_version = 99");
	check_refused("the store '@' has schema 99 of a newer respin, this one"
		      " knows 2; use the newer one, or remove the file");
}

/* A store from before symbols were kept: its results are made again. */
static void test_older_schema(void **state)
{
	struct job_result r;
	struct store *s = open_ok();

	assert_int_equal(store_put(s, "k", &sample, NULL), 0);
	assert_int_equal(store_put_report(s, "series", "{}", NULL), 0);
	store_close(s);
	exec_sql("ALTER TABLE result DROP COLUMN symbols;"
		 " PRAGMA user_version = 1");
	s = open_ok();
	assert_false(store_get(s, "k", &r));
	assert_int_equal(store_put(s, "k", &sample, NULL), 0);
	check_sample(s, "k");
	check_report(store_report(s, "series"), "{}");
	store_close(s);
}

static void test_foreign(void **state)
{
	g_autofree char *sub = g_path_get_dirname(path);

	g_mkdir(sub, 0755);
	exec_sql("CREATE TABLE bookmarks (url TEXT)");
	check_refused("'@' is a database, but no store of respin;"
		      " choose another respin.cacheDir");
	/* and it is as it was */
	exec_sql("INSERT INTO bookmarks VALUES ('x')");
}

static void test_no_database(void **state)
{
	g_autofree char *text = g_strnfill(8192, 'x');

	store_close(open_ok());
	assert_true(g_file_set_contents(path, text, -1, NULL));
	check_refused("the store '@' is damaged (file is not a database);"
		      " remove the file, its results are made again");
	g_unlink(path);
	store_close(open_ok());
}

static void fill(int n)
{
	struct store *s = open_ok();

	for (int i = 0; i < n; i++) {
		g_autofree char *key = g_strdup_printf("key%d", i);

		assert_int_equal(store_put(s, key, &sample, NULL), 0);
	}
	store_close(s);
}

static void test_truncated(void **state)
{
	fill(200);
	assert_int_equal(truncate(path, 8192), 0);
	check_refused("the store '@' is damaged (database disk image is"
		      " malformed); remove the file, its results are made again");
}

/*
 * Whatever byte of the file changes: the store is refused, or a result is
 * not there, or it is what was put.
 */
static void test_changed_bytes(void **state)
{
	g_autofree char *whole = NULL;
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);
	gsize len;
	int refused = 0, lost = 0;

	fill(40);
	assert_true(g_file_get_contents(path, &whole, &len, NULL));
	for (int round = 0; round < 400; round++) {
		gsize at = g_rand_int_range(rand, 0, len);
		char byte = whole[at];
		struct store *s;

		whole[at] ^= 1 << g_rand_int_range(rand, 0, 8);
		assert_true(g_file_set_contents(path, whole, len, NULL));
		whole[at] = byte;
		s = store_open(path, NULL);
		refused += !s;
		for (int i = 0; s && i < 40; i++) {
			g_autofree char *key = g_strdup_printf("key%d", i);
			struct job_result r;

			if (!store_get(s, key, &r)) {
				lost++;
				continue;
			}
			job_result_clear(&r);
			check_sample(s, key);
		}
		store_close(s);
	}
	/* else nothing was tested */
	assert_true(refused > 0);
	assert_true(lost > 0);
}

/* A changed value, in a row that SQLite reads without complaint. */
static void test_changed_value(void **state)
{
	struct job_result r;
	struct store *s;

	fill(3);
	exec_sql("UPDATE result SET outcome = 0 WHERE key = 'key1'");
	s = open_ok();
	check_sample(s, "key0");
	assert_false(store_get(s, "key1", &r));
	assert_null(r.diags);
	check_sample(s, "key2");
	assert_int_equal(store_put(s, "key1", &sample, NULL), 0);
	check_sample(s, "key1");
	store_close(s);
}

static void test_disk_full(void **state)
{
	struct rlimit old, low;
	struct store *s;
	GError *error = NULL;
	struct job_result r;
	int n = 0;

	fill(10);
	s = open_ok();
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	low = old;
	low.rlim_cur = 100 << 10;
	setrlimit(RLIMIT_FSIZE, &low);
	for (int rc = 0; !rc; n++) {
		g_autofree char *key = g_strdup_printf("more%d", n);

		rc = store_put(s, key, &sample, &error);
		assert_int_equal(rc, error ? -1 : 0);
	}
	setrlimit(RLIMIT_FSIZE, &old);
	assert_true(n > 2);
	assert_true(g_str_has_prefix(error->message, "cannot write the store '"));
	g_error_free(error);

	/* all before is there, the failed one is not, the next one works */
	check_sample(s, "key9");
	for (int i = 0; i < n; i++) {
		g_autofree char *key = g_strdup_printf("more%d", i);

		if (i < n - 1)
			check_sample(s, key);
		else
			assert_false(store_get(s, key, &r));
	}
	assert_int_equal(store_put(s, "after", &sample, NULL), 0);
	store_close(s);
	s = open_ok();
	check_sample(s, "after");
	store_close(s);
}

static void test_no_access(void **state)
{
	GError *error = NULL;

	assert_null(store_open("/proc/respin/results.db", &error));
	assert_string_equal(error->message, "cannot open the store"
			    " '/proc/respin/results.db': unable to open database file");
	g_error_free(error);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_round_trip),
		TEST(test_reopen),
		TEST(test_reports),
		TEST(test_killed),
		TEST(test_two_at_once),
		TEST(test_newer_schema),
		TEST(test_older_schema),
		TEST(test_foreign),
		TEST(test_no_database),
		TEST(test_truncated),
		TEST(test_changed_value),
		TEST(test_changed_bytes),
		TEST(test_disk_full),
		TEST(test_no_access),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
