// SPDX-License-Identifier: GPL-2.0
/*
 * --cover: a configuration for the added lines that no variant compiles.  The
 * conditions say what to set, cover-search.c whether it can be.
 */
#include <string.h>
#include "cover-run.h"
#include "cover-search.h"
#include "error.h"
#include "follow.h"
#include "impact.h"
#include "toggle-run.h"

struct finder {
	struct run *run;
	const GPtrArray *variants;
	struct kfiles *kconfig;
	GPtrArray *made;	/* of struct variant */
};

/* All conditions that @line of @u is under; of char *, owned. */
static GPtrArray *conditions_of(const struct finder *f,
				const struct uncovered *u, guint line)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) at = condition_at(u->conditions, line);
	g_autofree char *by = u->read ? NULL :
		follow_decided_by(f->run, u->path);

	for (guint i = 0; i < at->len; i++) {
		const struct condition *c = at->pdata[i];

		g_ptr_array_add(texts, g_strdup(c->text));
	}
	if (by) {
		g_autofree char *bare = NULL;
		g_autoptr(GString) s = g_string_new(by);

		g_string_replace(s, "CONFIG_", "", 0);
		g_ptr_array_add(texts, kconf_condition(s->str));
	}
	return texts;
}

static struct variant *make(const struct finder *f, const struct attempt *a)
{
	const struct setting *first = a->set->pdata[0];
	g_autofree char *one = setting_text(first);
	g_autofree char *text = attempt_settings(a);
	g_autofree char *name = a->set->len == 1 ? g_strdup(one) :
		g_strdup_printf("%s+%u", one, a->set->len - 1);

	for (guint i = 0; i < f->made->len; i++) {
		struct variant *v = f->made->pdata[i];
		const struct kfragment *k = v->kspec->fragments->pdata[0];

		if (!strcmp(v->parent, a->parent->name) && !strcmp(k->text, text))
			return v;
		/* files are called by it */
		if (!strcmp(v->parent, a->parent->name) &&
		    !strcmp(v->toggle, name)) {
			g_free(name);
			name = g_strdup_printf("%s+%u.%u", one, a->set->len - 1,
					       f->made->len);
		}
	}
	return variant_toggle(a->parent, name, text);
}

static void take(struct finder *f, const struct attempt *a,
		 const struct uncovered *u, const char *what)
{
	struct fragment *fr = g_new0(struct fragment, 1);
	struct variant *v = make(f, a);

	if (!g_ptr_array_find(f->made, v, NULL))
		g_ptr_array_add(f->made, v);
	fr->n = u->n;
	fr->what = g_strdup(what);
	fr->variant = v;
	fr->base = a->parent;
	fr->text = attempt_settings(a);
	g_ptr_array_add(f->run->fragments, fr);
}

/* 1: @parent with some settings does it; 0: @why (g_free()) it does not. */
static int try_on(struct finder *f, struct variant *parent,
		  const struct uncovered *u, guint line, const char *what,
		  char **why, GError **error)
{
	g_autoptr(GPtrArray) texts = conditions_of(f, u, line), ways = NULL;
	g_autofree char *others = NULL, *all = NULL;
	struct attempt a;
	int ret = 0;

	if (attempt_init(&a, f->run->kbuild, parent, f->kconfig, error))
		return -1;
	g_clear_pointer(why, g_free);
	ways = condexpr_solve(texts, attempt_value, &a);
	if (!ways->len) {
		g_ptr_array_add(texts, NULL);
		all = g_strjoinv(" ", (char **)texts->pdata);
		others = condexpr_others(all);
		*why = others ? g_strdup_printf("%s is no CONFIG_ symbol", others) :
			g_strdup("no symbol decides on it");
	}
	for (guint i = 0; i < MIN(ways->len, 3) && !ret; i++) {
		bool any;

		g_clear_pointer(&a.why, g_free);
		g_ptr_array_set_size(a.set, 0);
		attempt_add(&a, ways->pdata[i], &any);
		ret = attempt_search(&a, error);
		if (!ret && !*why)
			*why = g_steal_pointer(&a.why);
	}
	if (ret > 0)
		take(f, &a, u, what);
	attempt_clear(&a);
	return ret;
}

static bool fits(const struct variant *v, const char *path)
{
	g_autofree char *dir = g_strdup_printf("arch/%s/", v->arch->srcarch);

	return !v->toggle && (!g_str_has_prefix(path, "arch/") ||
			      g_str_has_prefix(path, dir));
}

/* The host's own first, then one of each other architecture, as they came. */
static GPtrArray *parents_for(const struct finder *f, const char *path)
{
	GPtrArray *list = g_ptr_array_new();

	for (int cross = 0; cross < 2; cross++)
		for (guint i = 0; i < f->variants->len; i++) {
			struct variant *v = f->variants->pdata[i];
			bool known = false;

			for (guint k = 0; k < list->len; k++)
				known |= ((struct variant *)list->pdata[k])->arch
					 == v->arch;
			if (!known && !*v->cross == !cross && fits(v, path))
				g_ptr_array_add(list, v);
		}
	return list;
}

static int find_one(struct finder *f, const struct uncovered *u, guint line,
		    const char *what, const struct condition *c, GError **error)
{
	g_autoptr(GPtrArray) parents = parents_for(f, u->path);
	g_auto(GStrv) parts = g_strsplit(u->path, "/", 3);
	char *why = parents->len ? NULL :
		g_strdup_printf("needs arch %s", parts[1]);
	int ret = 0;

	for (guint i = 0; i < parents->len && !ret; i++) {
		char *here = NULL;

		ret = try_on(f, parents->pdata[i], u, line, what, &here, error);
		if (!ret && !why)
			why = g_steal_pointer(&here);
		g_free(here);
	}
	if (!ret)
		g_hash_table_replace(f->run->cover_whys, cover_id(u, c), why);
	else
		g_free(why);
	return ret < 0 ? -1 : 0;
}

/* No setting makes a compiler read a Makefile. */
static bool is_code(const struct uncovered *u)
{
	enum change_kind kind = change_kind_of(u->path);

	return u->read || kind == CHANGE_SOURCE || kind == CHANGE_HEADER;
}

static int find_all(struct finder *f, GError **error)
{
	for (guint k = 0; k < f->run->uncovered->len; k++) {
		const struct uncovered *u = f->run->uncovered->pdata[k];

		if (!is_code(u))
			continue;
		for (guint i = 0; i < u->lines->len;) {
			guint line = g_array_index(u->lines, guint, i);
			const struct condition *c;
			g_autofree char *what = cover_what(u, i, &i, &c);

			if (proc_interrupted() ||
			    find_one(f, u, line, what, c, error))
				return -1;
		}
	}
	return 0;
}

GPtrArray *cover_variants(struct run *run, const GPtrArray *variants,
			  GError **error)
{
	struct finder f = { .run = run, .variants = variants };
	int ret;

	f.made = g_ptr_array_new();
	progress_phase(run->progress, "a configuration for what none compiles");
	ret = run_move(run, run_steps(run), run_steps(run) - 1, error);
	if (!ret)
		f.kconfig = toggle_kconfig(run, error);
	if (f.kconfig)
		ret = find_all(&f, error);
	kfiles_free(f.kconfig);
	if (f.kconfig && (!ret || !*error))
		return f.made;
	g_ptr_array_set_free_func(f.made, (GDestroyNotify)variant_free);
	g_ptr_array_unref(f.made);
	return NULL;
}

/* Is @f's place still among what no variant compiles? */
static bool is_open(const struct run *run, const struct fragment *f)
{
	for (guint k = 0; k < run->uncovered->len; k++) {
		const struct uncovered *u = run->uncovered->pdata[k];

		for (guint i = 0; u->n == f->n && i < u->lines->len;) {
			const struct condition *c;
			g_autofree char *what = cover_what(u, i, &i, &c);

			if (!strcmp(what, f->what))
				return true;
		}
	}
	return false;
}

void cover_settle(struct run *run)
{
	for (guint i = 0; i < run->fragments->len; i++) {
		struct fragment *f = run->fragments->pdata[i];

		f->done = !is_open(run, f);
	}
}
