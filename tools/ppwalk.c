// SPDX-License-Identifier: GPL-2.0
#include "ppwalk.h"
#include <string.h>

/* Recursion that no real TU has: X includes itself without a guard. */
#define DEPTH 200

/* What is known of a name in the current walk. */
struct entry {
	guint32 epoch;		/* of another walk: nothing is known */
	guint8 macro, decl, tag;
	guint32 decl_home, tag_home;
	const struct pp_define *define;	/* NULL: none, or several */
	struct pp_file *home;		/* of the macro */
};

/* An #if group. */
struct group {
	bool taken;		/* a branch was certain */
	bool maybe;		/* a branch was not decided */
	bool doubt;		/* so is the open one, by this group */
	guint32 unless;		/* in the branch of #ifndef NAME, undecided */
};

struct pp_walk {
	struct pp *pp;
	struct pp_paths *paths;
	GArray *entries;	/* of struct entry, by name */
	guint32 epoch;
	guint32 path;		/* of the TU */
	guint doubt;		/* open branches that are not decided */
	guint32 toggles;
	guint left;		/* targets not over */
	bool stop;
	GPtrArray *open;	/* of struct pp_file */
	GArray *groups;		/* of struct group: open in these files */
	struct pp_file *command;	/* -D and -U as #define and #undef */
};

struct pp_walk *pp_walk_new(struct pp *pp)
{
	struct pp_walk *w = g_new0(struct pp_walk, 1);

	w->pp = pp;
	w->paths = pp_paths_new(pp);
	w->entries = g_array_new(FALSE, TRUE, sizeof(struct entry));
	w->open = g_ptr_array_new();
	w->groups = g_array_new(FALSE, TRUE, sizeof(struct group));
	return w;
}

void pp_walk_free(struct pp_walk *w)
{
	if (!w)
		return;
	pp_paths_free(w->paths);
	pp_file_free(w->command);
	g_array_unref(w->entries);
	g_array_unref(w->groups);
	g_ptr_array_unref(w->open);
	g_free(w);
}

struct pp *pp_walk_pp(const struct pp_walk *w)
{
	return w->pp;
}

const GPtrArray *pp_walk_open(const struct pp_walk *w)
{
	return w->open;
}

guint32 pp_walk_toggles(const struct pp_walk *w)
{
	return w->toggles;
}

bool pp_walk_in_doubt(const struct pp_walk *w)
{
	return w->doubt > 0;
}

void pp_walk_forget(struct pp_walk *w)
{
	pp_paths_forget(w->paths);
}

/* NULL: nothing was said of it in this walk. */
static const struct entry *known(const struct pp_walk *w, guint32 name)
{
	const struct entry *e;

	if (name >= w->entries->len)
		return NULL;
	e = &g_array_index(w->entries, struct entry, name);
	return e->epoch == w->epoch ? e : NULL;
}

static struct entry *entry(struct pp_walk *w, guint32 name)
{
	struct entry *e;

	if (name >= w->entries->len)
		g_array_set_size(w->entries, MAX(pp_names(w->pp), name) + 1000);
	e = &g_array_index(w->entries, struct entry, name);
	if (e->epoch != w->epoch)
		*e = (struct entry){ .epoch = w->epoch };
	return e;
}

enum pp_known pp_walk_macro(const struct pp_walk *w, guint32 name,
			    const struct pp_define **define,
			    const struct pp_file **file)
{
	const struct entry *e = known(w, name);

	if (define)
		*define = e ? e->define : NULL;
	if (file)
		*file = e ? e->home : NULL;
	if (e && (e->macro || e->home))
		return e->macro;
	/* __x86_64__ and its like, unless a file defines it */
	return (pp_traits(w->pp, name) & (PP_BUILTIN | PP_DEFINED)) ==
	       PP_BUILTIN ? PP_MAYBE : PP_ABSENT;
}

/* By a macro that does not come back to its own name ("#define f f"). */
static bool is_replaced(const struct entry *e)
{
	const struct pp_define *d = e->macro == PP_THERE ? e->define : NULL;

	for (guint32 i = 0; d && i < d->count; i++) {
		const struct pp_token *t = &g_array_index(e->home->tokens,
						struct pp_token, d->first + i);

		if (t->kind == PP_NAME && t->name == d->name)
			return false;
	}
	return d != NULL;
}

void pp_walk_status(const struct pp_walk *w, guint32 name,
		    struct pp_status *status)
{
	const struct entry *e = known(w, name);

	memset(status, 0, sizeof(*status));
	if (!e)
		return;
	status->macro = e->macro;
	status->macro_home = e->macro && e->home ? e->home->home : 0;
	if (is_replaced(e))
		return;
	status->decl = e->decl;
	status->tag = e->tag;
	status->decl_home = e->decl_home;
	status->tag_home = e->tag_home;
}

static void note_toggle(struct pp_walk *w, const struct pp_file *f,
			guint32 name, guint32 how)
{
	if (f->autoconf || !(pp_traits(w->pp, name) & PP_CONFIG))
		return;
	w->toggles += (name * 2 + how + 1) * 2654435761u;
}

static void do_define(struct pp_walk *w, struct pp_file *f,
		      const struct pp_define *d, guint32 unless)
{
	struct entry *e = entry(w, d->name);
	bool again = e->macro;

	note_toggle(w, f, d->name, 1);
	/* #ifndef X, #define X: whichever it was, it is there now. */
	if (!w->doubt || (w->doubt == 1 && unless == d->name))
		e->macro = PP_THERE;
	else if (!e->macro)
		e->macro = PP_MAYBE;
	e->define = w->doubt && again ? NULL : d;
	e->home = f;
}

static void do_undef(struct pp_walk *w, struct pp_file *f, guint32 name)
{
	struct entry *e = entry(w, name);

	note_toggle(w, f, name, 0);
	/* With a home: it is known not to be the compiler's. */
	e->home = f;
	if (!w->doubt) {
		e->macro = PP_ABSENT;
		e->define = NULL;
	} else if (e->macro) {
		e->macro = PP_MAYBE;
	}
}

static void do_declare(struct pp_walk *w, struct pp_file *f, guint32 name,
		       bool tag)
{
	struct entry *e = entry(w, name);
	guint8 *state = tag ? &e->tag : &e->decl;
	enum pp_known now = w->doubt ? PP_MAYBE : PP_THERE;

	if (*state >= now)
		return;
	*state = now;
	*(tag ? &e->tag_home : &e->decl_home) = f->home;
}

static void walk_file(struct pp_walk *w, struct pp_file *f);

/* What #include NAME is, by the one definition of NAME. */
static struct pp_file *computed(struct pp_walk *w, const struct pp_file *f,
				guint32 name)
{
	const struct pp_define *d;
	const struct pp_file *home;

	for (int i = 0; i < 8; i++) {
		if (pp_walk_macro(w, name, &d, &home) == PP_ABSENT || !d)
			return NULL;
		if (d->spec)
			return pp_paths_find(w->paths, w->path, f, d->spec,
					     d->quoted, false);
		if (d->count != 1)
			return NULL;
		name = g_array_index(home->tokens, struct pp_token, d->first).name;
	}
	return NULL;
}

static void do_include(struct pp_walk *w, struct pp_file *f,
		       struct pp_include *inc)
{
	struct pp_file *to = NULL;

	if (inc->computed)
		to = computed(w, f, inc->spec);
	else if (inc->spec)
		to = pp_paths_include(w->paths, w->path, f, inc);
	if (to && w->open->len < DEPTH)
		walk_file(w, to);
}

static struct pp_value is_defined(const struct pp_walk *w,
				  const struct pp_item *it)
{
	enum pp_known k = pp_walk_macro(w, it->name, NULL, NULL);

	return (struct pp_value){ k != PP_MAYBE, (k == PP_THERE) != it->not };
}

/* Is the branch at @it walked?  Its doubt is added to w->doubt. */
static bool enter_branch(struct pp_walk *w, const struct pp_file *f,
			 const struct pp_item *it, struct group *g)
{
	struct pp_value v = { true, 1 };

	if (g->doubt)
		w->doubt--;
	g->doubt = false;
	g->unless = 0;
	if (g->taken)
		return false;
	if (it->op != PP_ELSE)
		v = it->name ? is_defined(w, it) : pp_eval(w, f, it->arg);
	/*
	 * A file that was entered in doubt and is now for certain is, by now,
	 * there for certain; again in doubt it brings nothing new.
	 */
	if (it->guard && !v.known) {
		const struct entry *e = known(w, f->guard);

		v.known = true;
		v.number = !w->doubt || !e || !e->macro;
	}
	if (v.known && !v.number)
		return false;
	g->doubt = !v.known || g->maybe;
	g->maybe |= !v.known;
	g->taken = v.known;
	if (g->doubt)
		w->doubt++;
	return true;
}

/* The lines of a target from @next on that lie before @line. */
static void report_lines(struct pp_walk *w, struct pp_target *t, guint *next,
			 guint32 line, bool hidden)
{
	while (t && *next < t->lines->len &&
	       g_array_index(t->lines, guint32, *next) <= line) {
		t->at(w, t, *next, hidden ? PP_ABSENT : w->doubt ? PP_MAYBE :
		      PP_THERE);
		(*next)++;
	}
}

/*
 * Opens a branch at item @i, which may be an #endif.  Returns the item to go on
 * with: the next, or the one that ends the branch when it is not walked.
 */
static guint branch(struct pp_walk *w, struct pp_file *f,
		    const struct pp_item *it, guint i)
{
	GArray *groups = w->groups;
	struct group *g, fresh = { 0 };

	if (it->op == PP_IF)
		g_array_append_val(groups, fresh);
	g = &g_array_index(groups, struct group, groups->len - 1);
	if (it->op == PP_ENDIF) {
		if (g->doubt)
			w->doubt--;
		g_array_set_size(groups, groups->len - 1);
		return i + 1;
	}
	if (!enter_branch(w, f, it, g))
		return it->next;
	g->unless = g->doubt && it->not ? it->name : 0;
	return i + 1;
}

static void simple_item(struct pp_walk *w, struct pp_file *f,
			const struct pp_item *it, guint base)
{
	guint32 unless = w->groups->len > base ? g_array_index(w->groups,
			struct group, w->groups->len - 1).unless : 0;

	switch (it->op) {
	case PP_INCLUDE:
		do_include(w, f, &g_array_index(f->includes, struct pp_include,
						it->arg));
		break;
	case PP_DEFINE:
		do_define(w, f, &g_array_index(f->defines, struct pp_define,
					       it->arg), unless);
		break;
	case PP_UNDEF:
		do_undef(w, f, it->arg);
		break;
	case PP_DECL:
	case PP_TAG:
		/* in a target all items are there */
		if (pp_traits(w->pp, it->arg) & PP_WATCHED)
			do_declare(w, f, it->arg, it->op == PP_TAG);
		break;
	}
}

/* The groups that are left open were not closed in the file. */
static void close_groups(struct pp_walk *w, guint base)
{
	for (guint i = base; i < w->groups->len; i++)
		w->doubt -= g_array_index(w->groups, struct group, i).doubt;
	g_array_set_size(w->groups, base);
}

static void walk_items(struct pp_walk *w, struct pp_file *f,
		       struct pp_target *t)
{
	/*
	 * Held: what is read on the way may make pp_live() build another.  What
	 * is no file of w->pp has none.
	 */
	GArray *items = g_array_ref(t || f == w->command ? f->items :
				    (GArray *)pp_live(w->pp, f));
	guint next = 0, i = 0, base = w->groups->len;

	while (i < items->len && !w->stop) {
		const struct pp_item *it =
			&g_array_index(items, struct pp_item, i);
		guint to;

		report_lines(w, t, &next, it->line, false);
		if (it->op > PP_ENDIF) {
			simple_item(w, f, it, base);
			i++;
			continue;
		}
		to = branch(w, f, it, i);
		if (to > i + 1 && to < items->len)
			report_lines(w, t, &next, g_array_index(items,
				struct pp_item, to).line - 1, true);
		else if (to > i + 1)
			report_lines(w, t, &next, G_MAXUINT32, true);
		i = to;
	}
	if (!w->stop)
		report_lines(w, t, &next, G_MAXUINT32, false);
	close_groups(w, base);
	g_array_unref(items);
}

/* Was it seen, or is it open, so that its guard leaves nothing of it? */
static bool is_spent(const struct pp_walk *w, const struct pp_file *f)
{
	const struct entry *e = f->closed ? known(w, f->guard) : NULL;

	return e && (e->macro == PP_THERE || (e->macro && w->doubt));
}

static void walk_file(struct pp_walk *w, struct pp_file *f)
{
	struct pp_target *t = f->mark;

	if (is_spent(w, f))
		return;
	if (t && t->over)
		t = NULL;
	if (t)
		t->enter(w, t);
	g_ptr_array_add(w->open, f);
	walk_items(w, f, t);
	g_ptr_array_set_size(w->open, w->open->len - 1);
	/* Without a guard it may come again, and see something else. */
	if (t && f->closed && !w->doubt && !w->stop) {
		t->over = true;
		w->stop = --w->left == 0;
	}
}

/* -DX=1 and -UX as lines of a file. */
static void read_command(struct pp_walk *w, char *const *argv)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; argv[i]; i++) {
		const char *a = argv[i], *eq;

		if (!g_str_has_prefix(a, "-D") && !g_str_has_prefix(a, "-U"))
			continue;
		eq = strchr(a, '=');
		if (a[1] == 'U')
			g_string_append_printf(text, "#undef %s\n", a + 2);
		else if (eq)
			g_string_append_printf(text, "#define %.*s %s\n",
					       (int)(eq - a - 2), a + 2, eq + 1);
		else
			g_string_append_printf(text, "#define %s 1\n", a + 2);
	}
	pp_file_free(w->command);
	w->command = pp_parse(w->pp, "/command.c", text->str, text->len);
}

bool pp_walk_tu(struct pp_walk *w, char *const *argv, const char *cwd,
		const char *source, guint targets)
{
	struct pp_file *f = pp_source(w->pp, source);
	guint32 age = pp_age(w->pp);

	w->epoch++;
	w->doubt = 0;
	w->toggles = 0;
	w->stop = false;
	w->left = targets;
	g_ptr_array_set_size(w->open, 0);
	w->path = pp_paths_of(w->paths, argv, cwd);
	read_command(w, argv);
	walk_file(w, w->command);
	for (guint i = 0; argv[i] && argv[i + 1] && !w->stop; i++) {
		g_autofree char *path = NULL;

		if (strcmp(argv[i], "-include") && strcmp(argv[i], "-imacros"))
			continue;
		path = g_canonicalize_filename(argv[++i], cwd);
		if (pp_file(w->pp, path))
			walk_file(w, pp_file(w->pp, path));
	}
	if (f && !w->stop)
		walk_file(w, f);
	return age == pp_age(w->pp);
}

static void reach(struct pp_walk *w, struct pp_file *f, GHashTable *seen)
{
	for (guint i = 0; i < f->includes->len; i++) {
		struct pp_include *inc =
			&g_array_index(f->includes, struct pp_include, i);
		struct pp_file *to = inc->spec && !inc->computed ?
			pp_paths_include(w->paths, w->path, f, inc) : NULL;

		if (to && g_hash_table_add(seen, to))
			reach(w, to, seen);
	}
}

GHashTable *pp_walk_reached(struct pp_walk *w, struct pp_file *f)
{
	GHashTable *seen = g_hash_table_new(NULL, NULL);

	reach(w, f, seen);
	return seen;
}
