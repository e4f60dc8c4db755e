// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "proc.h"

#define OUTPUT_MAX	((gsize)64 << 20)
#define TERM_GRACE	(2 * G_USEC_PER_SEC)	/* SIGTERM to SIGKILL */
#define TICK_MS		200	/* a signal that comes just before poll() */
#define TICK_NO_PIDFD	20	/* kernels before 5.3: look for ends */
#define GROUPS_MAX	256

struct run {
	struct proc_job *job;
	pid_t pid;		/* and its process group */
	int pidfd;		/* readable once the process ended; -1: none */
	int fd[2];		/* its stdout and stderr; -1: closed */
	int slot;		/* in groups[], or -1 */
	gint64 start;		/* monotonic, microseconds */
	gint64 deadline;	/* of the next kill; 0: none */
	bool termed;		/* SIGTERM was sent */
};

extern char **environ;

static volatile sig_atomic_t interrupted;
/*
 * What runs, for the handler: the jobs are in groups of their own, so the
 * terminal's signal does not reach them and nobody else would kill them.
 */
static volatile pid_t groups[GROUPS_MAX];

struct proc_job *proc_job_new(char **argv)
{
	struct proc_job *j = g_new0(struct proc_job, 1);

	j->argv = argv;
	j->end = PROC_FAILED;
	j->out = g_string_new(NULL);
	j->err = g_string_new(NULL);
	return j;
}

void proc_job_free(struct proc_job *j)
{
	if (!j)
		return;
	g_strfreev(j->argv);
	g_strfreev(j->env);
	g_free(j->cwd);
	g_free(j->out_path);
	g_string_free(j->out, TRUE);
	g_string_free(j->err, TRUE);
	g_free(j);
}

/* The program that was meant, not the wrapper (sandbox.c) it runs in. */
static char *job_name(const struct proc_job *j)
{
	g_autofree char *base = g_path_get_basename(j->argv[0]);
	char **a = j->argv + 1;

	if (!strcmp(base, "bwrap")) {
		while (*a && strcmp(*a, "--"))
			a++;
		if (*a && a[1])
			return g_path_get_basename(a[1]);
	} else if (!strcmp(base, "env")) {
		while (*a && (**a == '-' || **a == '/' || strchr(*a, '=')))
			a++;
		if (*a)
			return g_path_get_basename(*a);
	}
	return g_steal_pointer(&base);
}

char *proc_job_describe(const struct proc_job *j)
{
	g_autofree char *name = job_name(j);

	switch (j->end) {
	case PROC_EXITED:
		return g_strdup_printf("%s: exit status %d", name, j->status);
	case PROC_SIGNALED:
		return g_strdup_printf("%s: killed by signal %d", name,
				       j->status);
	case PROC_TIMEOUT:
		return g_strdup_printf("%s: killed after its time limit of %u s",
				       name, j->seconds);
	case PROC_CANCELED:
		return g_strdup_printf("%s: interrupted", name);
	case PROC_FAILED:
		break;
	}
	return g_strdup_printf("%s: cannot run: %s", name,
			       j->err->len ? j->err->str : "unknown error");
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int groups_add(pid_t pid)
{
	for (int i = 0; i < GROUPS_MAX; i++) {
		if (!groups[i]) {
			groups[i] = pid;
			return i;
		}
	}
	return -1;
}

static void job_failed(struct proc_job *j, const char *what, int err)
{
	j->end = PROC_FAILED;
	g_string_printf(j->err, "%s: %s", what, g_strerror(err));
}

/*
 * posix_spawn: fork() copies the page tables of a process that holds the
 * include graph of a kernel; and an exec that fails is reported to us.
 */
static int spawn(struct proc_job *j, int out, int err, pid_t *pid)
{
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t attr;
	sigset_t set;
	int rc;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&fa, out, 1);
	posix_spawn_file_actions_adddup2(&fa, err, 2);
	posix_spawn_file_actions_addclosefrom_np(&fa, 3);
	if (j->cwd)
		posix_spawn_file_actions_addchdir_np(&fa, j->cwd);

	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP |
				 POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attr, 0);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(&attr, &set);
	sigfillset(&set);
	posix_spawnattr_setsigdefault(&attr, &set);

	rc = posix_spawnp(pid, j->argv[0], &fa, &attr, j->argv,
			  j->env ? j->env : environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&fa);
	return rc;
}

static int open_output(struct proc_job *j, int out[2])
{
	if (!j->out_path) {
		if (!pipe2(out, O_CLOEXEC))
			return 0;
		job_failed(j, "pipe", errno);
		return -1;
	}
	out[0] = -1;
	out[1] = open(j->out_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		      0666);
	if (out[1] >= 0)
		return 0;
	job_failed(j, j->out_path, errno);
	return -1;
}

/* -1: the job has its end already */
static int run_start(struct run *r, struct proc_job *j)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 }, rc;

	*r = (struct run){ .job = j, .pidfd = -1, .fd = { -1, -1 }, .slot = -1 };
	if (open_output(j, out))
		return -1;
	if (pipe2(err, O_CLOEXEC)) {
		job_failed(j, "pipe", errno);
		close_fd(&out[0]);
		close_fd(&out[1]);
		return -1;
	}
	r->start = g_get_monotonic_time();
	rc = spawn(j, out[1], err[1], &r->pid);
	close_fd(&out[1]);
	close_fd(&err[1]);
	if (rc) {
		job_failed(j, j->cwd ? j->cwd : j->argv[0], rc);
		close_fd(&out[0]);
		close_fd(&err[0]);
		return -1;
	}
	r->fd[0] = out[0];
	r->fd[1] = err[0];
	for (int i = 0; i < 2; i++)
		if (r->fd[i] >= 0)
			fcntl(r->fd[i], F_SETFL, O_NONBLOCK);
	r->pidfd = syscall(SYS_pidfd_open, r->pid, 0);
	r->slot = groups_add(r->pid);
	if (j->seconds)
		r->deadline = r->start + (gint64)j->seconds * G_USEC_PER_SEC;
	return 0;
}

/*
 * One read's worth; false: nothing to be had now.  What passes the limit is
 * read and dropped: a job that cannot write would never end.
 */
static bool read_some(struct run *r, int i)
{
	struct proc_job *j = r->job;
	GString *s = i ? j->err : j->out;
	gsize max = j->output_max ? j->output_max : OUTPUT_MAX;
	char buf[65536];
	ssize_t n;

	do {
		n = read(r->fd[i], buf, sizeof(buf));
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return false;
	if (n <= 0) {
		close_fd(&r->fd[i]);
		return false;
	}
	if ((gsize)n > max - s->len) {
		n = max - s->len;
		j->cut = true;
	}
	g_string_append_len(s, buf, n);
	return true;
}

static void run_kill(struct run *r)
{
	kill(-r->pid, r->termed ? SIGKILL : SIGTERM);
	r->deadline = r->termed ? 0 : g_get_monotonic_time() + TERM_GRACE;
	r->termed = true;
}

static void run_deadline(struct run *r)
{
	if (interrupted && r->job->end != PROC_CANCELED) {
		r->job->end = PROC_CANCELED;
		if (!r->termed)
			run_kill(r);
	}
	if (!r->deadline || g_get_monotonic_time() < r->deadline)
		return;
	if (!r->termed)
		r->job->end = PROC_TIMEOUT;
	run_kill(r);
}

static void run_status(struct proc_job *j, int status)
{
	bool exited = WIFEXITED(status);

	j->status = exited ? WEXITSTATUS(status) : WTERMSIG(status);
	if (j->end != PROC_TIMEOUT && j->end != PROC_CANCELED)
		j->end = exited ? PROC_EXITED : PROC_SIGNALED;
}

/*
 * True when the job ended.  Its group is killed while the leader is still
 * a zombie, so that the number cannot belong to anybody else yet; what is
 * in the pipes then is all there will be.
 */
static bool run_ended(struct run *r)
{
	siginfo_t si = { 0 };
	struct rusage ru = { 0 };
	struct proc_job *j = r->job;
	int status = 0;

	if (waitid(P_PID, r->pid, &si, WEXITED | WNOHANG | WNOWAIT) ||
	    !si.si_pid)
		return false;
	kill(-r->pid, SIGKILL);
	for (int i = 0; i < 2; i++) {
		while (r->fd[i] >= 0 && read_some(r, i))
			;
		close_fd(&r->fd[i]);
	}
	while (wait4(r->pid, &status, 0, &ru) < 0 && errno == EINTR)
		;
	if (r->slot >= 0)
		groups[r->slot] = 0;
	close_fd(&r->pidfd);
	run_status(j, status);
	j->wall = (g_get_monotonic_time() - r->start) / 1e6;
	j->cpu = ru.ru_utime.tv_sec + ru.ru_stime.tv_sec +
		 (ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) / 1e6;
	return true;
}

/* Sleeps until a job writes or ends, or until the next deadline. */
static void pool_wait(GArray *runs, GArray *fds)
{
	gint64 now = g_get_monotonic_time();
	int ms = TICK_MS;

	g_array_set_size(fds, 0);
	for (guint i = 0; i < runs->len; i++) {
		struct run *r = &g_array_index(runs, struct run, i);
		struct pollfd p[3] = {
			{ .fd = r->fd[0], .events = POLLIN },
			{ .fd = r->fd[1], .events = POLLIN },
			{ .fd = r->pidfd, .events = POLLIN },
		};

		g_array_append_vals(fds, p, 3);
		if (r->pidfd < 0)
			ms = MIN(ms, TICK_NO_PIDFD);
		if (r->deadline)
			ms = CLAMP((r->deadline - now) / 1000 + 1, 0, ms);
	}
	if (poll((struct pollfd *)(void *)fds->data, fds->len, ms) <= 0)
		g_array_set_size(fds, 0);
}

static void pool_fill(GArray *runs, unsigned int width, proc_next_fn next,
		      proc_done_fn done, void *data)
{
	while (runs->len < width && !interrupted) {
		struct proc_job *j = next(data);
		struct run r;

		if (!j)
			return;
		if (run_start(&r, j))
			done(j, data);
		else
			g_array_append_val(runs, r);
	}
}

static void pool_service(GArray *runs, GArray *fds, proc_done_fn done,
			 void *data)
{
	/* before any run leaves: the two arrays stand side by side */
	for (guint i = 0; i < fds->len; i++) {
		struct run *r = &g_array_index(runs, struct run, i / 3);

		if (g_array_index(fds, struct pollfd, i).revents && i % 3 < 2)
			read_some(r, i % 3);
	}
	for (guint i = 0; i < runs->len;) {
		struct run *r = &g_array_index(runs, struct run, i);
		struct proc_job *j = r->job;

		if (!run_ended(r)) {
			run_deadline(r);
			i++;
			continue;
		}
		g_array_remove_index(runs, i);
		done(j, data);
	}
}

void proc_pool(unsigned int width, proc_next_fn next, proc_done_fn done,
	       void *data)
{
	g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(struct run));
	g_autoptr(GArray) fds = g_array_new(FALSE, FALSE,
					    sizeof(struct pollfd));

	/* a parent that ignores SIGCHLD leaves us no status to wait for */
	signal(SIGCHLD, SIG_DFL);
	for (;;) {
		pool_fill(runs, MAX(width, 1), next, done, data);
		if (!runs->len)
			return;
		pool_wait(runs, fds);
		pool_service(runs, fds, done, data);
	}
}

static struct proc_job *run_next(void *data)
{
	struct proc_job **j = data;

	return g_steal_pointer(j);
}

static void run_done(struct proc_job *j, void *data)
{
}

void proc_run(struct proc_job *j)
{
	struct proc_job *todo = j;

	if (interrupted)
		j->end = PROC_CANCELED;
	proc_pool(1, run_next, run_done, &todo);
}

static void on_signal(int sig)
{
	if (interrupted && sig == SIGINT) {
		for (int i = 0; i < GROUPS_MAX; i++)
			if (groups[i])
				kill(-groups[i], SIGKILL);
		_exit(128 + SIGINT);
	}
	interrupted = 1;
}

void proc_catch_signals(void)
{
	static const int sigs[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal }, old;

	sigemptyset(&sa.sa_mask);
	for (guint i = 0; i < G_N_ELEMENTS(sigs); i++) {
		/* nohup: who is told to ignore it goes on doing so */
		if (!sigaction(sigs[i], NULL, &old) &&
		    old.sa_handler == SIG_IGN)
			continue;
		sigaction(sigs[i], &sa, NULL);
	}
}

bool proc_interrupted(void)
{
	return interrupted;
}
