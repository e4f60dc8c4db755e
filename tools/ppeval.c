// SPDX-License-Identifier: GPL-2.0
/* The expressions of #if, where a part may be unknown. */
#include "ppwalk.h"
#include <string.h>

struct eval {
	const struct pp_walk *w;
	const struct pp_file *f;
	const struct pp_token *t;	/* the next token */
	guint depth;			/* of macros in macros */
};

static const struct pp_value unknown = { false, 0 };

static struct pp_value number(gint64 n)
{
	return (struct pp_value){ true, n };
}

static struct pp_value binary(struct eval *e, int least);

static bool punct(struct eval *e, char c)
{
	if (e->t->kind != PP_PUNCT || e->t->punct != c)
		return false;
	e->t++;
	return true;
}

/* Past the parenthesis that closes the one just read. */
static void skip_arguments(struct eval *e)
{
	for (int depth = 1; depth && e->t->kind != PP_END; e->t++) {
		if (e->t->kind != PP_PUNCT)
			continue;
		depth += e->t->punct == '(';
		depth -= e->t->punct == ')';
	}
}

static struct pp_value is_defined(const struct eval *e, guint32 name)
{
	enum pp_known k = pp_walk_macro(e->w, name, NULL, NULL);

	return k == PP_MAYBE ? unknown : number(k == PP_THERE);
}

static struct pp_value defined(struct eval *e)
{
	bool paren = punct(e, '(');
	struct pp_value v = unknown;

	if (e->t->kind == PP_NAME)
		v = is_defined(e, e->t++->name);
	if (paren)
		punct(e, ')');
	return v;
}

static struct pp_value or(struct pp_value a, struct pp_value b)
{
	if ((a.known && a.number) || (b.known && b.number))
		return number(1);
	return a.known && b.known ? number(0) : unknown;
}

/* IS_ENABLED(CONFIG_X) and its like: kconfig.h's macros need no expansion. */
static struct pp_value is_enabled(struct eval *e, const char *which)
{
	struct pp *pp = pp_walk_pp(e->w);
	struct pp_value yes, module;
	g_autofree char *m = NULL;
	guint32 name;

	if (e->t->kind != PP_NAME) {
		skip_arguments(e);
		return unknown;
	}
	name = e->t->name;
	skip_arguments(e);
	m = g_strconcat(pp_text(pp, name), "_MODULE", NULL);
	yes = is_defined(e, name);
	module = is_defined(e, pp_name(pp, m, strlen(m)));
	if (!strcmp(which, "IS_BUILTIN"))
		return yes;
	if (!strcmp(which, "IS_MODULE"))
		return module;
	if (!strcmp(which, "IS_ENABLED"))
		return or(yes, module);
	/* IS_REACHABLE */
	return yes.known && yes.number ? yes :
	       module.known && !module.number ? or(yes, module) : unknown;
}

static struct pp_value expand(struct eval *e, const struct pp_define *d,
			      const struct pp_file *f)
{
	struct eval in = { e->w, f, NULL, e->depth + 1 };
	struct pp_value v;

	if (!d || d->function || in.depth > 16)
		return unknown;
	in.t = &g_array_index(f->tokens, struct pp_token, d->first);
	v = binary(&in, 0);
	return in.t->kind == PP_END ? v : unknown;
}

static struct pp_value named(struct eval *e)
{
	guint32 name = e->t++->name;
	const char *text = pp_text(pp_walk_pp(e->w), name);
	const struct pp_define *d;
	const struct pp_file *f;
	enum pp_known k;

	if (!strcmp(text, "defined"))
		return defined(e);
	if (punct(e, '(')) {
		if (g_str_has_prefix(text, "IS_"))
			return is_enabled(e, text);
		skip_arguments(e);
		return unknown;
	}
	k = pp_walk_macro(e->w, name, &d, &f);
	if (k == PP_ABSENT)
		return number(0);
	return k == PP_THERE ? expand(e, d, f) : unknown;
}

static struct pp_value unary(struct eval *e)
{
	struct pp_value v = unknown;

	if (punct(e, '!')) {
		v = unary(e);
		v.number = !v.number;
	} else if (punct(e, '-')) {
		v = unary(e);
		v.number = -v.number;
	} else if (punct(e, '~')) {
		v = unary(e);
		v.number = ~v.number;
	} else if (punct(e, '+')) {
		v = unary(e);
	} else if (punct(e, '(')) {
		v = binary(e, 0);
		if (!punct(e, ')')) {
			skip_arguments(e);
			v = unknown;
		}
	} else if (e->t->kind == PP_NUMBER) {
		v = number(e->t++->number);
	} else if (e->t->kind == PP_NAME) {
		v = named(e);
	} else if (e->t->kind != PP_END) {
		e->t++;
	}
	return v;
}

static int precedence(char op)
{
	static const char *const levels[] = {
		"?", "o", "a", "|", "^", "&", "en", "<>lg", "LR", "+-", "*/%",
	};

	for (gsize i = 0; op && i < G_N_ELEMENTS(levels); i++)
		if (strchr(levels[i], op))
			return i;
	return -1;
}

static struct pp_value compute(char op, gint64 a, gint64 b)
{
	switch (op) {
	case '|': return number(a | b);
	case '^': return number(a ^ b);
	case '&': return number(a & b);
	case 'e': return number(a == b);
	case 'n': return number(a != b);
	case '<': return number(a < b);
	case '>': return number(a > b);
	case 'l': return number(a <= b);
	case 'g': return number(a >= b);
	case 'L': return b < 0 || b > 63 ? unknown :
			 number((guint64)a << b);
	case 'R': return b < 0 || b > 63 ? unknown : number(a >> b);
	case '+': return number((guint64)a + (guint64)b);
	case '-': return number((guint64)a - (guint64)b);
	case '*': return number((guint64)a * (guint64)b);
	case '/': return b && b != -1 ? number(a / b) : unknown;
	case '%': return b && b != -1 ? number(a % b) : unknown;
	default: return unknown;
	}
}

static struct pp_value combine(char op, struct pp_value a, struct pp_value b)
{
	if (op == 'o')
		return or(a, b);
	if (op == 'a') {
		if ((a.known && !a.number) || (b.known && !b.number))
			return number(0);
		return a.known && b.known ? number(1) : unknown;
	}
	return a.known && b.known ? compute(op, a.number, b.number) : unknown;
}

static struct pp_value binary(struct eval *e, int least)
{
	struct pp_value a = unary(e), b, c;
	int p;

	while (e->t->kind == PP_PUNCT &&
	       (p = precedence(e->t->punct)) >= least) {
		char op = e->t++->punct;

		b = binary(e, op == '?' ? 0 : p + 1);
		if (op == '?') {
			c = punct(e, ':') ? binary(e, 0) : unknown;
			a = !a.known ? unknown : a.number ? b : c;
		} else {
			a = combine(op, a, b);
		}
	}
	return a;
}

struct pp_value pp_eval(const struct pp_walk *w, const struct pp_file *f,
			guint32 first)
{
	struct eval e = { w, f,
			  &g_array_index(f->tokens, struct pp_token, first), 0 };
	struct pp_value v = binary(&e, 0);

	return e.t->kind == PP_END ? v : unknown;
}
