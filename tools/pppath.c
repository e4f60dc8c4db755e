// SPDX-License-Identifier: GPL-2.0
/* Which file an #include names, by the -I of the command that meets it. */
#include "ppwalk.h"
#include <string.h>

struct search {
	GPtrArray *dirs;	/* of char *, absolute: -I, then -isystem */
	GArray *starts;		/* of guint32: the path up to each of dirs as a
				   number; two that start alike have it alike */
	guint quoted_only;	/* so many at the start are -iquote */
};

/* Where a file was found: index into dirs, or one of these. */
enum { OWN_DIR = -1, NOWHERE = -2 };

struct pp_paths {
	struct pp *pp;
	GHashTable *by_text;	/* cwd and all the dirs -> index + 1 */
	GHashTable *by_start;	/* number of the start before, dir -> its own */
	GPtrArray *searches;	/* of struct search */
	GHashTable *found;	/* struct key -> struct find */
	guint32 age;		/* of what the includes of files keep */
};

static guint32 ages;

struct key {
	guint32 path, dir, spec, how;
};

struct find {
	struct pp_file *file;	/* NULL: there is none */
	int at;
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
	g_array_unref(s->starts);
	g_free(s);
}

struct pp_paths *pp_paths_new(struct pp *pp)
{
	struct pp_paths *ps = g_new0(struct pp_paths, 1);

	ps->pp = pp;
	ps->age = ++ages;
	ps->by_text = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    NULL);
	ps->by_start = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					     NULL);
	ps->searches = g_ptr_array_new_with_free_func(search_free);
	ps->found = g_hash_table_new_full(key_hash, key_equal, g_free, g_free);
	return ps;
}

void pp_paths_free(struct pp_paths *ps)
{
	g_hash_table_unref(ps->by_text);
	g_hash_table_unref(ps->by_start);
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

/* -iquote first, then -I, then -isystem. */
typedef void (*dir_fn)(const char *dir, bool quoted_only, void *data);

static void each_dir(char *const *argv, dir_fn fn, void *data)
{
	static const char *const options[] = { "-iquote", "-I", "-isystem" };

	for (gsize k = 0; k < G_N_ELEMENTS(options); k++)
		for (guint i = 0; argv[i]; i++) {
			const char *dir = option_dir(argv, &i, options[k]);

			if (dir)
				fn(dir, !k, data);
		}
}

static void add_text(const char *dir, bool quoted_only, void *data)
{
	g_string_append_printf(data, "%s%s\n", quoted_only ? "\"" : "", dir);
}

/* A path that is being made. */
struct making {
	struct pp_paths *ps;
	struct search *s;
	const char *cwd;
	guint32 start;
};

static void add_dir(const char *dir, bool quoted_only, void *data)
{
	struct making *m = data;
	char *full = g_canonicalize_filename(dir, m->cwd);
	g_autofree char *key = g_strdup_printf("%u%s%s", m->start,
					       quoted_only ? "\"" : "", full);
	GHashTable *starts = m->ps->by_start;

	m->start = GPOINTER_TO_UINT(g_hash_table_lookup(starts, key));
	if (!m->start) {
		m->start = g_hash_table_size(starts) + 1;
		g_hash_table_insert(starts, g_steal_pointer(&key),
				    GUINT_TO_POINTER(m->start));
	}
	g_ptr_array_add(m->s->dirs, full);
	g_array_append_val(m->s->starts, m->start);
	m->s->quoted_only += quoted_only;
}

guint32 pp_paths_of(struct pp_paths *ps, char *const *argv, const char *cwd)
{
	g_autoptr(GString) text = g_string_new(cwd);
	struct making m = { .ps = ps, .cwd = cwd };
	guint32 id;

	g_string_append_c(text, '\n');
	each_dir(argv, add_text, text);
	id = GPOINTER_TO_UINT(g_hash_table_lookup(ps->by_text, text->str));
	if (id)
		return id - 1;
	m.s = g_new0(struct search, 1);
	m.s->dirs = g_ptr_array_new_with_free_func(g_free);
	m.s->starts = g_array_new(FALSE, FALSE, sizeof(guint32));
	each_dir(argv, add_dir, &m);
	g_ptr_array_add(ps->searches, m.s);
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

static struct find look(struct pp_paths *ps, const struct search *s,
			const struct pp_file *from, const char *name,
			bool quoted, bool next)
{
	const char *own = pp_text(ps->pp, from->dir);
	struct find f = { NULL, NOWHERE };
	bool past = !next;

	if (quoted && !next)
		f = (struct find){ file_in(ps, own, name), OWN_DIR };
	for (guint i = quoted ? 0 : s->quoted_only;
	     !f.file && i < s->dirs->len; i++) {
		const char *dir = s->dirs->pdata[i];

		/* #include_next goes on behind the one that held this file. */
		if (past)
			f = (struct find){ file_in(ps, dir, name), i };
		else
			past = file_in(ps, dir, name) == from;
	}
	return f.file ? f : (struct find){ NULL, NOWHERE };
}

static const struct find *find(struct pp_paths *ps, guint32 path,
			       const struct pp_file *from, guint32 spec,
			       bool quoted, bool next)
{
	struct key key = { path, quoted || next ? from->dir : 0, spec,
			   quoted | next << 1 };
	struct find *f = g_hash_table_lookup(ps->found, &key);

	if (f)
		return f;
	f = g_new(struct find, 1);
	*f = look(ps, ps->searches->pdata[path], from, pp_text(ps->pp, spec),
		  quoted, next);
	g_hash_table_insert(ps->found, g_memdup2(&key, sizeof(key)), f);
	return f;
}

struct pp_file *pp_paths_find(struct pp_paths *ps, guint32 path,
			      const struct pp_file *from, guint32 spec,
			      bool quoted, bool next)
{
	return find(ps, path, from, spec, quoted, next)->file;
}

/* Does what @inc keeps hold for a path too? */
static bool holds(const struct search *s, guint32 path,
		  const struct pp_include *inc)
{
	int at = inc->at;

	if (at == OWN_DIR)
		return true;
	if (at == NOWHERE)
		return inc->start == path;
	return (guint)at < s->starts->len &&
	       g_array_index(s->starts, guint32, at) == inc->start;
}

/*
 * Paths of the kernel start alike, and what the start holds is found there
 * whatever follows.
 */
struct pp_file *pp_paths_include(struct pp_paths *ps, guint32 path,
				 const struct pp_file *from,
				 struct pp_include *inc)
{
	const struct search *s = ps->searches->pdata[path];
	const struct find *f;

	if (inc->age == ps->age && holds(s, path, inc))
		return inc->file;
	f = find(ps, path, from, inc->spec, inc->quoted, inc->next);
	inc->file = f->file;
	inc->at = f->at;
	inc->age = ps->age;
	inc->start = f->at >= 0 ? g_array_index(s->starts, guint32, f->at) :
		     path;
	return inc->file;
}
