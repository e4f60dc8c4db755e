// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "condexpr.h"
#include "ctext.h"
#include "kconf.h"

#define SYMBOLS 10		/* 2^10 assignments are looked at */
#define PREFIX "CONFIG_"

struct parser {
	const char *p;
	condexpr_value_fn value;
	void *data;
};

static enum truth parse_or(struct parser *ps);

void setting_free(struct setting *s)
{
	g_free(s->symbol);
	g_free(s);
}

struct setting *setting_new(const char *symbol, char value)
{
	struct setting *s = g_new0(struct setting, 1);

	s->symbol = g_strdup(symbol);
	s->value = value;
	return s;
}

char *setting_text(const struct setting *s)
{
	return g_strdup_printf("%s=%c", s->symbol, s->value);
}

static void skip_blanks(struct parser *ps)
{
	ps->p += strspn(ps->p, " \t\n\\");
}

static bool take(struct parser *ps, const char *token)
{
	skip_blanks(ps);
	if (!g_str_has_prefix(ps->p, token))
		return false;
	ps->p += strlen(token);
	return true;
}

static char *take_word(struct parser *ps)
{
	const char *start;

	skip_blanks(ps);
	start = ps->p;
	while (is_word_char(*ps->p))
		ps->p++;
	return g_strndup(start, ps->p - start);
}

static enum truth not(enum truth t)
{
	return t == TRUTH_UNKNOWN ? t : t == TRUTH_NO ? TRUTH_YES : TRUTH_NO;
}

/* The macro CONFIG_X is there for y, CONFIG_X_MODULE for m. */
static enum truth is_defined(struct parser *ps, const char *name)
{
	g_autofree char *symbol = NULL;
	char want = 'y', value;

	if (!g_str_has_prefix(name, PREFIX))
		return TRUTH_UNKNOWN;
	symbol = g_strdup(name + strlen(PREFIX));
	if (g_str_has_suffix(symbol, "_MODULE")) {
		symbol[strlen(symbol) - strlen("_MODULE")] = '\0';
		want = 'm';
	}
	value = ps->value(symbol, ps->data);
	if (!value)
		return TRUTH_UNKNOWN;
	return value == want ? TRUTH_YES : TRUTH_NO;
}

/* IS_ENABLED(CONFIG_X) and its kin of include/linux/kconfig.h. */
static enum truth is_enabled(struct parser *ps, const char *call,
			     const char *name)
{
	char value = g_str_has_prefix(name, PREFIX) ?
		ps->value(name + strlen(PREFIX), ps->data) : 0;

	if (!value)
		return TRUTH_UNKNOWN;
	if (value == 'n')
		return TRUTH_NO;
	if (!strcmp(call, "IS_ENABLED"))
		return TRUTH_YES;
	if (!strcmp(call, "IS_BUILTIN"))
		return value == 'y' ? TRUTH_YES : TRUTH_NO;
	if (!strcmp(call, "IS_MODULE"))
		return value == 'm' ? TRUTH_YES : TRUTH_NO;
	/* IS_REACHABLE() of m hangs on whether the user is a module. */
	return value == 'y' ? TRUTH_YES : TRUTH_UNKNOWN;
}

static void skip_call(struct parser *ps)
{
	int depth = 1;

	for (; *ps->p && depth; ps->p++)
		depth += *ps->p == '(' ? 1 : *ps->p == ')' ? -1 : 0;
}

static enum truth parse_call(struct parser *ps, const char *call)
{
	const char *start = ps->p;
	g_autofree char *name = take_word(ps);

	if (!take(ps, ")")) {
		ps->p = start;
		skip_call(ps);
		return TRUTH_UNKNOWN;
	}
	if (!strcmp(call, "defined"))
		return is_defined(ps, name);
	if (!strcmp(call, "IS_ENABLED") || !strcmp(call, "IS_BUILTIN") ||
	    !strcmp(call, "IS_MODULE") || !strcmp(call, "IS_REACHABLE"))
		return is_enabled(ps, call, name);
	return TRUTH_UNKNOWN;
}

/* A bare macro that is not defined is 0, and CONFIG_X is 1 where defined. */
static enum truth parse_atom(struct parser *ps)
{
	g_autofree char *word = NULL, *name = NULL;
	enum truth t;

	if (take(ps, "(")) {
		t = parse_or(ps);
		if (!take(ps, ")"))
			skip_call(ps);
		return t;
	}
	word = take_word(ps);
	if (!*word) {
		ps->p += *ps->p != '\0';
		return TRUTH_UNKNOWN;
	}
	if (g_ascii_isdigit(*word))
		return strtoul(word, NULL, 0) ? TRUTH_YES : TRUTH_NO;
	if (take(ps, "("))
		return parse_call(ps, word);
	if (strcmp(word, "defined"))
		return is_defined(ps, word);
	name = take_word(ps);
	return is_defined(ps, name);
}

static enum truth parse_not(struct parser *ps)
{
	skip_blanks(ps);
	if (*ps->p == '!' && ps->p[1] != '=') {
		ps->p++;
		return not(parse_not(ps));
	}
	return parse_atom(ps);
}

/* What is compared or computed is a number, of which nothing is known. */
static enum truth parse_compare(struct parser *ps)
{
	enum truth t = parse_not(ps);

	for (;;) {
		skip_blanks(ps);
		if (!*ps->p || *ps->p == ')' || g_str_has_prefix(ps->p, "&&") ||
		    g_str_has_prefix(ps->p, "||"))
			return t;
		ps->p += strcspn(ps->p, "!()&|") ? strcspn(ps->p, "!()&|") : 1;
		if (*ps->p == '(') {
			ps->p++;
			skip_call(ps);
		}
		t = TRUTH_UNKNOWN;
	}
}

static enum truth parse_and(struct parser *ps)
{
	enum truth t = parse_compare(ps), more;

	while (take(ps, "&&")) {
		more = parse_compare(ps);
		if (t == TRUTH_NO || more == TRUTH_NO)
			t = TRUTH_NO;
		else if (more == TRUTH_UNKNOWN)
			t = more;
	}
	return t;
}

static enum truth parse_or(struct parser *ps)
{
	enum truth t = parse_and(ps), more;

	while (take(ps, "||")) {
		more = parse_and(ps);
		if (t == TRUTH_YES || more == TRUTH_YES)
			t = TRUTH_YES;
		else if (more == TRUTH_UNKNOWN)
			t = more;
	}
	return t;
}

enum truth condexpr_eval(const char *text, condexpr_value_fn value, void *data)
{
	struct parser ps = { text, value, data };
	enum truth t = parse_or(&ps);

	skip_blanks(&ps);
	return *ps.p ? TRUTH_UNKNOWN : t;
}

/* The names of an assignment, and its values over those of somebody else. */
struct trial {
	GPtrArray *names;
	guint flipped;		/* bit i: names[i] is not what it was */
	condexpr_value_fn value;
	void *data;
};

/* What is off or unknown is tried as y, what is on as n. */
static char trial_value(const char *symbol, void *data)
{
	struct trial *t = data;
	char was = t->value(symbol, t->data);
	guint i;

	if (!g_ptr_array_find_with_equal_func(t->names, symbol, g_str_equal, &i))
		return was;
	if (!(t->flipped & (1u << i)))
		return was ? was : 'n';
	return was && was != 'n' ? 'n' : 'y';
}

static gint by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static GPtrArray *names_in(const GPtrArray *texts)
{
	g_autoptr(GHashTable) set = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter it;
	gpointer name;

	for (guint i = 0; i < texts->len; i++)
		kconf_used(set, texts->pdata[i], strlen(texts->pdata[i]));
	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &name, NULL)) {
		char *bare = g_strdup(name);

		if (g_str_has_suffix(bare, "_MODULE"))
			bare[strlen(bare) - strlen("_MODULE")] = '\0';
		if (g_ptr_array_find_with_equal_func(names, bare, g_str_equal,
						     NULL))
			g_free(bare);
		else
			g_ptr_array_add(names, bare);
	}
	g_ptr_array_sort(names, by_text);
	return names;
}

static enum truth eval_all(const GPtrArray *texts, struct trial *t)
{
	enum truth all = TRUTH_YES;

	for (guint i = 0; i < texts->len && all != TRUTH_NO; i++) {
		enum truth one = condexpr_eval(texts->pdata[i], trial_value, t);

		if (one != TRUTH_YES)
			all = one;
	}
	return all;
}

static GPtrArray *settings_of(struct trial *t)
{
	GPtrArray *set = g_ptr_array_new_with_free_func((GDestroyNotify)
							setting_free);

	for (guint i = 0; i < t->names->len; i++)
		if (t->flipped & (1u << i))
			g_ptr_array_add(set, setting_new(t->names->pdata[i],
					trial_value(t->names->pdata[i], t)));
	return set;
}

GPtrArray *condexpr_solve(const GPtrArray *texts, condexpr_value_fn value,
			  void *data)
{
	g_autoptr(GPtrArray) names = names_in(texts);
	GPtrArray *found = g_ptr_array_new_with_free_func((GDestroyNotify)
							  g_ptr_array_unref);
	struct trial t = { names, 0, value, data };
	enum truth wanted[] = { TRUTH_YES, TRUTH_UNKNOWN };

	if (names->len > SYMBOLS)
		return found;
	for (gsize w = 0; w < G_N_ELEMENTS(wanted); w++)
		for (gint bits = 1; bits <= (gint)names->len; bits++)
			for (t.flipped = 1; t.flipped < 1u << names->len;
			     t.flipped++)
				if (__builtin_popcount(t.flipped) == bits &&
				    eval_all(texts, &t) == wanted[w])
					g_ptr_array_add(found, settings_of(&t));
	return found;
}

char *condexpr_others(const char *text)
{
	static const char *const known[] = { "defined", "IS_ENABLED",
		"IS_BUILTIN", "IS_MODULE", "IS_REACHABLE" };
	g_autoptr(GString) s = g_string_new("");
	struct parser ps = { .p = text };

	while (*ps.p) {
		g_autofree char *word = NULL;
		bool skip = false;

		if (!is_word_char(*ps.p)) {
			ps.p++;
			continue;
		}
		word = take_word(&ps);
		for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
			skip |= !strcmp(word, known[i]);
		if (skip || g_ascii_isdigit(*word) ||
		    g_str_has_prefix(word, PREFIX) || strstr(s->str, word))
			continue;
		g_string_append_printf(s, "%s%s", s->len ? ", " : "", word);
	}
	return s->len ? g_strdup(s->str) : NULL;
}
