// SPDX-License-Identifier: GPL-2.0
/* Reads the XML of abidw: types by id, then what they are made of. */
#include <stdlib.h>
#include <string.h>
#include "abi-int.h"
#include "error.h"

#define DEPTH 32		/* of types in types: deeper is no header */

enum kind { KIND_BASIC, KIND_TYPEDEF, KIND_QUALIFIED, KIND_POINTER, KIND_ARRAY,
	    KIND_STRUCT, KIND_UNION, KIND_ENUM, KIND_FUNCTION };

static const struct {
	const char *element;
	enum kind kind;
} kinds[] = {
	{ "type-decl", KIND_BASIC }, { "typedef-decl", KIND_TYPEDEF },
	{ "qualified-type-def", KIND_QUALIFIED },
	{ "pointer-type-def", KIND_POINTER }, { "array-type-def", KIND_ARRAY },
	{ "class-decl", KIND_STRUCT }, { "union-decl", KIND_UNION },
	{ "enum-decl", KIND_ENUM }, { "function-type", KIND_FUNCTION },
};

/* A member or an enumerator. */
struct part {
	char *name;
	char *type_id;		/* NULL: an enumerator */
	char *value;		/* ... and its value */
	gint64 offset;
};

struct node {
	enum kind kind;
	char *name;		/* "" if it is not named */
	char *file;
	unsigned int line;
	gint64 size;
	char *type_id;
	char *lengths;		/* "[4][]" */
	bool declared;		/* and no more than that */
	GPtrArray *parts;	/* of struct part */
};

struct reading {
	GHashTable *nodes;	/* id -> struct node */
	GPtrArray *order;	/* of struct node, borrowed */
	struct node *node;	/* that is open */
	gint64 offset;		/* of the data-member that is open */
	bool in_member, any;
};

static void part_free(gpointer p)
{
	struct part *part = p;

	g_free(part->name);
	g_free(part->type_id);
	g_free(part->value);
	g_free(part);
}

static void node_free(gpointer p)
{
	struct node *node = p;

	g_free(node->name);
	g_free(node->file);
	g_free(node->type_id);
	g_free(node->lengths);
	g_ptr_array_unref(node->parts);
	g_free(node);
}

/* The value of attribute @name; NULL: it has none. */
static const char *attr(const char **names, const char **values,
			const char *name)
{
	for (; *names; names++, values++)
		if (!strcmp(*names, name))
			return *values;
	return NULL;
}

static gint64 number(const char *text)
{
	return text ? g_ascii_strtoll(text, NULL, 10) : 0;
}

static void open_node(struct reading *r, enum kind kind, const char **names,
		      const char **values)
{
	const char *id = attr(names, values, "id");
	const char *file = attr(names, values, "filepath");
	const char *anonymous = attr(names, values, "is-anonymous");
	struct node *node;

	if (!id || g_hash_table_contains(r->nodes, id))
		return;
	node = g_new0(struct node, 1);
	node->kind = kind;
	node->name = g_strdup(anonymous ? "" : attr(names, values, "name") ?: "");
	node->file = g_strdup(file && g_str_has_prefix(file, "./") ? file + 2 :
			      file ?: "");
	node->line = number(attr(names, values, "line"));
	node->size = number(attr(names, values, "size-in-bits"));
	node->type_id = g_strdup(attr(names, values, "type-id"));
	node->lengths = g_strdup("");
	node->declared = attr(names, values, "is-declaration-only");
	node->parts = g_ptr_array_new_with_free_func(part_free);
	g_hash_table_insert(r->nodes, g_strdup(id), node);
	g_ptr_array_add(r->order, node);
	r->node = node;
}

static void add_part(struct reading *r, const char **names, const char **values)
{
	struct part *part = g_new0(struct part, 1);

	part->name = g_strdup(attr(names, values, "name") ?: "");
	part->type_id = g_strdup(attr(names, values, "type-id"));
	part->value = g_strdup(attr(names, values, "value"));
	part->offset = r->offset;
	g_ptr_array_add(r->node->parts, part);
}

static void add_length(struct node *node, const char *length)
{
	bool known = length && g_ascii_isdigit(*length) && strcmp(length, "0");
	char *all = g_strdup_printf("%s[%s]", node->lengths, known ? length : "");

	g_free(node->lengths);
	node->lengths = all;
}

static void on_start(GMarkupParseContext *context, const char *element,
		     const char **names, const char **values, gpointer data,
		     GError **error)
{
	struct reading *r = data;

	r->any |= !strcmp(element, "abi-corpus");
	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!strcmp(element, kinds[i].element))
			open_node(r, kinds[i].kind, names, values);
	if (!strcmp(element, "data-member")) {
		r->in_member = true;
		r->offset = number(attr(names, values, "layout-offset-in-bits"));
	}
	if (!r->node)
		return;
	if (r->in_member ? !strcmp(element, "var-decl") :
	    !strcmp(element, "enumerator"))
		add_part(r, names, values);
	else if (!strcmp(element, "subrange"))
		add_length(r->node, attr(names, values, "length"));
}

static void on_end(GMarkupParseContext *context, const char *element,
		   gpointer data, GError **error)
{
	struct reading *r = data;

	if (!strcmp(element, "data-member"))
		r->in_member = false;
	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (!strcmp(element, kinds[i].element))
			r->node = NULL;
}

static const struct node *node_of(const struct reading *r, const char *id)
{
	return id ? g_hash_table_lookup(r->nodes, id) : NULL;
}

static bool is_compound(const struct node *node)
{
	return node->kind == KIND_STRUCT || node->kind == KIND_UNION ||
	       node->kind == KIND_ENUM;
}

/* The typedef that gives a type without a tag its name; NULL: none. */
static const char *typedef_name(const struct reading *r, const struct node *node)
{
	for (guint i = 0; i < r->order->len; i++) {
		const struct node *other = r->order->pdata[i];

		if (other->kind == KIND_TYPEDEF &&
		    node_of(r, other->type_id) == node)
			return other->name;
	}
	return NULL;
}

/* "struct x", "x_t"; NULL: it has no name. */
static char *compound_name(const struct reading *r, const struct node *node)
{
	const char *tag = node->kind == KIND_STRUCT ? "struct" :
			  node->kind == KIND_UNION ? "union" : "enum";

	if (*node->name)
		return g_strdup_printf("%s %s", tag, node->name);
	return g_strdup(typedef_name(r, node));
}

static char *type_text(const struct reading *r, const char *id, int depth)
{
	const struct node *node = depth < DEPTH ? node_of(r, id) : NULL;
	g_autofree char *inner = NULL, *name = NULL;

	if (!node)
		return g_strdup("void");
	switch (node->kind) {
	case KIND_TYPEDEF:
	case KIND_QUALIFIED:
		return type_text(r, node->type_id, depth + 1);
	case KIND_POINTER:
		inner = type_text(r, node->type_id, depth + 1);
		return g_strconcat(inner, " *", NULL);
	case KIND_ARRAY:
		inner = type_text(r, node->type_id, depth + 1);
		return g_strconcat(inner, node->lengths, NULL);
	case KIND_FUNCTION:
		return g_strdup("function");
	case KIND_BASIC:
		return g_strdup(node->name);
	default:
		name = compound_name(r, node);
		return name ? g_steal_pointer(&name) :
			g_strdup(node->kind == KIND_STRUCT ? "struct" :
				 node->kind == KIND_UNION ? "union" : "enum");
	}
}

/* What is there in place, behind typedefs and arrays; NULL: a pointer, ... */
static const struct node *part_node(const struct reading *r, const char *id,
				    bool *array)
{
	const struct node *node = node_of(r, id);

	*array = false;
	for (int i = 0; node && i < DEPTH; i++) {
		if (is_compound(node))
			return node;
		if (node->kind != KIND_TYPEDEF && node->kind != KIND_ARRAY &&
		    node->kind != KIND_QUALIFIED)
			return NULL;
		*array |= node->kind == KIND_ARRAY;
		node = node_of(r, node->type_id);
	}
	return NULL;
}

static void member_free(gpointer p)
{
	struct abi_member *m = p;

	g_free(m->name);
	g_free(m->type);
	g_free(m->holds);
	g_free(m);
}

static void flatten(const struct reading *r, const struct node *node,
		    const char *prefix, gint64 offset, GPtrArray *out, int depth);

static void flatten_part(const struct reading *r, const struct part *part,
			 const char *prefix, gint64 offset, GPtrArray *out,
			 int depth)
{
	bool array;
	const struct node *in = part_node(r, part->type_id, &array);
	g_autofree char *name = g_strconcat(prefix, part->name, NULL);
	g_autofree char *holds = in ? compound_name(r, in) : NULL;
	g_autofree char *below = *part->name ? g_strconcat(name, ".", NULL) :
				 g_strdup(prefix);
	struct abi_member *m;

	if (*part->name && (!in || holds || array || in->kind == KIND_ENUM)) {
		m = g_new0(struct abi_member, 1);
		m->name = g_steal_pointer(&name);
		m->offset = offset + part->offset;
		m->type = type_text(r, part->type_id, 0);
		m->holds = g_strdup(holds);
		g_ptr_array_add(out, m);
	}
	if (in && !holds && in->kind != KIND_ENUM)
		flatten(r, in, below, offset + part->offset, out, depth + 1);
}

static void flatten(const struct reading *r, const struct node *node,
		    const char *prefix, gint64 offset, GPtrArray *out, int depth)
{
	for (guint i = 0; depth < DEPTH && i < node->parts->len; i++)
		flatten_part(r, node->parts->pdata[i], prefix, offset, out, depth);
}

static void type_free(gpointer p)
{
	struct abi_type *t = p;

	g_free(t->name);
	g_free(t->file);
	g_ptr_array_unref(t->members);
	g_free(t);
}

static void constant_free(gpointer p)
{
	struct abi_constant *c = p;

	g_free(c->name);
	g_free(c->value);
	g_free(c->of);
	g_free(c->file);
	g_free(c);
}

static void add_type(struct abi *abi, const struct reading *r,
		     const struct node *node)
{
	char *name = compound_name(r, node);
	struct abi_type *t;

	/* one without a name is a part of others, and in them */
	if (!name || g_hash_table_contains(abi->type_of, name)) {
		g_free(name);
		return;
	}
	t = g_new0(struct abi_type, 1);
	t->name = name;
	t->file = g_strdup(node->file);
	t->line = node->line;
	t->size = node->size;
	t->members = g_ptr_array_new_with_free_func(member_free);
	if (node->kind != KIND_ENUM)
		flatten(r, node, "", 0, t->members, 0);
	g_ptr_array_add(abi->types, t);
	g_hash_table_insert(abi->type_of, t->name, t);
}

static void add_constants(struct abi *abi, const struct reading *r,
			  const struct node *node)
{
	g_autofree char *name = compound_name(r, node);

	for (guint i = 0; i < node->parts->len; i++) {
		const struct part *part = node->parts->pdata[i];
		const struct part *first = node->parts->pdata[0];
		struct abi_constant *c;

		if (g_hash_table_contains(abi->constant_of, part->name))
			continue;
		c = g_new0(struct abi_constant, 1);
		c->name = g_strdup(part->name);
		c->value = g_strdup(part->value);
		c->of = name ? g_strdup_printf("'%s'", name) :
			g_strdup_printf("the enum with '%s'", first->name);
		c->file = g_strdup(node->file);
		c->line = node->line;
		g_ptr_array_add(abi->constants, c);
		g_hash_table_insert(abi->constant_of, c->name, c);
	}
}

static struct abi *build(const struct reading *r)
{
	struct abi *abi = g_new0(struct abi, 1);

	abi->types = g_ptr_array_new_with_free_func(type_free);
	abi->constants = g_ptr_array_new_with_free_func(constant_free);
	abi->type_of = g_hash_table_new(g_str_hash, g_str_equal);
	abi->constant_of = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; i < r->order->len; i++) {
		const struct node *node = r->order->pdata[i];

		/* what the C library has is not the kernel's */
		if (!is_compound(node) || node->declared || !*node->file ||
		    g_path_is_absolute(node->file))
			continue;
		add_type(abi, r, node);
		if (node->kind == KIND_ENUM)
			add_constants(abi, r, node);
	}
	return abi;
}

struct abi *abi_parse(const char *xml, gsize len, GError **error)
{
	static const GMarkupParser parser = { .start_element = on_start,
					      .end_element = on_end };
	struct reading r = { 0 };
	GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, &r,
								 NULL);
	g_autoptr(GError) err = NULL;
	struct abi *abi = NULL;

	r.nodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					node_free);
	r.order = g_ptr_array_new();
	if (g_markup_parse_context_parse(context, xml, len, &err) &&
	    g_markup_parse_context_end_parse(context, &err) && r.any)
		abi = build(&r);
	else
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "abidw wrote what respin does not understand: %s",
			    err ? err->message : "no corpus");
	g_markup_parse_context_free(context);
	g_hash_table_unref(r.nodes);
	g_ptr_array_unref(r.order);
	return abi;
}

void abi_free(struct abi *abi)
{
	if (!abi)
		return;
	g_hash_table_unref(abi->type_of);
	g_hash_table_unref(abi->constant_of);
	g_ptr_array_unref(abi->types);
	g_ptr_array_unref(abi->constants);
	g_free(abi);
}

struct abi_member *abi_member_of(const struct abi_type *t, const char *name)
{
	for (guint i = 0; i < t->members->len; i++) {
		struct abi_member *m = t->members->pdata[i];

		if (!strcmp(m->name, name))
			return m;
	}
	return NULL;
}
