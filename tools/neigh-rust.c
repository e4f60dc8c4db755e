// SPDX-License-Identifier: GPL-2.0
/*
 * The C side of Rust: rust/helpers/helpers.c, which includes the other files
 * of its directory, and the header that bindings are made from.  No variant
 * builds Rust; both are compiled like a plain object of the variant.
 */
#include <string.h>
#include "check.h"
#include "neigh-int.h"

static const char *const helpers[] = { "rust/helpers/helpers.c",
				       "rust/helpers.c" };
static const char bindings[] = "rust/bindings/bindings_helper.h";

/* One of the base whose flags nothing of its own is in. */
static const struct tu *plain_tu(const struct variant *v)
{
	static const char *const likely[] = { "kernel/cpu.c", "kernel/fork.c",
					      "init/main.c" };

	for (gsize i = 0; i < G_N_ELEMENTS(likely); i++) {
		const GPtrArray *tus = compdb_by_source(v->db, likely[i]);

		if (tus && compdb_at(tus->pdata[0], 0))
			return compdb_at(tus->pdata[0], 0);
	}
	return NULL;
}

/* As rust/Makefile has it: what is exported to Rust has no prototype. */
static unsigned int template_of(const struct variant *v, const struct tu *like)
{
	g_autofree char *text = g_strconcat(
		v->db->templates->pdata[like->template],
		" -Wno-missing-prototypes -Wno-missing-declarations", NULL);

	return compdb_template_id(v->db, text);
}

/* @like with another source: it is kept for the run. */
static const struct tu *helper_tu(struct run *run, const struct variant *v,
				  const struct tu *like, const char *source)
{
	GHashTable *tus = neigh_state(run)->tus;
	g_autofree char *key = g_strjoin("\n", v->name, source, NULL);
	struct tu *tu = g_hash_table_lookup(tus, key);

	if (tu)
		return tu;
	tu = g_new0(struct tu, 1);
	tu->object = g_strdup_printf("%.*s.o", (int)strlen(source) - 2, source);
	tu->source = g_strdup(source);
	tu->template = template_of(v, like);
	tu->class = like->class;
	tu->values = g_strdupv(like->values);
	g_free(tu->values[0]);
	tu->values[0] = g_strconcat("%S/", source, NULL);
	g_hash_table_insert(tus, g_steal_pointer(&key), tu);
	return tu;
}

static void add(struct run *run, unsigned int n, GPtrArray *jobs,
		const char *source, const char *header)
{
	g_autoptr(GPtrArray) firsts = neigh_arches(run);

	for (guint i = 0; i < firsts->len; i++) {
		const struct variant *v = firsts->pdata[i];
		const struct tu *tu = plain_tu(v);
		const char *what = header ?: source;
		struct job *job;

		if (!neigh_first(run, n, what, v->arch->name))
			continue;
		if (!tu) {
			run_gap(run, n, v, what, "there is no object whose flags "
				"it could be compiled with");
			continue;
		}
		job = job_new(check_find("gcc"), v, header ? tu :
			      helper_tu(run, v, tu, source), header, n,
			      header ? WHY_ALONE : WHY_SOURCE);
		g_ptr_array_add(jobs, job);
	}
}

static const char *helpers_file(const struct run *run)
{
	for (gsize i = 0; i < G_N_ELEMENTS(helpers); i++)
		if (neigh_has(run->cur, helpers[i]))
			return helpers[i];
	return NULL;
}

void neigh_rust(struct run *run, unsigned int n, GPtrArray *jobs)
{
	const struct diff *d = run_change(run, n - 1, n);

	for (guint i = 0; i < d->files->len; i++) {
		const char *path = file_diff_path(d->files->pdata[i]);
		const char *source = helpers_file(run);

		if (source && g_str_has_prefix(path, "rust/helpers") &&
		    g_str_has_suffix(path, ".c"))
			add(run, n, jobs, source, NULL);
		if (!strcmp(path, bindings) && neigh_has(run->cur, bindings))
			add(run, n, jobs, NULL, bindings);
	}
}

/* Does a helper mention one of @names? */
static bool mentions(const struct run *run, GHashTable *names)
{
	g_autofree char *dir = g_build_filename(run->cur, "rust/helpers", NULL);
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *file;
	bool found = false;

	while (d && !found && (file = g_dir_read_name(d))) {
		g_autofree char *path = g_build_filename(dir, file, NULL);
		g_autofree char *text = NULL;
		g_auto(GStrv) words = NULL;

		if (!g_file_get_contents(path, &text, NULL, NULL))
			continue;
		g_strcanon(text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", ' ');
		words = g_strsplit(text, " ", -1);
		for (char **w = words; !found && *w; w++)
			found = **w && g_hash_table_contains(names, *w);
	}
	return found;
}

void neigh_names(struct run *run, unsigned int n, GHashTable *names,
		 GPtrArray *jobs)
{
	const char *source = helpers_file(run);

	if (source && mentions(run, names))
		add(run, n, jobs, source, NULL);
}

void neigh_header(struct run *run, unsigned int n, const char *path,
		  GPtrArray *jobs)
{
	const char *source = helpers_file(run);
	g_autoptr(GPtrArray) firsts = neigh_arches(run);
	bool reaches = false;

	for (guint i = 0; source && !reaches && i < firsts->len; i++) {
		const struct variant *v = firsts->pdata[i];
		g_autoptr(GHashTable) reach = incgraph_reaching(run->graph, path,
							v->arch->srcarch);

		reaches = g_hash_table_contains(reach, source);
	}
	if (reaches)
		add(run, n, jobs, source, NULL);
}
