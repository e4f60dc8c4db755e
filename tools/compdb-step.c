// SPDX-License-Identifier: GPL-2.0
/*
 * The database follows the series.  A struct tu is the name of an object for
 * attrib and the jobs, so it stays where it is: when the command changes, the
 * old one is kept behind it for the jobs of earlier steps.
 */
#include "compdb.h"

const struct tu *compdb_at(const struct tu *tu, unsigned int step)
{
	while (tu && tu->since > step)
		tu = tu->before;
	return tu && !tu->gone ? tu : NULL;
}

void compdb_delta_init(struct compdb_delta *delta)
{
	delta->added = g_ptr_array_new();
	delta->changed = g_ptr_array_new();
	delta->gone = g_ptr_array_new();
}

void compdb_delta_clear(struct compdb_delta *delta)
{
	g_clear_pointer(&delta->added, g_ptr_array_unref);
	g_clear_pointer(&delta->changed, g_ptr_array_unref);
	g_clear_pointer(&delta->gone, g_ptr_array_unref);
}

static bool is_below(const struct tu *tu, const char *dir)
{
	gsize n = strlen(dir);

	return !n || (!strncmp(tu->object, dir, n) && tu->object[n] == '/');
}

/* Indices differ between two databases, texts do not. */
bool compdb_same(const struct compdb *db, const struct tu *a,
		 const struct compdb *now, const struct tu *b)
{
	return !strcmp(db->templates->pdata[a->template],
		       now->templates->pdata[b->template]) &&
	       !strcmp(a->source, b->source) &&
	       g_strv_equal((const char *const *)a->values,
			    (const char *const *)b->values);
}

/* The command of @from in the words of @db. */
static void fill(struct compdb *db, struct tu *tu, const struct compdb *now,
		 const struct tu *from)
{
	tu->object = g_strdup(from->object);
	tu->source = g_strdup(from->source);
	tu->template = compdb_template_id(db,
					  now->templates->pdata[from->template]);
	tu->class = compdb_class_id(db, now->classes->pdata[from->class]);
	tu->values = g_strdupv(from->values);
}

/* What @tu was is kept behind it; it is to be filled again. */
static void push(struct tu *tu, unsigned int step)
{
	struct tu *old = g_memdup2(tu, sizeof(*tu));

	*tu = (struct tu){ .since = step, .before = old };
}

static struct tu *take_gone(struct compdb *db, const char *object)
{
	for (guint i = 0; i < db->gone->len; i++) {
		struct tu *tu = db->gone->pdata[i];

		if (!strcmp(tu->object, object))
			return g_ptr_array_steal_index(db->gone, i);
	}
	return NULL;
}

static void take_new(struct compdb *db, const struct compdb *now,
		     const struct tu *from, unsigned int step, GPtrArray *added)
{
	struct tu *tu = take_gone(db, from->object);

	if (tu)
		push(tu, step);
	else
		tu = g_new0(struct tu, 1);
	tu->since = step;
	fill(db, tu, now, from);
	g_ptr_array_add(added, tu);
}

static void drop(struct tu *tu, unsigned int step)
{
	struct tu *old;

	push(tu, step);
	old = tu->before;
	tu->gone = true;
	tu->object = g_strdup(old->object);
	tu->source = g_strdup(old->source);
	tu->values = g_strdupv(old->values);
	tu->template = old->template;
	tu->class = old->class;
}

/* Splits off what @now has no more; it keeps its place in memory. */
static void take_away(struct compdb *db, const struct compdb *now,
		      const char *dir, unsigned int step, compdb_stays_fn stays,
		      void *data, GPtrArray *gone)
{
	for (guint i = 0; i < db->tus->len;) {
		struct tu *tu = db->tus->pdata[i];

		if (!is_below(tu, dir) || compdb_find_object(now, tu->object) ||
		    (stays && stays(tu, data))) {
			i++;
			continue;
		}
		g_ptr_array_steal_index(db->tus, i);
		drop(tu, step);
		g_ptr_array_add(db->gone, tu);
		g_ptr_array_add(gone, tu);
	}
}

void compdb_update(struct compdb *db, const struct compdb *now,
		   const char *dir, unsigned int step, compdb_stays_fn stays,
		   void *data, struct compdb_delta *delta)
{
	guint first = delta->added->len;

	for (guint i = 0; i < now->tus->len; i++) {
		const struct tu *from = now->tus->pdata[i];
		struct tu *tu;

		if (!is_below(from, dir))
			continue;
		tu = compdb_find_object(db, from->object);
		if (!tu) {
			take_new(db, now, from, step, delta->added);
		} else if (!compdb_same(db, tu, now, from)) {
			push(tu, step);
			fill(db, tu, now, from);
			g_ptr_array_add(delta->changed, tu);
		}
	}
	take_away(db, now, dir, step, stays, data, delta->gone);
	for (guint i = first; i < delta->added->len; i++)
		g_ptr_array_add(db->tus, delta->added->pdata[i]);
	compdb_finish(db);
}
