/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A git repository in a temporary directory, one per test.  Made by git itself
 * (g_spawn: only in tests), so that libgit2 is not tested against libgit2.
 */
#ifndef RESPIN_SANDBOX_REPO_H
#define RESPIN_SANDBOX_REPO_H

#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>

struct sandbox {
	char *dir;
};

/* libgit2 1.5 loses a match object of each pattern that it looks for. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libpcre2";
}

static void sandbox_spawn(char **argv, char **out)
{
	g_autofree char *err = NULL;
	GError *error = NULL;
	int status;

	if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
			  out, &err, &status, &error) ||
	    !g_spawn_check_wait_status(status, &error))
		g_error("%s %s: %s%s", argv[0], argv[3], error->message, err);
	if (out)
		g_strchomp(*out);
}

/* Runs git ARGS... (NULL-terminated) in the repository; its output. */
static inline char *sandbox_git(struct sandbox *sb, ...)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	char *arg, *out = NULL;
	va_list ap;

	g_ptr_array_add(argv, "git");
	g_ptr_array_add(argv, "-C");
	g_ptr_array_add(argv, sb->dir);
	va_start(ap, sb);
	while ((arg = va_arg(ap, char *)))
		g_ptr_array_add(argv, arg);
	va_end(ap);
	g_ptr_array_add(argv, NULL);
	sandbox_spawn((char **)argv->pdata, &out);
	return out;
}

#define sandbox_run(...) g_free(sandbox_git(__VA_ARGS__))

static inline struct sandbox *sandbox_new_with(const char *option)
{
	struct sandbox *sb = g_new0(struct sandbox, 1);

	/* Nothing of the user's settings, and dates that do not change. */
	g_setenv("GIT_CONFIG_NOSYSTEM", "1", TRUE);
	g_setenv("GIT_CONFIG_GLOBAL", "/dev/null", TRUE);
	g_setenv("GIT_AUTHOR_DATE", "1700000000 +0100", TRUE);
	g_setenv("GIT_COMMITTER_DATE", "1700000000 +0100", TRUE);
	sb->dir = g_dir_make_tmp("respin-test-XXXXXX", NULL);
	sandbox_run(sb, "init", "-q", "-b", "main", option, NULL);
	sandbox_run(sb, "config", "user.name", "A U Thor", NULL);
	sandbox_run(sb, "config", "user.email", "a@example.com", NULL);
	return sb;
}

static inline struct sandbox *sandbox_new(void)
{
	return sandbox_new_with(NULL);
}

static inline void sandbox_free(struct sandbox *sb)
{
	char *argv[] = { "rm", "-rf", "--", sb->dir, NULL };

	sandbox_spawn(argv, NULL);
	g_free(sb->dir);
	g_free(sb);
}

static inline void sandbox_write(struct sandbox *sb, const char *path,
				 const char *text)
{
	g_autofree char *full = g_build_filename(sb->dir, path, NULL);
	g_autofree char *dir = g_path_get_dirname(full);

	g_mkdir_with_parents(dir, 0777);
	if (!g_file_set_contents(full, text, -1, NULL))
		g_error("cannot write %s", full);
}

static inline void sandbox_append(struct sandbox *sb, const char *path,
				  const char *text)
{
	g_autofree char *full = g_build_filename(sb->dir, path, NULL);
	g_autofree char *old = NULL, *new = NULL;

	if (!g_file_get_contents(full, &old, NULL, NULL))
		g_error("cannot read %s", full);
	new = g_strconcat(old, text, NULL);
	sandbox_write(sb, path, new);
}

/* Commits PATH, TEXT, ... (NULL-terminated) on what is there; its id. */
static inline char *sandbox_commit(struct sandbox *sb, char *subject, ...)
{
	const char *path;
	va_list ap;

	va_start(ap, subject);
	while ((path = va_arg(ap, const char *)))
		sandbox_write(sb, path, va_arg(ap, const char *));
	va_end(ap);
	sandbox_run(sb, "add", "-A", NULL);
	sandbox_run(sb, "commit", "-q", "--allow-empty", "-m", subject, NULL);
	return sandbox_git(sb, "rev-parse", "HEAD", NULL);
}

#endif
