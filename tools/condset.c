// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "condset.h"

/* The part of a condition that is looked at. */
struct span {
	const char *s, *end;
};

static void trim(struct span *p)
{
	while (p->s < p->end && g_ascii_isspace(*p->s))
		p->s++;
	while (p->s < p->end && g_ascii_isspace(p->end[-1]))
		p->end--;
}

/* Where @op stands outside of parentheses; NULL: nowhere. */
static const char *find_op(const struct span *p, const char *op)
{
	int depth = 0;

	for (const char *c = p->s; c + 1 < p->end; c++) {
		depth += *c == '(';
		depth -= *c == ')';
		if (!depth && c[0] == op[0] && c[1] == op[1])
			return c;
	}
	return NULL;
}

/* Does the parenthesis that @p begins with end where @p does? */
static bool is_wrapped(const struct span *p)
{
	int depth = 0;

	if (p->s == p->end || *p->s != '(')
		return false;
	for (const char *c = p->s; c < p->end; c++) {
		depth += *c == '(';
		depth -= *c == ')';
		if (!depth)
			return c + 1 == p->end;
	}
	return false;
}

static bool is_compound(const struct span *p)
{
	return find_op(p, "||") || find_op(p, "&&");
}

/* "defined X" is "defined(X)"; blanks say nothing. */
static char *tidy(const struct span *p)
{
	GString *s = g_string_new(NULL);
	static const char word[] = "defined";
	gsize n = strlen(word);
	bool bare = p->end - p->s > (gssize)n && !strncmp(p->s, word, n) &&
		    g_ascii_isspace(p->s[n]) && !is_compound(p);
	const char *c = bare ? p->s + n : p->s;
	bool open;

	while (c < p->end && g_ascii_isspace(*c))
		c++;
	open = bare && *c != '(';
	if (bare)
		g_string_append(s, open ? "defined(" : "defined");
	for (; c < p->end; c++)
		if (!g_ascii_isspace(*c))
			g_string_append_c(s, *c);
	if (open)
		g_string_append_c(s, ')');
	return g_string_free(s, FALSE);
}

static void add_atoms(GPtrArray *atoms, struct span p, bool negated);

/* Both sides of @op, which are sure; false: it is not there. */
static bool split(GPtrArray *atoms, const struct span *p, const char *op,
		  bool negated)
{
	const char *at = find_op(p, op);

	if (!at)
		return false;
	add_atoms(atoms, (struct span){ p->s, at }, negated);
	add_atoms(atoms, (struct span){ at + 2, p->end }, negated);
	return true;
}

static void add_atoms(GPtrArray *atoms, struct span p, bool negated)
{
	bool either;
	char *text;

	trim(&p);
	if (p.s == p.end)
		return;
	either = find_op(&p, "||") != NULL;
	if (is_wrapped(&p)) {
		add_atoms(atoms, (struct span){ p.s + 1, p.end - 1 }, negated);
		return;
	}
	/* !(A || B) has !A and !B; of A || B and !(A && B) nothing is sure */
	if (either ? negated && split(atoms, &p, "||", true) :
		     !negated && split(atoms, &p, "&&", false))
		return;
	if (*p.s == '!' && !is_compound(&p)) {
		add_atoms(atoms, (struct span){ p.s + 1, p.end }, !negated);
		return;
	}
	text = tidy(&p);
	g_ptr_array_add(atoms, g_strdup_printf(!negated ? "%s" :
			is_compound(&p) ? "!(%s)" : "!%s", text));
	g_free(text);
}

struct condset *condset_at(const GPtrArray *conditions, unsigned int line)
{
	struct condset *s = g_new0(struct condset, 1);

	s->at = condition_at(conditions, line);
	s->atoms = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < s->at->len; i++) {
		const struct condition *c = s->at->pdata[i];

		add_atoms(s->atoms, (struct span){ c->text, c->text +
			  strlen(c->text) }, false);
	}
	return s;
}

void condset_free(struct condset *s)
{
	if (!s)
		return;
	g_ptr_array_unref(s->at);
	g_ptr_array_unref(s->atoms);
	g_free(s);
}

static bool are_opposite(const char *a, const char *b)
{
	return (*a == '!' && !strcmp(a + 1, b)) ||
	       (*b == '!' && !strcmp(b + 1, a));
}

bool condset_excludes(const struct condset *a, const struct condset *b)
{
	for (guint i = 0; i < a->at->len; i++)
		for (guint k = 0; k < b->at->len; k++) {
			const struct condition *x = a->at->pdata[i];
			const struct condition *y = b->at->pdata[k];

			if (x->first == y->first && x->line != y->line)
				return true;
		}
	return condset_opposed(a, b);
}

bool condset_opposed(const struct condset *a, const struct condset *b)
{
	for (guint i = 0; i < a->atoms->len; i++)
		for (guint k = 0; k < b->atoms->len; k++)
			if (are_opposite(a->atoms->pdata[i], b->atoms->pdata[k]))
				return true;
	return false;
}

GPtrArray *condset_undefined(const struct condset *s)
{
	static const char mark[] = "!defined(";
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < s->atoms->len; i++) {
		const char *atom = s->atoms->pdata[i];

		if (g_str_has_prefix(atom, mark))
			g_ptr_array_add(names, g_strndup(atom + strlen(mark),
				strlen(atom) - strlen(mark) - 1));
	}
	return names;
}
