// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "checkset.h"
#include "header-order.h"
#include "neigh-int.h"
#include "order-plan.h"
#include "strsort.h"

/* Does it change what is declared where?  Most of what says how code is made
 * does not. */
static bool is_seen(const char *word)
{
	static const char *const kept[] = { "-D", "-U", "-include", "-m16",
		"-m32", "-m64", "-march=", "-mabi=", "-std=", "-ansi", "-Os",
		"-O0", "-fsanitize", "-ffree", "-fpic", "-fPIC", "-fPIE", "-fpie",
		"-fsigned-char", "-fno-signed-char", NULL };
	static const char *const names[] = { "-DDEFAULT_SYMBOL_NAMESPACE",
		"-DKBUILD_", NULL };
	bool seen = *word != '-' && !g_str_has_suffix(word, "-tmp.h");

	for (guint i = 0; kept[i]; i++)
		seen |= g_str_has_prefix(word, kept[i]);
	for (guint i = 0; names[i]; i++)
		seen &= !g_str_has_prefix(word, names[i]);
	return seen;
}

char *order_flags(const char *class)
{
	g_auto(GStrv) words = g_strsplit(class, " ", -1);
	GString *s = g_string_new(NULL);

	for (char **w = words; *w; w++)
		if (**w && is_seen(*w))
			g_string_append_printf(s, "%s%s", s->len ? " " : "", *w);
	return g_string_free(s, FALSE);
}

static bool is_header(const char *path)
{
	if (!path || !g_str_has_suffix(path, ".h") || strstr(path, "include/uapi/"))
		return false;
	return g_str_has_prefix(path, "include/") ||
	       (g_str_has_prefix(path, "arch/") && strstr(path, "/include/"));
}

/* The sets of flags that most TUs have come first. */
struct flag_set {
	const struct tu *tu;
	guint count;
};

static gint by_count(gconstpointer a, gconstpointer b)
{
	const struct flag_set *x = *(struct flag_set *const *)a;
	const struct flag_set *y = *(struct flag_set *const *)b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->tu->object, y->tu->object);
}

/* A TU of @v for each set of flags among those of @sources. */
static GPtrArray *flag_sets(const struct variant *v, unsigned int n,
			    GHashTable *sources)
{
	GPtrArray *sets = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	for (guint i = 0; i < v->db->tus->len; i++) {
		const struct tu *tu = v->db->tus->pdata[i];
		struct flag_set *set;
		char *flags;

		if (!g_hash_table_contains(sources, tu->source) ||
		    !neigh_can_stand(tu, n))
			continue;
		flags = order_flags(v->db->classes->pdata[compdb_at(tu, n)->class]);
		set = g_hash_table_lookup(known, flags);
		if (set) {
			set->count++;
			g_free(flags);
			continue;
		}
		set = g_new0(struct flag_set, 1);
		set->tu = tu;
		set->count = 1;
		g_ptr_array_add(sets, set);
		g_hash_table_insert(known, flags, set);
	}
	g_ptr_array_sort(sets, by_count);
	return sets;
}

static void compile(struct run *run, unsigned int n, GPtrArray *jobs,
		    const struct variant *v, const char *path)
{
	g_autoptr(GHashTable) sources = NULL;
	g_autoptr(GPtrArray) sets = NULL;

	if (v->toggle || !incgraph_has(run->graph, path))
		return;
	sources = incgraph_reaching(run->graph, path, v->arch->srcarch);
	sets = flag_sets(v, n, sources);
	for (guint i = 0; i < sets->len; i++) {
		const struct flag_set *set = sets->pdata[i];
		struct job *job = job_new(&check_header_order, v, set->tu, path,
					  n, WHY_REACH);

		job->cost = (gint64)i - sets->len;
		g_ptr_array_add(jobs, job);
	}
}

static bool has_variant(const struct run *run, const char *srcarch)
{
	for (guint i = 0; i < run->stages->len; i++) {
		const GPtrArray *stage = run->stages->pdata[i];

		for (guint k = 0; k < stage->len; k++) {
			const struct variant *v = stage->pdata[k];

			if (!strcmp(v->arch->srcarch, srcarch))
				return true;
		}
	}
	return false;
}

/* "alpha,arc,...": the directories of arch/ that this run does not compile. */
static char *other_arches(const struct run *run)
{
	g_autofree char *dir = g_build_filename(run->cur, "arch", NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	GDir *d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		g_autofree char *inc = g_build_filename(dir, name, "include", NULL);

		if (g_file_test(inc, G_FILE_TEST_IS_DIR) && !has_variant(run, name))
			g_ptr_array_add(names, g_strdup(name));
	}
	if (d)
		g_dir_close(d);
	g_ptr_array_sort(names, by_string);
	g_ptr_array_add(names, NULL);
	return g_strjoinv(",", (char **)names->pdata);
}

/* A header of one architecture says nothing of the others. */
static char *arches_of(const struct run *run, const char *path)
{
	g_autofree char *all = other_arches(run);
	g_auto(GStrv) names = g_strsplit(all, ",", -1);

	if (!g_str_has_prefix(path, "arch/"))
		return g_steal_pointer(&all);
	for (char **a = names; *a; a++) {
		g_autofree char *dir = g_strdup_printf("arch/%s/", *a);

		if (g_str_has_prefix(path, dir))
			return g_strdup(*a);
	}
	return g_strdup("");
}

static void read_text(struct run *run, unsigned int n, GPtrArray *jobs,
		      const struct file_diff *fd)
{
	const char *old = fd->old_path ?: fd->new_path;
	g_autofree char *others = arches_of(run, fd->new_path);
	g_autofree char *what = g_strconcat("header-order ", fd->new_path, NULL);
	const char *values[] = { fd->new_path, others, old, NULL };
	const struct variant *host;
	struct job *job;

	if (!*others)
		return;
	host = neigh_host(run, n, fd->new_path);
	if (!host || !neigh_first(run, n, what, host->name))
		return;
	job = job_new(&check_header_order_text, host,
		      neigh_tu(run, fd->new_path, strcmp(old, fd->new_path) ?
			       "Makefile" : fd->new_path,
			       g_strdupv((char **)values)), NULL, n, WHY_REACH);
	g_ptr_array_add(jobs, job);
}

void order_plan(struct run *run, unsigned int n, GPtrArray *jobs)
{
	const struct diff *d = run_change(run, n - 1, n);

	if (!checkset_has(run->checks, "header-order"))
		return;
	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (!is_header(fd->new_path))
			continue;
		for (guint k = 0; k < run->variants->len; k++)
			compile(run, n, jobs, run->variants->pdata[k],
				fd->new_path);
		read_text(run, n, jobs, fd);
	}
}
