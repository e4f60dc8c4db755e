// SPDX-License-Identifier: GPL-2.0
/*
 * The database as a text file: a head line with the counts, one line for each
 * template and class, then one for each TU: object, source ("=" when the
 * first value has it), template, class, values, with a tab between.
 */
#include "compdb.h"
#include "error.h"

#define MAGIC "respin-compdb 2"

static void put(GString *out, const char *s)
{
	for (; *s; s++) {
		if (*s == '\t' || *s == '\n' || *s == '\\')
			g_string_append_printf(out, "\\%c",
					       *s == '\t' ? 't' :
					       *s == '\n' ? 'n' : '\\');
		else
			g_string_append_c(out, *s);
	}
}

static void get(char *s)
{
	char *to;

	s = strchrnul(s, '\\');
	for (to = s; *s; s++) {
		if (*s == '\\' && s[1]) {
			s++;
			*to++ = *s == 't' ? '\t' : *s == 'n' ? '\n' : *s;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

static bool same_source(const struct tu *tu)
{
	return g_str_has_prefix(tu->values[0], "%S/") &&
	       !strcmp(tu->values[0] + 3, tu->source);
}

int compdb_save(const struct compdb *db, const char *path, GError **error)
{
	g_autoptr(GString) s = g_string_new(NULL);
	GError *err = NULL;

	g_string_printf(s, MAGIC " %u %u %u\n", db->templates->len,
			db->classes->len, db->tus->len);
	for (guint i = 0; i < db->templates->len; i++)
		g_string_append_printf(s, "%s\n",
				       (char *)db->templates->pdata[i]);
	for (guint i = 0; i < db->classes->len; i++)
		g_string_append_printf(s, "%s\n", (char *)db->classes->pdata[i]);
	for (guint i = 0; i < db->tus->len; i++) {
		const struct tu *tu = db->tus->pdata[i];

		put(s, tu->object);
		g_string_append_c(s, '\t');
		put(s, same_source(tu) ? "=" : tu->source);
		g_string_append_printf(s, "\t%u\t%u", tu->template, tu->class);
		for (char **v = tu->values; *v; v++) {
			g_string_append_c(s, '\t');
			put(s, *v);
		}
		g_string_append_c(s, '\n');
	}
	if (g_file_set_contents(path, s->str, s->len, &err))
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
		    "cannot write the compile database: %s", err->message);
	g_error_free(err);
	return -1;
}

/* The next line of the text, ended by NUL; NULL: no whole line is left. */
static char *next_line(char **p)
{
	char *line = *p, *eol = strchr(line, '\n');

	if (!eol)
		return NULL;
	*eol = 0;
	*p = eol + 1;
	return line;
}

static bool get_list(char **p, unsigned int n, struct compdb *db,
		     unsigned int (*add)(struct compdb *db, const char *text))
{
	for (unsigned int i = 0; i < n; i++) {
		char *line = next_line(p);

		if (!line || add(db, line) != i)
			return false;
	}
	return true;
}

/* The number of values that template @text uses. */
static unsigned int values_used(const char *text)
{
	unsigned int n = 1;

	while ((text = strchr(text, '%'))) {
		text++;
		if (*text >= '1' && *text <= '9' &&
		    (*text != '2' || !g_ascii_isxdigit(text[1])))
			n = MAX(n, *text - '0' + 1u);
	}
	return n;
}

static bool get_tu(char *line, struct compdb *db, const GArray *used)
{
	g_auto(GStrv) f = g_strsplit(line, "\t", -1);
	guint n = g_strv_length(f);
	struct tu tu = { 0 };

	if (n < 5)
		return false;
	tu.template = strtoul(f[2], NULL, 10);
	tu.class = strtoul(f[3], NULL, 10);
	if (tu.template >= db->templates->len || tu.class >= db->classes->len ||
	    n - 4 < g_array_index(used, unsigned int, tu.template))
		return false;
	for (guint i = 0; i < n; i++)
		get(f[i]);
	if (!strcmp(f[1], "=")) {
		if (!g_str_has_prefix(f[4], "%S/"))
			return false;
		tu.source = g_strdup(f[4] + 3);
	} else {
		tu.source = g_steal_pointer(&f[1]);
	}
	tu.object = g_steal_pointer(&f[0]);
	tu.values = g_strdupv(f + 4);
	compdb_add(db, &tu);
	/* g_strfreev() stops at the first NULL */
	for (guint i = 1; i < n; i++)
		g_free(f[i]);
	f[0] = NULL;
	return true;
}

static bool get_all(char *p, struct compdb *db)
{
	unsigned int templates, classes, tus;
	char *line = next_line(&p);
	g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(unsigned int));

	if (!line || sscanf(line, MAGIC " %u %u %u", &templates, &classes,
			    &tus) != 3)
		return false;
	if (!get_list(&p, templates, db, compdb_template_id) ||
	    !get_list(&p, classes, db, compdb_class_id))
		return false;
	for (guint i = 0; i < db->templates->len; i++) {
		unsigned int n = values_used(db->templates->pdata[i]);

		g_array_append_val(used, n);
	}
	for (unsigned int i = 0; i < tus; i++) {
		line = next_line(&p);
		if (!line || !get_tu(line, db, used))
			return false;
	}
	return !*p;
}

struct compdb *compdb_load(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	GError *err = NULL;
	struct compdb *db;

	if (!g_file_get_contents(path, &text, NULL, &err)) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "cannot read the compile database: %s",
			    err->message);
		g_error_free(err);
		return NULL;
	}
	db = compdb_new();
	if (get_all(text, db)) {
		compdb_finish(db);
		return db;
	}
	compdb_free(db);
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
		    "'%s' is no whole compile database; remove it", path);
	return NULL;
}
