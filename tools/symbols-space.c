// SPDX-License-Identifier: GPL-2.0
/* Symbols exported in a namespace, and the modules that do not import it. */
#include <string.h>
#include "symbols-int.h"

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
	g_autoptr(GPtrArray) tus = symbols_members(w, image);

	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];
		const struct job *job = g_hash_table_lookup(w->jobs, tu);
		const struct symtext *t;

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
	g_autoptr(GPtrArray) unknown = g_ptr_array_new();
	g_autofree char *key = NULL;
	struct elf_export e;
	const char *space;
	int made;

	if (!symbols_export(s, w, name, &e) || !*e.space)
		return 0;
	space = e.space;
	key = g_strdup_printf("%s\nnamespace %s", image->name, space);
	if (g_hash_table_contains(w->fine, key))
		return 0;
	if (g_str_has_prefix(space, "module:") ?
	    is_for_module(space, image->name) :
	    is_imported(s, w, image, space, unknown)) {
		g_hash_table_add(w->fine, g_steal_pointer(&key));
		return 0;
	}
	made = symbols_make_members(s, w, unknown, error);
	if (made < 0)
		return -1;
	if (made && is_imported(s, w, image, space, unknown))
		return 0;
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
