// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "kconf.h"
#include "toggle.h"

void toggle_free(struct toggle *t)
{
	if (!t)
		return;
	g_free(t->symbol);
	g_free(t->path);
	g_free(t->name);
	g_free(t->where);
	g_free(t);
}

GPtrArray *toggle_list_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)toggle_free);
}

static int compare(const struct toggle *a, const struct toggle *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	return strcmp(a->symbol, b->symbol);
}

static gint by_rank(gconstpointer a, gconstpointer b)
{
	return compare(*(struct toggle *const *)a, *(struct toggle *const *)b);
}

void toggle_sort(GPtrArray *list)
{
	g_ptr_array_sort(list, by_rank);
}

void toggle_add(GPtrArray *list, struct toggle *t)
{
	for (guint i = 0; i < list->len; i++) {
		struct toggle *old = list->pdata[i];

		if (strcmp(old->symbol, t->symbol))
			continue;
		if (compare(t, old) < 0) {
			list->pdata[i] = t;
			t = old;
		}
		toggle_free(t);
		return;
	}
	g_ptr_array_add(list, t);
}

bool toggle_decides(const struct toggle *t)
{
	return t->rank <= TOGGLE_CHANGED;
}

char *toggle_reason(const struct toggle *t)
{
	switch (t->rank) {
	case TOGGLE_LINE:
		return g_strdup_printf("it decides on %s:%u", t->path, t->line);
	case TOGGLE_DECLARED:
		return g_strdup_printf("'%s' (%s), used on %s:%u, is declared or "
				       "not by it", t->name, t->where, t->path,
				       t->line);
	case TOGGLE_CHANGED:
	case TOGGLE_OTHER:
		return g_strdup_printf("it decides which '%s' (%s) is taken on "
				       "%s:%u", t->name, t->where, t->path,
				       t->line);
	default:
		return g_strdup_printf("it stands near %s:%u", t->path, t->line);
	}
}

static void add(GPtrArray *list, const struct toggle_file *f,
		const char *symbol, enum toggle_rank rank, unsigned int line,
		unsigned int distance, const struct toggle_decl *d)
{
	struct toggle *t = g_new0(struct toggle, 1);
	gsize len = strlen(symbol);

	if (g_str_has_suffix(symbol, "_MODULE"))
		len -= strlen("_MODULE");
	t->symbol = g_strndup(symbol, len);
	t->rank = rank;
	t->n = f->n;
	t->path = g_strdup(f->path);
	t->line = line;
	t->distance = distance;
	if (d) {
		t->name = g_strdup(d->name);
		t->where = g_strdup_printf("%s:%u", d->path, d->line);
	}
	toggle_add(list, t);
}

static GHashTable *symbols_in(const char *text, gsize len)
{
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal,
						g_free, NULL);

	kconf_used(set, text, len);
	return set;
}

static void add_text(GPtrArray *list, const struct toggle_file *f,
		     const char *text, gsize len, enum toggle_rank rank,
		     unsigned int line, unsigned int distance)
{
	g_autoptr(GHashTable) set = NULL;
	GHashTableIter it;
	gpointer name;

	if (!g_strstr_len(text, len, "CONFIG_"))
		return;
	set = symbols_in(text, len);
	g_hash_table_iter_init(&it, set);
	while (g_hash_table_iter_next(&it, &name, NULL))
		add(list, f, name, rank, line, distance, NULL);
}

static unsigned int apart(unsigned int a, unsigned int b)
{
	return a > b ? a - b : b - a;
}

static void near_line(GPtrArray *list, const struct toggle_file *f,
		      unsigned int line, enum toggle_rank rank)
{
	g_autoptr(GPtrArray) around = condition_at(f->conditions, line);
	const struct entity *e = entity_at(f->entities, line);
	const char *text;
	gsize len;

	for (guint i = 0; i < around->len; i++) {
		const struct condition *c = around->pdata[i];

		add_text(list, f, c->text, strlen(c->text), rank, line,
			 apart(line, c->line));
	}
	for (guint l = e ? e->line : 1; e && l <= MIN(e->end, f->t->count); l++) {
		text = ctext_line(f->t, l, &len);
		add_text(list, f, text, len, TOGGLE_INSIDE, line, apart(line, l));
	}
	if (rank != TOGGLE_LINE || line > f->t->count)
		return;
	text = ctext_line(f->t, line, &len);
	add_text(list, f, text, len, rank, line, 0);
}

void toggle_near(GPtrArray *list, const struct toggle_file *f)
{
	for (guint i = 0; i < f->added->len; i++)
		near_line(list, f, g_array_index(f->added, guint, i),
			  TOGGLE_LINE);
	for (guint i = 0; i < f->removed->len; i++)
		near_line(list, f, g_array_index(f->removed, guint, i),
			  TOGGLE_INSIDE);
}

static bool is_keyword(const char *word)
{
	static const char *const words[] = { "auto", "bool", "break", "case",
		"char", "const", "continue", "default", "define", "do", "double",
		"elif", "else", "endif", "enum", "extern", "false", "float",
		"for", "goto", "if", "ifdef", "ifndef", "include", "inline", "int",
		"long", "register", "return", "short", "signed", "sizeof",
		"static", "struct", "switch", "true", "typedef", "undef",
		"union", "unsigned", "void", "volatile", "while", "NULL" };

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (!strcmp(words[i], word))
			return true;
	return false;
}

/* The next identifier in [*p, end); its length, 0: there is none. */
static gsize next_word(const char **p, const char *end)
{
	const char *s = *p, *start;

	for (;;) {
		while (s < end && !is_word_char(*s))
			s++;
		start = s;
		while (s < end && is_word_char(*s))
			s++;
		*p = start;
		if (start == end || !g_ascii_isdigit(*start))
			return s - start;
	}
}

GHashTable *toggle_names(const struct toggle_file *f)
{
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal,
				g_free, (GDestroyNotify)g_array_unref);

	for (guint i = 0; i < f->added->len; i++) {
		guint line = g_array_index(f->added, guint, i);
		const char *p, *end;
		gsize len, n;

		if (line > f->t->count)
			continue;
		p = ctext_line(f->t, line, &len);
		end = p + len;
		for (; (n = next_word(&p, end)); p += n) {
			g_autofree char *word = g_strndup(p, n);
			GArray *lines = g_hash_table_lookup(names, word);

			if (n < 3 || is_keyword(word) ||
			    g_str_has_prefix(word, "CONFIG_"))
				continue;
			if (!lines) {
				lines = g_array_new(FALSE, FALSE, sizeof(guint));
				g_hash_table_insert(names, g_strdup(word), lines);
			}
			g_array_append_val(lines, line);
		}
	}
	return names;
}

static bool hangs_on_config(const GPtrArray *conditions, unsigned int line)
{
	g_autoptr(GPtrArray) at = condition_at(conditions, line);

	for (guint i = 0; i < at->len; i++) {
		const struct condition *c = at->pdata[i];

		if (strstr(c->text, "CONFIG_"))
			return true;
	}
	return false;
}

bool toggle_mentions(const struct ctext *t, GHashTable *names,
		     GHashTable *conditional)
{
	g_autoptr(GPtrArray) conditions = NULL;
	char word[128];
	bool any = false;

	for (unsigned int l = 1; l <= t->count; l++) {
		gsize len, n;
		const char *p = ctext_line(t, l, &len), *end = p + len;

		for (; (n = next_word(&p, end)); p += n) {
			gpointer key;

			if (n >= sizeof(word))
				continue;
			memcpy(word, p, n);
			word[n] = '\0';
			if (!g_hash_table_lookup_extended(names, word, &key, NULL))
				continue;
			any = true;
			if (g_hash_table_contains(conditional, key))
				continue;
			if (!conditions)
				conditions = condition_scan_ctext(t);
			if (hangs_on_config(conditions, l))
				g_hash_table_add(conditional, key);
		}
	}
	return any;
}

static void decl_free(gpointer data)
{
	struct toggle_decl *d = data;

	g_free(d->name);
	g_free(d->path);
	g_ptr_array_unref(d->guards);
	g_free(d);
}

GPtrArray *toggle_decls_new(void)
{
	return g_ptr_array_new_with_free_func(decl_free);
}

void toggle_decls(GPtrArray *decls, GHashTable *names, const char *path,
		  const GPtrArray *conditions, const GPtrArray *entities)
{
	for (guint i = 0; i < entities->len; i++) {
		const struct entity *e = entities->pdata[i];
		g_autoptr(GPtrArray) around = NULL;
		struct toggle_decl *d;

		if (e->kind == ENTITY_OTHER || !g_hash_table_contains(names, e->name))
			continue;
		around = condition_at(conditions, e->line);
		d = g_new0(struct toggle_decl, 1);
		d->name = g_strdup(e->name);
		d->path = g_strdup(path);
		d->line = e->line;
		d->guards = g_ptr_array_new_with_free_func(g_free);
		for (guint k = 0; k < around->len; k++) {
			const struct condition *c = around->pdata[k];

			g_ptr_array_add(d->guards, g_strdup(c->text));
		}
		g_ptr_array_add(decls, d);
	}
}

/* The configuration with one symbol the other way round. */
struct flip {
	const char *symbol;
	condexpr_value_fn value;
	void *data;
};

static char flipped(const char *symbol, void *data)
{
	struct flip *f = data;
	char was = f->value(symbol, f->data);

	if (!f->symbol || strcmp(symbol, f->symbol))
		return was;
	return was == 'n' ? 'y' : was ? 'n' : 0;
}

static bool is_there(const GPtrArray *guards, struct flip *flip)
{
	for (guint i = 0; i < guards->len; i++)
		if (condexpr_eval(guards->pdata[i], flipped, flip) == TRUTH_NO)
			return false;
	return true;
}

/* An added line that is compiled both ways, of those in @lines; 0: none. */
static guint line_both(const struct toggle_file *f, const GArray *lines,
		       struct flip *now, struct flip *then)
{
	for (guint i = 0; i < lines->len; i++) {
		guint line = g_array_index(lines, guint, i);
		g_autoptr(GPtrArray) at = condition_at(f->conditions, line);
		g_autoptr(GPtrArray) texts = g_ptr_array_new();

		for (guint k = 0; k < at->len; k++) {
			const struct condition *c = at->pdata[k];

			g_ptr_array_add(texts, c->text);
		}
		if (is_there(texts, now) && is_there(texts, then))
			return line;
	}
	return 0;
}

/* Is one of the @lines a part of how @name itself is declared? */
static bool is_changed(const struct toggle_file *f, const char *name,
		       const GArray *lines)
{
	for (guint i = 0; i < lines->len; i++) {
		const struct entity *e = entity_at(f->entities,
					g_array_index(lines, guint, i));

		if (e && !strcmp(e->name, name))
			return true;
	}
	return false;
}

static void declared_by(GPtrArray *list, const struct toggle_file *f,
			const char *name, const GArray *lines,
			const GPtrArray *decls, struct flip *then)
{
	struct flip now = { NULL, then->value, then->data };
	guint line = line_both(f, lines, &now, then), before = 0, after = 0;
	const struct toggle_decl *moved = NULL;
	enum toggle_rank rank;

	for (guint i = 0; i < decls->len; i++) {
		const struct toggle_decl *d = decls->pdata[i];
		bool was, is;

		if (strcmp(d->name, name))
			continue;
		was = is_there(d->guards, &now);
		is = is_there(d->guards, then);
		before += was;
		after += is;
		if (was != is && (was || !moved))
			moved = d;
	}
	if (!moved || !line)
		return;
	rank = before && !after ? TOGGLE_DECLARED :
		is_changed(f, name, lines) ? TOGGLE_CHANGED : TOGGLE_OTHER;
	add(list, f, then->symbol, rank, line, 0, moved);
}

void toggle_declared(GPtrArray *list, const struct toggle_file *f,
		     GHashTable *names, const GPtrArray *decls,
		     condexpr_value_fn value, void *data)
{
	for (guint i = 0; i < decls->len; i++) {
		const struct toggle_decl *d = decls->pdata[i];
		const GArray *lines = g_hash_table_lookup(names, d->name);

		for (guint k = 0; lines && k < d->guards->len; k++) {
			const char *text = d->guards->pdata[k];
			g_autoptr(GHashTable) set = symbols_in(text, strlen(text));
			GHashTableIter it;
			gpointer symbol;

			g_hash_table_iter_init(&it, set);
			while (g_hash_table_iter_next(&it, &symbol, NULL)) {
				struct flip then = { symbol, value, data };

				declared_by(list, f, d->name, lines, decls, &then);
			}
		}
	}
}
