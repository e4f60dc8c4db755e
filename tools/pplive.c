// SPDX-License-Identifier: GPL-2.0
/*
 * Most of what headers define and declare nobody ever asks about.  A walk goes
 * over what is left of each file without that, some thousand times.
 */
#include <string.h>
#include "ppfile.h"

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
			if (it->op != PP_INCLUDE)
				pp_set_trait(pp, name, PP_LEFT_OUT);
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
	if (f->live && f->live_age == pp_age(pp))
		return f->live;
	g_clear_pointer(&f->live, g_array_unref);
	f->live = build(pp, f);
	f->live_age = pp_age(pp);
	return f->live;
}
