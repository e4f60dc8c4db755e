// SPDX-License-Identifier: GPL-2.0
/* Symbols exported in a namespace, and the modules that do not import it. */
#include <string.h>
#include "symbols-int.h"

#define OBJECTS 12		/* of a module, that are worth a compile */

/* The namespace that @name is exported with; NULL: not exported, not known. */
static const char *space_of(struct symbols *s, struct world *w,
			    const char *name)
{
	const GPtrArray *givers = g_hash_table_lookup(w->givers, name);
	g_autoptr(GArray) hits = NULL;

	for (guint i = 0; givers && i < givers->len; i++) {
		const struct job *job = givers->pdata[i];
		const char *space = elf_symbols_exports(job->symbols, name);

		if (space)
			return space;
	}
	hits = symindex_find(s->index, name, w->step);
	for (guint i = 0; i < hits->len; i++) {
		const struct symindex_hit *hit = &g_array_index(hits,
						struct symindex_hit, i);

		if (hit->item->kind == SYMTEXT_EXPORT &&
		    symindex_compiled(s->index, w->view->v, hit, w->step) != 0)
			return hit->item->space;
	}
	return NULL;
}

/* EXPORT_SYMBOL_GPL_FOR_MODULES(): "module:kvm,kvm-*" */
static bool is_for_module(const char *space, const char *module)
{
	g_auto(GStrv) names = g_strsplit(space + strlen("module:"), ",", -1);
	g_autofree char *dashed = g_strdelimit(g_strdup(module), "_", '-');

	for (char **n = names; *n; n++) {
		g_strdelimit(*n, "_", '-');
		if (g_pattern_match_simple(*n, dashed))
			return true;
	}
	return false;
}

/* Any object of the module may import for all of it. */
static bool is_imported(struct symbols *s, struct world *w,
			const struct image *image, const char *space,
			GPtrArray *unknown)
{
	const GPtrArray *tus = w->view->v->db->tus;

	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];
		const struct job *job = g_hash_table_lookup(w->jobs, tu);
		struct image other;
		const struct symtext *t;

		if (!compdb_at(tu, w->step))
			continue;
		other = symbols_image(w->view, tu, w->step);
		if (!image_shares(image, &other))
			continue;
		if (job && elf_symbols_imports(job->symbols, space))
			return true;
		t = job ? NULL : symindex_scan(s->index, tu->source, w->step);
		for (guint k = 0; t && k < t->imports->len; k++)
			if (!strcmp(t->imports->pdata[k], space))
				return true;
		if (!job)
			g_ptr_array_add(unknown, (gpointer)tu);
	}
	return false;
}

static int check_name(struct symbols *s, struct world *w, struct job *job,
		      const struct image *image, const char *name,
		      GError **error)
{
	const char *space = space_of(s, w, name);
	g_autoptr(GPtrArray) unknown = g_ptr_array_new();
	g_autofree char *key = NULL;

	if (!space || !*space)
		return 0;
	key = g_strdup_printf("%s\nnamespace %s", image->name, space);
	if (g_hash_table_contains(w->fine, key))
		return 0;
	if (g_str_has_prefix(space, "module:") ?
	    is_for_module(space, image->name) :
	    is_imported(s, w, image, space, unknown)) {
		g_hash_table_add(w->fine, g_steal_pointer(&key));
		return 0;
	}
	/* a header may import for another object of the module; in a big one
	 * the parent, which is judged the same way, tells what is old */
	if (unknown->len && unknown->len <= OBJECTS) {
		if (symbols_compile(s, w->view->v, unknown, w->step, error))
			return -1;
		g_ptr_array_set_size(unknown, 0);
		if (is_imported(s, w, image, space, unknown))
			return 0;
	}
	g_hash_table_add(w->view->suspects, (gpointer)job->tu);
	return symbols_report(s, job, SYMBOLS_NAMESPACE, name,
		g_strdup_printf("'%s' is exported in namespace %s, which the "
				"module does not import", name, space), error);
}

int symbols_spaces(struct symbols *s, struct world *w, struct job *job,
		   GError **error)
{
	struct image image = symbols_image(w->view, job->tu, w->step);

	if (image.kind != IMAGE_MODULE)
		return 0;
	for (guint i = 0; i < job->symbols->undefined->len; i++) {
		const char *name = job->symbols->undefined->pdata[i];

		if (check_name(s, w, job, &image, name, error))
			return -1;
	}
	return 0;
}
