// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "symtext.h"
#include "toplevel.h"

#define SPACE_DEFINE "DEFAULT_SYMBOL_NAMESPACE"

/* Macros that export what their first argument names, as text. */
static const struct { const char *macro; const char *forms[5]; } exports[] = {
	{ "EXPORT_SYMBOL", { "" } },
	{ "EXPORT_SYMBOL_GPL", { "" } },
	{ "EXPORT_SYMBOL_NS", { "" } },
	{ "EXPORT_SYMBOL_NS_GPL", { "" } },
	{ "EXPORT_SYMBOL_GPL_FOR_MODULES", { "" } },
	{ "EXPORT_SYMBOL_FOR_MODULES", { "" } },
	{ "EXPORT_PER_CPU_SYMBOL", { "" } },
	{ "EXPORT_PER_CPU_SYMBOL_GPL", { "" } },
	{ "ACPI_EXPORT_SYMBOL", { "" } },
	{ "EXPORT_STATIC_CALL", { "__SCK__", "__SCT__" } },
	{ "EXPORT_STATIC_CALL_GPL", { "__SCK__", "__SCT__" } },
	{ "EXPORT_STATIC_CALL_TRAMP", { "__SCT__" } },
	{ "EXPORT_STATIC_CALL_TRAMP_GPL", { "__SCT__" } },
	{ "EXPORT_TRACEPOINT_SYMBOL", { "__tracepoint_", "__traceiter_",
					"__SCK__tp_func_", "__SCT__tp_func_" } },
	{ "EXPORT_TRACEPOINT_SYMBOL_GPL", { "__tracepoint_", "__traceiter_",
					"__SCK__tp_func_", "__SCT__tp_func_" } },
};

/* Macros that define a variable; which argument names it, in what form. */
static const struct {
	const char *macro;
	guint argument;
	const char *prefix;
} definers[] = {
	{ "DEFINE_STATIC_CALL", 0, "__SCK__" },
	{ "DEFINE_STATIC_CALL_NULL", 0, "__SCK__" },
	{ "DEFINE_STATIC_CALL_RET0", 0, "__SCK__" },
	{ "DEFINE_PER_CPU", 1 }, { "DEFINE_PER_CPU_SHARED_ALIGNED", 1 },
	{ "DEFINE_PER_CPU_READ_MOSTLY", 1 }, { "DEFINE_PER_CPU_ALIGNED", 1 },
	{ "DEFINE_PER_CPU_PAGE_ALIGNED", 1 }, { "DEFINE_PER_CPU_FIRST", 1 },
	{ "DEFINE_STATIC_KEY_FALSE", 0 }, { "DEFINE_STATIC_KEY_TRUE", 0 },
	{ "DEFINE_MUTEX", 0 }, { "DEFINE_SPINLOCK", 0 }, { "LIST_HEAD", 0 },
	{ "DEFINE_RAW_SPINLOCK", 0 }, { "DEFINE_RWLOCK", 0 },
	{ "DECLARE_RWSEM", 0 }, { "DEFINE_IDR", 0 }, { "DEFINE_IDA", 0 },
	{ "DEFINE_SEQLOCK", 0 }, { "DECLARE_WAIT_QUEUE_HEAD", 0 },
	{ "DECLARE_BITMAP", 0 }, { "HLIST_HEAD", 0 }, { "DEFINE_XARRAY", 0 },
};

/* What an assembler source defines a global with. */
static const char *const labels[] = {
	"SYM_FUNC_START", "SYM_FUNC_START_NOALIGN", "SYM_FUNC_START_WEAK",
	"SYM_FUNC_ALIAS", "SYM_FUNC_ALIAS_WEAK", "SYM_FUNC_ALIAS_MEMFUNC",
	"SYM_CODE_START", "SYM_CODE_START_NOALIGN", "SYM_TYPED_FUNC_START",
	"SYM_DATA", "SYM_DATA_START", "ENTRY", "WEAK", "_GLOBAL", "_GLOBAL_TOC",
	"_GLOBAL_KASAN", "_GLOBAL_TOC_KASAN", "SYM_FUNC_START_PI", "SYM_ENTRY",
};

struct scan {
	struct symtext *s;
	struct toplevel top;
	const char *space;	/* of exports without one of their own */
};

struct symtext *symtext_new(void)
{
	struct symtext *s = g_new0(struct symtext, 1);

	s->items = g_array_new(FALSE, FALSE, sizeof(struct symtext_item));
	s->imports = g_ptr_array_new();
	s->includes = g_array_new(FALSE, FALSE, sizeof(struct symtext_include));
	return s;
}

void symtext_free(struct symtext *s)
{
	if (!s)
		return;
	g_array_unref(s->items);
	g_ptr_array_unref(s->imports);
	g_array_unref(s->includes);
	g_free(s);
}

static struct symtext_item *add(struct scan *sc, enum symtext_kind kind,
				const char *prefix, const struct top_token *token,
				const char *space)
{
	g_autofree char *name = g_strdup_printf("%s%.*s", prefix,
						(int)token->len, token->text);
	struct symtext_item item = { g_intern_string(name),
		g_intern_string(space), kind, token->line, false };

	if (token->kind != 'a')
		return NULL;
	g_array_append_val(sc->s->items, item);
	return &g_array_index(sc->s->items, struct symtext_item,
			      sc->s->items->len - 1);
}

/* Argument @n (from 0) of the call at @open: its only token, or nothing. */
static const struct top_token *argument(const struct toplevel *top, guint open,
					guint n)
{
	guint close = toplevel_close(top, open), at = open + 1;
	unsigned int depth = toplevel_at(top, open)->depth + 1;

	for (guint i = open + 1; n && i < close; i++) {
		const struct top_token *token = toplevel_at(top, i);

		if (token->kind != ',' || token->depth != depth)
			continue;
		at = i + 1;
		n--;
	}
	if (n || (at + 1 < close && toplevel_at(top, at + 1)->kind != ','))
		return toplevel_at(top, G_MAXUINT);
	return toplevel_at(top, at);
}

/* The namespace may be a word or, since 6.13, a string. */
static char *space_of(const struct scan *sc, guint open)
{
	const struct top_token *token = argument(&sc->top, open, 1);

	if (token->kind == '"' && token->len >= 2)
		return g_strndup(token->text + 1, token->len - 2);
	return token->kind == 'a' ? g_strndup(token->text, token->len) :
	       g_strdup(sc->space);
}

/* The first token that is no "(": EXPORT_SYMBOL((x)) does occur. */
static void take_export(struct scan *sc, guint at, const char *macro,
			const char *const *forms)
{
	g_autofree char *space = space_of(sc, at + 1);
	const struct top_token *name;
	guint open = at + 1;

	while (toplevel_at(&sc->top, open + 1)->kind == '(')
		open++;
	name = argument(&sc->top, open, 0);
	for (; *forms; forms++) {
		struct symtext_item *item = add(sc, SYMTEXT_EXPORT, *forms, name,
						space);

		if (item)
			item->gpl = strstr(macro, "GPL");
	}
}

static void take_import(struct scan *sc, guint open)
{
	const struct top_token *token = argument(&sc->top, open, 0);
	gsize quote = token->kind == '"' && token->len >= 2;
	g_autofree char *name = g_strndup(token->text + quote,
					  token->len - 2 * quote);

	if (token->len)
		g_ptr_array_add(sc->s->imports, (gpointer)g_intern_string(name));
}

static void take_licence(struct scan *sc, guint open)
{
	const struct top_token *token = argument(&sc->top, open, 0);
	gsize len = token->kind == '"' && token->len >= 2 ? token->len - 2 : 0;
	g_autofree char *name = g_strndup(len ? token->text + 1 : "", len);

	sc->s->licence = g_intern_string(name);
}

/* Calls of macros that export, wherever in the statement they stand. */
static void take_calls(struct scan *sc)
{
	for (guint i = 0; i + 1 < sc->top.tokens->len; i++) {
		const struct top_token *token = toplevel_at(&sc->top, i);

		if (token->kind != 'a' || token->depth ||
		    toplevel_at(&sc->top, i + 1)->kind != '(')
			continue;
		if (top_is(token, "MODULE_IMPORT_NS"))
			take_import(sc, i + 1);
		if (top_is(token, "MODULE_LICENSE"))
			take_licence(sc, i + 1);
		for (gsize k = 0; k < G_N_ELEMENTS(exports); k++)
			if (top_is(token, exports[k].macro))
				take_export(sc, i, exports[k].macro,
					    exports[k].forms);
	}
}

static bool is_shouted(const struct top_token *token)
{
	for (gsize i = 0; i < token->len; i++)
		if (g_ascii_islower(token->text[i]))
			return false;
	return true;
}

/* What makes a definition local, or may: STATIC, INDIRECT_CALLABLE_SCOPE. */
static bool is_local_word(const struct top_token *token)
{
	static const char *const words[] = { "static", "extern", "typedef",
		"inline", "__inline", "__always_inline", "__inline__", "asm",
		"return", "else", "goto" };

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (top_is(token, words[i]))
			return true;
	return token->kind == 'a' && is_shouted(token);
}

static bool is_local(const struct toplevel *top, guint end)
{
	for (guint i = 0; i < end; i++) {
		const struct top_token *token = toplevel_at(top, i);

		if (!token->depth && is_local_word(token))
			return true;
	}
	return false;
}

/*
 * The name is the word before the first "(" that itself follows a type: in
 * "__printf(1, 2) int f(...) __acquires(x)" that is f.
 */
static void take_function(struct scan *sc)
{
	const struct toplevel *top = &sc->top;

	for (guint i = 1; i + 1 < top->tokens->len; i++) {
		const struct top_token *name = toplevel_at(top, i);
		const struct top_token *before = toplevel_at(top, i - 1);

		if (name->kind != 'a' || name->depth ||
		    toplevel_at(top, i + 1)->kind != '(' ||
		    (before->kind != 'a' && before->kind != '*'))
			continue;
		if (!is_local(top, i))
			add(sc, SYMTEXT_DEFINE, "", name, "");
		return;
	}
}

static bool is_attribute(const struct top_token *token)
{
	static const char *const words[] = { "__read_mostly",
		"__ro_after_init", "__initdata", "__refdata", "__initconst",
		"__cacheline_aligned", "__cacheline_aligned_in_smp",
		"__used", "__weak", "__visible", "__maybe_unused", "__meminitdata" };

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (top_is(token, words[i]))
			return true;
	return false;
}

/* "struct x *name[N] __read_mostly = ...": one name, nothing in parentheses. */
static void take_variable(struct scan *sc)
{
	const struct toplevel *top = &sc->top;
	const struct top_token *name = NULL, *first = toplevel_at(top, 0);
	guint words = 0, end = 0;

	for (guint i = 0; i < top->tokens->len; i++, end = i) {
		const struct top_token *token = toplevel_at(top, i);

		if (strchr("=[;", token->kind))
			break;
		if (token->kind == '(' || token->kind == ',' ||
		    token->kind == '{')
			return;
		if (token->kind != 'a' || is_attribute(token))
			continue;
		name = token;
		words++;
	}
	/* "struct x;" declares */
	if (words < 2 || (words < 3 && (top_is(first, "struct") ||
	    top_is(first, "union") || top_is(first, "enum"))))
		return;
	if (!is_local(top, end))
		add(sc, SYMTEXT_DEFINE, "", name, "");
}

/* DEFINE_MUTEX(x), perhaps with an attribute before it. */
static bool take_definer(struct scan *sc)
{
	guint at = is_attribute(toplevel_at(&sc->top, 0)) ? 1 : 0;
	const struct top_token *macro = toplevel_at(&sc->top, at);

	if (toplevel_at(&sc->top, at + 1)->kind != '(')
		return false;
	for (gsize i = 0; i < G_N_ELEMENTS(definers); i++) {
		if (!top_is(macro, definers[i].macro))
			continue;
		add(sc, SYMTEXT_DEFINE, definers[i].prefix ?: "",
		    argument(&sc->top, at + 1, definers[i].argument), "");
		return true;
	}
	return false;
}

static void note_include(struct scan *sc, const struct directive *d)
{
	const char *end = d->args_len > 2 && *d->args == '"' ?
			  memchr(d->args + 1, '"', d->args_len - 1) : NULL;
	g_autofree char *name = end ? g_strndup(d->args + 1,
						end - d->args - 1) : NULL;
	struct symtext_include inc = { g_intern_string(name), d->line };

	if (name)
		g_array_append_val(sc->s->includes, inc);
}

static void note_directive(const struct directive *d, void *data)
{
	struct scan *sc = data;

	if (g_str_has_prefix(d->word, "if"))
		sc->s->conditional = true;
	if (!strcmp(d->word, "include"))
		note_include(sc, d);
	if (!strcmp(d->word, "define") && d->args_len > strlen(SPACE_DEFINE) &&
	    !strncmp(d->args, SPACE_DEFINE, strlen(SPACE_DEFINE))) {
		g_autofree char *rest = g_strndup(d->args + strlen(SPACE_DEFINE),
					d->args_len - strlen(SPACE_DEFINE));

		g_strdelimit(rest, "\"", ' ');
		sc->space = g_intern_string(g_strstrip(rest));
	}
}

static void scan_c(struct scan *sc)
{
	while (toplevel_next(&sc->top)) {
		take_calls(sc);
		if (sc->top.body)
			take_function(sc);
		else if (!take_definer(sc))
			take_variable(sc);
	}
}

/* A word of an assembler line that begins a definition. */
static bool is_label(const struct top_token *token)
{
	for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
		if (top_is(token, labels[i]))
			return true;
	return false;
}

/* .globl NAME: the word stands alone, behind a blank. */
static void take_global(struct scan *sc, const char *line, gsize len,
			unsigned int n)
{
	const char *end = line + len, *p = line;
	struct top_token name = { .kind = 'a', .line = n };
	gsize skip;

	while (p < end && g_ascii_isspace(*p))
		p++;
	skip = end - p > 7 && !strncmp(p, ".globl", 6) ? 6 :
	       end - p > 8 && !strncmp(p, ".global", 7) ? 7 : 0;
	if (!skip || !g_ascii_isspace(p[skip]))
		return;
	for (p += skip; p < end && g_ascii_isspace(*p); p++)
		;
	name.text = p;
	while (p < end && (is_word_char(*p) || *p == '.' || *p == '$'))
		p++;
	name.len = p - name.text;
	if (name.len && (p == end || strchr(" \t;", *p)))
		add(sc, SYMTEXT_DEFINE, "", &name, "");
}

static void scan_assembler(struct scan *sc, const struct ctext *t)
{
	for (unsigned int n = 1; n <= t->count; n++) {
		struct directive d;
		gsize len;
		const char *line = ctext_line(t, n, &len);

		if (!ctext_directive(t, n, &d))
			take_global(sc, line, len, n);
	}
	/* The rest has the form of calls; a ';' seldom ends them. */
	while (toplevel_next(&sc->top)) {
		take_calls(sc);
		for (guint i = 0; i + 1 < sc->top.tokens->len; i++)
			if (is_label(toplevel_at(&sc->top, i)) &&
			    toplevel_at(&sc->top, i + 1)->kind == '(')
				add(sc, SYMTEXT_DEFINE, "",
				    argument(&sc->top, i + 1, 0), "");
	}
}

struct symtext *symtext_scan(const char *text, gsize len, bool assembler)
{
	struct scan sc = { .space = "" };
	g_autoptr(ctext_t) t = ctext_new(text, len);

	sc.s = symtext_new();
	toplevel_init(&sc.top, t);
	sc.top.on_directive = note_directive;
	sc.top.data = &sc;
	if (assembler)
		scan_assembler(&sc, t);
	else
		scan_c(&sc);
	toplevel_release(&sc.top);
	return sc.s;
}

static void shape_directive(const struct directive *d, void *data)
{
	g_string_append_printf(data, "#%s %.*s\n", d->word, (int)d->args_len,
			       d->args);
}

char *symtext_shape(const char *text, gsize len)
{
	g_autoptr(ctext_t) t = ctext_new(text, len);
	GString *shape = g_string_new("");
	struct toplevel top;

	toplevel_init(&top, t);
	top.on_directive = shape_directive;
	top.data = shape;
	while (toplevel_next(&top)) {
		for (guint i = 0; i < top.tokens->len; i++) {
			const struct top_token *token = toplevel_at(&top, i);

			g_string_append_len(shape, token->text, token->len);
			g_string_append_c(shape, ' ');
		}
		g_string_append_c(shape, '\n');
	}
	toplevel_release(&top);
	return g_string_free(shape, FALSE);
}

/* A word in "int f(void);", "extern int x;", "DECLARE_PER_CPU(int, x);"? */
static bool is_declared(const struct toplevel *top, guint at)
{
	const struct top_token *first = toplevel_at(top, 0);

	if (top_is(first, "extern") || top_is(first, "typedef") ||
	    (first->len > 8 && !strncmp(first->text, "DECLARE_", 8) &&
	     !g_str_has_prefix(first->text, "DECLARE_RWSEM") &&
	     !g_str_has_prefix(first->text, "DECLARE_WAIT_QUEUE")))
		return true;
	return !top->body && at && !toplevel_at(top, at)->depth &&
	       toplevel_at(top, at + 1)->kind == '(' &&
	       strchr("a*", toplevel_at(top, at - 1)->kind);
}

/* The name of "static inline int f(void) { ... }"? */
static bool is_static(const struct toplevel *top, guint at)
{
	guint i = 0;

	while (i < at && strchr("a*", toplevel_at(top, i)->kind))
		i++;
	return top->body && at && i == at &&
	       top_is(toplevel_at(top, 0), "static") &&
	       toplevel_at(top, at + 1)->kind == '(';
}

bool symtext_may_define(const char *text, gsize len, const char *name)
{
	g_autoptr(ctext_t) t = ctext_new(text, len);
	struct toplevel top;
	bool found = false;

	toplevel_init(&top, t);
	while (!found && toplevel_next(&top)) {
		for (guint i = 0; i < top.tokens->len; i++)
			found |= top_is(toplevel_at(&top, i), name) &&
				 !is_declared(&top, i) && !is_static(&top, i);
	}
	toplevel_release(&top);
	return found;
}
