// SPDX-License-Identifier: GPL-2.0
/* What is said about a symbol that nothing gives, and where it is used. */
#include <string.h>
#include "entity.h"
#include "follow.h"
#include "symbols-int.h"

/* Where a name is used: the first line that mentions it. */
struct use {
	const char *path;	/* borrowed */
	unsigned int line;	/* 0: not found */
	char *text;
};

static bool find_line(struct symbols *s, const char *path, const char *name,
		      unsigned int step, struct use *use)
{
	g_autoptr(GBytes) bytes = symindex_text(s->index, path, step);
	g_autoptr(ctext_t) t = NULL;
	const char *text;
	gsize len;

	if (!bytes)
		return false;
	text = g_bytes_get_data(bytes, &len);
	if (!text || !word_in(text, len, name))
		return false;
	t = ctext_new(text, len);
	for (unsigned int n = 1; n <= t->count; n++) {
		gsize size;
		const char *line = ctext_line(t, n, &size);

		if (!ctext_mentions(t, n, name))
			continue;
		use->path = path;
		use->line = n;
		use->text = g_strstrip(g_strndup(line, size));
		return true;
	}
	return false;
}

/* In a header it is an inline or a macro that uses it: not a prototype. */
static bool find_use(struct symbols *s, const char *path, const char *name,
		     unsigned int step, bool header, struct use *use)
{
	struct use found = { 0 };
	gsize n;

	if (!find_line(s, path, name, step, &found))
		return false;
	n = strlen(found.text);
	if (header && (g_str_has_prefix(found.text, "extern ") ||
		       (n > 2 && !strcmp(found.text + n - 2, ");") &&
			g_ascii_isalpha(*found.text) && strchr(found.text, ' ') &&
			strchr(found.text, ' ') < strstr(found.text, name)))) {
		g_free(found.text);
		return false;
	}
	*use = found;
	return true;
}

/* The file on disk as it is at @step; NULL: it could not be had.  g_free() */
static char *on_disk(struct symbols *s, const char *path, unsigned int step,
		     GError **error)
{
	struct run *run = s->run;
	bool here = step == follow_current(run) ||
		    !symindex_touched(s->index, path);

	if (!here && repo_checkout(run->repo, run_step(run, step)->tree,
				   run->prev, run->cur, error))
		return NULL;
	return g_build_filename(here ? run->cur : run->prev, path, NULL);
}

static char *function_at(const char *path, unsigned int line)
{
	g_autoptr(GPtrArray) entities = entity_scan(path, NULL);
	const struct entity *e = entities ? entity_at(entities, line) : NULL;

	return g_strdup(e && e->kind == ENTITY_FUNCTION ? e->name : "");
}

/*
 * The source itself, then the headers: those that the series touches first.
 * What stands nowhere is made by the compiler (__udivdi3): it is shown at the
 * function that needs it, as the relocations say.
 */
static void locate(struct symbols *s, const struct job *job, const char *name,
		   const struct entity *user, struct use *use)
{
	const char *source = job->tu->source;

	if (find_use(s, source, name, job->step, false, use))
		return;
	for (int pass = 0; pass < 2; pass++)
		for (char **d = job->deps; d && *d; d++)
			if (symindex_touched(s->index, *d) == !pass &&
			    find_use(s, *d, name, job->step, true, use))
				return;
	use->path = source;
	use->line = user ? user->line : 1;
	use->text = g_strdup("");
}

/* The place of @name in @job, into @d.  -1 with @error. */
static int place(struct symbols *s, const struct job *job, const char *name,
		 struct diag *d, GError **error)
{
	g_autofree char *source = on_disk(s, job->tu->source, job->step, error);
	g_autoptr(GPtrArray) entities = source ? entity_scan(source, NULL) : NULL;
	const char *user = elf_symbols_user(job->symbols, name);
	const struct entity *e = entities && user ? entity_find(entities, user) :
				 NULL;
	g_autofree char *full = NULL;
	struct use use = { 0 };

	if (!source)
		return -1;
	locate(s, job, name, e, &use);
	full = on_disk(s, use.path, job->step, error);
	g_free(d->file);
	g_free(d->text);
	g_free(d->function);
	d->file = g_strdup(use.path);
	d->line = use.line;
	d->text = use.text;
	d->function = full ? function_at(full, use.line) : g_strdup("");
	return full ? 0 : -1;
}

int symbols_report(struct symbols *s, struct job *job, const char *rule,
		   const char *name, char *message, GError **error)
{
	struct diag *d = diag_say(DIAG_ERROR, SYMBOLS_CHECK, rule, "", 0, message);

	if (place(s, job, name, d, error)) {
		diag_free(d);
		return -1;
	}
	g_ptr_array_add(job->diags, d);
	job->outcome = OUTCOME_FINDINGS;
	return 0;
}

/* What the text of a file that defines or exports a symbol says about it. */
struct witness {
	const char *defined;	/* a file that the variant builds; NULL: none */
	const char *elsewhere;	/* one that it does not build, or not for this */
	char *condition;	/* under which it is defined; NULL */
};

static void look_at(struct symbols *s, const struct doubt *d,
		    const struct symindex_hit *hit, struct witness *w)
{
	struct view *view = d->world->view;
	g_autoptr(GPtrArray) tus = symbols_tus(view->v, hit->source, d->job->step);
	struct image a = symbols_image(view, d->job->tu, d->job->step);

	for (guint i = 0; i < tus->len; i++) {
		struct image b = symbols_image(view, tus->pdata[i], d->job->step);
		const struct job *job = g_hash_table_lookup(d->world->jobs,
							    tus->pdata[i]);
		bool there = job ? elf_symbols_defines(job->symbols, d->name) :
			symindex_compiled(s->index, view->v, hit,
					  d->job->step) == 1;

		if (there && !w->defined)
			w->defined = hit->path;
		else if (!there && symbols_gives(&a, &b, true) && !w->condition)
			w->condition = symindex_condition(s->index, hit->path,
						hit->item->line, d->job->step);
	}
	if (!w->elsewhere && !w->defined)
		w->elsewhere = hit->path;
}

/* Sources that no TU of the run has are in no index: the mentions have them. */
static void look_around(struct symbols *s, const struct doubt *d,
			struct witness *w)
{
	const GPtrArray *paths = symbols_mentioning(s, d->name);
	const char *srcarch = d->world->view->v->arch->srcarch;

	for (guint k = 0; paths && k < paths->len; k++) {
		const char *path = paths->pdata[k];
		const struct symtext *t;

		if (!path_is_source(path) || path_is_foreign(path, srcarch))
			continue;
		t = symindex_scan(s->index, path, d->job->step);
		for (guint i = 0; t && i < t->items->len; i++) {
			struct symindex_hit hit = { path, path, 0,
				&g_array_index(t->items, struct symtext_item, i),
				t->conditional };

			if (hit.item->name == d->name)
				look_at(s, d, &hit, w);
		}
	}
}

static char *reason_of(const struct image *a, const struct witness *w)
{
	if (a->kind == IMAGE_CONFINED)
		return w->defined ? g_strdup_printf("it is linked by itself, "
			"without %s", w->defined) :
			g_strdup("no object of it defines that");
	if (w->defined && a->kind == IMAGE_MODULE)
		return g_strdup_printf("defined in %s, not exported", w->defined);
	if (w->defined)
		return g_strdup_printf("defined in %s, which is no part of it",
				       w->defined);
	if (w->condition)
		return g_strdup_printf("defined in %s, but only where %s",
				       w->elsewhere, w->condition);
	if (w->elsewhere)
		return g_strdup_printf("defined only in %s, which is not built",
				       w->elsewhere);
	return g_strdup("no object defines it");
}

/* One for an object at a step: the symbols that stay open may be many. */
static void say_gap(struct symbols *s, const struct doubt *d)
{
	GHashTable *gaps = d->world->view->gaps;
	unsigned int step = d->job->step;
	g_autofree char *name = job_name(d->job), *reason = NULL;

	if (step != follow_current(s->run) || step + 1 ==
	    GPOINTER_TO_UINT(g_hash_table_lookup(gaps, d->job->tu)))
		return;
	g_hash_table_insert(gaps, (gpointer)d->job->tu,
			    GUINT_TO_POINTER(step + 1));
	reason = g_strdup_printf("it needs '%s', and whether that is there is "
				 "not found out: %s", d->name, d->gap);
	run_gap(s->run, step, d->job->variant, name, reason);
}

int symbols_say(struct symbols *s, const struct doubt *d, GError **error)
{
	struct image a = symbols_image(d->world->view, d->job->tu, d->job->step);
	g_autofree char *reason = NULL;
	struct witness w = { 0 };

	if (d->settled)
		return 0;
	if (d->gap) {
		say_gap(s, d);
		return 0;
	}
	look_around(s, d, &w);
	reason = reason_of(&a, &w);
	g_free(w.condition);
	return symbols_report(s, d->job, SYMBOLS_UNDEFINED, d->name,
		g_strdup_printf("undefined symbol '%s' in %s: %s", d->name,
				a.kind == IMAGE_MODULE ? "a module" : a.name,
				reason), error);
}
