// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "uapi.h"
#include "strsort.h"

static const char common[] = "include/uapi/";

static bool is_plain(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./")] &&
	       g_str_has_suffix(name, ".h");
}

bool uapi_is_header(const char *path, char **srcarch)
{
	const char *slash, *rest;

	*srcarch = NULL;
	if (g_str_has_prefix(path, common))
		return g_str_has_suffix(path, ".h");
	if (!g_str_has_prefix(path, "arch/"))
		return false;
	slash = strchr(path + strlen("arch/"), '/');
	rest = slash ? slash + 1 : "";
	if (!g_str_has_prefix(rest, common) || !g_str_has_suffix(rest, ".h"))
		return false;
	*srcarch = g_strndup(path + strlen("arch/"),
			     slash - path - strlen("arch/"));
	return true;
}

const char *uapi_name(const char *path, const char *srcarch)
{
	g_autofree char *arch = NULL;
	const char *name;

	if (!uapi_is_header(path, &arch) || (arch && strcmp(arch, srcarch)))
		return NULL;
	name = strstr(path, common) + strlen(common);
	return is_plain(name) ? name : NULL;
}

/* Where headers are installed from, in the order in which they are looked for. */
static char **roots(const char *srcdir, const char *odir, const char *srcarch)
{
	g_autofree char *arch = g_strconcat("arch/", srcarch, "/include", NULL);
	char **dirs = g_new0(char *, 5);

	dirs[0] = g_build_filename(srcdir, common, NULL);
	dirs[1] = g_build_filename(srcdir, arch, "uapi/", NULL);
	dirs[2] = g_build_filename(odir, "include/generated/uapi/", NULL);
	dirs[3] = g_build_filename(odir, arch, "generated/uapi/", NULL);
	return dirs;
}

char *uapi_source(const char *srcdir, const char *odir, const char *srcarch,
		  const char *name)
{
	g_auto(GStrv) dirs = roots(srcdir, odir, srcarch);

	for (gsize i = 0; dirs[i]; i++) {
		g_autofree char *full = g_strconcat(dirs[i], name, NULL);

		if (!g_file_test(full, G_FILE_TEST_IS_REGULAR))
			continue;
		return i < 2 ? g_strdup(full + strlen(srcdir) + 1) :
			g_strconcat("O/", full + strlen(odir) + 1, NULL);
	}
	return NULL;
}

static char *read_source(const char *srcdir, const char *odir,
			 const char *srcarch, const char *name)
{
	g_autofree char *path = uapi_source(srcdir, odir, srcarch, name);
	g_autofree char *full = NULL;
	char *text = NULL;

	if (!path)
		return NULL;
	full = g_str_has_prefix(path, "O/") ?
	       g_build_filename(odir, path + 2, NULL) :
	       g_build_filename(srcdir, path, NULL);
	return g_file_get_contents(full, &text, NULL, NULL) ? text : NULL;
}

static GPtrArray *includes_of(const char *text)
{
	static GRegex *form;
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GMatchInfo) m = NULL;

	if (!form)
		form = g_regex_new("^[ \\t]*#[ \\t]*include[ \\t]*([<\"][^>\"\\n]+)",
				   G_REGEX_MULTILINE | G_REGEX_RAW, 0, NULL);
	g_regex_match(form, text, 0, &m);
	while (g_match_info_matches(m)) {
		g_ptr_array_add(list, g_match_info_fetch(m, 1));
		g_match_info_next(m, NULL);
	}
	return list;
}

static char *beside(const char *name, const char *other)
{
	g_autofree char *dir = g_path_get_dirname(name);
	g_autofree char *joined = g_build_filename("/", dir, other, NULL);
	g_autofree char *clean = g_canonicalize_filename(joined, "/");

	return g_strdup(clean + 1);
}

GHashTable *uapi_closure(const char *srcdir, const char *odir,
			 const char *srcarch, const char *name)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
						NULL);
	g_autoptr(GPtrArray) todo = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(todo, g_strdup(name));
	for (guint i = 0; i < todo->len; i++) {
		const char *at = todo->pdata[i];
		g_autofree char *text = NULL;
		g_autoptr(GPtrArray) list = NULL;

		if (!is_plain(at) || g_hash_table_contains(set, at))
			continue;
		text = read_source(srcdir, odir, srcarch, at);
		if (!text)
			continue;
		g_hash_table_add(set, g_strdup(at));
		list = includes_of(text);
		for (guint k = 0; k < list->len; k++) {
			const char *inc = list->pdata[k];

			g_ptr_array_add(todo, g_strdup(inc + 1));
			if (*inc == '"')
				g_ptr_array_add(todo, beside(at, inc + 1));
		}
	}
	return set;
}

/* Who includes whom: name -> GPtrArray of the names that include it. */
struct includers {
	GHashTable *of;		/* keys and arrays owned */
};

static void add_includer(struct includers *inc, const char *name,
			 const char *by)
{
	GPtrArray *list = g_hash_table_lookup(inc->of, name);

	if (!list) {
		list = g_ptr_array_new_with_free_func(g_free);
		g_hash_table_insert(inc->of, g_strdup(name), list);
	}
	g_ptr_array_add(list, g_strdup(by));
}

static void read_header(struct includers *inc, const char *path,
			const char *name)
{
	g_autoptr(GPtrArray) list = NULL;
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	list = includes_of(text);
	for (guint i = 0; i < list->len; i++) {
		const char *other = list->pdata[i];

		add_includer(inc, other + 1, name);
		if (*other == '"') {
			g_autofree char *near = beside(name, other + 1);

			add_includer(inc, near, name);
		}
	}
}

/* @root ends with a slash, @dir is below it or "". */
static void read_headers(struct includers *inc, const char *root,
			 const char *dir)
{
	g_autofree char *full = g_strconcat(root, dir, NULL);
	g_autoptr(GDir) d = g_dir_open(full, 0, NULL);
	const char *entry;

	while (d && (entry = g_dir_read_name(d))) {
		g_autofree char *name = *dir ? g_build_filename(dir, entry, NULL) :
					g_strdup(entry);
		g_autofree char *path = g_strconcat(root, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR))
			read_headers(inc, root, name);
		else if (is_plain(name))
			read_header(inc, path, name);
	}
}

GPtrArray *uapi_reaching(const char *srcdir, const char *odir,
			 const char *srcarch, GHashTable *names)
{
	g_auto(GStrv) dirs = roots(srcdir, odir, srcarch);
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) todo = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	struct includers inc;
	GHashTableIter it;
	gpointer name;

	inc.of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				       (GDestroyNotify)g_ptr_array_unref);
	for (char **dir = dirs; *dir; dir++)
		read_headers(&inc, *dir, "");
	g_hash_table_iter_init(&it, names);
	while (g_hash_table_iter_next(&it, &name, NULL))
		g_ptr_array_add(todo, name);
	for (guint i = 0; i < todo->len; i++) {
		const GPtrArray *by = g_hash_table_lookup(inc.of, todo->pdata[i]);

		for (guint k = 0; by && k < by->len; k++) {
			char *path;

			if (!g_hash_table_add(seen, by->pdata[k]))
				continue;
			g_ptr_array_add(todo, by->pdata[k]);
			path = uapi_source(srcdir, odir, srcarch, by->pdata[k]);
			if (path && !g_str_has_prefix(path, "O/"))
				g_ptr_array_add(found, path);
			else
				g_free(path);
		}
	}
	g_hash_table_unref(inc.of);
	g_ptr_array_sort(found, by_string);
	return found;
}

const char *uapi_mode(const struct compdb *db)
{
	for (guint i = 0; db && i < db->classes->len; i++) {
		g_auto(GStrv) words = g_strsplit(db->classes->pdata[i], " ", -1);

		if (g_strv_contains((const char *const *)words, "-m32"))
			return "-m32";
		if (g_strv_contains((const char *const *)words, "-m64"))
			return "-m64";
	}
	return "";
}

char *uapi_flags(const char *makefile)
{
	const char *p = strstr(makefile, "\nUAPI_CFLAGS := ");

	if (!p)
		return NULL;
	p += strlen("\nUAPI_CFLAGS := ");
	return g_strndup(p, strcspn(p, "\n"));
}

static bool excludes(const char *line, const char *name)
{
	static const char form[] = "no-header-test += ";
	g_auto(GStrv) words = NULL;

	if (!g_str_has_prefix(line, form))
		return false;
	words = g_strsplit_set(line + strlen(form), " \t", -1);
	for (char **w = words; *w; w++) {
		gsize n = strcspn(*w, "%");

		if ((*w)[n] == '%' ? !strncmp(*w, name, n) &&
		    g_str_has_suffix(name, *w + n + 1) : !strcmp(*w, name))
			return true;
	}
	return false;
}

bool uapi_is_excluded(const char *makefile, const char *srcarch,
		      const char *name)
{
	g_auto(GStrv) lines = g_strsplit(makefile, "\n", -1);
	g_autofree char *here = g_strdup_printf("ifeq ($(SRCARCH),%s)", srcarch);
	bool on = true;

	for (char **l = lines; *l; l++) {
		if (g_str_has_prefix(*l, "ifeq ($(SRCARCH),"))
			on = !strcmp(*l, here);
		else if (g_str_has_prefix(*l, "endif"))
			on = true;
		else if (on && excludes(*l, name))
			return true;
	}
	return false;
}
