// SPDX-License-Identifier: GPL-2.0
/*
 * Most of what headers define and declare nobody ever asks about.  A walk goes
 * over what is left of each file without that, some thousand times.
 */
#include <string.h>
#include "ppfile.h"

/* A file that left out a definition; the next one of the same name. */
struct link {
	struct pp_file *file;
	guint32 next;		/* index into links + 1; 0: none */
};

struct pp_left {
	guint32 age;		/* of what is left out, all over; from 1 */
	guint32 asked;		/* see pp_age() */
	GArray *heads;		/* [name] of guint32, as link.next */
	GArray *links;
};

struct pp_left *pp_left_new(void)
{
	struct pp_left *l = g_new0(struct pp_left, 1);

	l->age = 1;
	l->heads = g_array_new(FALSE, TRUE, sizeof(guint32));
	l->links = g_array_new(FALSE, FALSE, sizeof(struct link));
	return l;
}

void pp_left_free(struct pp_left *l)
{
	g_array_unref(l->heads);
	g_array_unref(l->links);
	g_free(l);
}

guint32 pp_age(struct pp *pp)
{
	return pp_left_of(pp)->asked;
}

void pp_left_forget(struct pp_left *l)
{
	l->age++;
	g_array_set_size(l->heads, 0);
	g_array_set_size(l->links, 0);
}

/* Declarations are not linked: what is watched changes with the patch only. */
void pp_left_asked(struct pp_left *l, guint32 name, enum pp_trait trait)
{
	guint32 *head = name < l->heads->len ?
		&g_array_index(l->heads, guint32, name) : NULL;

	l->asked++;
	if (trait == PP_WATCHED) {
		pp_left_forget(l);
		return;
	}
	while (head && *head) {
		struct link *k = &g_array_index(l->links, struct link,
						*head - 1);

		k->file->live_age = 0;
		*head = k->next;
	}
}

static void leave_out(struct pp *pp, struct pp_file *f, guint32 name)
{
	struct pp_left *l = pp_left_of(pp);
	struct link k = { .file = f };
	guint32 *head;

	pp_set_trait(pp, name, PP_LEFT_OUT);
	if (name >= l->heads->len)
		g_array_set_size(l->heads, MAX(pp_names(pp), name) + 1000);
	head = &g_array_index(l->heads, guint32, name);
	k.next = *head;
	g_array_append_val(l->links, k);
	*head = l->links->len;
}

bool pp_is_asked(guint8 traits)
{
	return traits & (PP_ASKED | PP_WATCHED);
}

/* The names of an expression, or of a macro's body that may be part of one. */
void pp_ask_tokens(struct pp *pp, const GArray *tokens, guint32 first)
{
	bool is = false;

	for (guint32 i = first; i < tokens->len; i++) {
		const struct pp_token *t =
			&g_array_index(tokens, struct pp_token, i);

		if (t->kind != PP_NAME)
			continue;
		pp_set_trait(pp, t->name, PP_ASKED);
		is |= g_str_has_prefix(pp_text(pp, t->name), "IS_");
	}
	/* IS_ENABLED(X) asks for X_MODULE too */
	for (guint32 i = first; is && i < tokens->len; i++) {
		const struct pp_token *t =
			&g_array_index(tokens, struct pp_token, i);
		g_autofree char *module = NULL;

		if (t->kind != PP_NAME)
			continue;
		module = g_strconcat(pp_text(pp, t->name), "_MODULE", NULL);
		pp_set_trait(pp, pp_name(pp, module, strlen(module)), PP_ASKED);
	}
}

/* Does the item make a difference to a walk? */
static bool counts(const struct pp *pp, const struct pp_file *f,
		   const struct pp_item *it, guint32 *name)
{
	guint8 traits;

	*name = it->arg;
	if (it->op == PP_INCLUDE)
		return g_array_index(f->includes, struct pp_include,
				     it->arg).spec;
	if (it->op == PP_DEFINE)
		*name = g_array_index(f->defines, struct pp_define,
				      it->arg).name;
	traits = pp_traits(pp, *name);
	if (it->op == PP_DECL || it->op == PP_TAG)
		return traits & PP_WATCHED;
	/* CONFIG_: see pp_walk_toggles() */
	return pp_is_asked(traits) || (traits & PP_CONFIG && !f->autoconf);
}

/* Without groups that hold nothing which counts. */
static GArray *build(struct pp *pp, struct pp_file *f)
{
	GArray *live = g_array_new(FALSE, FALSE, sizeof(struct pp_item));
	g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(guint));
	guint filled = 0;	/* all from here on are conditions */

	for (guint i = 0; i < f->items->len; i++) {
		const struct pp_item *it =
			&g_array_index(f->items, struct pp_item, i);
		guint32 name;

		if (it->op == PP_IF)
			g_array_append_val(groups, live->len);
		if (it->op == PP_ENDIF) {
			guint from = g_array_index(groups, guint,
						   groups->len - 1);

			g_array_set_size(groups, groups->len - 1);
			if (filled <= from) {
				g_array_set_size(live, from);
				continue;
			}
		} else if (it->op > PP_ENDIF && !counts(pp, f, it, &name)) {
			if (it->op == PP_DECL || it->op == PP_TAG)
				pp_set_trait(pp, name, PP_LEFT_OUT);
			else if (it->op != PP_INCLUDE)
				leave_out(pp, f, name);
			continue;
		}
		g_array_append_vals(live, it, 1);
		if (it->op > PP_ENDIF)
			filled = live->len;
	}
	pp_link(live);
	return live;
}

const GArray *pp_live(struct pp *pp, struct pp_file *f)
{
	guint32 age = pp_left_of(pp)->age;

	if (f->live && f->live_age == age)
		return f->live;
	g_clear_pointer(&f->live, g_array_unref);
	f->live = build(pp, f);
	f->live_age = age;
	return f->live;
}
