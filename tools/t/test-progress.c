// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <cmocka.h>
#include "progress.h"

static void check(const struct progress_view *v, unsigned int columns,
		  const char *expected)
{
	g_autofree char *line = progress_line(v, columns);

	assert_string_equal(line, expected);
}

static void test_line(void **state)
{
	struct progress_view v = { .phase = "configure arm64", .seconds = 7.4 };

	check(&v, 80, "configure arm64, 7 s");
	v = (struct progress_view){ "compile", 0, 463, 0, 12, 2 };
	check(&v, 80, "compile: 0 of 463 done, 0 findings, 463 left, 12 s");
	v = (struct progress_view){ "compile", 10, 50, 1, 130, 2.9 };
	check(&v, 80, "compile: 10 of 50 done, 1 finding, 40 left, 2 min");
	v.phase_seconds = 20;
	check(&v, 80, "compile: 10 of 50 done, 1 finding, 40 left, 2 min,"
	      " about 80 s to go");
	v.phase_seconds = 5000;
	check(&v, 90, "compile: 10 of 50 done, 1 finding, 40 left, 2 min,"
	      " about 5.6 h to go");
	check(&v, 24, "compile: 10 of 50 done,…");
	v.done = 50;
	check(&v, 80, "compile: 50 of 50 done, 1 finding, 0 left, 2 min");
}

/* All that was written to the terminal by now. */
static char *written(int master)
{
	char buf[65536];
	ssize_t n;

	fcntl(master, F_SETFL, O_NONBLOCK);
	n = read(master, buf, sizeof(buf));
	return g_strndup(buf, MAX(n, 0));
}

static FILE *terminal(int *master)
{
	struct winsize size = { .ws_col = 200, .ws_row = 24 };
	FILE *f;

	g_setenv("TERM", "xterm", TRUE);
	*master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_int_equal(grantpt(*master) | unlockpt(*master), 0);
	f = fopen(ptsname(*master), "r+");
	assert_non_null(f);
	assert_int_equal(ioctl(fileno(f), TIOCSWINSZ, &size), 0);
	return f;
}

static void test_terminal(void **state)
{
	int master;
	FILE *tty = terminal(&master);
	struct progress *p = progress_new(tty, false);
	g_autofree char *first = NULL, *jobs = NULL, *end = NULL;

	assert_non_null(p);
	progress_phase(p, "try\033[2J");
	first = written(master);
	assert_string_equal(first, "\rtry\\x1b[2J, 0 s\033[K");

	/* a thousand calls in no time are at most a few lines */
	for (int i = 0; i < 1000; i++)
		progress_jobs(p, i, 1000, 0);
	jobs = written(master);
	assert_true(strlen(jobs) < 1000);

	progress_clear(p);
	progress_clear(p);
	progress_free(p);
	end = written(master);
	assert_string_equal(end, "\r\033[K");
	fclose(tty);
	close(master);
}

static void test_nothing(void **state)
{
	int master;
	FILE *tty = terminal(&master), *file = tmpfile();
	g_autofree char *text = NULL;

	assert_null(progress_new(tty, true));
	assert_null(progress_new(file, false));
	progress_phase(NULL, "x");
	progress_jobs(NULL, 1, 2, 3);
	progress_tick(NULL);
	progress_clear(NULL);
	progress_free(NULL);
	text = written(master);
	assert_string_equal(text, "");
	assert_int_equal(ftell(file), 0);
	fclose(file);
	fclose(tty);
	close(master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_terminal),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
