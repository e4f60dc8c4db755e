// SPDX-License-Identifier: GPL-2.0
/*
 * Why a finding is there, and why another variant does not show it.  A reason
 * is only said when the compiler confirms it: the macro is defined in the one
 * and not in the other.
 */
#include "condition.h"
#include "defines.h"
#include "entity.h"
#include "run.h"

/* What the explanation of one finding is made from. */
struct scene {
	struct run *run;
	struct finding *f;
	unsigned int step;
	GPtrArray *entities;		/* of the file it is in; may be NULL */
	GPtrArray *conditions;		/* the same; may be NULL */
	GPtrArray *macros;		/* of char *: that may explain it */
};

/* Adds the identifiers of a condition, "defined" left out. */
static void add_names(GPtrArray *names, const char *text)
{
	const char *p = text;

	while (*p) {
		gsize n = 0;

		if (!g_ascii_isalpha(*p) && *p != '_') {
			p++;
			continue;
		}
		while (g_ascii_isalnum(p[n]) || p[n] == '_')
			n++;
		if (strncmp(p, "defined", n) || n != strlen("defined"))
			g_ptr_array_add(names, g_strndup(p, n));
		p += n;
	}
}

static void add_conditions(struct scene *s, unsigned int line)
{
	g_autoptr(GPtrArray) at = condition_at(s->conditions, line);

	/* Innermost first: the nearest explains most. */
	for (guint i = at->len; i > 0; i--) {
		const struct condition *c = g_ptr_array_index(at, i - 1);

		add_names(s->macros, c->text);
	}
}

/* The definition of @name in the file below @line; NULL: none. */
static const struct entity *defined_below(const struct scene *s,
					  const char *name, unsigned int line)
{
	for (guint i = 0; i < s->entities->len; i++) {
		const struct entity *e = g_ptr_array_index(s->entities, i);

		if (e->line > line && !strcmp(e->name, name) &&
		    (e->kind == ENTITY_FUNCTION || e->kind == ENTITY_MACRO))
			return e;
	}
	return NULL;
}

static bool is_unknown_name(const struct diag *d)
{
	return strstr(d->message, "implicit declaration") ||
	       strstr(d->message, "undeclared");
}

static void find_cause(struct scene *s)
{
	struct finding *f = s->f;
	g_autofree char *name = diag_subject(f->diag);
	const struct entity *def;

	if (!name)
		return;
	def = is_unknown_name(f->diag) ?
		defined_below(s, name, f->diag->line) : NULL;
	if (def && !f->cause) {
		f->cause_name = g_strdup(name);
		f->cause = g_strdup_printf("%s() calls %s(), whose generic "
			"version stands below it (:%u)", f->diag->function, name,
			def->line);
	}
	/* What hides that version says more than the name itself. */
	if (def)
		add_conditions(s, def->line);
	g_ptr_array_add(s->macros, g_strdup(name));
}

static bool load_scene(struct scene *s)
{
	g_autofree char *path = g_build_filename(s->run->cur, s->f->diag->file,
						 NULL);
	g_autofree char *text = NULL;
	gsize len;

	if (!g_file_get_contents(path, &text, &len, NULL))
		return false;
	s->entities = entity_scan(path, NULL);
	if (!s->entities)
		return false;
	s->conditions = condition_scan(text, len);
	return true;
}

static void clear_scene(struct scene *s)
{
	g_clear_pointer(&s->entities, g_ptr_array_unref);
	g_clear_pointer(&s->conditions, g_ptr_array_unref);
	g_clear_pointer(&s->macros, g_ptr_array_unref);
}

static bool reads(const struct job *job, const char *file)
{
	for (char **d = job->deps; d && *d; d++)
		if (!strcmp(*d, file))
			return true;
	return false;
}

/*
 * A job of @v at this step that read the finding's file and could have shown
 * it: the same header alone, the same source, or the cheapest that read it.
 */
static const struct job *counterpart(const struct scene *s,
				     const struct variant *v)
{
	const struct showing *first = g_ptr_array_index(s->f->showings, 0);
	const struct job *like = first->job, *best = NULL;
	const GPtrArray *all = s->run->attrib->jobs;

	for (guint i = 0; i < all->len; i++) {
		const struct job *job = g_ptr_array_index(all, i);

		if (job->variant != v || job->step != s->step || !job_usable(job) ||
		    !job_is_compile(job) || job_has_hard_error(job))
			continue;
		if (like->header && !g_strcmp0(job->header, like->header))
			return job;
		if (!like->header && !job->header &&
		    !strcmp(job->tu->source, like->tu->source))
			return job;
		if (reads(job, s->f->diag->file) &&
		    (!best || job->cost < best->cost))
			best = job;
	}
	return best;
}

/* The CONFIG symbol that decides whether the line of @d is compiled. */
static char *config_at(const struct run *run, const struct define *d)
{
	g_autofree char *path = g_build_filename(run->cur, d->file, NULL);
	g_autofree char *text = NULL;
	g_autoptr(GPtrArray) conditions = NULL, at = NULL, names = NULL;
	gsize len;

	if (!*d->file || !g_file_get_contents(path, &text, &len, NULL))
		return NULL;
	conditions = condition_scan(text, len);
	at = condition_at(conditions, d->line);
	names = g_ptr_array_new_with_free_func(g_free);
	for (guint i = at->len; i > 0; i--) {
		const struct condition *c = g_ptr_array_index(at, i - 1);

		add_names(names, c->text);
	}
	for (guint i = 0; i < names->len; i++)
		if (g_str_has_prefix(g_ptr_array_index(names, i), "CONFIG_"))
			return g_strdup(g_ptr_array_index(names, i));
	return NULL;
}

static void explain(struct scene *s, struct passing *p, GHashTable *fails,
		    const struct job *job)
{
	g_autoptr(GHashTable) passes = NULL;

	if (!fails)
		return;
	passes = defines_read(s->run->runner, job, s->run->cur);
	for (guint i = 0; passes && i < s->macros->len; i++) {
		const char *name = g_ptr_array_index(s->macros, i);
		struct define *there = g_hash_table_lookup(passes, name);
		struct define *here = g_hash_table_lookup(fails, name);

		if (!there == !here)
			continue;
		p->because = g_strdup(name);
		p->defined = there != NULL;
		p->by = config_at(s->run, there ? there : here);
		return;
	}
}

static bool has_passing(const struct finding *f, const struct variant *v)
{
	for (guint i = 0; i < f->passes->len; i++) {
		const struct passing *p = g_ptr_array_index(f->passes, i);

		if (p->variant == v)
			return true;
	}
	return false;
}

static void explain_on(struct scene *s, const struct variant *v,
		       GHashTable **fails)
{
	const struct showing *first = g_ptr_array_index(s->f->showings, 0);
	const struct job *job = NULL;
	struct passing *p;

	if (!finding_showing(s->f, v) && !has_passing(s->f, v))
		job = counterpart(s, v);
	if (!job)
		return;
	p = g_new0(struct passing, 1);
	p->variant = v;
	g_ptr_array_add(s->f->passes, p);
	if (!*fails)
		*fails = defines_read(s->run->runner, first->job, s->run->cur);
	explain(s, p, *fails, job);
}

static void explain_finding(struct scene *s)
{
	g_autoptr(GHashTable) fails = NULL;
	struct run *run = s->run;

	const struct showing *first = g_ptr_array_index(s->f->showings, 0);

	s->macros = g_ptr_array_new_with_free_func(g_free);
	if (!job_is_compile(first->job) || !load_scene(s))
		return;
	find_cause(s);
	add_conditions(s, s->f->diag->line);
	for (guint i = 0; i < run->judged->len; i++)
		explain_on(s, g_ptr_array_index(run->judged, i), &fails);
	for (guint i = 0; i < run->variants->len; i++)
		explain_on(s, g_ptr_array_index(run->variants, i), &fails);
}

void reason_step(struct run *run, unsigned int n)
{
	for (guint i = 0; i < run->attrib->findings->len; i++) {
		struct scene s = { .run = run, .step = n };

		s.f = g_ptr_array_index(run->attrib->findings, i);
		if (s.f->n == n)
			explain_finding(&s);
		clear_scene(&s);
	}
}

static bool is_at(const struct finding *f, const struct diag *d)
{
	if (!strcmp(f->diag->file, d->file) && f->diag->line == d->line)
		return true;
	for (guint i = 0; i < f->same_cause->len; i++)
		if (is_at(f->same_cause->pdata[i], d))
			return true;
	return false;
}

/* These say one thing by a compiler and by the text of other architectures. */
static bool is_manifold(const struct finding *f)
{
	return !strcmp(f->diag->check, "header-order") ||
	       !strcmp(f->diag->check, "helper-override");
}

/* Two checks, or two rules of one kind ("units-add", "units-arg"), that see one
 * mistake. */
static bool same_mistake(const struct finding *a, const struct finding *b)
{
	gsize kind = strcspn(a->diag->rule, "-");

	if (a->n != b->n || strcmp(a->diag->file, b->diag->file))
		return false;
	if (strcmp(a->diag->check, b->diag->check) || is_manifold(b))
		return (b->diag->confidence || is_manifold(a) || is_manifold(b)) &&
		       is_at(a, b->diag);
	return !strcmp(a->diag->check, "cocci") && a->diag->rule[kind] &&
	       *a->diag->function &&
	       !strcmp(a->diag->function, b->diag->function) &&
	       !strncmp(a->diag->rule, b->diag->rule, kind + 1);
}

/* One cause: the same patch, file and rule, used above its definition. */
static bool same_cause(const struct finding *a, const struct finding *b)
{
	if (same_mistake(a, b))
		return true;
	return a->n == b->n && a->cause_name && b->cause_name &&
	       !strcmp(a->diag->file, b->diag->file) &&
	       !strcmp(a->diag->rule, b->diag->rule) &&
	       a->showings->len == b->showings->len;
}

static gint by_place(gconstpointer a, gconstpointer b)
{
	const struct finding *x = *(struct finding *const *)a;
	const struct finding *y = *(struct finding *const *)b;
	int c;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	if (x->diag->kind != y->diag->kind)
		return x->diag->kind == DIAG_ERROR ? -1 : 1;
	if (x->diag->confidence != y->diag->confidence)
		return x->diag->confidence < y->diag->confidence ? -1 : 1;
	c = strcmp(x->diag->file, y->diag->file);
	if (c)
		return c;
	return x->diag->line != y->diag->line ?
	       (int)x->diag->line - (int)y->diag->line :
	       is_manifold(x) - is_manifold(y);
}

static guint place_of(const struct run *run, const struct variant *v)
{
	guint i = 0;

	g_ptr_array_find(run->variants, v, &i);
	return i;
}

static gint by_variant(gconstpointer a, gconstpointer b, gpointer run)
{
	const struct showing *x = *(struct showing *const *)a;
	const struct showing *y = *(struct showing *const *)b;

	return (int)place_of(run, x->variant) - (int)place_of(run, y->variant);
}

static gint by_passing(gconstpointer a, gconstpointer b, gpointer run)
{
	const struct passing *x = *(struct passing *const *)a;
	const struct passing *y = *(struct passing *const *)b;

	return (int)place_of(run, x->variant) - (int)place_of(run, y->variant);
}

static void number(GPtrArray *findings)
{
	unsigned int n = 0, k = 0;

	for (guint i = 0; i < findings->len; i++) {
		struct finding *f = g_ptr_array_index(findings, i);

		k = f->n == n ? k + 1 : 1;
		n = f->n;
		f->k = k;
	}
}

void reason_fold(struct run *run)
{
	GPtrArray *all = run->attrib->findings;

	for (guint i = 0; i < all->len; i++) {
		struct finding *f = g_ptr_array_index(all, i);

		g_ptr_array_sort_with_data(f->showings, by_variant, run);
		g_ptr_array_sort_with_data(f->passes, by_passing, run);
	}
	g_ptr_array_sort(all, by_place);
	for (guint i = 0; i < all->len; i++) {
		struct finding *f = g_ptr_array_index(all, i);

		for (guint j = i + 1; j < all->len;) {
			struct finding *g = g_ptr_array_index(all, j);

			if (!same_cause(f, g)) {
				j++;
				continue;
			}
			g_ptr_array_steal_index(all, j);
			g_ptr_array_add(f->same_cause, g);
		}
	}
	number(all);
}

void reason_unfold(struct run *run)
{
	GPtrArray *all = run->attrib->findings;

	for (guint i = 0; i < all->len; i++) {
		GPtrArray *same = ((struct finding *)all->pdata[i])->same_cause;

		while (same->len)
			g_ptr_array_add(all, g_ptr_array_steal_index(same, 0));
	}
}
