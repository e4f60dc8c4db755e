// SPDX-License-Identifier: GPL-2.0
/*
 * --cover: a configuration that compiles the added lines which no variant does.
 * What to try is guessed from the conditions and from the names in Kconfig
 * files; what becomes of it is for kconfig to say, by olddefconfig, again and
 * again until all stays or nothing is left to try.
 */
#include <string.h>
#include "cover-run.h"
#include "error.h"
#include "follow.h"
#include "kbuild-step.h"
#include "kconf.h"
#include "toggle-run.h"

#define ROUNDS 8		/* calls of kconfig for one condition */

struct finder {
	struct run *run;
	const GPtrArray *variants;
	struct kfiles *kconfig;
	GPtrArray *made;	/* of struct variant */
};

/* The work on one condition with one variant to start from. */
struct attempt {
	struct finder *f;
	struct variant *parent;
	struct kbuild_step *step;
	char *config;		/* the parent's .config after the last patch */
	GHashTable *values;	/* what kconfig made of the last try */
	GPtrArray *set;		/* of struct setting */
	GHashTable *tried;	/* of char *: selectors */
	char *why;		/* it cannot be */
};

static char value_of(const char *symbol, void *data)
{
	struct attempt *a = data;

	return toggle_value(symbol, a->values);
}

static struct setting *find_setting(const GPtrArray *set, const char *symbol)
{
	for (guint i = 0; i < set->len; i++) {
		struct setting *s = set->pdata[i];

		if (!strcmp(s->symbol, symbol))
			return s;
	}
	return NULL;
}

/* False: the contrary is needed too. */
static bool add_settings(struct attempt *a, const GPtrArray *more, bool *any)
{
	for (guint i = 0; i < more->len; i++) {
		const struct setting *s = more->pdata[i];
		const struct setting *have = find_setting(a->set, s->symbol);

		if (have && have->value != s->value)
			return false;
		if (have)
			continue;
		*any = true;
		g_ptr_array_add(a->set, setting_new(s->symbol, s->value));
	}
	return true;
}

static char *settings_text(const GPtrArray *set)
{
	g_autoptr(GString) s = g_string_new("");

	for (guint i = 0; i < set->len; i++) {
		const struct setting *one = set->pdata[i];

		if (one->value == 'n')
			g_string_append_printf(s, "# CONFIG_%s is not set\n",
					       one->symbol);
		else
			g_string_append_printf(s, "CONFIG_%s=%c\n", one->symbol,
					       one->value);
	}
	return g_strdup(s->str);
}

static int ask_kconfig(struct attempt *a, GError **error)
{
	g_autofree char *text = settings_text(a->set), *after = NULL;

	if (kbuild_step_try(a->step, a->config, text, &after, error))
		return -1;
	g_hash_table_unref(a->values);
	a->values = kconf_read(after);
	return 0;
}

static void fail(struct attempt *a, char *why)
{
	if (a->why)
		g_free(why);
	else
		a->why = why;
}

/* "needs arch s390" when only other architectures define it; NULL. */
static char *other_arch(const struct attempt *a, const GPtrArray *paths)
{
	g_autofree char *own = g_strdup_printf("arch/%s/",
					       a->parent->arch->srcarch);
	g_auto(GStrv) parts = NULL;

	for (guint i = 0; i < paths->len; i++)
		if (!g_str_has_prefix(paths->pdata[i], "arch/") ||
		    g_str_has_prefix(paths->pdata[i], own))
			return NULL;
	parts = g_strsplit(paths->pdata[0], "/", 3);
	return g_strdup_printf("needs arch %s", parts[1] ? parts[1] : "?");
}

/* Takes the negation off a condition of ours: "IS_ENABLED(CONFIG_X)" -> "X". */
static char *as_kconfig(const char *condition)
{
	g_autoptr(GString) s = g_string_new(condition);

	g_string_replace(s, "IS_ENABLED(CONFIG_", "", 0);
	for (gsize i = 0; i < s->len; i++)
		if (s->str[i] == ')' && i && (i + 1 == s->len ||
					      strchr(" &|)", s->str[i + 1])) &&
		    is_word_char(s->str[i - 1]))
			g_string_erase(s, i--, 1);
	return g_strdup(s->str);
}

/* Those of @needs that do not hold; NULL: all do. */
static GPtrArray *unmet(struct attempt *a, const GPtrArray *needs)
{
	GPtrArray *list = g_ptr_array_new();

	for (guint i = 0; i < needs->len; i++)
		if (condexpr_eval(needs->pdata[i], value_of, a) == TRUTH_NO)
			g_ptr_array_add(list, needs->pdata[i]);
	if (list->len)
		return list;
	g_ptr_array_unref(list);
	return NULL;
}

/* It has no prompt: somebody that selects it may have one. */
static bool add_selector(struct attempt *a, const char *symbol, bool *any)
{
	g_autoptr(GPtrArray) by = kfiles_selectors(a->f->kconfig, symbol);

	for (guint i = 0; i < by->len; i++) {
		if (find_setting(a->set, by->pdata[i]) ||
		    !g_hash_table_add(a->tried, g_strdup(by->pdata[i])))
			continue;
		g_ptr_array_add(a->set, setting_new(by->pdata[i], 'y'));
		*any = true;
		return true;
	}
	return false;
}

/* What else it takes to turn @symbol on. */
static void want_on(struct attempt *a, const char *symbol, bool *any)
{
	g_autoptr(GPtrArray) paths = kfiles_defining(a->f->kconfig, symbol);
	g_autoptr(GPtrArray) needs = NULL, missing = NULL, ways = NULL;
	g_autofree char *text = NULL;
	char *arch;

	if (!paths->len) {
		fail(a, g_strdup_printf("CONFIG_%s is defined nowhere", symbol));
		return;
	}
	arch = other_arch(a, paths);
	if (arch) {
		fail(a, g_strdup_printf("CONFIG_%s %s", symbol, arch));
		g_free(arch);
		return;
	}
	needs = kfiles_needs(a->f->kconfig, symbol);
	missing = unmet(a, needs);
	if (!missing) {
		if (!add_selector(a, symbol, any))
			fail(a, g_strdup_printf("kconfig does not take CONFIG_%s "
				"over: it has no prompt, or belongs to a choice",
				symbol));
		return;
	}
	text = as_kconfig(missing->pdata[0]);
	ways = condexpr_solve(missing, value_of, a);
	for (guint i = 0; i < ways->len; i++) {
		bool new = false;

		if (!add_settings(a, ways->pdata[i], &new) || !new)
			continue;
		*any = true;
		return;
	}
	fail(a, g_strdup_printf("CONFIG_%s depends on %s", symbol, text));
}

/* Who holds @symbol on is turned off. */
static void want_off(struct attempt *a, const char *symbol, bool *any)
{
	g_autoptr(GPtrArray) by = kfiles_selectors(a->f->kconfig, symbol);
	bool held = false;

	for (guint i = 0; i < by->len; i++) {
		if (!g_hash_table_contains(a->values, by->pdata[i]))
			continue;
		held = true;
		if (find_setting(a->set, by->pdata[i])) {
			fail(a, g_strdup_printf("CONFIG_%s selects CONFIG_%s",
						(char *)by->pdata[i], symbol));
			return;
		}
		g_ptr_array_add(a->set, setting_new(by->pdata[i], 'n'));
		*any = true;
	}
	if (!held)
		fail(a, g_strdup_printf("kconfig always sets CONFIG_%s here",
					symbol));
}

static bool is_taken(const struct attempt *a, const struct setting *s)
{
	char value = toggle_value(s->symbol, a->values);

	return s->value == 'n' ? value == 'n' : value == 'y' || value == 'm';
}

/* 1: kconfig takes all of a->set; 0: it does not, see a->why. */
static int search(struct attempt *a, GError **error)
{
	for (int round = 0; round < ROUNDS && !a->why; round++) {
		bool any = false, all = true;
		guint count = a->set->len;

		if (ask_kconfig(a, error))
			return -1;
		for (guint i = 0; i < count && !a->why; i++) {
			const struct setting *s = a->set->pdata[i];

			if (is_taken(a, s))
				continue;
			all = false;
			if (s->value == 'n')
				want_off(a, s->symbol, &any);
			else
				want_on(a, s->symbol, &any);
		}
		if (all)
			return 1;
		if (!any && !a->why)
			fail(a, g_strdup_printf("kconfig does not take CONFIG_%s "
				"over", ((struct setting *)
					 a->set->pdata[0])->symbol));
	}
	if (!a->why)
		fail(a, g_strdup_printf("no configuration was found in %d tries",
					ROUNDS));
	return 0;
}

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

static void attempt_clear(struct attempt *a)
{
	kbuild_step_free(a->step);
	g_free(a->config);
	g_hash_table_unref(a->values);
	g_ptr_array_unref(a->set);
	g_hash_table_unref(a->tried);
	g_free(a->why);
}

static int attempt_init(struct attempt *a, struct finder *f,
			struct variant *parent, GError **error)
{
	g_autofree char *path = g_build_filename(parent->odir, ".config", NULL);

	*a = (struct attempt){ .f = f, .parent = parent };
	if (!g_file_get_contents(path, &a->config, NULL, error))
		return -1;
	a->step = kbuild_step_new(f->run->kbuild, parent, error);
	if (!a->step) {
		g_free(a->config);
		return -1;
	}
	a->values = kconf_read(a->config);
	a->set = g_ptr_array_new_with_free_func((GDestroyNotify)setting_free);
	a->tried = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return 0;
}

static struct variant *make(struct attempt *a)
{
	const struct setting *first = a->set->pdata[0];
	g_autofree char *one = setting_text(first);
	g_autofree char *text = settings_text(a->set);
	g_autofree char *name = a->set->len == 1 ? g_strdup(one) :
		g_strdup_printf("%s+%u", one, a->set->len - 1);

	for (guint i = 0; i < a->f->made->len; i++) {
		struct variant *v = a->f->made->pdata[i];
		const struct kfragment *k = v->kspec->fragments->pdata[0];

		if (!strcmp(v->parent, a->parent->name) && !strcmp(k->text, text))
			return v;
		/* files are called by it */
		if (!strcmp(v->parent, a->parent->name) &&
		    !strcmp(v->toggle, name)) {
			g_free(name);
			name = g_strdup_printf("%s+%u.%u", one, a->set->len - 1,
					       a->f->made->len);
		}
	}
	return variant_toggle(a->parent, name, text);
}

static void take(struct attempt *a, const struct uncovered *u, const char *what)
{
	struct fragment *fr = g_new0(struct fragment, 1);
	struct variant *v = make(a);

	if (!g_ptr_array_find(a->f->made, v, NULL))
		g_ptr_array_add(a->f->made, v);
	fr->n = u->n;
	fr->what = g_strdup(what);
	fr->variant = v;
	fr->base = a->parent;
	fr->text = settings_text(a->set);
	g_ptr_array_add(a->f->run->fragments, fr);
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

	if (attempt_init(&a, f, parent, error))
		return -1;
	g_clear_pointer(why, g_free);
	ways = condexpr_solve(texts, value_of, &a);
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
		add_settings(&a, ways->pdata[i], &any);
		ret = search(&a, error);
		if (!ret && !*why)
			*why = g_steal_pointer(&a.why);
	}
	if (ret > 0)
		take(&a, u, what);
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

static int find_all(struct finder *f, GError **error)
{
	for (guint k = 0; k < f->run->uncovered->len; k++) {
		const struct uncovered *u = f->run->uncovered->pdata[k];

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
