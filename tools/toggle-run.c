// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "error.h"
#include "follow.h"
#include "kconf.h"
#include "kconf-needs.h"
#include "toggle-keep.h"
#include "toggle-run.h"

#define REPRESENTATIVES 8	/* TUs of a variant that stand for the rest */

int toggle_parse(const char *text, unsigned int *max, GError **error)
{
	guint64 n;

	if (!strcmp(text, "all")) {
		*max = TOGGLE_ALL;
	} else if (!strcmp(text, "none")) {
		*max = 0;
	} else if (g_ascii_string_to_unsigned(text, 10, 0, TOGGLE_ALL, &n, NULL)) {
		*max = n;
	} else {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "--toggle takes 'all', 'none' or a number, not '%s'",
			    text);
		return -1;
	}
	return 0;
}

GHashTable *toggle_config(const char *odir)
{
	g_autofree char *path = g_build_filename(odir, ".config", NULL);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? kconf_read(text) :
		NULL;
}

char toggle_value(const char *symbol, void *data)
{
	const char *value = g_hash_table_lookup(data, symbol);

	if (!value)
		return 'n';
	return !strcmp(value, "y") || !strcmp(value, "m") ? *value : 0;
}

static int add_kconfig(const char *path, const char *blob, unsigned int mode,
		       void *data)
{
	const char *slash = strrchr(path, '/');
	void **both = data;
	struct repo *repo = both[0];
	g_autoptr(GBytes) text = NULL;

	if (!g_str_has_prefix(slash ? slash + 1 : path, "Kconfig"))
		return 0;
	text = repo_blob(repo, both[1], path);
	if (text)
		kfiles_add(both[2], path, g_strndup(g_bytes_get_data(text, NULL),
						    g_bytes_get_size(text)));
	return 0;
}

struct kfiles *toggle_kconfig(const struct run *run, GError **error)
{
	struct kfiles *k = kfiles_new();
	char *tree = run_step(run, run_steps(run))->tree;
	void *data[] = { run->repo, tree, k };

	if (!repo_walk(run->repo, tree, add_kconfig, data, error))
		return k;
	kfiles_free(k);
	return NULL;
}

bool toggle_room(const struct variant *v, const GPtrArray *jobs,
		 const struct job *job)
{
	guint n = 0;

	if (!v->toggle || job->why == WHY_SOURCE || job->why == WHY_ALONE)
		return true;
	for (guint i = 0; i < jobs->len; i++) {
		const struct job *other = jobs->pdata[i];

		n += other->variant == v && other->why != WHY_SOURCE &&
		     other->why != WHY_ALONE;
	}
	return n < REPRESENTATIVES;
}

/* One toggle on the variant that it starts from. */
struct choice {
	const struct toggle *t;
	struct variant *parent;
	char value;		/* what it is set to; 0: it cannot be */
	bool module;		/* a second try, as a module */
};

struct choosing {
	struct run *run;
	GPtrArray *parents;	/* of struct variant: judged, and no toggle */
	GPtrArray *configs;	/* of GHashTable: theirs after the last patch */
	GPtrArray *choices;	/* of struct choice, the nearest first */
	struct kfiles *kconfig;	/* of the last patch */
};

static char *setting_line(const struct choice *c)
{
	if (c->value == 'n')
		return g_strdup_printf("# CONFIG_%s is not set\n", c->t->symbol);
	return g_strdup_printf("CONFIG_%s=%c\n", c->t->symbol, c->value);
}

static void note(struct run *run, const struct toggle *t, const char *why)
{
	g_ptr_array_add(run->toggle_notes, g_strdup_printf("CONFIG_%s: %s",
							   t->symbol, why));
}

/* The file is of an architecture, or of all. */
static bool fits(const struct toggle *t, const struct variant *v)
{
	g_autofree char *dir = g_strdup_printf("arch/%s/", v->arch->srcarch);

	return !g_str_has_prefix(t->path, "arch/") ||
	       g_str_has_prefix(t->path, dir);
}

static char value_on(const struct choosing *c, guint i, const struct toggle *t)
{
	return c->configs->pdata[i] ?
		toggle_value(t->symbol, c->configs->pdata[i]) : 0;
}

/* A judged variant of @arch where @t is @value already, so that it was tried. */
static const struct variant *tried_on(const struct choosing *c,
				      const struct toggle *t,
				      const struct arch *arch, char value)
{
	for (guint i = 0; i < c->parents->len; i++) {
		const struct variant *v = c->parents->pdata[i];

		if (v->arch == arch && value_on(c, i, t) == value)
			return v;
	}
	return NULL;
}

/*
 * Where @t is on: on the host's architecture if anywhere, and in the variant
 * that was judged first.  What is off everywhere and hides a declaration when
 * it is on is turned on.
 */
static bool choose(const struct choosing *c, const struct toggle *t,
		   struct choice *choice)
{
	struct variant *found = NULL;
	bool off = false;

	for (guint i = 0; i < c->parents->len; i++) {
		struct variant *v = c->parents->pdata[i];
		char value = value_on(c, i, t);

		if (!fits(t, v) || !value)
			continue;
		off |= value == 'n';
		if (value != 'n' && (!found || (*found->cross && !*v->cross)))
			found = v;
	}
	*choice = (struct choice){ .t = t, .parent = found, .value = 'n' };
	if (found)
		return !tried_on(c, t, found->arch, 'n');
	if (!off || t->rank != TOGGLE_DECLARED)
		return false;
	for (guint i = c->parents->len; i > 0; i--)
		if (fits(t, c->parents->pdata[i - 1]))
			choice->parent = c->parents->pdata[i - 1];
	choice->value = 'y';
	return true;
}

static void add_choice(struct choosing *c, const struct choice *choice)
{
	g_ptr_array_add(c->choices, g_memdup2(choice, sizeof(*choice)));
}

/* Once all are there as n, those that can be a module as m. */
static void choose_all(struct choosing *c)
{
	GPtrArray *list = c->run->toggles;
	guint count;

	toggle_sort(list);
	for (guint i = 0; i < list->len; i++) {
		struct choice choice;

		if (choose(c, list->pdata[i], &choice))
			add_choice(c, &choice);
	}
	count = c->choices->len;
	for (guint i = 0; i < count; i++) {
		struct choice choice = *(struct choice *)c->choices->pdata[i];

		if (choice.value != 'n' ||
		    tried_on(c, choice.t, choice.parent->arch, 'm') ||
		    !kfiles_is_tristate(c->kconfig, choice.t->symbol))
			continue;
		choice.value = 'm';
		choice.module = true;
		add_choice(c, &choice);
	}
}

/* Who holds @symbol in @config: "COMPACTION and KSM select it"; g_free() */
static char *held_by(const struct choosing *c, const char *symbol,
		     GHashTable *config)
{
	g_autoptr(GPtrArray) all = kfiles_selectors(c->kconfig, symbol);
	g_autoptr(GString) s = g_string_new("kconfig sets it again: ");
	guint n = 0;

	for (guint i = 0; i < all->len; i++)
		if (config && g_hash_table_contains(config, all->pdata[i]))
			g_string_append_printf(s, "%s%s", n++ ? ", " : "",
					       (char *)all->pdata[i]);
	if (!n)
		return g_strdup("kconfig sets it again by itself: it has no "
				"prompt, or belongs to a choice");
	g_string_append(s, n > 1 ? " select it" : " selects it");
	return g_strdup(s->str);
}

static bool has_value(const struct choice *choice, const char *config)
{
	g_autoptr(GHashTable) values = kconf_read(config);

	return toggle_value(choice->t->symbol, values) == choice->value;
}

/*
 * What comes back although all others are off too cannot be off alone either:
 * one call of kconfig tells most of those that have no prompt.
 */
static int probe(struct choosing *c, struct variant *v, bool module,
		 GError **error)
{
	g_autoptr(GString) settings = g_string_new("");
	g_autofree char *path = g_build_filename(v->odir, ".config", NULL);
	g_autofree char *config = NULL, *after = NULL;
	g_autoptr(GHashTable) values = NULL;

	for (guint i = 0; i < c->choices->len; i++) {
		const struct choice *choice = c->choices->pdata[i];
		g_autofree char *line = setting_line(choice);

		if (choice->parent == v && choice->module == module)
			g_string_append(settings, line);
	}
	if (!settings->len || !g_file_get_contents(path, &config, NULL, NULL))
		return 0;
	after = toggle_try(c->run, v, config, settings->str, error);
	if (!after)
		return -1;
	values = kconf_read(after);
	for (guint i = 0; i < c->choices->len; i++) {
		struct choice *choice = c->choices->pdata[i];
		g_autofree char *why = NULL;

		if (choice->parent != v || choice->module != module ||
		    has_value(choice, after))
			continue;
		choice->value = 0;
		why = held_by(c, choice->t->symbol, values);
		if (!module)
			note(c->run, choice->t, why);
	}
	return 0;
}

static int probe_all(struct choosing *c, GError **error)
{
	for (guint i = 0; i < c->parents->len; i++)
		for (int module = 0; module < 2; module++)
			if (probe(c, c->parents->pdata[i], module, error))
				return -1;
	return 0;
}

static struct variant *make(const struct choice *choice)
{
	g_autofree char *name = g_strdup_printf("%s=%c", choice->t->symbol,
						choice->value);
	g_autofree char *line = setting_line(choice);

	return variant_toggle(choice->parent, name, line);
}

/* What the bound leaves out. */
static void leave_out(struct choosing *c, const struct choice *choice)
{
	g_autofree char *reason = toggle_reason(choice->t);
	g_autofree char *what = g_strdup_printf("CONFIG_%s=%c",
					choice->t->symbol, choice->value);
	g_autofree char *why = g_strdup_printf("not tried, by the bound of %u "
		"(--toggle); %s", c->run->toggle_max, reason);

	if (toggle_decides(choice->t) && !choice->module)
		run_gap(c->run, choice->t->n, NULL, what, why)->keeps = true;
	else
		note(c->run, choice->t, why);
}

static bool was_refused(struct choosing *c, const struct choice *choice)
{
	g_autofree char *line = setting_line(choice);
	g_autofree char *by = toggle_refused(c->run, choice->parent, line);

	if (by)
		note(c->run, choice->t, by);
	return by;
}

/* Prepares @batch; what kconfig refuses is noted and dropped from @made. */
static void prepare(struct choosing *c, GPtrArray *batch, GPtrArray *of,
		    GPtrArray *made)
{
	g_autofree GError **why = g_new0(GError *, batch->len + 1);

	kbuild_prepare_all(c->run->kbuild, batch, c->run->runner->width, why);
	for (guint i = 0; i < batch->len; i++) {
		const struct choice *choice = of->pdata[i];

		if (g_error_matches(why[i], RESPIN_ERROR, RESPIN_ERROR_USAGE)) {
			struct variant *v = batch->pdata[i];
			g_autoptr(GHashTable) config = toggle_config(v->odir);
			g_autofree char *by = held_by(c, choice->t->symbol,
						      config);
			g_autofree char *line = setting_line(choice);

			note(c->run, choice->t, by);
			toggle_keep_refused(c->run, choice->parent, line, by);
			variant_free(v);
		} else {
			g_ptr_array_add(made, batch->pdata[i]);
		}
		g_clear_error(&why[i]);
	}
}

static void make_all(struct choosing *c, GPtrArray *made)
{
	guint i = 0;

	while (i < c->choices->len && made->len < c->run->toggle_max) {
		g_autoptr(GPtrArray) batch = g_ptr_array_new();
		g_autoptr(GPtrArray) of = g_ptr_array_new();

		for (; i < c->choices->len &&
		     made->len + batch->len < c->run->toggle_max; i++) {
			struct choice *choice = c->choices->pdata[i];

			if (!choice->value || was_refused(c, choice))
				continue;
			g_ptr_array_add(batch, make(choice));
			g_ptr_array_add(of, choice);
		}
		prepare(c, batch, of, made);
	}
	for (; i < c->choices->len; i++) {
		const struct choice *choice = c->choices->pdata[i];

		if (choice->value)
			leave_out(c, choice);
	}
}

static void free_config(gpointer config)
{
	if (config)
		g_hash_table_unref(config);
}

static void choosing_clear(struct choosing *c)
{
	g_ptr_array_unref(c->parents);
	g_ptr_array_unref(c->configs);
	g_ptr_array_unref(c->choices);
	kfiles_free(c->kconfig);
}

static void choosing_init(struct choosing *c, struct run *run,
			  const GPtrArray *variants)
{
	*c = (struct choosing){ .run = run };
	c->parents = g_ptr_array_new();
	c->configs = g_ptr_array_new_with_free_func(free_config);
	c->choices = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < variants->len; i++) {
		struct variant *v = variants->pdata[i];

		if (v->toggle)
			continue;
		g_ptr_array_add(c->parents, v);
		g_ptr_array_add(c->configs, toggle_config(
				follow_odir(run, v, run_steps(run))));
	}
}

/* At the last patch it is asked what can be set, on the base O= is made. */
static int work(struct choosing *c, GPtrArray *made, GError **error)
{
	struct run *run = c->run;

	c->kconfig = toggle_kconfig(run, error);
	if (!c->kconfig)
		return -1;
	choose_all(c);
	if (!c->choices->len)
		return 0;
	progress_phase(run->progress, "what can be configured otherwise");
	if (run_move(run, run_steps(run), run_steps(run) - 1, error) ||
	    probe_all(c, error) ||
	    repo_checkout(run->repo, run_step(run, 0)->tree, run->cur, NULL,
			  error))
		return -1;
	make_all(c, made);
	return 0;
}

GPtrArray *toggle_variants(struct run *run, const GPtrArray *variants,
			   GError **error)
{
	GPtrArray *made = g_ptr_array_new();
	struct choosing c;
	int ret;

	choosing_init(&c, run, variants);
	ret = run->toggles->len && run->toggle_max && c.parents->len ?
		work(&c, made, error) : 0;
	choosing_clear(&c);
	if (!ret)
		return made;
	g_ptr_array_set_free_func(made, (GDestroyNotify)variant_free);
	g_ptr_array_unref(made);
	return NULL;
}
