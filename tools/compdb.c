// SPDX-License-Identifier: GPL-2.0
#include "compdb.h"

void compdb_tu_free(void *p)
{
	struct tu *tu = p;

	g_free(tu->object);
	g_free(tu->source);
	g_strfreev(tu->values);
	if (tu->before)
		compdb_tu_free(tu->before);
	g_free(tu);
}

struct compdb *compdb_new(void)
{
	struct compdb *db = g_new0(struct compdb, 1);

	db->tus = g_ptr_array_new_with_free_func(compdb_tu_free);
	db->gone = g_ptr_array_new_with_free_func(compdb_tu_free);
	db->templates = g_ptr_array_new_with_free_func(g_free);
	db->classes = g_ptr_array_new_with_free_func(g_free);
	db->by_source = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
					      (GDestroyNotify)g_ptr_array_unref);
	db->template_ids = g_hash_table_new(g_str_hash, g_str_equal);
	db->class_ids = g_hash_table_new(g_str_hash, g_str_equal);
	return db;
}

void compdb_free(struct compdb *db)
{
	if (!db)
		return;
	g_hash_table_unref(db->by_source);
	g_hash_table_unref(db->template_ids);
	g_hash_table_unref(db->class_ids);
	g_ptr_array_unref(db->tus);
	g_ptr_array_unref(db->gone);
	g_ptr_array_unref(db->templates);
	g_ptr_array_unref(db->classes);
	g_free(db);
}

static unsigned int intern(GPtrArray *list, GHashTable *ids, const char *text)
{
	unsigned int id = GPOINTER_TO_UINT(g_hash_table_lookup(ids, text));

	if (id)
		return id - 1;
	g_ptr_array_add(list, g_strdup(text));
	g_hash_table_insert(ids, list->pdata[list->len - 1],
			    GUINT_TO_POINTER(list->len));
	return list->len - 1;
}

unsigned int compdb_template_id(struct compdb *db, const char *text)
{
	return intern(db->templates, db->template_ids, text);
}

unsigned int compdb_class_id(struct compdb *db, const char *text)
{
	return intern(db->classes, db->class_ids, text);
}

void compdb_add(struct compdb *db, const struct tu *tu)
{
	g_ptr_array_add(db->tus, g_memdup2(tu, sizeof(*tu)));
}

static int cmp_tu(const void *a, const void *b)
{
	const struct tu *const *x = a, *const *y = b;

	return strcmp((*x)->object, (*y)->object);
}

/*
 * An object may come twice: from the dry run and from the .cmd file that
 * `prepare` left; or for vmlinux and for modules.  The sort is stable, so
 * the first that was added stays.
 */
static void dedupe(GPtrArray *tus)
{
	guint to = 0;

	for (guint i = 0; i < tus->len; i++) {
		struct tu *tu = tus->pdata[i], *last;

		last = to ? tus->pdata[to - 1] : NULL;
		if (last && !strcmp(last->object, tu->object)) {
			compdb_tu_free(tu);
			continue;
		}
		tus->pdata[to++] = tu;
	}
	/* what is behind was moved or freed */
	for (guint i = to; i < tus->len; i++)
		tus->pdata[i] = NULL;
	g_ptr_array_set_free_func(tus, NULL);
	g_ptr_array_set_size(tus, to);
	g_ptr_array_set_free_func(tus, compdb_tu_free);
}

void compdb_finish(struct compdb *db)
{
	g_hash_table_remove_all(db->by_source);
	g_ptr_array_sort(db->tus, cmp_tu);
	dedupe(db->tus);
	for (guint i = 0; i < db->tus->len; i++) {
		struct tu *tu = db->tus->pdata[i];
		GPtrArray *list = g_hash_table_lookup(db->by_source, tu->source);

		if (!list) {
			list = g_ptr_array_new();
			g_hash_table_insert(db->by_source, tu->source, list);
		}
		g_ptr_array_add(list, tu);
	}
}

struct tu *compdb_find_object(const struct compdb *db, const char *object)
{
	guint low = 0, high = db->tus->len;

	while (low < high) {
		guint mid = low + (high - low) / 2;
		struct tu *tu = db->tus->pdata[mid];
		int c = strcmp(object, tu->object);

		if (!c)
			return tu;
		if (c < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

const GPtrArray *compdb_by_source(const struct compdb *db, const char *path)
{
	return g_hash_table_lookup(db->by_source, path);
}

/* What the marks of a template stand for in one command. */
struct fill {
	const struct tu *tu;	/* NULL inside of a value: no values there */
	const char *srcdir, *object, *depfile, *source;
};

static void expand(GString *out, const char *text, gsize len,
		   const struct fill *f);

static void expand_value(GString *out, guint i, const struct fill *f)
{
	struct fill in = *f;

	in.tu = NULL;
	expand(out, f->tu->values[i], strlen(f->tu->values[i]), &in);
}

static void expand_mark(GString *out, char mark, const struct fill *f)
{
	const struct tu *tu = f->tu;
	const char *slash;

	if (mark == 'S')
		g_string_append(out, f->srcdir);
	if (!tu)
		return;
	switch (mark) {
	case 'D':
		slash = strrchr(tu->object, '/');
		if (slash)
			g_string_append_len(out, tu->object, slash - tu->object);
		break;
	case 'o':
		g_string_append(out, f->object);
		break;
	case 'd':
		g_string_append(out, f->depfile);
		break;
	case 's':
		if (f->source)
			g_string_append(out, f->source);
		else
			expand_value(out, 0, f);
		break;
	case '1' ... '9':
		expand_value(out, mark - '0', f);
		break;
	}
}

static void expand(GString *out, const char *text, gsize len,
		   const struct fill *f)
{
	const char *end = text + len, *p;

	while ((p = memchr(text, '%', end - text))) {
		char c = end - p > 1 ? p[1] : 0;
		bool hex = end - p > 2 && g_ascii_isxdigit(c) &&
			   g_ascii_isxdigit(p[2]);

		g_string_append_len(out, text, p - text);
		if (hex && (c == '0' || c == '2')) {
			g_string_append_c(out, g_ascii_xdigit_value(c) * 16 +
					  g_ascii_xdigit_value(p[2]));
			text = p + 3;
			continue;
		}
		expand_mark(out, c, f);
		text = MIN(p + 2, end);
	}
	g_string_append_len(out, text, end - text);
}

char **compdb_argv(const struct compdb *db, const struct tu *tu,
		   const char *srcdir, const char *object, const char *depfile,
		   const char *source)
{
	struct fill f = { tu, srcdir, object, depfile, source };
	const char *p = db->templates->pdata[tu->template];
	GPtrArray *argv = g_ptr_array_new();
	g_autoptr(GString) word = g_string_new(NULL);

	for (;;) {
		const char *end = strchrnul(p, ' ');

		g_string_truncate(word, 0);
		expand(word, p, end - p, &f);
		g_ptr_array_add(argv, g_strdup(word->str));
		if (!*end)
			break;
		p = end + 1;
	}
	g_ptr_array_add(argv, NULL);
	return (char **)g_ptr_array_free(argv, FALSE);
}
