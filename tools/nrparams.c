// SPDX-License-Identifier: GPL-2.0
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "nrparams.h"
#include "strsort.h"
#include "toplevel.h"

static const char *const names[] = { "nr", "nr_pages", "npages", "nr_ptes",
	"max_nr", "max_nr_ptes", "nrpages", "nr_entries", "ncontig", NULL };

static void array_unref(gpointer a)
{
	g_array_unref(a);
}

GHashTable *nrparams_new(void)
{
	return g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
				     array_unref);
}

/* Is the parameter that ends before token @end a number of pages? */
static bool is_number(const struct toplevel *top, guint start, guint end)
{
	const struct top_token *last = toplevel_at(top, end - 1);
	g_autofree char *name = NULL;

	if (end < start + 2 || last->kind != 'a')
		return false;
	name = g_strndup(last->text, last->len);
	/* an "int *nr" is where a number goes to */
	return g_strv_contains(names, name) &&
	       toplevel_at(top, end - 2)->kind == 'a';
}

static void scan_list(const struct toplevel *top, guint open, GArray *found)
{
	guint close = toplevel_close(top, open), start = open + 1, index = 0;
	unsigned int depth = toplevel_at(top, open)->depth + 1;

	for (guint i = open + 1; i <= close && i < top->tokens->len; i++) {
		const struct top_token *token = toplevel_at(top, i);

		if (i != close && (token->kind != ',' || token->depth != depth))
			continue;
		if (is_number(top, start, i))
			g_array_append_val(found, index);
		start = i + 1;
		index++;
	}
}

void nrparams_scan(GHashTable *table, const char *text, gsize len)
{
	g_autoptr(ctext_t) t = ctext_new(text, len);
	struct toplevel top;

	toplevel_init(&top, t);
	while (toplevel_next(&top)) {
		for (guint i = 1; i + 1 < top.tokens->len; i++) {
			const struct top_token *name = toplevel_at(&top, i);
			GArray *found;

			if (name->kind != 'a' || name->depth ||
			    toplevel_at(&top, i + 1)->kind != '(')
				continue;
			found = g_array_new(FALSE, FALSE, sizeof(guint));
			scan_list(&top, i + 1, found);
			if (found->len)
				g_hash_table_replace(table, g_strndup(name->text,
							name->len), found);
			else
				g_array_unref(found);
			break;
		}
	}
	toplevel_release(&top);
}

char *nrparams_json(GHashTable *table)
{
	json_t *json = json_object();
	GHashTableIter it;
	gpointer name, list;
	char *dumped, *text;

	g_hash_table_iter_init(&it, table);
	while (g_hash_table_iter_next(&it, &name, &list)) {
		const GArray *found = list;
		json_t *indexes = json_array();

		for (guint i = 0; i < found->len; i++)
			json_array_append_new(indexes, json_integer(
				g_array_index(found, guint, i)));
		json_object_set_new(json, name, indexes);
	}
	dumped = json_dumps(json, JSON_COMPACT | JSON_SORT_KEYS);
	text = g_strdup(dumped);
	free(dumped);
	json_decref(json);
	return text;
}

static void scan_dir(GHashTable *table, const char *srcdir, const char *dir)
{
	g_autofree char *full = g_build_filename(srcdir, dir, NULL);
	g_autoptr(GDir) d = g_dir_open(full, 0, NULL);
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(g_free);
	const char *name;

	while (d && (name = g_dir_read_name(d)))
		if (g_str_has_suffix(name, ".h"))
			g_ptr_array_add(list, g_build_filename(full, name, NULL));
	g_ptr_array_sort(list, by_string);
	for (guint i = 0; i < list->len; i++) {
		g_autofree char *text = NULL;
		gsize len;

		if (g_file_get_contents(list->pdata[i], &text, &len, NULL))
			nrparams_scan(table, text, len);
	}
}

void nrparams_tree(GHashTable *table, const char *srcdir)
{
	/* the generic ones last: what architectures have is the same or less */
	scan_dir(table, srcdir, "arch/arm64/include/asm");
	scan_dir(table, srcdir, "arch/x86/include/asm");
	scan_dir(table, srcdir, "mm");
	scan_dir(table, srcdir, "include/asm-generic");
	scan_dir(table, srcdir, "include/linux");
}
