// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "cfunc.h"
#include "condset.h"
#include "ordertext.h"

static void use_free(gpointer data)
{
	struct order_use *u = data;

	g_free(u->user);
	g_free(u->name);
	g_ptr_array_unref(u->guards);
	g_free(u);
}

/* A header that is looked at. */
struct scan {
	const struct ctext *t;
	GPtrArray *conditions;	/* of struct condition */
	GHashTable *named;	/* name -> GPtrArray of struct cfunc */
	GPtrArray *found;	/* of struct order_use */
	GHashTable *seen;	/* set of "user name" */
	const struct cfunc *user;
};

bool order_is_guard(const char *name)
{
	return g_ascii_islower(*name) || strstr(name, "HAVE_") ||
	       strstr(name, "ARCH_");
}

static void add_guards(GPtrArray *guards, const struct condset *s)
{
	g_autoptr(GPtrArray) names = condset_undefined(s);

	for (guint i = names->len; i > 0; i--) {
		const char *name = names->pdata[i - 1];

		if (order_is_guard(name) && !g_str_has_prefix(name, "CONFIG_") &&
		    !g_ptr_array_find_with_equal_func(guards, name, g_str_equal,
						      NULL))
			g_ptr_array_add(guards, g_strdup(name));
	}
}

static void report(struct scan *s, const char *name, unsigned int line,
		   const struct cfunc *def, const struct condset *here)
{
	g_autoptr(condset_t) there = condset_at(s->conditions, def->line);
	struct order_use *u = g_new0(struct order_use, 1);

	u->user = g_strdup(s->user->name);
	u->name = g_strdup(name);
	u->line = line;
	u->below = def->line;
	u->guards = g_ptr_array_new_with_free_func(g_free);
	add_guards(u->guards, there);
	add_guards(u->guards, here);
	g_ptr_array_add(s->found, u);
}

static void on_call(const char *name, unsigned int line, void *data)
{
	struct scan *s = data;
	const GPtrArray *all = g_hash_table_lookup(s->named, name);
	g_autoptr(condset_t) here = NULL;
	const struct cfunc *below = NULL;

	if (!all || !strcmp(name, s->user->name))
		return;
	here = condset_at(s->conditions, line);
	for (guint i = 0; i < all->len; i++) {
		const struct cfunc *f = all->pdata[i];
		g_autoptr(condset_t) there = condset_at(s->conditions, f->line);

		if (condset_excludes(here, there))
			continue;
		if (f->line <= line)
			return;
		if (!below && f->kind == CFUNC_BODY)
			below = f;
	}
	if (below && g_hash_table_add(s->seen, g_strconcat(s->user->name, " ",
							   name, NULL)))
		report(s, name, line, below, here);
}

static GHashTable *by_name(const GPtrArray *functions)
{
	GHashTable *named = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
		(GDestroyNotify)g_ptr_array_unref);

	for (guint i = 0; i < functions->len; i++) {
		struct cfunc *f = functions->pdata[i];
		GPtrArray *same = g_hash_table_lookup(named, f->name);

		if (!same) {
			same = g_ptr_array_new();
			g_hash_table_insert(named, f->name, same);
		}
		g_ptr_array_add(same, f);
	}
	return named;
}

GPtrArray *order_scan(const char *text, gsize len)
{
	g_autoptr(ctext_t) t = ctext_new(text, len);
	g_autoptr(GPtrArray) functions = cfunc_scan(t);
	g_autoptr(GPtrArray) conditions = condition_scan_ctext(t);
	g_autoptr(GHashTable) named = by_name(functions);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	struct scan s = { .t = t, .conditions = conditions, .named = named,
			  .seen = seen };

	s.found = g_ptr_array_new_with_free_func(use_free);
	for (guint i = 0; i < functions->len; i++) {
		s.user = functions->pdata[i];
		if (s.user->kind == CFUNC_BODY)
			cfunc_calls(t, s.user, on_call, &s);
	}
	return s.found;
}

/* What a #define hangs on, but for include guards and the like; NULL: nothing. */
static char *hangs_on(const struct condset *s, const char *name)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < s->atoms->len; i++) {
		const char *atom = s->atoms->pdata[i];
		bool negated = g_str_has_prefix(atom, "!defined(");

		if (negated && (strstr(atom, "_H)") || strstr(atom, "_H_") ||
				strstr(atom, "ASSEMBLY") || strstr(atom, name) ||
				strstr(atom, "_ASM")))
			continue;
		g_string_append_printf(text, "%s%s", text->len ? " && " : "", atom);
	}
	return g_string_free(text, !text->len);
}

enum order_arch order_hidden(const char *text, gsize len,
			     const GPtrArray *guards, const char **by,
			     char **condition)
{
	enum order_arch best = ORDER_FAILS;
	g_autoptr(ctext_t) t = ctext_new(text, len);
	g_autoptr(GPtrArray) conditions = NULL;

	for (unsigned int n = 1; n <= t->count && best < ORDER_HIDES; n++) {
		struct directive d;

		if (!ctext_directive(t, n, &d) || strcmp(d.word, "define"))
			continue;
		for (guint i = 0; i < guards->len; i++) {
			const char *name = guards->pdata[i];
			gsize k = strlen(name);
			g_autoptr(condset_t) at = NULL;
			char *why;

			if (d.args_len < k || strncmp(d.args, name, k) ||
			    (d.args_len > k && is_word_char(d.args[k])))
				continue;
			if (!conditions)
				conditions = condition_scan_ctext(t);
			at = condset_at(conditions, n);
			why = hangs_on(at, name);
			g_free(*condition);
			*condition = why;
			*by = name;
			best = why ? ORDER_MAY_HIDE : ORDER_HIDES;
		}
	}
	return best;
}
