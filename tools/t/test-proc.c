// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include "proc.h"

static struct proc_job *sh(const char *script)
{
	const char *argv[] = { "sh", "-c", script, NULL };

	return proc_job_new(g_strdupv((char **)argv));
}

static void expect_text(struct proc_job *j, const char *text)
{
	g_autofree char *s = proc_job_describe(j);

	assert_string_equal(s, text);
}

static void exits(void **state)
{
	struct proc_job *j = sh("echo out; echo err >&2; exit 3");

	proc_run(j);
	assert_int_equal(j->end, PROC_EXITED);
	assert_int_equal(j->status, 3);
	assert_string_equal(j->out->str, "out\n");
	assert_string_equal(j->err->str, "err\n");
	assert_false(j->cut);
	expect_text(j, "sh: exit status 3");
	proc_job_free(j);
}

static void signaled(void **state)
{
	struct proc_job *j = sh("kill -9 $$");

	proc_run(j);
	assert_int_equal(j->end, PROC_SIGNALED);
	assert_int_equal(j->status, 9);
	expect_text(j, "sh: killed by signal 9");
	proc_job_free(j);
}

static void not_found(void **state)
{
	const char *argv[] = { "respin-no-such-program", NULL };
	struct proc_job *j = proc_job_new(g_strdupv((char **)argv));

	proc_run(j);
	assert_int_equal(j->end, PROC_FAILED);
	expect_text(j, "respin-no-such-program: cannot run: "
		    "respin-no-such-program: No such file or directory");
	proc_job_free(j);

	j = sh("true");
	j->cwd = g_strdup("/no/such/dir");
	proc_run(j);
	assert_int_equal(j->end, PROC_FAILED);
	expect_text(j, "sh: cannot run: /no/such/dir: No such file or directory");
	proc_job_free(j);
}

/* More than a pipe holds, on both at once: a reader of one would hang. */
static void both_pipes(void **state)
{
	struct proc_job *j = sh("head -c 3000000 /dev/zero >&2;"
				"head -c 3000000 /dev/zero");

	j->seconds = 20;
	proc_run(j);
	assert_int_equal(j->end, PROC_EXITED);
	assert_int_equal(j->out->len, 3000000);
	assert_int_equal(j->err->len, 3000000);
	assert_false(j->cut);
	proc_job_free(j);
}

static void output_max(void **state)
{
	struct proc_job *j = sh("head -c 300000 /dev/zero; exit 4");

	j->output_max = 1000;
	proc_run(j);
	assert_int_equal(j->end, PROC_EXITED);
	assert_int_equal(j->status, 4);
	assert_int_equal(j->out->len, 1000);
	assert_true(j->cut);
	proc_job_free(j);
}

static bool alive(const char *pid)
{
	return !kill(atoi(pid), 0) || errno != ESRCH;
}

static void wait_gone(const char *pid)
{
	assert_true(atoi(pid) > 0);
	for (int i = 0; i < 200 && alive(pid); i++)
		g_usleep(10000);
	assert_false(alive(pid));
}

static void timeout_kills_group(void **state)
{
	struct proc_job *j = sh("trap '' TERM; sleep 60 & echo $!; wait; wait;"
				"sleep 60; sleep 60");

	j->seconds = 1;
	proc_run(j);
	assert_int_equal(j->end, PROC_TIMEOUT);
	assert_true(j->wall > 0.9 && j->wall < 10);
	expect_text(j, "sh: killed after its time limit of 1 s");
	wait_gone(j->out->str);
	proc_job_free(j);
}

/* A child left behind holds the pipe: neither waited for nor left alive. */
static void left_behind(void **state)
{
	struct proc_job *j = sh("sleep 60 & echo $!");

	proc_run(j);
	assert_int_equal(j->end, PROC_EXITED);
	assert_true(j->wall < 10);
	wait_gone(j->out->str);
	proc_job_free(j);
}

static void closes_output_early(void **state)
{
	struct proc_job *j = sh("exec >&- 2>&-; sleep 0.3; exit 5");

	proc_run(j);
	assert_int_equal(j->end, PROC_EXITED);
	assert_int_equal(j->status, 5);
	assert_true(j->wall > 0.2);
	proc_job_free(j);
}

static void env_cwd_stdin(void **state)
{
	const char *env[] = { "A=b c", "PATH=/usr/bin:/bin", NULL };
	struct proc_job *j = sh("echo \"$A-$HOME\"; pwd; cat; ls /proc/$$/fd");

	j->env = g_strdupv((char **)env);
	j->cwd = g_strdup("/usr");
	proc_run(j);
	assert_string_equal(j->out->str, "b c-\n/usr\n0\n1\n2\n");
	proc_job_free(j);
}

static void out_path(void **state)
{
	g_autofree char *path = NULL, *text = NULL;
	int fd = g_file_open_tmp("respin-proc-XXXXXX", &path, NULL);
	struct proc_job *j = sh("echo 1 2; echo 3 >&2");

	assert_true(fd >= 0);
	close(fd);
	j->out_path = g_strdup(path);
	proc_run(j);
	assert_int_equal(j->end, PROC_EXITED);
	assert_int_equal(j->out->len, 0);
	assert_string_equal(j->err->str, "3\n");
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	assert_string_equal(text, "1 2\n");
	g_unlink(path);
	proc_job_free(j);

	j = sh("true");
	j->out_path = g_strdup("/no/such/file");
	proc_run(j);
	assert_int_equal(j->end, PROC_FAILED);
	expect_text(j, "sh: cannot run: /no/such/file: No such file or directory");
	proc_job_free(j);
}

static void cpu_time(void **state)
{
	struct proc_job *j = sh("head -c 200000000 /dev/zero | sha1sum");

	proc_run(j);
	assert_int_equal(j->end, PROC_EXITED);
	assert_true(j->cpu > 0.05);
	proc_job_free(j);
}

static void wrapped_name(void **state)
{
	const char *bw[] = { "bwrap", "--proc", "/proc", "--", "/x/gcc", NULL };
	const char *env[] = { "/usr/bin/env", "-i", "-C", "/d", "A=b", "gcc",
			      NULL };
	struct proc_job *j = proc_job_new(g_strdupv((char **)bw));

	j->end = PROC_EXITED;
	expect_text(j, "gcc: exit status 0");
	proc_job_free(j);
	j = proc_job_new(g_strdupv((char **)env));
	j->end = PROC_SIGNALED;
	j->status = 11;
	expect_text(j, "gcc: killed by signal 11");
	proc_job_free(j);
}

struct pool {
	int given, done, running, most, sum;
	int limit;		/* jobs to give */
	bool interrupt;		/* when all run */
};

static struct proc_job *pool_next(void *data)
{
	struct pool *p = data;
	struct proc_job *j;

	if (p->given == p->limit)
		return NULL;
	j = sh(p->interrupt ? "sleep 60" : "sleep 0.05; exit 2");
	p->given++;
	p->running++;
	p->most = MAX(p->most, p->running);
	if (p->interrupt && p->given == p->limit)
		raise(SIGTERM);
	return j;
}

static void pool_done(struct proc_job *j, void *data)
{
	struct pool *p = data;

	p->done++;
	p->running--;
	p->sum += j->end == PROC_EXITED ? j->status : 1000 * (int)j->end;
	proc_job_free(j);
}

static void pool(void **state)
{
	struct pool p = { .limit = 10 };

	proc_pool(3, pool_next, pool_done, &p);
	assert_int_equal(p.given, 10);
	assert_int_equal(p.done, 10);
	assert_int_equal(p.most, 3);
	assert_int_equal(p.sum, 20);
}

/* Last: the flag stays. */
static void interrupt(void **state)
{
	struct pool p = { .limit = 3, .interrupt = true };
	gint64 start = g_get_monotonic_time();
	struct proc_job *j = sh("true");

	assert_false(proc_interrupted());
	proc_catch_signals();
	proc_pool(5, pool_next, pool_done, &p);
	assert_true(proc_interrupted());
	assert_int_equal(p.done, 3);
	assert_int_equal(p.sum, 3 * 1000 * PROC_CANCELED);
	assert_true(g_get_monotonic_time() - start < 10 * G_USEC_PER_SEC);

	proc_run(j);
	assert_int_equal(j->end, PROC_CANCELED);
	expect_text(j, "sh: interrupted");
	proc_job_free(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exits),
		cmocka_unit_test(signaled),
		cmocka_unit_test(not_found),
		cmocka_unit_test(both_pipes),
		cmocka_unit_test(output_max),
		cmocka_unit_test(timeout_kills_group),
		cmocka_unit_test(left_behind),
		cmocka_unit_test(closes_output_early),
		cmocka_unit_test(env_cwd_stdin),
		cmocka_unit_test(out_path),
		cmocka_unit_test(cpu_time),
		cmocka_unit_test(wrapped_name),
		cmocka_unit_test(pool),
		cmocka_unit_test(interrupt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
