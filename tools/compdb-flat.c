// SPDX-License-Identifier: GPL-2.0
#include "compdb.h"

static void drop_history(struct compdb *db)
{
	g_ptr_array_set_size(db->gone, 0);
	for (guint i = 0; i < db->tus->len; i++) {
		struct tu *tu = db->tus->pdata[i];

		if (tu->before)
			compdb_tu_free(tu->before);
		tu->before = NULL;
		tu->since = 0;
	}
}

void compdb_flatten(struct compdb *db)
{
	g_autoptr(GPtrArray) templates = db->templates, classes = db->classes;

	drop_history(db);
	/* the keys are borrowed from the lists */
	g_hash_table_remove_all(db->template_ids);
	g_hash_table_remove_all(db->class_ids);
	db->templates = g_ptr_array_new_with_free_func(g_free);
	db->classes = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < db->tus->len; i++) {
		struct tu *tu = db->tus->pdata[i];

		tu->template = compdb_template_id(db,
						  templates->pdata[tu->template]);
		tu->class = compdb_class_id(db, classes->pdata[tu->class]);
	}
}
