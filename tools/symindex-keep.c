// SPDX-License-Identifier: GPL-2.0
/*
 * Reading the sources of all TUs takes seconds, and nothing of it hangs on the
 * series: it is kept for the tree of the base.
 */
#include "run-keep.h"
#include "symindex-keep.h"

#define KIND "symbols of sources"
/* conditional; licence; items: name, namespace, kind, line, GPL only; imports;
 * includes */
#define TEXT "(bmsa(ssuub)asa(su))"
#define ALL "a{s" TEXT "}"

static GChecksum *key_of(const struct run *run)
{
	GChecksum *key = kept_key(KIND);

	kept_add(key, run_step(run, 0)->tree);
	return key;
}

static GVariant *pack(const struct symtext *s)
{
	GVariantBuilder b;

	g_variant_builder_init(&b, G_VARIANT_TYPE(TEXT));
	g_variant_builder_add(&b, "b", s->conditional);
	g_variant_builder_add(&b, "ms", s->licence);
	g_variant_builder_open(&b, G_VARIANT_TYPE("a(ssuub)"));
	for (guint i = 0; i < s->items->len; i++) {
		const struct symtext_item *it = &g_array_index(s->items,
						struct symtext_item, i);

		g_variant_builder_add(&b, "(ssuub)", it->name, it->space,
				      (guint32)it->kind, it->line, it->gpl);
	}
	g_variant_builder_close(&b);
	g_variant_builder_open(&b, G_VARIANT_TYPE("as"));
	for (guint i = 0; i < s->imports->len; i++)
		g_variant_builder_add(&b, "s", s->imports->pdata[i]);
	g_variant_builder_close(&b);
	g_variant_builder_open(&b, G_VARIANT_TYPE("a(su)"));
	for (guint i = 0; i < s->includes->len; i++) {
		const struct symtext_include *inc = &g_array_index(s->includes,
						struct symtext_include, i);

		g_variant_builder_add(&b, "(su)", inc->name, inc->line);
	}
	g_variant_builder_close(&b);
	return g_variant_builder_end(&b);
}

static struct symtext *unpack(GVariantIter *items, GVariantIter *imports,
			      GVariantIter *includes)
{
	struct symtext *s = symtext_new();
	struct symtext_item it = { 0 };
	struct symtext_include inc = { 0 };
	const char *name, *space;
	gboolean gpl;
	guint32 kind;

	while (g_variant_iter_next(items, "(&s&suub)", &name, &space, &kind,
				   &it.line, &gpl)) {
		it.name = g_intern_string(name);
		it.space = g_intern_string(space);
		it.kind = kind;
		it.gpl = gpl;
		g_array_append_val(s->items, it);
	}
	while (g_variant_iter_next(imports, "&s", &name))
		g_ptr_array_add(s->imports, (gpointer)g_intern_string(name));
	while (g_variant_iter_next(includes, "(&su)", &name, &inc.line)) {
		inc.name = g_intern_string(name);
		g_array_append_val(s->includes, inc);
	}
	return s;
}

void symindex_recall(GHashTable *texts, const struct run *run)
{
	g_autoptr(GChecksum) key = key_of(run);
	g_autoptr(GBytes) bytes = run_keep_get(run, key);
	g_autoptr(GVariant) all = NULL;
	GVariantIter it;
	GVariantIter *items, *imports, *includes;
	const char *path, *licence;
	gboolean conditional;

	if (!bytes)
		return;
	all = g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE(ALL),
							  bytes, FALSE));
	g_variant_iter_init(&it, all);
	while (g_variant_iter_next(&it, "{&s(bm&sa(ssuub)asa(su))}", &path,
				   &conditional, &licence, &items, &imports,
				   &includes)) {
		struct symtext *s = unpack(items, imports, includes);

		s->conditional = conditional;
		s->licence = licence ? g_intern_string(licence) : NULL;
		g_hash_table_insert(texts, g_strdup(path), s);
		g_variant_iter_free(items);
		g_variant_iter_free(imports);
		g_variant_iter_free(includes);
	}
}

void symindex_remember(GHashTable *texts, const struct run *run)
{
	g_autoptr(GChecksum) key = key_of(run);
	g_autoptr(GVariant) all = NULL;
	g_autoptr(GBytes) bytes = NULL;
	GVariantBuilder b;
	GHashTableIter it;
	gpointer path, text;

	g_variant_builder_init(&b, G_VARIANT_TYPE(ALL));
	g_hash_table_iter_init(&it, texts);
	while (g_hash_table_iter_next(&it, &path, &text))
		g_variant_builder_add(&b, "{s@" TEXT "}", path, pack(text));
	all = g_variant_ref_sink(g_variant_builder_end(&b));
	bytes = g_variant_get_data_as_bytes(all);
	run_keep_put(run, key, bytes);
}

/* One file, read by a thread. */
struct reading {
	const char *path;	/* borrowed */
	struct symtext *text;
};

static void read_one(gpointer data, gpointer srcdir)
{
	struct reading *r = data;
	g_autofree char *full = g_build_filename(srcdir, r->path, NULL);
	g_autofree char *text = NULL;
	gsize len;

	if (g_file_get_contents(full, &text, &len, NULL))
		r->text = symtext_scan(text, len,
				       g_str_has_suffix(r->path, ".S"));
}

guint symindex_read(GHashTable *texts, const GPtrArray *paths,
		    const char *srcdir)
{
	GThreadPool *pool = g_thread_pool_new(read_one, (gpointer)srcdir,
					      g_get_num_processors(), FALSE,
					      NULL);
	g_autofree struct reading *all = g_new0(struct reading, paths->len);
	g_autoptr(GHashTable) asked = g_hash_table_new(g_str_hash, g_str_equal);
	guint count = 0;

	for (guint i = 0; i < paths->len; i++) {
		all[i].path = paths->pdata[i];
		if (!g_hash_table_contains(texts, all[i].path) &&
		    g_hash_table_add(asked, (char *)all[i].path))
			g_thread_pool_push(pool, &all[i], NULL);
	}
	g_thread_pool_free(pool, FALSE, TRUE);
	for (guint i = 0; i < paths->len; i++) {
		if (!all[i].text)
			continue;
		g_hash_table_insert(texts, g_strdup(all[i].path), all[i].text);
		count++;
	}
	return count;
}
