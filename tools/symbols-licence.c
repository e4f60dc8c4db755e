// SPDX-License-Identifier: GPL-2.0
/*
 * The licence of a module, as modpost judges it: one that has none cannot be
 * linked, and one that is not GPL-compatible may not use all that is exported.
 */
#include <string.h>
#include "symbols-int.h"

/* include/linux/license.h */
static bool is_compatible(const char *licence)
{
	static const char *const names[] = { "GPL", "GPL v2",
		"GPL and additional rights", "Dual BSD/GPL", "Dual MIT/GPL",
		"Dual MPL/GPL" };

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(names[i], licence))
			return true;
	return false;
}

/* What is known of a module: any of its objects may say it. */
struct found {
	const char *licence;	/* the first that is not compatible, else any;
				   NULL: none is found */
	const char *source;	/* of the first object: stands for the module */
	GPtrArray *unknown;	/* of struct tu: may have one that is not seen */
};

static void take(struct found *f, const char *licence)
{
	if (!f->licence || (is_compatible(f->licence) && !is_compatible(licence)))
		f->licence = licence;
}

static void look(struct symbols *s, struct world *w, const struct image *image,
		 struct found *f)
{
	g_autoptr(GPtrArray) tus = symbols_members(w, image);

	for (guint i = 0; i < tus->len; i++) {
		const struct tu *tu = tus->pdata[i];
		const struct job *job = g_hash_table_lookup(w->jobs, tu);
		const struct symtext *t;

		if (!f->source)
			f->source = compdb_at(tu, w->step)->source;
		for (guint k = 0; job && k < job->symbols->licences->len; k++)
			take(f, job->symbols->licences->pdata[k]);
		t = job ? NULL : symindex_scan(s->index, tu->source, w->step);
		if (t && t->licence && *t->licence)
			take(f, t->licence);
		else if (!job)
			g_ptr_array_add(f->unknown, (gpointer)tu);
	}
}

bool symbols_is_free(struct symbols *s, struct world *w,
		     const struct image *image)
{
	g_autofree char *key = g_strconcat(image->name, "\nlicence", NULL);
	g_autoptr(GPtrArray) unknown = g_ptr_array_new();
	struct found f = { NULL, NULL, unknown };

	if (image->kind != IMAGE_MODULE || g_hash_table_contains(w->fine, key))
		return true;
	look(s, w, image, &f);
	if (!f.licence || !is_compatible(f.licence))
		return false;
	g_hash_table_add(w->fine, g_steal_pointer(&key));
	return true;
}

/* Of the module: all of its objects say it of the same place. */
static int say_missing(struct symbols *s, struct world *w, struct job *job,
		       const char *source, GError **error)
{
	struct diag *d;

	g_hash_table_add(w->view->suspects, (gpointer)job->tu);
	if (symbols_report(s, job, SYMBOLS_LICENCE, "MODULE_LICENSE()",
			   g_strdup("the module has no MODULE_LICENSE()"), error))
		return -1;
	d = job->diags->pdata[job->diags->len - 1];
	g_free(d->file);
	d->file = g_strdup(source);
	d->line = 0;
	return 0;
}

static int check_names(struct symbols *s, struct world *w, struct job *job,
		       const char *licence, GError **error)
{
	const GPtrArray *names = job->symbols->undefined;

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		struct elf_export e;

		if (!symbols_export(s, w, name, &e) || !e.gpl)
			continue;
		g_hash_table_add(w->view->suspects, (gpointer)job->tu);
		if (symbols_report(s, job, SYMBOLS_GPL, name, g_strdup_printf(
			"'%s' is exported to GPL-compatible modules only, and the "
			"licence of this one is \"%s\"", name, licence), error))
			return -1;
	}
	return 0;
}

int symbols_licences(struct symbols *s, struct world *w, struct job *job,
		     GError **error)
{
	struct image image = symbols_image(w->view, job->tu, w->step);
	g_autoptr(GPtrArray) unknown = g_ptr_array_new();
	struct found f = { NULL, NULL, unknown };
	int made = 0;

	if (symbols_is_free(s, w, &image) || image.kind != IMAGE_MODULE)
		return 0;
	look(s, w, &image, &f);
	if (!f.licence)
		made = symbols_make_members(s, w, unknown, error);
	if (made < 0)
		return -1;
	if (made)
		look(s, w, &image, &f);
	if (!f.licence)
		return say_missing(s, w, job, f.source, error);
	return is_compatible(f.licence) ? 0 :
	       check_names(s, w, job, f.licence, error);
}
