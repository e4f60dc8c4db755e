// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "checkset.h"
#include "fpattern.h"
#include "helper-override.h"
#include "neigh-int.h"
#include "override.h"
#include "override-plan.h"
#include "plan.h"

/* TUs of a variant that are preprocessed for one header that is touched. */
#define LATE_TUS 3

static bool is_generic(const char *path)
{
	return path && g_str_has_suffix(path, ".h") &&
	       (g_str_has_prefix(path, "include/linux/") ||
		g_str_has_prefix(path, "include/asm-generic/"));
}

static bool is_arch(const char *path)
{
	return path && g_str_has_suffix(path, ".h") &&
	       g_str_has_prefix(path, "arch/") &&
	       (strstr(path, "/include/asm/") || strstr(path, "/um/asm/"));
}

static void add_words(GHashTable *words, const char *text, gsize len)
{
	for (gsize i = 0; i < len;) {
		gsize n = 0;

		while (i + n < len && is_word_char(text[i + n]))
			n++;
		if (n > 3)
			g_hash_table_add(words, g_strndup(text + i, n));
		i += MAX(n, 1);
	}
}

/* The words on lines that @fd adds or takes out. */
static void changed_words(GHashTable *words, const struct file_diff *fd)
{
	for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
		const struct hunk *hunk = fd->hunks->pdata[h];

		for (guint i = 0; i < hunk->lines->len; i++) {
			const struct diff_line *l = &g_array_index(hunk->lines,
							struct diff_line, i);

			if (l->op != ' ')
				add_words(words, l->text, l->len);
		}
	}
}

/* Has @path of @dir helpers; with @words, one that is among these? */
static bool has_helper(const char *dir, const char *path, GHashTable *words)
{
	g_autofree char *full = g_build_filename(dir, path, NULL);
	g_autofree char *text = NULL;
	g_autoptr(helpers_t) h = NULL;
	gsize len;

	if (!g_file_get_contents(full, &text, &len, NULL) ||
	    (!strstr(text, "ifndef") && !strstr(text, "!defined")))
		return false;
	h = helpers_scan(text, len);
	for (guint i = 0; i < h->list->len; i++) {
		const struct helper *helper = h->list->pdata[i];

		if (!words || g_hash_table_contains(words, helper->name) ||
		    g_hash_table_contains(words, helper->guard))
			return true;
	}
	return false;
}

/* The generic headers with a helper among @words, below @dir of the tree. */
static void find_generic(struct run *run, const char *dir, GHashTable *words,
			 GPtrArray *found)
{
	g_autofree char *full = g_build_filename(run->cur, dir, NULL);
	g_autoptr(GPtrArray) files = fpattern_files(full);

	for (guint i = 0; i < files->len; i++) {
		char *path = g_build_filename(dir, files->pdata[i], NULL);

		if (is_generic(path) && has_helper(run->cur, path, words))
			g_ptr_array_add(found, path);
		else
			g_free(path);
	}
}

static gint by_cost(gconstpointer a, gconstpointer b)
{
	const struct candidate *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return strcmp(x->tu->object, y->tu->object);
}

/* The C TUs of @v that reach @path and, unless NULL, @other; cheapest first. */
static GArray *readers(struct run *run, unsigned int n, const struct variant *v,
		       const char *path, const char *other)
{
	GArray *list = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	g_autoptr(GHashTable) reach = incgraph_reaching(run->graph, path,
							v->arch->srcarch);
	g_autoptr(GHashTable) both = other ? incgraph_reaching(run->graph, other,
						v->arch->srcarch) : NULL;

	for (guint i = 0; i < v->db->tus->len; i++) {
		struct candidate c = { .tu = v->db->tus->pdata[i] };

		if (!g_hash_table_contains(reach, c.tu->source) ||
		    (both && !g_hash_table_contains(both, c.tu->source)) ||
		    !neigh_can_stand(c.tu, n))
			continue;
		c.cost = plan_cost(run, c.tu->source);
		g_array_append_val(list, c);
	}
	g_array_sort(list, by_cost);
	return list;
}

/* One of the flags that most of @list have. */
static const struct tu *usual(const struct variant *v, const GArray *list)
{
	g_autofree guint *count = g_new0(guint, v->db->classes->len + 1);
	const struct tu *best = NULL;

	for (guint i = 0; i < list->len; i++)
		count[g_array_index(list, struct candidate, i).tu->class]++;
	for (guint i = 0; i < list->len; i++) {
		const struct tu *tu = g_array_index(list, struct candidate, i).tu;

		if (!best || count[tu->class] > count[best->class])
			best = tu;
	}
	return best;
}

static void add(struct run *run, unsigned int n, GPtrArray *jobs,
		const struct check *check, const struct variant *v,
		const struct tu *tu, const char *header)
{
	g_autofree char *what = g_strdup_printf("%s %s %s",
		check == &check_override_late ? "late" : "probe", header,
		tu->object);
	struct job *job;

	if (!neigh_first(run, n, what, v->name))
		return;
	job = job_new(check, v, tu, header, n, WHY_REACH);
	job->cost = 1;
	g_ptr_array_add(jobs, job);
}

/* The compiler and the preprocessor; @arch: touched headers, may be empty. */
static void ask_variant(struct run *run, unsigned int n, GPtrArray *jobs,
			const struct variant *v, const char *path,
			const GPtrArray *arch)
{
	g_autoptr(GArray) list = readers(run, n, v, path, NULL);
	const struct tu *probe = usual(v, list);
	g_autofree char *mine = g_strdup_printf("arch/%s/", v->arch->srcarch);

	if (!probe)
		return;
	add(run, n, jobs, &check_override_probe, v, probe, path);
	/* results are told apart by TU and header: never the same TU for both */
	for (guint i = 0, k = 0; i < list->len && k < 1; i++) {
		const struct tu *tu = g_array_index(list, struct candidate, i).tu;

		if (tu->class != probe->class || tu == probe)
			continue;
		add(run, n, jobs, &check_override_late, v, tu, path);
		k++;
	}
	for (guint a = 0; a < arch->len; a++) {
		g_autoptr(GArray) both = NULL;

		if (!g_str_has_prefix(arch->pdata[a], mine))
			continue;
		both = readers(run, n, v, path, arch->pdata[a]);
		for (guint i = 0, k = 0; i < both->len && k < LATE_TUS; i++) {
			const struct tu *tu = g_array_index(both,
						struct candidate, i).tu;

			if (tu == probe)
				continue;
			add(run, n, jobs, &check_override_late, v, tu, path);
			k++;
		}
	}
}

static void ask_text(struct run *run, unsigned int n, GPtrArray *jobs,
		     const char *path, const char *old)
{
	g_autofree char *what = g_strconcat("helper-override ", path, NULL);
	const char *values[] = { path, old, NULL };
	const struct variant *host = neigh_host(run, n, path);
	struct job *job;

	if (!host || !neigh_first(run, n, what, host->name))
		return;
	job = job_new(&check_helper_override, host,
		      neigh_tu(run, path, strcmp(old, path) ? "Makefile" : path,
			       g_strdupv((char **)values)), NULL, n, WHY_REACH);
	job->cost = 1;
	g_ptr_array_add(jobs, job);
}

static bool is_touched(const struct variant *v, const GPtrArray *arch)
{
	g_autofree char *dir = g_strdup_printf("arch/%s/", v->arch->srcarch);

	for (guint i = 0; i < arch->len; i++)
		if (g_str_has_prefix(arch->pdata[i], dir))
			return true;
	return false;
}

/* @old is NULL when only headers of architectures are touched: the others have
 * nothing to compile then. */
static void ask(struct run *run, unsigned int n, GPtrArray *jobs,
		const char *path, const char *old, const GPtrArray *arch)
{
	ask_text(run, n, jobs, path, old ?: path);
	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = run->variants->pdata[i];

		if (!v->toggle && incgraph_has(run->graph, path) &&
		    (old || is_touched(v, arch)))
			ask_variant(run, n, jobs, v, path, arch);
	}
}

void override_plan(struct run *run, unsigned int n, GPtrArray *jobs)
{
	const struct diff *d = run_change(run, n - 1, n);
	g_autoptr(GPtrArray) arch = g_ptr_array_new();
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) words = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	if (!checkset_has(run->checks, "helper-override"))
		return;
	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];
		const char *path = fd->new_path ?: fd->old_path;

		if (!is_arch(path))
			continue;
		changed_words(words, fd);
		g_ptr_array_add(arch, (gpointer)path);
	}
	if (arch->len) {
		find_generic(run, "include/linux", words, found);
		find_generic(run, "include/asm-generic", words, found);
	}
	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = d->files->pdata[i];

		if (is_generic(fd->new_path) &&
		    has_helper(run->cur, fd->new_path, NULL))
			ask(run, n, jobs, fd->new_path,
			    fd->old_path ?: fd->new_path, arch);
	}
	for (guint i = 0; i < found->len; i++)
		ask(run, n, jobs, found->pdata[i], NULL, arch);
}
