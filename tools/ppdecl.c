// SPDX-License-Identifier: GPL-2.0
/*
 * Who declares what at the top level, from words and punctuation alone, macros
 * unexpanded.  What it takes for a declaration and is none makes TUs differ
 * that do not; the opposite is what must not happen, so that a macro call at
 * top level declares all the names it is given.
 */
#include "ppfile.h"
#include <string.h>

#define DEPTH 64

enum brace {
	BRACE_FUNCTION,		/* a body: nothing in it counts */
	BRACE_STRUCT, BRACE_ENUM, BRACE_VALUE, BRACE_LINKAGE,
};

/* Copied around #if groups. */
struct state {
	guint8 brace[DEPTH];
	guint32 depth, parens;
	guint32 words;		/* tokens of this declaration so far */
	guint32 name;		/* the last token, if a name; 0 */
	char before[3];		/* the tokens before that or, with no name, the
				   last three: [0] the nearest; 'w': a word */
	guint32 tag;		/* behind struct, union, enum */
	guint8 type;		/* 's', 'e', or 0: not behind one */
	bool call;		/* in the arguments of a macro call */
	bool is_typedef, value;	/* value: behind an enumerator's '=' */
};

struct pp_scan {
	struct pp *pp;
	struct pp_file *f;
	struct state now;
	GArray *saved;		/* of struct state: at each open #if */
	guint32 kw_struct, kw_union, kw_enum, kw_typedef, kw_extern, kw_static;
};

static guint32 keyword(struct pp *pp, const char *text)
{
	return pp_name(pp, text, strlen(text));
}

struct pp_scan *pp_scan_new(struct pp *pp, struct pp_file *f)
{
	struct pp_scan *sc = g_new0(struct pp_scan, 1);

	sc->pp = pp;
	sc->f = f;
	sc->saved = g_array_new(FALSE, FALSE, sizeof(struct state));
	sc->kw_struct = keyword(pp, "struct");
	sc->kw_union = keyword(pp, "union");
	sc->kw_enum = keyword(pp, "enum");
	sc->kw_typedef = keyword(pp, "typedef");
	sc->kw_extern = keyword(pp, "extern");
	sc->kw_static = keyword(pp, "static");
	return sc;
}

void pp_scan_free(struct pp_scan *sc)
{
	if (!sc)
		return;
	g_array_unref(sc->saved);
	g_free(sc);
}

void pp_scan_if(struct pp_scan *sc)
{
	g_array_append_val(sc->saved, sc->now);
}

void pp_scan_else(struct pp_scan *sc)
{
	if (sc->saved->len)
		sc->now = g_array_index(sc->saved, struct state,
					sc->saved->len - 1);
}

void pp_scan_endif(struct pp_scan *sc)
{
	if (sc->saved->len)
		g_array_set_size(sc->saved, sc->saved->len - 1);
}

static enum brace innermost(const struct state *st)
{
	return st->depth ? st->brace[MIN(st->depth, DEPTH) - 1] : BRACE_LINKAGE;
}

static bool at_top(const struct state *st)
{
	return innermost(st) == BRACE_LINKAGE;
}

/* "int (*hook)(void)" declares no "int". */
static bool is_type(const struct pp_scan *sc, guint32 name)
{
	static const char *const words[] = {
		"int", "void", "long", "char", "short", "unsigned", "signed",
		"bool", "const", "__attribute__", NULL
	};

	return g_strv_contains(words, pp_text(sc->pp, name));
}

static void declare(struct pp_scan *sc, guint32 line)
{
	if (sc->now.name && !is_type(sc, sc->now.name))
		pp_add(sc->f, PP_DECL, line, sc->now.name);
}

static void end_declaration(struct state *st)
{
	st->words = 0;
	st->name = 0;
	st->type = 0;
	st->call = false;
	st->is_typedef = false;
	memset(st->before, 0, sizeof(st->before));
}

static void shift(struct state *st, char c)
{
	st->before[2] = st->before[1];
	st->before[1] = st->before[0];
	st->before[0] = c;
	st->words++;
}

/* "struct __packed foo {": the tag is the last one. */
static void read_tag(struct pp_scan *sc, guint32 name)
{
	struct state *st = &sc->now;

	if (name == sc->kw_struct || name == sc->kw_union ||
	    name == sc->kw_enum) {
		st->type = name == sc->kw_enum ? 'e' : 's';
		st->tag = 0;
	} else if (st->type &&
		   (!st->tag || g_str_has_prefix(pp_text(sc->pp, st->tag), "__"))) {
		st->tag = name;
	}
}

void pp_scan_word(struct pp_scan *sc, guint32 name, bool column0, guint32 line)
{
	struct state *st = &sc->now;

	if (innermost(st) == BRACE_FUNCTION)
		return;
	/* DEFINE_THIS(x) without a semicolon, then the next declaration */
	if (column0 && at_top(st) && !st->parens && !st->name &&
	    st->before[0] == ')')
		end_declaration(st);
	/* static DEFINE_THIS(x) begins with DEFINE_THIS */
	if (name == sc->kw_static || name == sc->kw_extern)
		return;
	if (st->name)
		shift(st, 'w');
	else
		st->words++;
	st->name = name;
	st->is_typedef |= name == sc->kw_typedef;
	read_tag(sc, name);
}

static enum brace kind_of_brace(const struct state *st, char last)
{
	if (st->type)
		return st->type == 'e' ? BRACE_ENUM : BRACE_STRUCT;
	if (!at_top(st))
		return innermost(st) == BRACE_ENUM ? BRACE_VALUE : innermost(st);
	if (last == '=')
		return BRACE_VALUE;
	return last == '"' ? BRACE_LINKAGE : BRACE_FUNCTION;
}

static void open_brace(struct pp_scan *sc, bool column0, guint32 line)
{
	struct state *st = &sc->now;
	enum brace kind;

	if (column0)
		st->parens = 0;
	kind = kind_of_brace(st, st->name ? 'w' : st->before[0]);
	if (kind >= BRACE_STRUCT && kind <= BRACE_ENUM && st->type && st->tag)
		pp_add(sc->f, PP_TAG, line, st->tag);
	if (st->depth < DEPTH)
		st->brace[st->depth] = kind;
	st->depth++;
	st->type = 0;
	st->value = false;
	if (kind == BRACE_LINKAGE)
		end_declaration(st);
}

static void close_brace(struct pp_scan *sc, bool column0, guint32 line)
{
	struct state *st = &sc->now;
	enum brace kind = innermost(st);

	if (!st->depth)
		return;
	if (kind == BRACE_ENUM && !st->value)
		declare(sc, line);
	/* Lost count: what begins a line closes what began one. */
	if (column0 && st->brace[0] != BRACE_LINKAGE) {
		kind = st->brace[0];
		st->depth = 1;
	}
	st->depth--;
	st->parens = 0;
	st->name = 0;
	st->value = false;
	if (at_top(st) && (kind == BRACE_FUNCTION || kind == BRACE_LINKAGE))
		end_declaration(st);
}

/* "(*name" or, in a typedef, "(name" */
static bool in_declarator(const struct state *st)
{
	return st->parens == 1 && !st->call &&
	       ((st->before[0] == '*' && st->before[1] == '(') ||
		(st->is_typedef && st->before[0] == '('));
}

static void top_punct(struct pp_scan *sc, char c, guint32 line)
{
	struct state *st = &sc->now;
	bool forward = st->type && st->tag == st->name;

	if (c == '(' && !st->parens && st->name) {
		st->call = st->words == 1 && !is_type(sc, st->name);
		if (!st->call)
			declare(sc, line);
	} else if (strchr(";,=[:", c) && !st->parens && !forward) {
		declare(sc, line);
	} else if (strchr(",)", c) && st->parens == 1 && st->call) {
		declare(sc, line);
	} else if (strchr(")[(", c) && in_declarator(st)) {
		declare(sc, line);
	}
}

void pp_scan_punct(struct pp_scan *sc, char c, bool column0, guint32 line)
{
	struct state *st = &sc->now;

	if (c == '{') {
		if (innermost(st) == BRACE_FUNCTION)
			st->depth++, st->brace[MIN(st->depth, DEPTH) - 1] = 0;
		else
			open_brace(sc, column0, line);
		st->name = 0;
		shift(st, c);
		return;
	}
	if (c == '}') {
		close_brace(sc, column0, line);
		if (st->words)
			shift(st, c);
		return;
	}
	if (innermost(st) == BRACE_FUNCTION)
		return;
	if (at_top(st))
		top_punct(sc, c, line);
	else if (innermost(st) == BRACE_ENUM && !st->parens && !st->value &&
		 strchr(",=(", c))
		declare(sc, line);
	if (innermost(st) == BRACE_ENUM && strchr(",=", c))
		st->value = c == '=';
	st->parens += c == '(';
	st->parens -= c == ')' && st->parens;
	if (st->name)
		shift(st, 'w');
	st->name = 0;
	st->type = 0;
	shift(st, c);
	if (c == ';' && at_top(st) && !st->parens)
		end_declaration(st);
}
