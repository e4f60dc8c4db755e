// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "ordertext.h"
#include "override.h"

static void helper_free(gpointer data)
{
	struct helper *h = data;

	g_free(h->name);
	g_free(h->guard);
	g_free(h->type);
	g_free(h->params);
	g_free(h->shape);
	g_ptr_array_unref(h->conditions);
	condset_free(h->at);
	g_free(h);
}

void helpers_free(struct helpers *h)
{
	if (!h)
		return;
	g_ptr_array_unref(h->list);
	g_ptr_array_unref(h->groups);
	g_free(h);
}

static bool is_dropped(const char *word)
{
	static const char *const words[] = { "static", "inline", "extern",
		"__inline", "__inline__", "__always_inline", "noinline",
		"notrace", "register", NULL };

	if (g_strv_contains(words, word))
		return true;
	/* an attribute; __u32, __be16 and the like are types */
	return g_str_has_prefix(word, "__") && !g_str_has_suffix(word, "_t") &&
	       !g_ascii_isdigit(word[strlen(word) - 1]) &&
	       strcmp(word, "__wsum");
}

/* Words that can end a type, so that they are no name of a parameter. */
static bool is_basic(const char *word)
{
	static const char *const words[] = { "int", "long", "char", "short",
		"unsigned", "signed", "void", "bool", "_Bool", "float", "double",
		"const", "volatile", NULL };

	return g_strv_contains(words, word);
}

static bool is_tag(const char *word)
{
	return !strcmp(word, "struct") || !strcmp(word, "union") ||
	       !strcmp(word, "enum");
}

/* @words without what says nothing, "unsigned" as "unsigned int". */
static char *canonical(char **words, guint count)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < count; i++) {
		const char *next = i + 1 < count ? words[i + 1] : "";

		if (is_dropped(words[i]))
			continue;
		/* "long int" is "long" */
		if (!strcmp(words[i], "int") && i && is_basic(words[i - 1]) &&
		    strcmp(words[i - 1], "unsigned") &&
		    strcmp(words[i - 1], "signed") &&
		    strcmp(words[i - 1], "const"))
			continue;
		if (s->len && is_word_char(s->str[s->len - 1]) &&
		    is_word_char(*words[i]))
			g_string_append_c(s, ' ');
		g_string_append(s, words[i]);
		if (!strcmp(words[i], "unsigned") && !is_basic(next))
			g_string_append(s, " int");
	}
	return g_string_free(s, FALSE);
}

char *override_type(const char *type)
{
	g_auto(GStrv) words = g_strsplit(type, " ", -1);

	return canonical(words, g_strv_length(words));
}

/* One parameter without its name. */
static char *parameter(char **words, guint count)
{
	guint last = count;
	GString *s = g_string_new(NULL);

	/* "x [ N ]" is a pointer */
	for (guint i = 0; i < count && last == count; i++)
		if (!strcmp(words[i], "["))
			last = i;
	if (last > 1 && is_word_char(*words[last - 1]) &&
	    !is_basic(words[last - 1]) && !is_tag(words[last - 2])) {
		g_autofree char *type = canonical(words, last - 1);

		g_string_append(s, type);
	} else {
		g_autofree char *type = canonical(words, last);

		g_string_append(s, type);
	}
	if (last < count)
		g_string_append_c(s, '*');
	return g_string_free(s, FALSE);
}

char *override_shape(const char *type, const char *params)
{
	g_autofree char *returned = override_type(type);
	g_auto(GStrv) words = g_strsplit(params, " ", -1);
	GString *s = g_string_new(returned);
	guint from = 0, depth = 0, n = g_strv_length(words);

	g_string_append_c(s, '(');
	for (guint i = 0; i <= n; i++) {
		g_autofree char *p = NULL;

		if (i < n) {
			depth += !strcmp(words[i], "(");
			depth -= !strcmp(words[i], ")");
			if (depth || strcmp(words[i], ","))
				continue;
		}
		p = parameter(words + from, i - from);
		if (strcmp(p, "void"))
			g_string_append_printf(s, "%s%s", from ? "," : "", p);
		from = i + 1;
	}
	g_string_append_c(s, ')');
	return g_string_free(s, FALSE);
}

/* The innermost macro whose definition hides @f; NULL: nothing does. */
static char *guard_of(const struct condset *at, const struct cfunc *f)
{
	g_autoptr(GPtrArray) names = condset_undefined(at);

	for (guint i = names->len; i > 0; i--) {
		const char *name = names->pdata[i - 1];

		if (!strcmp(name, f->name) || (order_is_guard(name) &&
		    !g_str_has_prefix(name, "CONFIG_") &&
		    !g_ascii_islower(*name)))
			return g_strdup(name);
	}
	return NULL;
}

/* Is @c "#ifndef X" with a "#define X" right behind, as around a header? */
static bool is_include_guard(const struct condition *c, const struct ctext *t)
{
	g_autofree char *name = NULL;

	if (!g_str_has_prefix(c->text, "!defined("))
		return false;
	name = g_strndup(c->text + 9, strlen(c->text) - 10);
	for (unsigned int n = c->start; n <= MIN(c->start + 2, t->count); n++) {
		struct directive d;

		if (ctext_directive(t, n, &d) && !strcmp(d.word, "define") &&
		    d.args_len >= strlen(name) &&
		    !strncmp(d.args, name, strlen(name)))
			return true;
	}
	return false;
}

static void add_helper(struct helpers *h, const struct ctext *t,
		       const struct cfunc *f)
{
	struct condset *at = condset_at(h->groups, f->line);
	char *guard = guard_of(at, f);
	struct helper *helper;

	if (!guard) {
		condset_free(at);
		return;
	}
	helper = g_new0(struct helper, 1);
	helper->name = g_strdup(f->name);
	helper->guard = guard;
	helper->line = f->line;
	helper->type = override_type(f->type);
	helper->params = g_strdup(f->params);
	helper->shape = override_shape(f->type, f->params);
	helper->at = at;
	helper->conditions = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < at->at->len; i++) {
		const struct condition *c = at->at->pdata[i];

		if (!word_in(c->text, strlen(c->text), guard) &&
		    !is_include_guard(c, t))
			g_ptr_array_add(helper->conditions, g_strdup(c->text));
	}
	g_ptr_array_add(h->list, helper);
}

struct helpers *helpers_scan(const char *text, gsize len)
{
	g_autoptr(ctext_t) t = ctext_new(text, len);
	g_autoptr(GPtrArray) all = cfunc_scan(t);
	struct helpers *h = g_new0(struct helpers, 1);

	h->list = g_ptr_array_new_with_free_func(helper_free);
	h->groups = condition_scan_ctext(t);
	for (guint i = 0; i < all->len; i++) {
		const struct cfunc *f = all->pdata[i];

		if (f->kind == CFUNC_BODY)
			add_helper(h, t, f);
	}
	return h;
}

GHashTable *helpers_names(const struct helpers *h)
{
	GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < h->list->len; i++) {
		const struct helper *helper = h->list->pdata[i];

		g_hash_table_add(names, helper->name);
		g_hash_table_add(names, helper->guard);
	}
	return names;
}

static bool is_function(const struct override *o)
{
	return o->f->kind != CFUNC_MACRO;
}

/* Is the guard defined where @o is? */
static bool is_announced(const struct override *o, const GPtrArray *guards)
{
	for (guint i = 0; guards && i < guards->len; i++) {
		const struct override *g = guards->pdata[i];

		if (g->f->kind != CFUNC_MACRO)
			continue;
		if (strcmp(g->path, o->path) ||
		    !condset_excludes(g->at, o->at))
			return true;
	}
	return false;
}

static guint count_params(const char *params)
{
	guint n = *params && strcmp(params, "void") ? 1 : 0;

	for (const char *p = params; *p; p++)
		n += *p == ',';
	return n;
}

static bool has_type(const struct helper *h, const struct override *o)
{
	g_autofree char *shape = NULL;

	if (o->f->kind == CFUNC_MACRO)
		return !o->f->params ||
		       count_params(o->f->params) == count_params(h->params);
	shape = override_shape(o->f->type, o->f->params);
	return !strcmp(shape, h->shape);
}

/* Does "#define F" stand for something else, as for a macro or a function? */
static bool is_other(const struct helper *h, const struct override *o)
{
	return o->f->kind == CFUNC_MACRO && !strcmp(o->f->name, h->name) &&
	       (o->f->params || strcmp(o->f->value, h->name));
}

/* __HAVE_ARCH_PTEP_GET says ptep_get(); others may stand for a group. */
static bool names_it(const struct helper *h)
{
	g_autofree char *lower = g_ascii_strdown(h->guard, -1);

	return g_str_has_suffix(lower, h->name);
}

bool override_has(const struct override_arch *oa, const struct helper *h)
{
	const GPtrArray *own = g_hash_table_lookup(oa->named, h->name);

	for (guint i = 0; own && i < own->len; i++)
		if (is_function(own->pdata[i]) || is_other(h, own->pdata[i]))
			return true;
	return false;
}

void override_check(const struct helper *h, const struct override_arch *oa,
		    override_fn fn, void *data)
{
	const GPtrArray *own = g_hash_table_lookup(oa->named, h->name);
	const GPtrArray *guards = g_hash_table_lookup(oa->named, h->guard);
	bool any = override_has(oa, h) || !names_it(h);

	for (guint i = 0; own && i < own->len; i++) {
		const struct override *o = own->pdata[i];

		/* what the generic header has for other configurations */
		if (condset_opposed(o->at, h->at) && strcmp(h->guard, h->name))
			continue;
		if (is_function(o) && !is_announced(o, guards))
			fn(h, OVERRIDE_NO_DEFINE, o, data);
		else if (!has_type(h, o))
			fn(h, OVERRIDE_TYPE, o, data);
	}
	for (guint i = 0; guards && i < guards->len && !any; i++) {
		const struct override *o = guards->pdata[i];

		if (o->f->kind != CFUNC_MACRO || is_other(h, o))
			continue;
		fn(h, OVERRIDE_NO_FUNCTION, o, data);
		any = true;
	}
}
