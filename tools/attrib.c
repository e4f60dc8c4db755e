// SPDX-License-Identifier: GPL-2.0
#include "attrib-internal.h"
#include "ledger.h"

static void acase_free(struct acase *c)
{
	g_clear_pointer(&c->doubt, g_ptr_array_unref);
	g_clear_pointer(&c->carried, g_ptr_array_unref);
	g_clear_pointer(&c->hunted, g_ptr_array_unref);
	g_free(c);
}

struct attrib *attrib_new(attrib_change_fn change, void *data)
{
	struct attrib *a = g_new0(struct attrib, 1);

	a->change = change;
	a->change_data = data;
	a->findings = g_ptr_array_new_with_free_func((GDestroyNotify)
						     finding_free);
	a->gaps = g_ptr_array_new();
	a->jobs = g_ptr_array_new_with_free_func((GDestroyNotify)job_free);
	a->cases = g_ptr_array_new_with_free_func((GDestroyNotify)acase_free);
	a->last = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	a->old = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return a;
}

void attrib_free(struct attrib *a)
{
	if (!a)
		return;
	g_ptr_array_unref(a->findings);
	g_ptr_array_unref(a->gaps);
	g_ptr_array_unref(a->cases);
	g_ptr_array_unref(a->jobs);
	g_hash_table_unref(a->last);
	g_hash_table_unref(a->old);
	g_free(a);
}

static char *old_key(const struct job *job, const char *fp)
{
	g_autofree char *id = attrib_job_id(job);

	return g_strconcat(id, "\n", fp, NULL);
}

/* How often this very TU has @fp at step 0, as far as is known. */
static unsigned int old_count(struct attrib *a, const struct job *job,
			      const char *fp)
{
	g_autofree char *key = old_key(job, fp);

	return GPOINTER_TO_UINT(g_hash_table_lookup(a->old, key));
}

static char *seen_key(const struct variant *v, const char *fp)
{
	return g_strconcat(v->name, "\n", fp, NULL);
}

static void note_old(struct attrib *a, const struct job *job,
		     const GPtrArray *diags, const char *fp)
{
	unsigned int n = attrib_count(diags, fp);

	g_hash_table_replace(a->old, seen_key(job->variant, fp),
			     GUINT_TO_POINTER(1));
	if (n > old_count(a, job, fp))
		g_hash_table_replace(a->old, old_key(job, fp),
				     GUINT_TO_POINTER(n));
}

static bool file_touched(struct attrib *a, const char *file)
{
	g_autoptr(GHashTable) touched = attrib_touched(a, a->n - 1, a->n);

	return g_hash_table_contains(touched, file);
}

static struct finding *find_here(struct attrib *a, unsigned int n,
				 const char *fp, unsigned int line)
{
	for (guint i = 0; i < a->findings->len; i++) {
		struct finding *f = g_ptr_array_index(a->findings, i);

		if (f->n == n && f->diag->line == line &&
		    !strcmp(f->fingerprint, fp))
			return f;
	}
	return NULL;
}

/*
 * Is @d of @job known without a look at the parent?  Either another TU of the
 * variant was already shown to have it new at the very same place, or its
 * file is not touched by this patch and as many of its kind are known.
 */
static bool explained(struct attrib *a, const struct job *job,
		      const struct diag *d)
{
	g_autofree char *fp = ledger_fingerprint(d);
	struct finding *f = find_here(a, a->n, fp, d->line);
	unsigned int known;

	if (f && finding_showing(f, job->variant))
		return true;
	/* What is known may be a warning, and an error where one was is new. */
	if (file_touched(a, d->file) ||
	    (d->kind == DIAG_ERROR && !attrib_live_error(a, job->variant, fp)))
		return false;
	known = attrib_live_count(a, job->variant, fp, a->n) +
		old_count(a, job, fp);
	return attrib_count(job->diags, fp) <= known;
}

static void add_finding(struct attrib *a, unsigned int n, struct job *job,
			const struct diag *d, bool late)
{
	/* At the tip every finding of an earlier patch comes late. */
	bool missed = late && !job->variant->tip;
	g_autofree char *fp = ledger_fingerprint(d);
	struct finding *f = find_here(a, n, fp, d->line);
	struct showing *s;

	if (!f) {
		f = finding_new(n, fp, d);
		f->missed = missed;
		a->missed += missed;
		g_ptr_array_add(a->findings, f);
	}
	if (finding_showing(f, job->variant))
		return;
	s = g_new0(struct showing, 1);
	s->variant = job->variant;
	s->job = job;
	s->places = late;	/* else counted when the step is settled */
	g_ptr_array_add(f->showings, s);
}

/* A finding, unless an error of the parent may have hidden it there. */
static void take_fresh(struct attrib *a, struct acase *c, const GPtrArray *fresh)
{
	for (guint i = 0; i < fresh->len; i++) {
		struct diag *d = g_ptr_array_index(fresh, i);

		/* A new object was compared with nothing: see attrib_known(). */
		if (!compdb_at(c->child->tu, 0) && explained(a, c->child, d))
			continue;
		if (!c->parent->step || !attrib_hides(c->parent, d)) {
			add_finding(a, a->n, c->child, d, false);
			continue;
		}
		if (!c->doubt)
			c->doubt = g_ptr_array_new();
		g_ptr_array_add(c->doubt, d);
	}
}

/* Child against parent: what is new is a finding, the rest is carried. */
static void compare(struct attrib *a, struct acase *c)
{
	g_autoptr(GPtrArray) fresh = NULL;

	c->compared = true;
	c->carried = g_ptr_array_new();
	if (!job_usable(c->parent)) {
		g_ptr_array_add(a->gaps, c->parent);
		c->settled = true;
		return;
	}
	fresh = ledger_new_diags(c->child->diags, c->parent->diags,
				 a->change(a->n - 1, a->n, a->change_data), NULL);
	take_fresh(a, c, fresh);
	for (guint i = 0; i < c->parent->diags->len; i++) {
		struct diag *d = g_ptr_array_index(c->parent->diags, i);
		g_autofree char *fp = ledger_fingerprint(d);
		unsigned int n = attrib_count(c->parent->diags, fp);

		if (a->n == 1)
			note_old(a, c->child, c->parent->diags, fp);
		else if (n > attrib_live_count(a, c->child->variant, fp, a->n) +
			     old_count(a, c->child, fp))
			g_ptr_array_add(c->carried, d);
	}
}

/* Parent against step 0: what is not there came with a step in between. */
static void compare_base(struct attrib *a, struct acase *c)
{
	c->based = true;
	if (!job_usable(c->base)) {
		g_ptr_array_add(a->gaps, c->base);
		c->settled = true;
		return;
	}
	c->hunted = ledger_new_diags(c->carried, c->base->diags,
				     a->change(0, a->n - 1, a->change_data), NULL);
	c->lo = 0;
	c->hi = a->n - 1;
	for (guint i = 0; i < c->carried->len; i++) {
		struct diag *d = g_ptr_array_index(c->carried, i);
		g_autofree char *fp = ledger_fingerprint(d);

		if (!g_ptr_array_find(c->hunted, d, NULL))
			note_old(a, c->child, c->parent->diags, fp);
	}
}

/* The last result of the same job, when nothing that it read has changed. */
static struct job *infer_parent(struct attrib *a, const struct job *child)
{
	g_autofree char *id = attrib_job_id(child);
	struct job *last = g_hash_table_lookup(a->last, id);
	g_autoptr(GHashTable) touched = NULL;

	if (!last || last->step >= a->n || !job_usable(last))
		return NULL;
	if (last->step == a->n - 1)
		return last;
	/* Another command, another result. */
	if (compdb_at(child->tu, last->step) != compdb_at(child->tu, a->n - 1))
		return NULL;
	touched = attrib_touched(a, last->step, a->n - 1);
	return job_reads_any(last, touched) ? NULL : last;
}

static struct job *want(struct attrib *a, const struct job *like,
			unsigned int step, GPtrArray *wanted)
{
	struct job *job = job_new(like->check, like->variant, like->tu,
				  like->header, step, WHY_BASELINE);

	job->cost = like->cost;
	g_ptr_array_add(a->jobs, job);
	g_ptr_array_add(wanted, job);
	return job;
}

/*
 * Adds the keys of what @c has unexplained to @asking; was any not there?
 * What is new is new for all TUs that show it, so one look at a parent is
 * enough; what was old in one TU says nothing about another.
 */
static bool asks_something(struct attrib *a, const struct acase *c,
			   const GPtrArray *diags, GHashTable *asking)
{
	bool any = false;

	for (guint i = 0; i < diags->len; i++) {
		const struct diag *d = g_ptr_array_index(diags, i);
		g_autofree char *fp = NULL, *seen = NULL;

		if (diags == c->child->diags && explained(a, c->child, d))
			continue;
		fp = ledger_fingerprint(d);
		seen = seen_key(c->child->variant, fp);
		any |= g_hash_table_contains(a->old, seen);
		any |= g_hash_table_add(asking, g_strdup_printf("%s\n%u\n%s",
				c->child->variant->name, d->line, fp));
	}
	return any;
}

static bool all_explained(struct attrib *a, const struct job *job)
{
	for (guint i = 0; i < job->diags->len; i++)
		if (!explained(a, job, g_ptr_array_index(job->diags, i)))
			return false;
	return true;
}

static void want_parents(struct attrib *a, GPtrArray *wanted)
{
	g_autoptr(GHashTable) asking = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	for (guint i = 0; i < a->cases->len; i++) {
		struct acase *c = g_ptr_array_index(a->cases, i);

		if (!c->settled && c->parent && c->parent->done && !c->compared)
			compare(a, c);
		if (c->settled || c->parent)
			continue;
		if (!job_usable(c->child) || all_explained(a, c->child)) {
			c->settled = true;
			continue;
		}
		c->parent = infer_parent(a, c->child);
		if (c->parent)
			compare(a, c);
		else if (asks_something(a, c, c->child->diags, asking))
			c->parent = want(a, c->child, a->n - 1, wanted);
	}
}

static bool hides_any(const struct job *job, const GPtrArray *diags)
{
	for (guint i = 0; i < diags->len; i++)
		if (attrib_hides(job, g_ptr_array_index(diags, i)))
			return true;
	return false;
}

/* Child against the newest step that hides nothing of what is in doubt. */
static void compare_clear(struct attrib *a, struct acase *c)
{
	g_autoptr(GPtrArray) fresh = ledger_new_diags(c->doubt, c->clear->diags,
		a->change(c->clear->step, a->n, a->change_data), NULL);

	for (guint i = 0; i < fresh->len; i++)
		add_finding(a, a->n, c->child, g_ptr_array_index(fresh, i), false);
	g_clear_pointer(&c->doubt, g_ptr_array_unref);
}

/* One step further back for the TUs whose parent hides something. */
static void want_clear(struct attrib *a, GPtrArray *wanted)
{
	unsigned int step = 0;	/* of what is in @wanted */

	for (guint i = 0; i < a->cases->len; i++) {
		struct acase *c = g_ptr_array_index(a->cases, i);
		const struct job *last = c->clear ? c->clear : c->parent;

		if (!c->doubt || !last->done ||
		    (wanted->len && last->step != step + 1))
			continue;
		if (!job_usable(last)) {
			g_ptr_array_add(a->gaps, c->clear);
			g_clear_pointer(&c->doubt, g_ptr_array_unref);
		} else if (c->clear && (!last->step ||
					!hides_any(last, c->doubt))) {
			compare_clear(a, c);
		} else {
			step = last->step - 1;
			c->clear = want(a, c->child, step, wanted);
		}
	}
}

static bool still_unknown(struct attrib *a, const struct acase *c)
{
	for (guint i = 0; i < c->carried->len; i++) {
		const struct diag *d = g_ptr_array_index(c->carried, i);
		g_autofree char *fp = ledger_fingerprint(d);

		if (attrib_count(c->parent->diags, fp) >
		    attrib_live_count(a, c->child->variant, fp, a->n) +
		    old_count(a, c->child, fp))
			return true;
	}
	return false;
}

static void want_bases(struct attrib *a, GPtrArray *wanted)
{
	g_autoptr(GHashTable) asking = g_hash_table_new_full(g_str_hash,
						g_str_equal, g_free, NULL);

	for (guint i = 0; i < a->cases->len; i++) {
		struct acase *c = g_ptr_array_index(a->cases, i);

		if (c->base && c->base->done && !c->based)
			compare_base(a, c);
		if (c->settled || !c->compared || c->based)
			continue;
		if (!still_unknown(a, c)) {
			c->settled = true;
			continue;
		}
		if (asks_something(a, c, c->carried, asking))
			c->base = want(a, c->child, 0, wanted);
	}
}

/* Is @fp among what the probe of @c has and step 0 has not? */
static bool is_born(struct attrib *a, const struct acase *c, const char *fp)
{
	g_autoptr(GPtrArray) fresh = ledger_new_diags(c->probe->diags,
		c->base->diags, a->change(0, c->probe->step, a->change_data), NULL);
	g_autoptr(GPtrArray) all = attrib_flatten(fresh);

	return attrib_count(all, fp) > 0;
}

/* One step of a bisection for the first TU that needs one. */
static void hunt(struct attrib *a, struct acase *c, GPtrArray *wanted)
{
	struct diag *d = g_ptr_array_index(c->hunted, 0);
	g_autofree char *fp = ledger_fingerprint(d);

	if (c->probe && c->probe->done) {
		if (!job_usable(c->probe)) {
			g_ptr_array_add(a->gaps, c->probe);
			c->settled = true;
			return;
		}
		if (is_born(a, c, fp))
			c->hi = c->probe->step;
		else
			c->lo = c->probe->step;
		c->probe = NULL;
	}
	if (c->hi - c->lo > 1) {
		c->probe = want(a, c->child, (c->lo + c->hi) / 2, wanted);
		return;
	}
	add_finding(a, c->hi, c->child, d, true);
	g_ptr_array_remove_index(c->hunted, 0);
	c->lo = 0;
	c->hi = a->n - 1;
	c->settled = !c->hunted->len;
}

static void want_hunts(struct attrib *a, GPtrArray *wanted)
{
	for (guint i = 0; i < a->cases->len && !wanted->len; i++) {
		struct acase *c = g_ptr_array_index(a->cases, i);

		if (!c->settled && c->based && !c->hunted->len)
			c->settled = true;
		while (!c->settled && c->based && !wanted->len)
			hunt(a, c, wanted);
	}
}

static gint case_by_cost(gconstpointer a, gconstpointer b)
{
	const struct acase *x = *(struct acase *const *)a;
	const struct acase *y = *(struct acase *const *)b;

	return x->child->cost < y->child->cost ? -1 :
	       x->child->cost > y->child->cost;
}

void attrib_begin(struct attrib *a, unsigned int n, GPtrArray *jobs)
{
	a->n = n;
	g_ptr_array_set_size(a->cases, 0);
	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = g_ptr_array_index(jobs, i);
		struct acase *c = g_new0(struct acase, 1);

		g_ptr_array_add(a->jobs, job);
		c->child = job;
		g_ptr_array_add(a->cases, c);
	}
	g_ptr_array_sort(a->cases, case_by_cost);
}

void attrib_known(struct attrib *a, struct job *witness, const GPtrArray *jobs)
{
	g_ptr_array_add(a->jobs, witness);
	for (guint i = 0; job_usable(witness) && i < jobs->len; i++) {
		const struct job *job = g_ptr_array_index(jobs, i);

		if (job->variant != witness->variant || compdb_at(job->tu, 0))
			continue;
		for (guint k = 0; k < witness->diags->len; k++) {
			g_autofree char *fp = ledger_fingerprint(
				g_ptr_array_index(witness->diags, k));

			note_old(a, job, witness->diags, fp);
		}
	}
}

GPtrArray *attrib_wanted(struct attrib *a)
{
	g_autoptr(GPtrArray) wanted = g_ptr_array_new();

	want_parents(a, wanted);
	if (!wanted->len)
		want_clear(a, wanted);
	if (!wanted->len)
		want_bases(a, wanted);
	if (!wanted->len)
		want_hunts(a, wanted);
	return wanted->len ? g_steal_pointer(&wanted) : NULL;
}
