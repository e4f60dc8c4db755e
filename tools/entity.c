// SPDX-License-Identifier: GPL-2.0
#include "entity.h"
#include <jansson.h>
#include "error.h"
#include "proc.h"

/* Files for one run: the argument vector stays far below ARG_MAX. */
#define BATCH 500

struct entity *entity_new(const char *name, enum entity_kind kind,
			  unsigned int line, unsigned int end,
			  const char *scope)
{
	struct entity *e = g_new0(struct entity, 1);

	e->name = g_strdup(name);
	e->kind = kind;
	e->line = line;
	e->end = end;
	e->scope = g_strdup(scope);
	return e;
}

static void entity_free(gpointer data)
{
	struct entity *e = data;

	g_free(e->name);
	g_free(e->scope);
	g_free(e);
}

GPtrArray *entity_array_new(void)
{
	return g_ptr_array_new_with_free_func(entity_free);
}

static enum entity_kind kind_of(const char *word)
{
	static const struct {
		const char *word;
		enum entity_kind kind;
	} map[] = {
		{ "function", ENTITY_FUNCTION },
		{ "prototype", ENTITY_PROTOTYPE },
		{ "struct", ENTITY_STRUCT }, { "union", ENTITY_UNION },
		{ "enum", ENTITY_ENUM }, { "enumerator", ENTITY_ENUMERATOR },
		{ "typedef", ENTITY_TYPEDEF }, { "variable", ENTITY_VARIABLE },
		{ "externvar", ENTITY_VARIABLE }, { "member", ENTITY_MEMBER },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(map); i++)
		if (!strcmp(map[i].word, word))
			return map[i].kind;
	return ENTITY_OTHER;
}

static const char *get_string(const json_t *tag, const char *key)
{
	const char *s = json_string_value(json_object_get(tag, key));

	return s ? s : "";
}

/* One line of ctags' output; what is no tag is passed over. */
static void add_tag(GHashTable *files, const char *line, gsize len)
{
	json_t *tag = json_loadb(line, len, 0, NULL);
	const char *path = get_string(tag, "path");
	GPtrArray *entities;
	json_int_t from, to;

	/* The paths were given as "./path". */
	entities = strlen(path) > 2 ?
		g_hash_table_lookup(files, path + 2) : NULL;
	if (!entities)
		entities = g_hash_table_lookup(files, path);
	if (entities) {
		from = json_integer_value(json_object_get(tag, "line"));
		to = json_integer_value(json_object_get(tag, "end"));
		g_ptr_array_add(entities, entity_new(get_string(tag, "name"),
				kind_of(get_string(tag, "kind")), from,
				MAX(from, to), get_string(tag, "scope")));
	}
	json_decref(tag);
}

static int by_line(gconstpointer a, gconstpointer b)
{
	const struct entity *x = *(const struct entity *const *)a;
	const struct entity *y = *(const struct entity *const *)b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	/* On one line what has a scope lies inside the other. */
	if (!*x->scope != !*y->scope)
		return *x->scope ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* Completes what ctags said of one file by the text itself. */
static int finish_file(const char *dir, const char *path, GPtrArray *entities,
		       GError **error)
{
	g_autofree char *full = g_path_is_absolute(path) || !dir ?
		g_strdup(path) : g_build_filename(dir, path, NULL);
	g_autofree char *text = NULL;
	g_autoptr(ctext_t) t = NULL;
	g_autoptr(GError) err = NULL;
	gsize len;

	if (!g_file_get_contents(full, &text, &len, &err)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot read '%s': %s", full, err->message);
		return -1;
	}
	t = ctext_new(text, len);
	for (guint i = 0; i < entities->len; i++)
		entity_check(entities->pdata[i], t);
	entity_add_macros(entities, t);
	g_ptr_array_sort(entities, by_line);
	return 0;
}

static char **ctags_argv(const GPtrArray *paths, guint from, guint to)
{
	GPtrArray *argv = g_ptr_array_new();
	static const char *const options[] = {
		/* A .h is C++ to ctags; a user's ~/.ctags.d is not asked. */
		"ctags", "--quiet", "--options=NONE", "--language-force=C",
		"--output-format=json", "--fields=+neK-P", "--kinds-C=+px-dh",
		"--sort=no", "-f", "-",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(options); i++)
		g_ptr_array_add(argv, g_strdup(options[i]));
	for (guint i = from; i < to; i++) {
		const char *path = paths->pdata[i];

		/* A name that begins with '-' is no option. */
		g_ptr_array_add(argv, g_path_is_absolute(path) ?
				g_strdup(path) : g_strconcat("./", path, NULL));
	}
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}

static int run_ctags(const char *dir, char **argv, GHashTable *files,
		     GError **error)
{
	struct proc_job *job = proc_job_new(argv);
	const char *s, *end, *nl;
	int ret = -1;

	job->cwd = g_strdup(dir);
	job->seconds = 120;
	job->output_max = (gsize)1 << 30;
	proc_run(job);
	if (job->end != PROC_EXITED || job->status != 0 || job->cut) {
		g_autofree char *what = proc_job_describe(job);

		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "%s; is universal-ctags installed (apt install universal-ctags)?",
			    what);
		goto out;
	}
	s = job->out->str;
	end = s + job->out->len;
	for (; s < end; s = nl + 1) {
		nl = memchr(s, '\n', end - s);
		if (!nl)
			nl = end;
		add_tag(files, s, nl - s);
		if (nl == end)
			break;
	}
	ret = 0;
out:
	proc_job_free(job);
	return ret;
}

GHashTable *entity_scan_many(const char *dir, const GPtrArray *paths,
			     GError **error)
{
	g_autoptr(GHashTable) files =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				      (GDestroyNotify)g_ptr_array_unref);
	GHashTableIter it;
	gpointer path, entities;

	for (guint i = 0; i < paths->len; i++)
		g_hash_table_insert(files, g_strdup(paths->pdata[i]),
				    entity_array_new());
	for (guint i = 0; i < paths->len; i += BATCH) {
		guint to = MIN(paths->len, i + BATCH);

		if (run_ctags(dir, ctags_argv(paths, i, to), files, error) < 0)
			return NULL;
	}
	g_hash_table_iter_init(&it, files);
	while (g_hash_table_iter_next(&it, &path, &entities))
		if (finish_file(dir, path, entities, error) < 0)
			return NULL;
	return g_steal_pointer(&files);
}

GPtrArray *entity_scan(const char *path, GError **error)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	g_autoptr(GHashTable) files = NULL;

	g_ptr_array_add(paths, (gpointer)path);
	files = entity_scan_many(NULL, paths, error);
	if (!files)
		return NULL;
	return g_ptr_array_ref(g_hash_table_lookup(files, path));
}

const struct entity *entity_at(const GPtrArray *entities, unsigned int line)
{
	const struct entity *best = NULL, *function = NULL;

	/* Sorted by line, the larger first: the last that fits is innermost. */
	for (guint i = 0; i < entities->len; i++) {
		const struct entity *e = entities->pdata[i];

		if (e->line > line)
			break;
		if (e->end < line)
			continue;
		best = e;
		if (e->kind == ENTITY_FUNCTION)
			function = e;
	}
	return function ? function : best;
}

const struct entity *entity_find(const GPtrArray *entities, const char *name)
{
	for (guint i = 0; i < entities->len; i++) {
		const struct entity *e = entities->pdata[i];

		if (e->kind != ENTITY_PROTOTYPE && !strcmp(e->name, name))
			return e;
	}
	return NULL;
}
