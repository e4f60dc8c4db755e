// SPDX-License-Identifier: GPL-2.0
/* Which file an #include names, by the -I of the command that meets it. */
#include "ppwalk.h"
#include <string.h>

struct search {
	GPtrArray *dirs;	/* of char *, absolute: -I, then -isystem */
	guint quoted_only;	/* so many at the start are -iquote */
};

struct pp_paths {
	struct pp *pp;
	GHashTable *by_text;	/* all the dirs -> index + 1 */
	GPtrArray *searches;	/* of struct search */
	GHashTable *found;	/* struct key -> struct pp_file or NULL */
	guint32 age;		/* of what the includes of files keep */
};

static guint32 ages;

struct key {
	guint32 path, dir, spec, how;
};

static guint key_hash(gconstpointer p)
{
	const struct key *k = p;

	return (k->path * 31 + k->dir) * 2654435761u ^ k->spec * 40503u ^ k->how;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct key));
}

static void search_free(gpointer data)
{
	struct search *s = data;

	g_ptr_array_unref(s->dirs);
	g_free(s);
}

struct pp_paths *pp_paths_new(struct pp *pp)
{
	struct pp_paths *ps = g_new0(struct pp_paths, 1);

	ps->pp = pp;
	ps->age = ++ages;
	ps->by_text = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	ps->searches = g_ptr_array_new_with_free_func(search_free);
	ps->found = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
	return ps;
}

void pp_paths_free(struct pp_paths *ps)
{
	g_hash_table_unref(ps->by_text);
	g_ptr_array_unref(ps->searches);
	g_hash_table_unref(ps->found);
	g_free(ps);
}

void pp_paths_forget(struct pp_paths *ps)
{
	g_hash_table_remove_all(ps->found);
	ps->age = ++ages;
}

/* The directory that option @name at argv[*i] gives; NULL: it is another. */
static const char *option_dir(char *const *argv, guint *i, const char *name)
{
	gsize n = strlen(name);

	if (strncmp(argv[*i], name, n))
		return NULL;
	if (argv[*i][n])
		return argv[*i] + n;
	return argv[*i + 1] ? argv[++*i] : NULL;
}

static struct search *search_new(char *const *argv, const char *cwd)
{
	static const char *const options[] = { "-iquote", "-I", "-isystem" };
	struct search *s = g_new0(struct search, 1);

	s->dirs = g_ptr_array_new_with_free_func(g_free);
	for (gsize k = 0; k < G_N_ELEMENTS(options); k++) {
		for (guint i = 0; argv[i]; i++) {
			const char *dir = option_dir(argv, &i, options[k]);

			if (dir)
				g_ptr_array_add(s->dirs,
						g_canonicalize_filename(dir, cwd));
		}
		if (!k)
			s->quoted_only = s->dirs->len;
	}
	return s;
}

guint32 pp_paths_of(struct pp_paths *ps, char *const *argv, const char *cwd)
{
	struct search *s = search_new(argv, cwd);
	g_autoptr(GString) text = g_string_new(NULL);
	guint32 id;

	for (guint i = 0; i < s->dirs->len; i++)
		g_string_append_printf(text, "%s%s\n",
			i < s->quoted_only ? "\"" : "",
			(const char *)s->dirs->pdata[i]);
	id = GPOINTER_TO_UINT(g_hash_table_lookup(ps->by_text, text->str));
	if (id) {
		search_free(s);
		return id - 1;
	}
	g_ptr_array_add(ps->searches, s);
	id = ps->searches->len;
	g_hash_table_insert(ps->by_text, g_strdup(text->str),
			    GUINT_TO_POINTER(id));
	return id - 1;
}

static struct pp_file *file_in(struct pp_paths *ps, const char *dir,
			       const char *name)
{
	g_autofree char *path = g_canonicalize_filename(name, dir);

	return pp_file(ps->pp, path);
}

static struct pp_file *look(struct pp_paths *ps, const struct search *s,
			    const struct pp_file *from, const char *name,
			    bool quoted, bool next)
{
	const char *own = pp_text(ps->pp, from->dir);
	struct pp_file *f = NULL;
	bool past = !next;

	if (quoted && !next)
		f = file_in(ps, own, name);
	for (guint i = quoted ? 0 : s->quoted_only; !f && i < s->dirs->len; i++) {
		const char *dir = s->dirs->pdata[i];

		/* #include_next goes on behind the one that held this file. */
		if (past)
			f = file_in(ps, dir, name);
		else
			past = file_in(ps, dir, name) == from;
	}
	return f;
}

struct pp_file *pp_paths_find(struct pp_paths *ps, guint32 path,
			      const struct pp_file *from, guint32 spec,
			      bool quoted, bool next)
{
	struct key key = { path, quoted || next ? from->dir : 0, spec,
			   quoted | next << 1 };
	gpointer found;

	if (g_hash_table_lookup_extended(ps->found, &key, NULL, &found))
		return found;
	found = look(ps, ps->searches->pdata[path], from,
		     pp_text(ps->pp, spec), quoted, next);
	g_hash_table_insert(ps->found, g_memdup2(&key, sizeof(key)), found);
	return found;
}

struct pp_file *pp_paths_include(struct pp_paths *ps, guint32 path,
				 const struct pp_file *from,
				 struct pp_include *inc)
{
	/* Most TUs have the same path. */
	if (inc->age != ps->age || inc->path != path) {
		inc->file = pp_paths_find(ps, path, from, inc->spec,
					  inc->quoted, inc->next);
		inc->age = ps->age;
		inc->path = path;
	}
	return inc->file;
}
