// SPDX-License-Identifier: GPL-2.0
/*
 * Which test programs of tools/testing/ a patch can break; and what else of
 * tools/ and scripts/ is no part of the kernel's build.
 */
#include "neigh-int.h"
#include "run-keep.h"
#include "testprog.h"

static GHashTable *reads_of_text(GBytes *bytes)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	gsize len;
	const char *text = g_bytes_get_data(bytes, &len);
	g_autofree char *copy = g_strndup(text ?: "", len);
	g_autofree char **paths = g_strsplit(copy, "\n", -1);

	/* the strings are the set's now */
	for (char **p = paths; *p; p++)
		g_hash_table_add(set, *p);
	return set;
}

/* testprog_reads(), which hangs on nothing but the tree. */
static GHashTable *reads_at(struct run *run, const char *srcdir,
			    unsigned int step, const char *dir)
{
	g_autoptr(GChecksum) key = kept_key("test program reads");
	g_autoptr(GBytes) bytes = NULL;
	g_autofree char **paths = NULL;
	g_autofree char *text = NULL;
	GHashTable *set;

	kept_add(key, run_step(run, step)->tree);
	kept_add(key, dir);
	bytes = run_keep_get(run, key);
	if (bytes)
		return reads_of_text(bytes);
	set = testprog_reads(srcdir, dir);
	paths = (char **)g_hash_table_get_keys_as_array(set, NULL);
	text = g_strjoinv("\n", paths);
	bytes = g_bytes_new(text, strlen(text));
	run_keep_put(run, key, bytes);
	return set;
}

static bool reads_any(struct run *run, unsigned int step, const char *dir,
		      const struct diff *d, bool old)
{
	const char *srcdir = old ? run->prev : run->cur;
	g_autoptr(GHashTable) set = reads_at(run, srcdir, step, dir);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];
		const char *path = old ? fd->old_path : fd->new_path;

		if (path && g_hash_table_contains(set, path))
			return true;
	}
	return false;
}

void neigh_tools(struct run *run, unsigned int n, GPtrArray *jobs)
{
	const struct diff *d = run_change(run, n - 1, n);

	for (const char *const *dir = testprogs; *dir; dir++) {
		g_autofree char *makefile = g_build_filename(*dir, "Makefile",
							     NULL);

		if (neigh_has(run->cur, makefile) &&
		    (reads_any(run, n, *dir, d, false) ||
		     reads_any(run, n - 1, *dir, d, true)))
			neigh_add(run, n, jobs, "tools", NULL, *dir, makefile);
	}
}

/* What the kernel's own build runs or links into what it runs. */
static const char *const built_with[] = {
	"tools/objtool/", "tools/lib/", "tools/include/", "tools/arch/",
	"tools/build/", "tools/scripts/", "tools/bpf/resolve_btfids/",
	"tools/bpf/Makefile", "tools/Makefile",
};

/* Programs for people: no rule of the kernel's build names them. */
static const char *const for_people[] = {
	"samples/bpf/", "scripts/checkpatch.pl", "scripts/get_maintainer.pl",
	"scripts/documentation-file-ref-check", "scripts/coccinelle/",
	"scripts/coccicheck", "scripts/ver_linux", "scripts/tags.sh",
	"scripts/decode_stacktrace.sh", "scripts/decodecode", "scripts/faddr2line",
	"scripts/spdxcheck.py", "scripts/spelling.txt", "scripts/cleanpatch",
	"scripts/cleanfile", "scripts/bloat-o-meter", "scripts/stackdelta",
	"scripts/stackusage", "scripts/diffconfig", "scripts/extract-ikconfig",
	"scripts/extract-vmlinux", "scripts/get_feat.pl", "scripts/get_abi.pl",
	"scripts/checkversion.pl", "scripts/checkincludes.pl",
	"scripts/checkdeclares.pl", "scripts/checkkconfigsymbols.py",
	"scripts/const_structs.checkpatch", "scripts/git.orderFile",
	"scripts/clang-tools/", "scripts/sphinx-pre-install", "scripts/tracing/",
	"scripts/rust_is_available_test.py", "scripts/check-uapi.sh",
};

/* Is @path the file @name, or below the directory "name/"? */
static bool is_at(const char *path, const char *name)
{
	return g_str_has_suffix(name, "/") ? g_str_has_prefix(path, name) :
	       !strcmp(path, name);
}

static bool is_any(const char *path, const char *const *names, gsize count)
{
	for (gsize i = 0; i < count; i++)
		if (is_at(path, names[i]))
			return true;
	return false;
}

static bool is_testprog(const char *path)
{
	if (g_str_has_prefix(path, "tools/testing/shared/"))
		return true;
	for (const char *const *dir = testprogs; *dir; dir++)
		if (g_str_has_prefix(path, *dir) && path[strlen(*dir)] == '/')
			return true;
	return false;
}

/* "tools/perf", "tools/testing/selftests": what a reader calls it */
static char *short_name(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", 4);
	bool testing = !strcmp(parts[0], "tools") && parts[1] &&
		       !strcmp(parts[1], "testing") && parts[2] && parts[3];

	if (testing)
		return g_strjoin("/", parts[0], parts[1], parts[2], NULL);
	return parts[1] && parts[2] && strcmp(parts[0], "scripts") ?
		g_strjoin("/", parts[0], parts[1], NULL) : g_strdup(path);
}

bool neigh_settles(struct run *run, const char *path)
{
	g_autofree char *name = NULL;

	if (is_testprog(path) || neigh_dts_settles(run, path))
		return true;
	if (g_str_has_prefix(path, "tools/") ?
	    is_any(path, built_with, G_N_ELEMENTS(built_with)) :
	    !is_any(path, for_people, G_N_ELEMENTS(for_people)))
		return false;
	name = short_name(path);
	run_out_of_scope(run, name);
	return true;
}
