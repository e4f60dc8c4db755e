// SPDX-License-Identifier: GPL-2.0
#include "ledger.h"
#include "ledger-map.h"

enum phase { PHASE_LINE = 1, PHASE_TEXT, PHASE_CHANGED, PHASE_RENAMED,
	     PHASE_ONCE };

/* A diagnostic of either side, follow-ons beside their causes. */
struct member {
	const struct diag *d;
	struct member *cause;	/* it follows from; NULL: it stands alone */
	char *key;		/* fingerprint, the file as the child calls it */
	char *loose;		/* the same without the function */
	char *missing;		/* the identifier implicitly declared, or NULL */
	bool matched;
};

static char *fingerprint(const struct diag *d, const char *file,
			 const char *function)
{
	g_autofree char *masked = diag_mask(d->message);

	return g_strjoin("\t", d->check, d->rule, file, function, masked, NULL);
}

char *ledger_fingerprint(const struct diag *d)
{
	return fingerprint(d, d->file, d->function);
}

static void member_free(gpointer p)
{
	struct member *m = p;

	g_free(m->key);
	g_free(m->loose);
	g_free(m->missing);
	g_free(m);
}

static struct member *member_new(const struct diag *d, struct member *cause,
				 const struct line_map *map)
{
	struct member *m = g_new0(struct member, 1);
	const char *file = map ? line_map_file(map, d->file) : d->file;

	m->d = d;
	m->cause = cause;
	m->key = fingerprint(d, file, d->function);
	m->loose = fingerprint(d, file, "");
	if (d->kind == DIAG_ERROR &&
	    g_str_has_prefix(d->message, "implicit declaration of function "))
		m->missing = diag_subject(d);
	return m;
}

/* All members of one side; @map for the parent's, whose files have old names. */
static GPtrArray *members(const GPtrArray *diags, const struct line_map *map)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(member_free);

	for (guint i = 0; i < diags->len; i++) {
		const struct diag *d = diags->pdata[i];
		struct member *cause = member_new(d, NULL, map);

		g_ptr_array_add(all, cause);
		for (guint j = 0; j < d->follow_ons->len; j++)
			g_ptr_array_add(all, member_new(d->follow_ons->pdata[j],
							cause, map));
	}
	return all;
}

static struct line_at place_at(const struct diag *d, guint i)
{
	const struct diag_place *p;

	if (i == 0)
		return (struct line_at){ d->file, d->line, d->text };
	p = d->places->pdata[i - 1];
	return (struct line_at){ p->file, p->line, p->text };
}

/* Code that moved to another calling function is another finding. */
static bool other_caller(const struct diag_place *old,
			 const struct diag_place *new)
{
	return old->inlined != new->inlined ||
	       (old->inlined && strcmp(old->via, new->via));
}

/* Was the code of @d inlined into @function? */
static bool inlined_into(const struct diag *d, const char *function)
{
	for (guint i = 0; i < d->places->len; i++) {
		const struct diag_place *p = d->places->pdata[i];

		if (p->inlined && !strcmp(p->via, function))
			return true;
	}
	return false;
}

/*
 * How the places of two diagnostics agree, by the least sure of them.  Other
 * inlining or a wrapper around a macro changes how many there are.  When the
 * macro itself was rewritten, its uses still say which one it is.
 */
static enum same compare_places(const struct line_map *map,
				const struct diag *old, const struct diag *new)
{
	guint common = MIN(old->places->len, new->places->len) + 1;
	bool equal = old->places->len == new->places->len;
	enum same all = equal ? SAME_LINE : SAME_TEXT, uses = SAME_LINE;

	for (guint i = 0; i < common; i++) {
		struct line_at was = place_at(old, i), is = place_at(new, i);
		enum same how = line_map_compare(map, &was, &is);

		if (i > 0 && how != SAME_LINE &&
		    other_caller(old->places->pdata[i - 1],
				 new->places->pdata[i - 1]))
			how = SAME_NOT;
		all = MAX(all, how);
		if (i > 0)
			uses = MAX(uses, how);
	}
	if (equal && common > 1 && uses == SAME_LINE)
		all = MIN(all, SAME_CHANGED);
	return all;
}

/*
 * A line in a function that has another name now.  Or an inlined one: for two
 * calls of the same inline in a row gcc names the caller alone the second
 * time, so mending the first changes the function of the second.
 */
static bool agree_renamed(const struct line_map *map, const struct diag *old,
			  const struct diag *new)
{
	enum same how = compare_places(map, old, new);

	return how == SAME_LINE ||
	       (how == SAME_TEXT && (inlined_into(old, new->function) ||
				     inlined_into(new, old->function)));
}

/* Does the parent's @old have @new's place, in the sense of @phase? */
static bool agree(const struct line_map *map, const struct member *old,
		  const struct member *new, enum phase phase)
{
	struct line_at at = place_at(old->d, 0);

	/* a warning that became an error breaks the build: that is new */
	if (new->d->kind == DIAG_ERROR && old->d->kind != DIAG_ERROR)
		return false;
	switch (phase) {
	case PHASE_RENAMED:
		return agree_renamed(map, old->d, new->d);
	case PHASE_ONCE:
		return line_map_kept(map, &at);
	default:
		return compare_places(map, old->d, new->d) <= (enum same)phase;
	}
}

static const char *phase_key(const struct member *m, enum phase phase)
{
	switch (phase) {
	case PHASE_RENAMED:
		return m->loose;
	case PHASE_ONCE:
		return m->missing;
	default:
		return m->key;
	}
}

/* The unmatched members of @all by what must be equal in @phase. */
static GHashTable *group(const GPtrArray *all, enum phase phase)
{
	GHashTable *groups = g_hash_table_new_full(
		g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_ptr_array_unref);

	for (guint i = 0; i < all->len; i++) {
		struct member *m = all->pdata[i];
		const char *key = phase_key(m, phase);
		GPtrArray *same;

		if (m->matched || !key)
			continue;
		same = g_hash_table_lookup(groups, key);
		if (!same) {
			same = g_ptr_array_new();
			g_hash_table_insert(groups, (gpointer)key, same);
		}
		g_ptr_array_add(same, m);
	}
	return groups;
}

static void match(const GPtrArray *child, const GPtrArray *parent,
		  const struct line_map *map, enum phase phase)
{
	g_autoptr(GHashTable) groups = group(parent, phase);

	for (guint i = 0; i < child->len; i++) {
		struct member *new = child->pdata[i];
		const char *key = phase_key(new, phase);
		GPtrArray *same;

		same = key ? g_hash_table_lookup(groups, key) : NULL;
		if (new->matched || !same)
			continue;
		for (guint j = 0; j < same->len; j++) {
			struct member *old = same->pdata[j];

			if (old->matched || !agree(map, old, new, phase))
				continue;
			old->matched = true;
			new->matched = true;
			g_ptr_array_remove_index(same, j);
			break;
		}
	}
}

/* Follow-ons come and go with their cause. */
static GPtrArray *unmatched(const GPtrArray *all)
{
	GPtrArray *left = g_ptr_array_new();

	for (guint i = 0; i < all->len; i++) {
		const struct member *m = all->pdata[i];

		if (!m->matched && (!m->cause || m->cause->matched))
			g_ptr_array_add(left, (gpointer)m->d);
	}
	return left;
}

GPtrArray *ledger_new_diags(const GPtrArray *child, const GPtrArray *parent,
			    const struct diff *change, GPtrArray **gone)
{
	struct line_map *map = line_map_new(change);
	g_autoptr(GPtrArray) new = members(child, NULL);
	g_autoptr(GPtrArray) old = members(parent, map);

	for (enum phase p = PHASE_LINE; p <= PHASE_ONCE; p++)
		match(new, old, map, p);
	if (gone)
		*gone = unmatched(old);
	line_map_free(map);
	return unmatched(new);
}
