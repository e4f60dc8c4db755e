/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only place that starts processes, always from an argument vector.
 * Each job is a process group of its own: a time limit, an error or Ctrl-C
 * kills the whole group, so that no child survives respin.
 */
#ifndef RESPIN_PROC_H
#define RESPIN_PROC_H

#include <glib.h>
#include <stdbool.h>

enum proc_end {
	PROC_EXITED,		/* status is its exit status */
	PROC_SIGNALED,		/* status is the signal */
	PROC_TIMEOUT,		/* killed after its time */
	PROC_FAILED,		/* not started; err says why */
	PROC_CANCELED,		/* killed since respin was interrupted */
};

struct proc_job {
	/* in; all owned by the caller until proc_job_free() */
	char **argv;		/* NULL-terminated; argv[0] searched in PATH */
	char **env;		/* NULL: respin's own; else the whole environment */
	char *cwd;		/* NULL: respin's own */
	unsigned int seconds;	/* wall time limit; 0: none */
	gsize output_max;	/* bytes kept of each stream; 0: 64 MiB */
	char *out_path;		/* stdout goes to this file; NULL: kept in out */
	void *data;		/* the caller's */
	/* out */
	enum proc_end end;
	int status;
	bool cut;		/* output passed output_max: the rest was dropped */
	double wall;		/* seconds */
	double cpu;		/* seconds, user and system, children included */
	GString *out, *err;	/* what it printed */
};

struct proc_job *proc_job_new(char **argv);	/* takes argv */
void proc_job_free(struct proc_job *j);
/* One line for messages: "gcc: killed by signal 9", "spatch: exit status 255" */
char *proc_job_describe(const struct proc_job *j);

/* Runs one job to its end; stdin is /dev/null. */
void proc_run(struct proc_job *j);

/*
 * Runs jobs, at most @width at once.  @next gives the next job or NULL when
 * there is none now; it is asked again after each @done.  @done takes the job
 * over.  Both may be called in any order from this one thread.
 * Ends when nothing runs and @next gives NULL, or when interrupted.
 */
typedef struct proc_job *(*proc_next_fn)(void *data);
typedef void (*proc_done_fn)(struct proc_job *j, void *data);
void proc_pool(unsigned int width, proc_next_fn next, proc_done_fn done,
	       void *data);

/*
 * After proc_catch_signals() SIGINT, SIGTERM and SIGHUP only set a flag: the
 * pool kills its jobs and returns.  A second SIGINT ends respin at once.
 */
void proc_catch_signals(void);
bool proc_interrupted(void);
#endif
