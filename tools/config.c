// SPDX-License-Identifier: GPL-2.0
/*
 * All files are read once, at config_open(), into one list in rising order
 * of priority.  libgit2 1.5 does not keep the file that a value comes from,
 * which a message has to name; so each file is opened by itself.
 */
#include <errno.h>
#include <git2.h>
#include "config.h"
#include "error.h"

struct entry {
	char *key;		/* normalised: "respin-tree.net-next.ref" */
	char *value;		/* NULL: no "=" */
	const char *file;	/* owned by config->files */
};

struct config {
	GPtrArray *entries;	/* of struct entry, a later one wins */
	GPtrArray *files;	/* of char * */
};

/* Normalised; "*" is the subsection. */
static const char *const known_keys[] = {
	"respin.arches",
	"respin.audit",
	"respin.budget",
	"respin.cachedir",
	"respin.jobs",
	"respin.kconfigs",
	"respin.memory",
	"respin.sandbox",
	"respin.timeout",
	"respin.tip",
	"respin.toggles",
	"respin.check",
	"respin.skip",
	"respin.minconfidence",
	"respin-toolchain.*.crosscompile",
	"respin-tool.*.path",
	"respin-tree.*.path",
	"respin-tree.*.ref",
};

static const char command_line[] = "the command line";

static void entry_free(void *p)
{
	struct entry *e = p;

	g_free(e->key);
	g_free(e->value);
	g_free(e);
}

static void add_entry(struct config *c, char *key, const char *value,
		      const char *file)
{
	struct entry *e = g_new(struct entry, 1);

	e->key = key;
	e->value = g_strdup(value);
	e->file = file;
	g_ptr_array_add(c->entries, e);
}

/* Section and name without regard to case, the subsection as it is. */
static char *normalise(const char *key)
{
	char *k = g_strdup(key), *first = strchr(k, '.');
	char *last = strrchr(k, '.');

	for (char *p = k; *p; p++)
		if (!first || p < first || p > last)
			*p = g_ascii_tolower(*p);
	return k;
}

static bool is_known(const char *key)
{
	if (!g_str_has_prefix(key, "respin.") &&
	    !g_str_has_prefix(key, "respin-"))
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(known_keys); i++)
		if (g_pattern_match_simple(known_keys[i], key))
			return true;
	return false;
}

static int fail_git(const char *file, GError **error)
{
	const git_error *e = git_error_last();

	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
		    "cannot read the configuration '%s': %s", file,
		    e ? e->message : "no reason given");
	return -1;
}

static int read_entries(struct config *c, git_config *g, const char *file)
{
	git_config_iterator *it;
	git_config_entry *e;
	int rc = git_config_iterator_new(&it, g);

	if (rc)
		return rc;
	while (!(rc = git_config_next(&e, it)))
		add_entry(c, g_strdup(e->name), e->value, file);
	git_config_iterator_free(it);
	return rc == GIT_ITEROVER ? 0 : rc;
}

static int read_file(struct config *c, const char *path, GError **error)
{
	char *file = g_strdup(path);
	git_config *g = NULL;
	int rc;

	g_ptr_array_add(c->files, file);
	rc = git_config_open_ondisk(&g, file);
	if (!rc)
		rc = read_entries(c, g, file);
	git_config_free(g);
	return rc ? fail_git(file, error) : 0;
}

/* The levels that do not depend on a repository. */
static int read_common(struct config *c, GError **error)
{
	static int (*const find[])(git_buf *) = {
		git_config_find_system, git_config_find_xdg,
		git_config_find_global,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(find); i++) {
		git_buf path = { 0 };
		int rc = find[i](&path) ? 0 : read_file(c, path.ptr, error);

		git_buf_dispose(&path);
		if (rc)
			return -1;
	}
	return 0;
}

/* In a linked worktree the configuration is in the repository it is of. */
static char *common_dir(const char *gitdir)
{
	g_autofree char *file = g_build_filename(gitdir, "commondir", NULL);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return g_strdup(gitdir);
	return g_canonicalize_filename(g_strstrip(text), gitdir);
}

static int read_optional(struct config *c, const char *dir, const char *name,
			 GError **error)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	return g_file_test(path, G_FILE_TEST_EXISTS) ?
		read_file(c, path, error) : 0;
}

/*
 * Not through git_repository_open(): it refuses what repo_open() knows how
 * to handle.
 */
static int read_repo(struct config *c, const char *path, GError **error)
{
	git_buf gitdir = { 0 };
	g_autofree char *common = NULL;
	bool per_worktree = false;
	int rc;

	if (git_repository_discover(&gitdir, path, 0, NULL)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TREE,
			    "'%s' is in no git repository", path);
		return -1;
	}
	common = common_dir(gitdir.ptr);
	rc = read_optional(c, common, "config", error);
	if (!rc)
		rc = config_bool(c, "extensions.worktreeConfig", &per_worktree,
				 error);
	if (!rc && per_worktree)
		rc = read_optional(c, gitdir.ptr, "config.worktree", error);
	git_buf_dispose(&gitdir);
	return rc;
}

static int read_override(struct config *c, const char *assignment,
			 GError **error)
{
	const char *equal = strchrnul(assignment, '=');
	g_autofree char *key = g_strndup(assignment, equal - assignment);
	g_autofree char *k = NULL;
	const char *dot = strrchr(key, '.');

	if (!dot || dot == key || !dot[1]) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "'-c %s' is not of the form SECTION.NAME=VALUE",
			    assignment);
		return -1;
	}
	k = normalise(key);
	if (!is_known(k)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "'-c %s': there is no '%s'; see respin(1)",
			    assignment, key);
		return -1;
	}
	add_entry(c, g_steal_pointer(&k), *equal ? equal + 1 : NULL, command_line);
	return 0;
}

struct config *config_open(const char *repo_path,
			   const char *const *overrides, GError **error)
{
	struct config *c = g_new0(struct config, 1);
	int rc;

	c->entries = g_ptr_array_new_with_free_func(entry_free);
	c->files = g_ptr_array_new_with_free_func(g_free);
	git_libgit2_init();	/* until config_free(): the parsers need it */
	rc = read_common(c, error);
	if (!rc && repo_path)
		rc = read_repo(c, repo_path, error);
	for (; !rc && overrides && *overrides; overrides++)
		rc = read_override(c, *overrides, error);
	if (!rc)
		return c;
	config_free(c);
	return NULL;
}

void config_free(struct config *c)
{
	if (!c)
		return;
	g_ptr_array_unref(c->entries);
	g_ptr_array_unref(c->files);
	g_free(c);
	git_libgit2_shutdown();
}

static const struct entry *find(struct config *c, const char *key)
{
	g_autofree char *k = normalise(key);

	for (guint i = c ? c->entries->len : 0; i > 0; i--) {
		const struct entry *e = c->entries->pdata[i - 1];

		if (!strcmp(e->key, k))
			return e;
	}
	return NULL;
}

static int invalid(const struct entry *e, const char *key, const char *expected,
		   GError **error)
{
	if (e->value)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "'%s' in '%s': '%s' is not %s", key, e->file,
			    e->value, expected);
	else
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "'%s' in '%s' has no value", key, e->file);
	return -1;
}

int config_bool(struct config *c, const char *key, bool *value, GError **error)
{
	const struct entry *e = find(c, key);
	int v;

	if (!e)
		return 0;
	if (git_config_parse_bool(&v, e->value))
		return invalid(e, key, "a boolean (true or false)", error);
	*value = v;
	return 0;
}

/* libgit2's own parser overflows in silence. */
static bool parse_number(const char *text, gint64 *value)
{
	static const char suffixes[] = "kmg";
	const char *s;
	char *end;
	gint64 v, factor = 1;

	if (!text || !*text || g_ascii_isspace(*text))
		return false;
	errno = 0;
	v = g_ascii_strtoll(text, &end, 10);
	if (errno || end == text)
		return false;
	if (*end) {
		s = strchr(suffixes, g_ascii_tolower(*end));
		if (!s || end[1])
			return false;
		factor = G_GINT64_CONSTANT(1) << 10 * (s - suffixes + 1);
	}
	return !__builtin_mul_overflow(v, factor, value);
}

int config_int(struct config *c, const char *key, gint64 min, gint64 max,
	       gint64 *value, GError **error)
{
	const struct entry *e = find(c, key);
	g_autofree char *expected = NULL;
	gint64 v;

	if (!e)
		return 0;
	if (parse_number(e->value, &v) && v >= min && v <= max) {
		*value = v;
		return 0;
	}
	expected = g_strdup_printf("a number from %" G_GINT64_FORMAT " to %"
				   G_GINT64_FORMAT, min, max);
	return invalid(e, key, expected, error);
}

int config_size(struct config *c, const char *key, guint64 *value,
		GError **error)
{
	const struct entry *e = find(c, key);
	gint64 v;

	if (!e)
		return 0;
	if (!parse_number(e->value, &v) || v < 0)
		return invalid(e, key, "a size in bytes (such as 10g)", error);
	*value = v;
	return 0;
}

int config_string(struct config *c, const char *key, char **value,
		  GError **error)
{
	const struct entry *e = find(c, key);

	if (!e)
		return 0;
	if (!e->value)
		return invalid(e, key, NULL, error);
	g_free(*value);
	*value = g_strdup(e->value);
	return 0;
}

int config_path(struct config *c, const char *key, char **value,
		GError **error)
{
	const struct entry *e = find(c, key);
	git_buf expanded = { 0 };
	int rc = 0;

	if (!e)
		return 0;
	if (!e->value)
		return invalid(e, key, NULL, error);
	if (!*e->value || git_config_parse_path(&expanded, e->value) ||
	    /* a file has no current directory, a command line has */
	    (*expanded.ptr != '/' && e->file != command_line)) {
		rc = invalid(e, key, "an absolute path", error);
	} else {
		g_free(*value);
		*value = g_canonicalize_filename(expanded.ptr, NULL);
	}
	git_buf_dispose(&expanded);
	return rc;
}

static void add_words(GPtrArray *words, const char *value)
{
	g_auto(GStrv) parts = g_strsplit(value, ",", -1);

	for (char **p = parts; *p; p++) {
		g_strstrip(*p);
		if (**p && !g_ptr_array_find_with_equal_func(words, *p,
							     g_str_equal, NULL))
			g_ptr_array_add(words, g_strdup(*p));
	}
}

static char **to_strv(GPtrArray *words)
{
	g_ptr_array_add(words, NULL);
	g_ptr_array_set_free_func(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

int config_strings(struct config *c, const char *key, char ***value,
		   GError **error)
{
	g_autofree char *k = normalise(key);
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	bool set = false;

	for (guint i = 0; c && i < c->entries->len; i++) {
		const struct entry *e = c->entries->pdata[i];

		if (strcmp(e->key, k))
			continue;
		if (!e->value) {
			g_ptr_array_unref(words);
			return invalid(e, key, NULL, error);
		}
		set = true;
		if (!*e->value)
			g_ptr_array_set_size(words, 0);
		add_words(words, e->value);
	}
	if (!set) {
		g_ptr_array_unref(words);
		return 0;
	}
	g_strfreev(*value);
	*value = to_strv(words);
	return 0;
}

static gint compare_strings(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **config_names(struct config *c, const char *section)
{
	g_autofree char *prefix = g_strconcat(section, ".", NULL);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; c && i < c->entries->len; i++) {
		const struct entry *e = c->entries->pdata[i];
		const char *name = e->key + strlen(prefix);
		const char *dot = strrchr(e->key, '.');
		g_autofree char *n = NULL;

		if (!g_str_has_prefix(e->key, prefix) || dot < name)
			continue;
		n = g_strndup(name, dot - name);
		if (!g_ptr_array_find_with_equal_func(names, n, g_str_equal,
						      NULL))
			g_ptr_array_add(names, g_steal_pointer(&n));
	}
	g_ptr_array_sort(names, compare_strings);
	return to_strv(names);
}

GPtrArray *config_unknown(struct config *c)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < c->entries->len; i++) {
		const struct entry *e = c->entries->pdata[i];

		if (!is_known(e->key))
			g_ptr_array_add(list, g_strdup_printf("'%s' in '%s'",
							      e->key, e->file));
	}
	return list;
}

char *config_cache_dir(struct config *c, GError **error)
{
	const char *env = g_getenv("RESPIN_CACHE");
	char *dir = NULL;

	if (config_path(c, "respin.cacheDir", &dir, error))
		return NULL;
	if (dir)
		return dir;
	if (env && *env)
		return g_canonicalize_filename(env, NULL);
	env = g_getenv("XDG_CACHE_HOME");
	/* The XDG base directory specification: ignore a relative one. */
	if (env && g_path_is_absolute(env))
		return g_build_filename(env, "respin", NULL);
	env = g_getenv("HOME");
	if (env && g_path_is_absolute(env))
		return g_build_filename(env, ".cache", "respin", NULL);
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
		    "no place for the cache: neither respin.cacheDir nor HOME is set");
	return NULL;
}
