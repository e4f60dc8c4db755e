// SPDX-License-Identifier: GPL-2.0
/* What modpost asks of a module as a whole, and of what it uses. */
#include "symbols-int.h"

#define OBJECTS 12		/* of a module, that are worth a compile */

bool symbols_export(struct symbols *s, struct world *w, const char *name,
		    struct elf_export *e)
{
	const GPtrArray *givers = g_hash_table_lookup(w->givers, name);
	g_autoptr(GArray) hits = NULL;

	*e = (struct elf_export){ .name = name };
	for (guint i = 0; givers && i < givers->len; i++) {
		const struct job *job = givers->pdata[i];

		e->space = elf_symbols_exports(job->symbols, name);
		e->gpl = elf_symbols_is_gpl(job->symbols, name);
		if (e->space)
			return true;
	}
	hits = symindex_find(s->index, name, w->step);
	for (guint i = 0; i < hits->len; i++) {
		const struct symindex_hit *hit = &g_array_index(hits,
						struct symindex_hit, i);

		if (hit->item->kind != SYMTEXT_EXPORT ||
		    !symindex_compiled(s->index, w->view->v, hit, w->step))
			continue;
		e->space = hit->item->space;
		e->gpl = hit->item->gpl;
		return true;
	}
	return false;
}

GPtrArray *symbols_members(struct world *w, const struct image *image)
{
	const GPtrArray *tus = w->view->v->db->tus;
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];
		struct image other;

		if (!compdb_at(tu, w->step))
			continue;
		other = symbols_image(w->view, tu, w->step);
		if (image_shares(image, &other))
			g_ptr_array_add(list, (gpointer)tu);
	}
	return list;
}

/*
 * A header may have it for another object of the module.  In a big one the
 * parent, which is judged the same way, tells what is old.
 */
int symbols_make_members(struct symbols *s, struct world *w, GPtrArray *unknown,
			 GError **error)
{
	if (!unknown->len || unknown->len > OBJECTS)
		return 0;
	if (symbols_compile(s, w->view->v, unknown, w->step, error))
		return -1;
	g_ptr_array_set_size(unknown, 0);
	return 1;
}
