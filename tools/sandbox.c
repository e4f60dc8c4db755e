// SPDX-License-Identifier: GPL-2.0
#include <unistd.h>
#include "error.h"
#include "proc.h"
#include "sandbox.h"

/*
 * The same with and without the sandbox.  Time, user and host would make
 * generated headers differ between two runs; GIT_DIR keeps setlocalversion
 * from asking whatever repository surrounds the cache for a version.
 */
static const char *const fixed_env[] = {
	"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
	"LC_ALL=C",
	"HOME=/var/empty",
	"TMPDIR=/tmp",
	"GIT_DIR=/nonexistent",
	"KBUILD_BUILD_TIMESTAMP=Thu Jan  1 00:00:00 UTC 1970",
	"KBUILD_BUILD_USER=respin",
	"KBUILD_BUILD_HOST=respin",
	NULL
};

static void add(GPtrArray *a, const char *word)
{
	g_ptr_array_add(a, g_strdup(word));
}

static void add_all(GPtrArray *a, const char *const *words)
{
	for (; words && *words; words++)
		add(a, *words);
}

static void add_setenv(GPtrArray *a, const char *const *env)
{
	for (; env && *env; env++) {
		const char *value = strchr(*env, '=');

		g_assert(value);
		add(a, "--setenv");
		g_ptr_array_add(a, g_strndup(*env, value - *env));
		add(a, value + 1);
	}
}

static void add_binds(GPtrArray *a, const char *how, const char *const *paths)
{
	for (; paths && *paths; paths++) {
		add(a, how);
		add(a, *paths);
		add(a, *paths);
	}
}

/* /bin, /lib, ...: links into /usr on most hosts, directories on others */
static void add_root_dirs(GPtrArray *a)
{
	static const char *const dirs[] = {
		"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"
	};

	for (guint i = 0; i < G_N_ELEMENTS(dirs); i++) {
		g_autofree char *target = g_file_read_link(dirs[i], NULL);

		if (target) {
			add(a, "--symlink");
			add(a, target);
			add(a, dirs[i]);
		} else if (g_file_test(dirs[i], G_FILE_TEST_IS_DIR)) {
			add_binds(a, "--ro-bind",
				  (const char *[]){ dirs[i], NULL });
		}
	}
}

static void add_bwrap(GPtrArray *a)
{
	static const char *const isolate[] = {
		"bwrap", "--unshare-all", "--die-with-parent", "--new-session",
		"--cap-drop", "ALL", "--hostname", "respin",
		"--ro-bind", "/usr", "/usr", NULL
	};
	/* of /etc what programs need to be found and started */
	static const char *const rest[] = {
		"--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
		"--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
		"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
		"--dir", "/var/empty", "--clearenv", NULL
	};

	add_all(a, isolate);
	add_root_dirs(a);
	add_all(a, rest);
}

/* A compiler that eats all memory would take what runs beside it along. */
static void add_limits(GPtrArray *a, const struct sandbox *sb)
{
	if (!sb->memory)
		return;
	add(a, "prlimit");
	g_ptr_array_add(a, g_strdup_printf("--as=%" G_GINT64_FORMAT,
					   sb->memory << 20));
	add(a, "--core=0");
	add(a, "--");
}

char **sandbox_argv(const struct sandbox *sb, char *const *argv,
		    const char *cwd, const char *const *ro,
		    const char *const *rw, const char *const *env)
{
	GPtrArray *a = g_ptr_array_new();

	if (sb->off) {
		add_all(a, (const char *[]){ "/usr/bin/env", "-i", "-C",
					     cwd ? cwd : "/", NULL });
		add_all(a, fixed_env);
		add_all(a, env);
	} else {
		add_bwrap(a);
		add_setenv(a, fixed_env);
		add_setenv(a, env);
		/* rw last: an O= may lie inside of a source tree */
		add_binds(a, "--ro-bind", ro);
		add_binds(a, "--bind", rw);
		add(a, "--chdir");
		add(a, cwd ? cwd : "/");
		add(a, "--");
	}
	add_limits(a, sb);
	add_all(a, (const char *const *)argv);
	g_ptr_array_add(a, NULL);
	return (char **)g_ptr_array_free(a, FALSE);
}

int sandbox_check(const struct sandbox *sb, GError **error)
{
	char *argv[] = { (char *)"true", NULL };
	struct proc_job *j;
	g_autofree char *why = NULL;
	int rc = 0;

	if (sb->off)
		return 0;
	j = proc_job_new(sandbox_argv(sb, argv, "/", NULL, NULL, NULL));
	j->seconds = 20;
	proc_run(j);
	if (j->end != PROC_EXITED || j->status) {
		g_strstrip(j->err->str);
		why = *j->err->str ? g_strdup(j->err->str) :
				     proc_job_describe(j);
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "the sandbox does not work: %s; install 'bubblewrap'"
			    " and allow user namespaces, or run with"
			    " --no-sandbox if you trust the series", why);
		rc = -1;
	}
	proc_job_free(j);
	return rc;
}
