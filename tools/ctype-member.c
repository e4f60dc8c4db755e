// SPDX-License-Identifier: GPL-2.0
/*
 * The bodies of types.  A declarator's name is the identifier that C's grammar
 * leaves when types, brackets and attributes are gone; where attributes and
 * names cannot be told apart all are taken for names.
 */
#include "ctype-int.h"

char *ctype_where(const struct creader *r, gsize at)
{
	GString *s = g_string_new(NULL);
	g_autoptr(GPtrArray) list = NULL;

	if (!r->conditions->len)
		return g_string_free(s, FALSE);
	list = condition_at(r->conditions, ctype_line_of(r, at));
	for (guint i = 0; i < list->len; i++) {
		const struct condition *c = list->pdata[i];

		g_string_append_printf(s, "%s;", c->text);
	}
	return g_string_free(s, FALSE);
}

static gsize skip_blank(const struct creader *r, gsize i, gsize to)
{
	while (i < to && (g_ascii_isspace(r->code[i]) || r->code[i] == '\\'))
		i++;
	return i;
}

static struct ctype_item *add_item(const struct creader *r, struct ctype *c,
				   gsize from, gsize to, const char *name,
				   const char *path, const char *text)
{
	struct ctype_item *item = g_new0(struct ctype_item, 1);
	g_autofree char *where = NULL;

	from = skip_blank(r, from, to);
	where = ctype_where(r, from);
	item->name = g_strdup(name);
	if (c->kind == CTYPE_ENUM) {
		item->key = g_strdup(text);
		item->where = g_steal_pointer(&where);
	} else {
		item->key = g_strconcat(path, "|", where, "|", text, NULL);
		item->where = g_strdup("");
	}
	item->line = ctype_line_of(r, from);
	item->end = ctype_line_of(r, to > from ? to - 1 : from);
	g_ptr_array_add(c->items, item);
	return item;
}

static void add_odd(const struct creader *r, struct ctype *c, gsize from,
		    gsize to, const char *path)
{
	g_autofree char *text = ctype_squeeze(r->code + from, to - from);

	if (*text)
		add_item(r, c, from, to, "", path, text)->odd = true;
}

static bool is_one_of(const char *s, gsize len, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == len && !memcmp(s, *words, len))
			return true;
	return false;
}

static bool is_tag_word(const char *s, gsize len)
{
	static const char *const words[] = { "struct", "union", "enum", NULL };

	return is_one_of(s, len, words);
}

/* A word of a type that is no identifier. */
static bool is_basic(const char *s, gsize len)
{
	static const char *const words[] = {
		"unsigned", "signed", "int", "char", "short", "long", "void",
		"bool", "_Bool", "float", "double", "__signed__", NULL
	};

	return is_one_of(s, len, words);
}

static bool is_qualifier(const char *s, gsize len)
{
	static const char *const words[] = {
		"const", "volatile", "static", "extern", "register", "restrict",
		"__restrict", "inline", "__extension__", NULL
	};

	return is_one_of(s, len, words);
}

static void keep_names(const GPtrArray *ids, GPtrArray *names)
{
	bool plain = false;

	for (guint i = 0; i < ids->len; i++)
		plain = plain || !g_str_has_prefix(ids->pdata[i], "__");
	for (guint i = 0; i < ids->len; i++)
		if (!plain || !g_str_has_prefix(ids->pdata[i], "__"))
			g_ptr_array_add(names, g_strdup(ids->pdata[i]));
}

/* "(*name)(args)": the brackets at @i hold a star; the name is the last word. */
static bool pointer_name(const struct creader *r, gsize i, gsize to,
			 GPtrArray *names)
{
	gsize end = ctype_match(r, i, to) - 1, k = i + 1, n;
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);

	if (!memchr(r->code + i, '*', end - i) ||
	    (r->code[skip_blank(r, k, end)] != '*' &&
	     r->code[skip_blank(r, k, end)] != '_'))
		return false;
	for (; k < end && !strchr("[(", r->code[k]); k += MAX(n, 1)) {
		n = ctype_word(r, k, end);
		if (n && !is_qualifier(r->code + k, n))
			g_ptr_array_add(ids, g_strndup(r->code + k, n));
	}
	keep_names(ids, names);
	return names->len > 0;
}

/* The name that one declarator declares; @typed: a type stands before it. */
static void declarator(const struct creader *r, gsize from, gsize to,
		       bool typed, GPtrArray *names)
{
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
	bool type = !typed;
	gsize n;

	for (gsize i = from; i < to; i += MAX(n, 1)) {
		const char *s = r->code + i;
		gsize next;

		n = ctype_word(r, i, to);
		if (*s == '[' || *s == ':' || *s == '=')
			break;
		if (*s == '(') {
			if (pointer_name(r, i, to, names))
				return;
			n = ctype_match(r, i, to) - i;
		} else if (*s == '*') {
			g_ptr_array_set_size(ids, 0);
			type = true;
		}
		if (!n || *s == '(' || is_qualifier(s, n))
			continue;
		next = skip_blank(r, i + n, to);
		if (is_basic(s, n)) {
			type = true;
		} else if (is_tag_word(s, n)) {
			type = true;
			n = next + ctype_word(r, next, to) - i;
		} else if (next < to && r->code[next] == '(' &&
			   (g_str_has_prefix(s, "__") ||
			    g_str_has_prefix(s, "typeof"))) {
			type = type || memmem(s, n, "typeof", 6);
			n = ctype_match(r, next, to) - i;
		} else {
			g_ptr_array_add(ids, g_strndup(s, n));
		}
	}
	/* The first word was the type, and no part of what is declared. */
	if (!type && ids->len)
		g_ptr_array_remove_index(ids, 0);
	keep_names(ids, names);
}

void ctype_names(const struct creader *r, gsize from, gsize to, bool typed,
		 GPtrArray *names)
{
	for (gsize end; from < to; from = end + 1, typed = false) {
		end = ctype_find(r, from, to, ',');
		declarator(r, from, end, typed, names);
	}
}

/* "MACRO(words)": any word of the arguments may be the member's name. */
static void macro_members(const struct creader *r, struct ctype *c, gsize from,
			  gsize to, const char *path)
{
	g_autofree char *text = ctype_squeeze(r->code + from, to - from);
	bool first = true;
	gsize n = ctype_word(r, from, to);

	for (gsize i = from + n; i < to; i += MAX(n, 1)) {
		g_autofree char *word = NULL;
		bool lower = false;

		n = ctype_word(r, i, to);
		if (!n || is_basic(r->code + i, n) ||
		    is_qualifier(r->code + i, n) || is_tag_word(r->code + i, n))
			continue;
		word = g_strndup(r->code + i, n);
		for (gsize k = 0; k < n; k++)
			lower = lower || g_ascii_islower(word[k]);
		if (lower || first)
			add_item(r, c, from, to, word, path, text)->macro = true;
		first = false;
	}
	if (first)
		add_odd(r, c, from, to, path);
}

/* The arguments before the members in struct_group() and its sisters; -1. */
static int group_args(const char *s, gsize len)
{
	static const struct {
		const char *word;
		int args;
	} groups[] = {
		{ "struct_group", 1 }, { "struct_group_attr", 2 },
		{ "struct_group_tagged", 2 }, { "__struct_group", 3 },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(groups); i++)
		if (strlen(groups[i].word) == len &&
		    !memcmp(s, groups[i].word, len))
			return groups[i].args;
	return -1;
}

/* The members of a struct_group() are members of what is around it, too. */
static void group_members(const struct creader *r, struct ctype *c, gsize from,
			  gsize open, gsize to, const char *path, int args)
{
	gsize close = ctype_match(r, open, to) - 1, i = open + 1;
	g_autofree char *head = NULL;

	for (; args > 0; args--) {
		gsize comma = ctype_find(r, i, close, ',');
		gsize at = skip_blank(r, i, comma);
		gsize n = ctype_word(r, at, comma);

		if (n) {
			g_autofree char *name = g_strndup(r->code + at, n);
			g_autofree char *text = ctype_squeeze(r->code + from,
							      open - from);

			add_item(r, c, from, i, name, path, text);
			if (args > 1)
				g_ptr_array_add(c->tags, g_strdup(name));
		}
		i = MIN(comma + 1, close);
	}
	ctype_members(r, c, i, close, path);
}

/* One declarator each; what a later one says rests on the first's type. */
static void plain_members(const struct creader *r, struct ctype *c, gsize from,
			  gsize to, const char *path)
{
	gsize first = ctype_find(r, from, to, ',');
	g_autofree char *type = NULL;

	for (gsize i = from, end; i < to; i = end + 1) {
		g_autoptr(GPtrArray) names =
			g_ptr_array_new_with_free_func(g_free);
		g_autofree char *own = NULL, *text = NULL;
		const char *name;

		end = ctype_find(r, i, to, ',');
		declarator(r, i, end, i == from, names);
		name = names->len ? names->pdata[names->len - 1] : NULL;
		own = ctype_erase(r->code + i, end - i, name);
		if (i == from)
			type = ctype_erase(r->code + from, first - from, name);
		else
			text = g_strconcat(type, ",", own, NULL);
		if (!name)
			add_item(r, c, i, end, "", path, text ? text : own);
		for (guint k = 0; k < names->len; k++)
			add_item(r, c, i, end, names->pdata[k], path,
				 text ? text : own);
	}
}

/* "MACRO(words)", and not "typeof(x) y" or "int (*f)(void)". */
static bool is_macro(const struct creader *r, gsize from, gsize n, gsize open,
		     gsize to)
{
	const char *s = r->code + from;
	gsize in = skip_blank(r, open + 1, to);

	return !is_basic(s, n) && !is_qualifier(s, n) &&
	       !(in < to && r->code[in] == '*') &&
	       !g_str_has_prefix(s, "typeof") &&
	       !g_str_has_prefix(s, "__typeof") && !g_str_has_prefix(s, "__a");
}

static void declaration(const struct creader *r, struct ctype *c, gsize from,
			gsize to, const char *path)
{
	gsize n, next;
	int args;

	from = skip_blank(r, from, to);
	if (from == to)
		return;
	n = ctype_word(r, from, to);
	next = skip_blank(r, from + n, to);
	args = n ? group_args(r->code + from, n) : -1;
	if (!n)
		add_odd(r, c, from, to, path);
	else if (args >= 0 && next < to && r->code[next] == '(')
		group_members(r, c, from, next, to, path, args);
	else if (next < to && r->code[next] == '(' &&
		 is_macro(r, from, n, next, to))
		macro_members(r, c, from, to, path);
	else if (next == to)
		add_odd(r, c, from, to, path);
	else
		plain_members(r, c, from, to, path);
}

/* A type within the type: its members, then what is declared of it. */
static gsize nested(const struct creader *r, struct ctype *c,
		    const struct ctype_open *open, gsize from, gsize brace,
		    gsize to, const char *path)
{
	static const char *const words[] = { "struct", "union", "enum" };
	gsize close = ctype_match(r, brace, to);
	gsize end = ctype_find(r, close, to, ';');
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *inner = NULL, *text = NULL;

	if (open->kind == CTYPE_ENUM) {
		/* Its enumerators are names of the whole file. */
		add_odd(r, c, from, end, path);
		return end;
	}
	if (*open->tag)
		g_ptr_array_add(c->tags, g_strdup(open->tag));
	ctype_names(r, close, end, false, names);
	inner = names->len ?
		g_strdup_printf("%s%s.", path, (char *)names->pdata[0]) :
		g_strdup_printf("%s%s{}", path, words[open->kind]);
	ctype_members(r, c, brace + 1, close - 1, inner);
	for (guint i = 0; i < MAX(names->len, 1); i++) {
		const char *name = names->len ? names->pdata[i] : "";
		g_autofree char *tail = ctype_erase(r->code + close, end - close,
						    name);

		g_free(text);
		text = g_strconcat(words[open->kind], " ", open->tag,
				   open->attributes, "{}", tail, NULL);
		add_item(r, c, close - 1, end, name, path, text);
	}
	return end;
}

void ctype_members(const struct creader *r, struct ctype *c, gsize from,
		   gsize to, const char *path)
{
	gsize i = from;

	while (i < to) {
		struct ctype_open open = { 0 };

		if (r->code[i] == '{' && ctype_open(r, from, i, &open)) {
			i = nested(r, c, &open, from, i, to, path) + 1;
			ctype_open_clear(&open);
			from = i = MIN(i, to);
		} else if (r->code[i] == ';') {
			declaration(r, c, from, i, path);
			from = ++i;
		} else {
			i = strchr("([{", r->code[i]) ?
				ctype_match(r, i, to) : i + 1;
		}
	}
	add_odd(r, c, from, to, path);
}

void ctype_enumerators(const struct creader *r, struct ctype *c, gsize from,
		       gsize to)
{
	for (gsize end; from < to; from = end + 1) {
		gsize at, n, eq;
		g_autofree char *name = NULL, *value = NULL;

		end = ctype_find(r, from, to, ',');
		at = skip_blank(r, from, end);
		if (at == end)
			continue;
		n = ctype_word(r, at, end);
		eq = ctype_find(r, at, end, '=');
		name = g_strndup(r->code + at, n);
		/* An attribute may stand behind the name; nothing else. */
		at = skip_blank(r, at + n, eq);
		if (!n || (at < eq && !g_str_has_prefix(r->code + at, "__"))) {
			add_odd(r, c, from, end, "");
			continue;
		}
		value = eq < end ? ctype_squeeze(r->code + eq + 1, end - eq - 1) :
			g_strdup("");
		add_item(r, c, from, end, name, "", value);
	}
}
