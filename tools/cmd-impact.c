// SPDX-License-Identifier: GPL-2.0
/* A look at the impact of a range, for experiments; not in the manual. */
#include "command.h"
#include <glib/gstdio.h>
#include <unistd.h>
#include "error.h"
#include "impact.h"

static const char *const srcarches[] = {
	"x86", "arm64", "powerpc", "riscv", NULL
};

struct options {
	char *tree, *checkout, *cache;
	char **range;
};

/* Blob @path of @commit and its entities; ctags wants a file on disk. */
static int load_side(struct repo *r, const char *commit, const char *path,
		     GBytes **blob, GPtrArray **entities, GError **error)
{
	g_autofree char *file = NULL;
	const char *text;
	gsize len;
	int fd;

	*blob = path ? repo_blob(r, commit, path) : NULL;
	*entities = NULL;
	if (!*blob)
		return 0;
	fd = g_file_open_tmp("respin-XXXXXX.h", &file, error);
	if (fd < 0)
		return -1;
	close(fd);
	text = g_bytes_get_data(*blob, &len);
	if (g_file_set_contents(file, text, len, error))
		*entities = entity_scan(file, error);
	g_unlink(file);
	return *entities ? 0 : -1;
}

static struct change *classify(struct repo *r, char *const *commits,
			       const struct file_diff *fd, GError **error)
{
	g_autoptr(GBytes) old = NULL, new = NULL;
	g_autoptr(GPtrArray) old_entities = NULL, new_entities = NULL;
	const char *a, *b;
	gsize la = 0, lb = 0;

	if (load_side(r, commits[0], fd->old_path, &old, &old_entities,
		      error) ||
	    load_side(r, commits[1], fd->new_path, &new, &new_entities, error))
		return NULL;
	a = old ? g_bytes_get_data(old, &la) : "";
	b = new ? g_bytes_get_data(new, &lb) : "";
	return change_classify(fd, a, la, b, lb, old_entities, new_entities);
}

static void print_words(const char *what, const GPtrArray *words)
{
	for (guint i = 0; i < words->len; i++)
		printf("\t%s\t%s\n", what, (char *)words->pdata[i]);
}

static void print_change(const struct change *c, struct incgraph *g)
{
	printf("%s: %s%s\n", c->path, change_kind_name(c->kind),
	       c->whole ? ", whole" : "");
	for (guint i = 0; i < c->why->len; i++)
		printf("\twhy\t%s\n", (char *)c->why->pdata[i]);
	for (guint i = 0; i < c->names->len; i++)
		printf("\tname\t%s\n", (char *)c->names->pdata[i]);
	print_words("member", c->members);
	print_words("layout", c->layouts);
	print_words("value", c->values);
	print_words("case", c->cases);
	for (int i = 0; c->kind == CHANGE_HEADER && srcarches[i]; i++) {
		g_autoptr(GHashTable) set =
			incgraph_reaching(g, c->path, srcarches[i]);
		unsigned int sources = 0;
		GHashTableIter it;
		gpointer path;

		g_hash_table_iter_init(&it, set);
		while (g_hash_table_iter_next(&it, &path, NULL))
			sources += path_is_source(path);
		printf("\treach\t%s %u\n", srcarches[i], sources);
	}
}

static void print_set(const char *what, GHashTable *set, GHashTable *ranks)
{
	g_autoptr(GList) keys = g_list_sort(g_hash_table_get_keys(set),
					    (GCompareFunc)strcmp);

	for (GList *l = keys; l; l = l->next) {
		const char *value = g_hash_table_lookup(set, l->data);

		printf("%s\t%s", what, (char *)l->data);
		if (ranks && g_hash_table_size(ranks))
			printf("\t%u", GPOINTER_TO_UINT(
				g_hash_table_lookup(ranks, l->data)));
		printf("%s%s\n", value != l->data && value ? "\t" : "",
		       value != l->data && value ? value : "");
	}
}

static int print_impact(const char *what, struct impact *im, gint64 start)
{
	if (!im)
		return -1;
	printf("%s:\n", what);
	print_set("name", im->names, NULL);
	print_set("member", im->members, NULL);
	print_set("layout", im->layouts, NULL);
	print_set("source", im->sources, im->ranks);
	print_set("header", im->headers, NULL);
	printf("%u names, %u sources, %u headers, %u files, %u rounds, "
	       "%.2f s%s\n", g_hash_table_size(im->names),
	       g_hash_table_size(im->sources), g_hash_table_size(im->headers),
	       im->files, im->rounds, (g_get_monotonic_time() - start) / 1e6,
	       im->capped ? ", capped" : "");
	return 0;
}

static int print_impacts(struct incgraph *g, const struct options *o,
			 const GPtrArray *names, const GPtrArray *macros,
			 const struct change *c, GError **error)
{
	gint64 start = g_get_monotonic_time();
	g_autoptr(impact_t) im = impact_close(g, o->checkout, names, macros,
					      srcarches, error);
	g_autoptr(impact_t) members = NULL, values = NULL, held = NULL;
	g_autoptr(impact_t) cases = NULL;

	if (print_impact("names", im, start))
		return -1;
	start = g_get_monotonic_time();
	members = impact_close(g, o->checkout, c->members, NULL, srcarches,
			       error);
	if (print_impact("members", members, start))
		return -1;
	start = g_get_monotonic_time();
	values = impact_close(g, o->checkout, c->values, NULL, srcarches, error);
	if (print_impact("values", values, start))
		return -1;
	start = g_get_monotonic_time();
	held = impact_hold(g, o->checkout, c->layouts, srcarches, error);
	if (print_impact("layouts", held, start))
		return -1;
	start = g_get_monotonic_time();
	cases = impact_switch(g, o->checkout, c->cases, srcarches, error);
	return print_impact("cases", cases, start);
}

static void append(GPtrArray *to, const GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++)
		g_ptr_array_add(to, g_strdup(from->pdata[i]));
}

static int run(struct repo *r, struct options *o, GError **error)
{
	g_autofree char *a = repo_resolve(r, o->range[0], error);
	g_autofree char *b = a ? repo_resolve(r, o->range[1], error) : NULL;
	char *commits[] = { a, b };
	struct diff *d = b ? repo_diff(r, a, b, error) : NULL;
	struct incgraph *g = d ? incgraph_load(r, b, o->cache, error) : NULL;
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) macros = g_ptr_array_new_with_free_func(g_free);
	struct change all = { 0 };
	GPtrArray **lists[] = { &all.members, &all.layouts, &all.values,
				&all.cases };
	int ret = g ? 0 : -1;

	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		*lists[i] = g_ptr_array_new_with_free_func(g_free);
	if (!o->checkout)
		o->checkout = g_strdup(repo_path(r));
	for (guint i = 0; !ret && i < d->files->len; i++) {
		g_autoptr(change_t) c = classify(r, commits, d->files->pdata[i],
						 error);

		if (!c) {
			ret = -1;
			break;
		}
		change_promote(c, g, "x86");
		print_change(c, g);
		if (c->kind == CHANGE_HEADER) {
			append(names, c->names);
			append(macros, c->macros);
			append(all.members, c->members);
			append(all.layouts, c->layouts);
			append(all.values, c->values);
			append(all.cases, c->cases);
		}
	}
	if (!ret)
		ret = print_impacts(g, o, names, macros, &all, error);
	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		g_ptr_array_unref(*lists[i]);
	incgraph_free(g);
	diff_free(d);
	return ret;
}

/* `respin impact`: what a range touches.  Not in the list of commands. */
int cmd_impact(int argc, char **argv)
{
	struct options o = { 0 };
	const GOptionEntry entries[] = {
		{ "tree", 0, 0, G_OPTION_ARG_FILENAME, &o.tree, "repository",
		  "PATH" },
		{ "checkout", 0, 0, G_OPTION_ARG_FILENAME, &o.checkout,
		  "directory that holds B (default: the work tree)", "DIR" },
		{ "cache", 0, 0, G_OPTION_ARG_FILENAME, &o.cache,
		  "file of #include lines", "FILE" },
		{ NULL }
	};
	g_autoptr(GError) error = NULL;
	struct repo *r;
	int status;

	if (!command_parse(entries, "A B", "Prints what the commits from A to B "
			   "touch and who mentions it.", &argc, &argv, &status))
		return status;
	if (argc != 3)
		return command_usage("impact", "two commits are needed");
	o.range = argv + 1;
	r = repo_open(o.tree ? o.tree : ".", &error);
	status = r && !run(r, &o, &error) ? EXIT_NOTHING_NEW :
		command_fail("impact", error, EXIT_NOT_VERIFIED);
	repo_free(r);
	g_free(o.tree);
	g_free(o.checkout);
	g_free(o.cache);
	return status;
}
