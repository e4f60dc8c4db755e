// SPDX-License-Identifier: GPL-2.0
/* From changed paths to what is to be done again. */
#include <stdarg.h>
#include <string.h>
#include "kbuild-todo.h"
#include "kconf.h"
#include "kdir.h"

static GHashTable *new_set(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void add(GHashTable *set, const char *text)
{
	g_hash_table_add(set, g_strdup(text));
}

static bool ends_in(const char *path, const char *const *ends)
{
	for (; *ends; ends++)
		if (g_str_has_suffix(path, *ends))
			return true;
	return false;
}

static bool starts_with(const char *path, const char *const *starts)
{
	for (; *starts; starts++)
		if (g_str_has_prefix(path, *starts))
			return true;
	return false;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "arch/arm64" of "arch/arm64/mm/fault.c"; NULL: not below arch/X/ */
static char *arch_of(const char *path)
{
	const char *slash;

	if (!g_str_has_prefix(path, "arch/"))
		return NULL;
	slash = strchr(path + 5, '/');
	return slash ? g_strndup(path, slash - path) : NULL;
}

bool kbuild_todo_is_elsewhere(const struct kbuild_todo *t, const char *path)
{
	/* programs of the host, which make keeps up to date by itself */
	static const char *const never[] = { "tools/", "Documentation/",
					     "LICENSES/", "scripts/coccinelle/",
					     "scripts/kconfig/tests/", NULL };
	g_autofree char *arch = arch_of(path);

	if (starts_with(path, never))
		return true;
	return arch && !g_hash_table_contains(t->arches, arch);
}

/*
 * The rules of kbuild itself, and flags and lists for all of the kernel.  Not
 * scripts/mod/Makefile and its like: they make programs of the host.
 */
bool kbuild_todo_is_global(const struct kbuild_todo *t, const char *path)
{
	static const char *const starts[] = { "Makefile", "Kbuild", NULL };
	static const char *const ends[] = { ".include", ".mk", NULL };
	const char *base = base_of(path);
	g_autofree char *dir = g_path_get_dirname(path);
	g_autofree char *arch = arch_of(path);
	bool named = starts_with(base, starts);

	if (!strcmp(dir, "."))
		return named;
	if (!strcmp(dir, "scripts"))
		return (named && strcmp(base, "Makefile")) || ends_in(base, ends);
	return arch && !strcmp(dir, arch) && g_str_has_prefix(base, "Makefile");
}

void kbuild_todo_all(struct kbuild_todo *t, const char *format, ...)
{
	va_list ap;

	t->whole = true;
	if (t->why)
		return;
	va_start(ap, format);
	t->why = g_strdup_vprintf(format, ap);
	va_end(ap);
}

/* Has the old base objects of @dir that a dry run of vmlinux or modules prints? */
static bool is_printed(const struct kbuild_todo *t, const char *dir)
{
	g_autoptr(GHashTable) unprinted = kbuild_unprinted(t->d);
	const struct compdb *db = t->d->v->db;

	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		if (path_is_below(tu->object, dir) && unprinted &&
		    !g_hash_table_contains(unprinted, tu->object))
			return true;
	}
	return false;
}

/*
 * A boot image is built after all, from the finished kernel: asked for by its
 * directory make would print what a dry run of all does not.
 */
static void take_dir(struct kbuild_todo *t, const char *dir)
{
	g_autofree char *any = g_strconcat(dir, "/", NULL);

	if (kdir_is_boot(any) && !is_printed(t, dir))
		t->boot = true;
	else
		add(t->dirs, dir);
}

void kbuild_todo_touch(struct kbuild_todo *t, const char *path)
{
	g_autofree char *dir = NULL;

	if (kbuild_todo_is_global(t, path)) {
		kbuild_todo_all(t, "'%s' is for all of the kernel", path);
		return;
	}
	add(t->fragments, path);
	if (!kdir_is_makefile(path) && !kdir_is_boot(path))
		return;
	dir = kdir_of(t->d->srcdir, path);
	if (*dir)
		take_dir(t, dir);
	else
		kbuild_todo_all(t, "'%s' is for all of the kernel", path);
}

/* All but its version, which most changes of the base's own change. */
static void take_top(struct kbuild_todo *t)
{
	g_autofree char *was = kbuild_stamp_top(t->d);
	g_autofree char *is = kbuild_top_hash(t->d);

	t->configure = true;
	t->version = true;
	if (!is || g_strcmp0(was, is))
		kbuild_todo_all(t, "more than the version changed in 'Makefile'");
}

static void take_makefile(struct kbuild_todo *t, const char *path)
{
	t->rebuild = true;
	if (!strcmp(path, "Makefile")) {
		take_top(t);
		return;
	}
	/* which file is the defconfig, and what a fragment is made of */
	if (kbuild_todo_is_global(t, path))
		t->configure = true;
	if (!g_str_has_prefix(path, "scripts/") ||
	    kbuild_todo_is_global(t, path))
		kbuild_todo_touch(t, path);
}

static bool is_config(const struct kbuild_todo *t, const char *path, bool both)
{
	if (g_hash_table_contains(t->read, path) ||
	    g_str_has_prefix(path, "scripts/kconfig/"))
		return true;
	if (kbuild_todo_is_elsewhere(t, path))
		return false;
	if (strstr(path, "/configs/"))
		return true;
	/* what kconfig did not read is read by a change to what it did */
	return g_str_has_prefix(base_of(path), "Kconfig") &&
	       (!both || !g_hash_table_size(t->read));
}

/* Does the Makefile that is nearest to @path name it, or look for its like? */
static bool is_named(const struct kbuild_todo *t, const char *path,
		     const char *dir)
{
	g_autofree char *makefile = kdir_makefile(t->d->srcdir, dir);
	g_autofree char *full = NULL, *text = NULL;

	if (!makefile)
		return false;
	full = g_build_filename(t->d->srcdir, makefile, NULL);
	if (!g_file_get_contents(full, &text, NULL, NULL))
		return false;
	return strstr(text, base_of(path)) || strstr(text, "*.") ||
	       strstr(text, "wildcard");
}

/*
 * A file that comes or goes without its Makefile: another may take its place
 * (x.S for x.c), a rule may need it, a wildcard may find it.  A header does so
 * only by name.
 */
static void take_moved(struct kbuild_todo *t, const char *path)
{
	static const char *const headers[] = { ".h", ".dtsi", ".rst", ".txt",
					       ".yaml", NULL };
	g_autofree char *dir = kdir_of(t->d->srcdir, path);

	if (!*dir || g_str_has_prefix(path, "include/"))
		return;
	if (!ends_in(path, headers) || is_named(t, path, dir))
		take_dir(t, dir);
}

/*
 * Programs of the host are kept.  make knows what they are made of, but not
 * what went, nor each flag: then they are made from nothing with all else.
 * tools/ has a build of its own, and what is in O= of it is in use.
 */
static bool is_host_rule(const struct kbuild_todo *t, const char *path,
			 bool both)
{
	static const char *const starts[] = { "Makefile", "Kbuild", "Build",
					      NULL };
	static const char *const ends[] = { ".include", ".mk", NULL };
	static const char *const shared[] = { "tools/lib/", "tools/build/",
		"tools/include/", "tools/arch/", "tools/scripts/", NULL };
	const char *base = base_of(path), *slash;
	g_autofree char *dir = NULL, *full = NULL;

	if (both && !starts_with(base, starts) && !ends_in(base, ends))
		return false;
	if (g_str_has_prefix(path, "scripts/"))
		return !kbuild_todo_is_elsewhere(t, path);
	if (!g_str_has_prefix(path, "tools/"))
		return g_pattern_match_simple("arch/*/tools/*", path) &&
		       !kbuild_todo_is_elsewhere(t, path);
	slash = strchr(path + strlen("tools/"), '/');
	if (!slash)
		return false;
	dir = g_strndup(path, slash - path);
	full = g_build_filename(t->d->odir, dir, NULL);
	return starts_with(path, shared) || g_file_test(full, G_FILE_TEST_EXISTS);
}

/* What the name of the release is made of, which stands in commands. */
static bool is_release(const char *path)
{
	return !strcmp(path, "scripts/setlocalversion") ||
	       g_str_has_prefix(path, "localversion");
}

/* What no part of the kernel is made of. */
static bool is_text(const char *base)
{
	static const char *const ends[] = { ".rst", ".txt", ".yaml", ".md",
					    ".json", NULL };
	static const char *const names[] = { "MAINTAINERS", "CREDITS", "README",
		"COPYING", ".gitignore", ".mailmap", ".clang-format",
		".gitattributes", NULL };

	return ends_in(base, ends) || g_strv_contains(names, base);
}

/* Neither a Makefile nor a Kconfig file. */
static void take_other(struct kbuild_todo *t, const struct kbuild_change *c)
{
	static const char *const sources[] = { ".c", ".h", ".S", ".dts",
					       ".dtsi", ".rs", NULL };
	const char *base = base_of(c->path);
	bool is_source = ends_in(base, sources);

	if (is_text(base))
		return;
	/* kconfig asks programs what the tools can do */
	if (g_str_has_suffix(base, ".sh") ||
	    (g_str_has_prefix(c->path, "scripts/") && !is_source))
		t->configure = true;
	if (!is_source) {
		add(t->scripts, base);
		add(t->fragments, c->path);
	}
	/* a header may hide another, which no dependency says */
	if (!is_source || (!c->both && g_str_has_suffix(base, ".h")))
		t->rebuild = true;
	if (!c->both && !g_str_has_prefix(c->path, "scripts/"))
		take_moved(t, c->path);
}

static void take_path(struct kbuild_todo *t, const struct kbuild_change *c)
{
	static const char *const makefiles[] = { "Makefile", "Kbuild", NULL };
	static const char *const fragments[] = { ".mk", ".include", NULL };
	const char *base = base_of(c->path);

	if (is_config(t, c->path, c->both))
		t->configure = true;
	if (is_host_rule(t, c->path, c->both))
		kbuild_todo_all(t, "'%s' is for programs of the build",
				c->path);
	if (is_release(c->path))
		kbuild_todo_all(t, "'%s' makes the name of the release",
				c->path);
	if (kbuild_todo_is_elsewhere(t, c->path) ||
	    g_str_has_prefix(base, "Kconfig"))
		return;
	if (starts_with(base, makefiles) || ends_in(base, fragments))
		take_makefile(t, c->path);
	else
		take_other(t, c);
}

/*
 * The Kconfig files that were read, from what syncconfig writes for make
 * (include/config/auto.conf.cmd): "deps_config := \", then one a line.
 */
static void read_deps(struct kbuild_todo *t)
{
	g_autofree char *path = g_build_filename(t->d->odir, "include", "config",
						 "auto.conf.cmd", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	bool inside = false;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++) {
		char *end = strchr(*l, '\\');

		if (inside && **l != '\t')
			break;
		if (end)
			*end = '\0';
		if (inside)
			add(t->read, g_strstrip(*l));
		inside |= g_str_has_prefix(*l, "deps_config :=");
	}
}

/* arm64 builds arch/arm/xen/ too. */
static void find_arches(struct kbuild_todo *t)
{
	const struct compdb *db = t->d->v->db;

	g_hash_table_add(t->arches, g_strconcat("arch/",
						t->d->v->arch->srcarch, NULL));
	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];
		char *arch = arch_of(tu->source);

		if (arch)
			g_hash_table_add(t->arches, arch);
	}
}

void kbuild_todo_init(struct kbuild_todo *t, const struct kbuild_dir *d,
		      const GPtrArray *changes)
{
	*t = (struct kbuild_todo){
		.d = d, .dirs = new_set(), .read = new_set(),
		.arches = new_set(), .fragments = new_set(),
		.included = new_set(), .scripts = new_set(),
		.symbols = new_set(),
	};
	read_deps(t);
	find_arches(t);
	for (guint i = 0; i < changes->len; i++)
		take_path(t, changes->pdata[i]);
	kbuild_todo_scan(t);
}

void kbuild_todo_config(struct kbuild_todo *t, const char *before,
			const char *after)
{
	g_autoptr(GPtrArray) changes = kconf_diff(before, after);

	for (guint i = 0; i < changes->len; i++) {
		const struct kconf_change *c = changes->pdata[i];

		add(t->symbols, c->name);
	}
	if (changes->len) {
		t->rebuild = true;
		kbuild_todo_scan(t);
	}
}

void kbuild_todo_clear(struct kbuild_todo *t)
{
	g_hash_table_unref(t->dirs);
	g_hash_table_unref(t->read);
	g_hash_table_unref(t->arches);
	g_hash_table_unref(t->fragments);
	g_hash_table_unref(t->included);
	g_hash_table_unref(t->scripts);
	g_hash_table_unref(t->symbols);
	g_clear_pointer(&t->prepared, g_hash_table_unref);
	g_strfreev(t->made);
	g_free(t->why);
}

bool kbuild_todo_is_nothing(const struct kbuild_todo *t)
{
	return !t->configure && !t->rebuild && !t->whole && !t->boot &&
	       !g_hash_table_size(t->dirs);
}
