// SPDX-License-Identifier: GPL-2.0
/*
 * What to try is guessed from the names in Kconfig files; what becomes of it is
 * for kconfig to say, by olddefconfig, again and again until all stays or
 * nothing is left to try.
 */
#include <string.h>
#include "cover-search.h"
#include "ctext.h"
#include "kconf.h"
#include "toggle-run.h"

#define ROUNDS 8		/* calls of kconfig for one condition */

char attempt_value(const char *symbol, void *data)
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

bool attempt_add(struct attempt *a, const GPtrArray *more, bool *any)
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

char *attempt_settings(const struct attempt *a)
{
	g_autoptr(GString) s = g_string_new("");

	for (guint i = 0; i < a->set->len; i++) {
		const struct setting *one = a->set->pdata[i];

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
	g_autofree char *text = attempt_settings(a), *after = NULL;

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
		if (condexpr_eval(needs->pdata[i], attempt_value, a) == TRUTH_NO)
			g_ptr_array_add(list, needs->pdata[i]);
	if (list->len)
		return list;
	g_ptr_array_unref(list);
	return NULL;
}

/* It has no prompt: somebody that selects it may have one. */
static bool add_selector(struct attempt *a, const char *symbol, bool *any)
{
	g_autoptr(GPtrArray) by = kfiles_selectors(a->kconfig, symbol);

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
	g_autoptr(GPtrArray) paths = kfiles_defining(a->kconfig, symbol);
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
	needs = kfiles_needs(a->kconfig, symbol);
	missing = unmet(a, needs);
	if (!missing) {
		if (!add_selector(a, symbol, any))
			fail(a, g_strdup_printf("kconfig does not take CONFIG_%s "
				"over: it has no prompt, or belongs to a choice",
				symbol));
		return;
	}
	text = as_kconfig(missing->pdata[0]);
	ways = condexpr_solve(missing, attempt_value, a);
	for (guint i = 0; i < ways->len; i++) {
		bool new = false;

		if (!attempt_add(a, ways->pdata[i], &new) || !new)
			continue;
		*any = true;
		return;
	}
	fail(a, g_strdup_printf("CONFIG_%s depends on %s", symbol, text));
}

/* Who holds @symbol on is turned off. */
static void want_off(struct attempt *a, const char *symbol, bool *any)
{
	g_autoptr(GPtrArray) by = kfiles_selectors(a->kconfig, symbol);
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

int attempt_search(struct attempt *a, GError **error)
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

void attempt_clear(struct attempt *a)
{
	kbuild_step_free(a->step);
	g_free(a->config);
	g_hash_table_unref(a->values);
	g_ptr_array_unref(a->set);
	g_hash_table_unref(a->tried);
	g_free(a->why);
}

int attempt_init(struct attempt *a, struct kbuild *kb, struct variant *parent,
		 const struct kfiles *kconfig, GError **error)
{
	g_autofree char *path = g_build_filename(parent->odir, ".config", NULL);

	*a = (struct attempt){ .parent = parent, .kconfig = kconfig };
	if (!g_file_get_contents(path, &a->config, NULL, error))
		return -1;
	a->step = kbuild_step_new(kb, parent, error);
	if (!a->step) {
		g_free(a->config);
		return -1;
	}
	a->values = kconf_read(a->config);
	a->set = g_ptr_array_new_with_free_func((GDestroyNotify)setting_free);
	a->tried = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return 0;
}
