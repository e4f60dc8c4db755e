// SPDX-License-Identifier: GPL-2.0
/* What became of findings: where they show, whether they are still there. */
#include "attrib-internal.h"
#include "check.h"
#include "ledger.h"

GPtrArray *attrib_flatten(const GPtrArray *diags)
{
	GPtrArray *all = g_ptr_array_new();

	for (guint i = 0; i < diags->len; i++) {
		struct diag *d = g_ptr_array_index(diags, i);

		g_ptr_array_add(all, d);
		for (guint j = 0; d->follow_ons && j < d->follow_ons->len; j++)
			g_ptr_array_add(all, g_ptr_array_index(d->follow_ons, j));
	}
	return all;
}

unsigned int attrib_count(const GPtrArray *diags, const char *fingerprint)
{
	unsigned int n = 0;

	for (guint i = 0; i < diags->len; i++) {
		g_autofree char *fp =
			ledger_fingerprint(g_ptr_array_index(diags, i));

		n += !strcmp(fp, fingerprint);
	}
	return n;
}

bool attrib_hides(const struct job *job, const struct diag *d)
{
	for (guint i = 0; i < job->diags->len; i++) {
		const struct diag *e = g_ptr_array_index(job->diags, i);

		/* no object was made, or it was not read to its end */
		if (e->fatal || (diag_hides(e) && !diag_hides(d)))
			return true;
	}
	return false;
}

bool attrib_alive(const struct finding *f, const struct showing *s,
		  unsigned int n)
{
	return f->n < n && (!s->died || s->died > n);
}

unsigned int attrib_live_count(const struct attrib *a, const struct variant *v,
			       const char *fp, unsigned int n)
{
	unsigned int count = 0;

	for (guint i = 0; i < a->findings->len; i++) {
		const struct finding *f = g_ptr_array_index(a->findings, i);
		const struct showing *s = finding_showing(f, v);

		count += s && attrib_alive(f, s, n) &&
			 !strcmp(f->fingerprint, fp);
	}
	return count;
}

bool attrib_live_error(const struct attrib *a, const struct variant *v,
		       const char *fp)
{
	for (guint i = 0; i < a->findings->len; i++) {
		const struct finding *f = g_ptr_array_index(a->findings, i);
		const struct showing *s = finding_showing(f, v);

		if (s && attrib_alive(f, s, a->n) &&
		    f->diag->kind == DIAG_ERROR && !strcmp(f->fingerprint, fp))
			return true;
	}
	return false;
}

char *attrib_job_id(const struct job *job)
{
	return g_strjoin("\n", job->check->name, job->variant->name,
			 job->tu->object, job->header, NULL);
}

GHashTable *attrib_touched(struct attrib *a, unsigned int from, unsigned int to)
{
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
	const struct diff *d = a->change(from, to, a->change_data);

	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = g_ptr_array_index(d->files, i);

		if (fd->old_path)
			g_hash_table_add(set, fd->old_path);
		if (fd->new_path)
			g_hash_table_add(set, fd->new_path);
	}
	if (a->made)
		a->made(from, to, set, a->change_data);
	return set;
}

/* What is a warning to one TU may be an error to another, by its flags. */
static void take_worst(struct finding *f, const GPtrArray *diags)
{
	for (guint i = 0; i < diags->len && f->diag->kind != DIAG_ERROR; i++) {
		const struct diag *d = g_ptr_array_index(diags, i);
		g_autofree char *fp = ledger_fingerprint(d);

		if (d->kind != DIAG_ERROR || strcmp(fp, f->fingerprint) ||
		    d->line != f->diag->line)
			continue;
		diag_free(f->diag);
		f->diag = diag_copy(d);
	}
}

/* Counts the TUs of this step that show @f, and keeps the cheapest of them. */
static void count_places(struct attrib *a, struct finding *f)
{
	for (guint i = 0; i < a->cases->len; i++) {
		const struct acase *c = g_ptr_array_index(a->cases, i);
		struct showing *s = finding_showing(f, c->child->variant);
		g_autoptr(GPtrArray) all = NULL;

		if (!s || !job_usable(c->child))
			continue;
		all = attrib_flatten(c->child->diags);
		if (!attrib_count(all, f->fingerprint))
			continue;
		take_worst(f, c->child->diags);
		if (!s->places || c->child->cost < s->job->cost)
			s->job = c->child;
		s->places++;
	}
}

/*
 * Findings that job @c, which showed them at their birth, shows no more.  Of
 * several with one fingerprint as many stay as are still printed.  What is
 * missing behind a hard error is not gone.
 */
static void bury(struct attrib *a, const struct acase *c)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) all = attrib_flatten(c->child->diags);

	for (guint i = 0; i < a->findings->len; i++) {
		struct finding *f = g_ptr_array_index(a->findings, i);
		struct showing *s = finding_showing(f, c->child->variant);
		guint shown;

		if (!s || !attrib_alive(f, s, a->n) || !job_same(s->job, c->child))
			continue;
		shown = GPOINTER_TO_UINT(g_hash_table_lookup(seen, f->fingerprint));
		if (shown < attrib_count(all, f->fingerprint))
			g_hash_table_replace(seen, f->fingerprint,
					     GUINT_TO_POINTER(shown + 1));
		else if (!attrib_hides(c->child, f->diag))
			s->died = a->n;
	}
}

void attrib_end(struct attrib *a)
{
	for (guint i = 0; i < a->findings->len; i++) {
		struct finding *f = g_ptr_array_index(a->findings, i);

		if (f->n == a->n)
			count_places(a, f);
	}
	for (guint i = 0; i < a->cases->len; i++) {
		const struct acase *c = g_ptr_array_index(a->cases, i);

		if (!job_usable(c->child))
			continue;
		bury(a, c);
		g_hash_table_replace(a->last, attrib_job_id(c->child), c->child);
	}
}

const struct diag *attrib_old_error(const struct attrib *a,
				    const struct job *job)
{
	for (guint i = 0; job_usable(job) && i < job->diags->len; i++) {
		const struct diag *d = g_ptr_array_index(job->diags, i);
		g_autofree char *fp = NULL;
		bool ours = false;

		if (!diag_hides(d))
			continue;
		fp = ledger_fingerprint(d);
		for (guint k = 0; !ours && k < a->findings->len; k++) {
			const struct finding *f =
				g_ptr_array_index(a->findings, k);

			ours = !strcmp(f->fingerprint, fp) &&
			       finding_showing(f, job->variant);
		}
		if (!ours)
			return d;
	}
	return NULL;
}

static bool contains(const GPtrArray *jobs, const struct job *job)
{
	for (guint i = 0; i < jobs->len; i++)
		if (job_same(g_ptr_array_index(jobs, i), job))
			return true;
	return false;
}

static bool is_at_work(const struct attrib *a, const struct variant *v)
{
	for (guint i = 0; a->variants && i < a->variants->len; i++)
		if (a->variants->pdata[i] == v)
			return true;
	return !a->variants || v->host;
}

/* An undefined symbol may be mended in a file that the TU does not read. */
static bool hangs_on_others(const struct diag *d)
{
	return d->kind == DIAG_ERROR && !diag_hides(d);
}

GPtrArray *attrib_watch(struct attrib *a, unsigned int n,
			const GPtrArray *planned)
{
	GPtrArray *watch = g_ptr_array_new();
	g_autoptr(GHashTable) touched = attrib_touched(a, n - 1, n);

	for (guint i = 0; i < a->findings->len; i++) {
		const struct finding *f = g_ptr_array_index(a->findings, i);

		for (guint j = 0; j < f->showings->len; j++) {
			struct showing *s = g_ptr_array_index(f->showings, j);
			struct job *job;

			if (!attrib_alive(f, s, n) || !is_at_work(a, s->variant) ||
			    contains(planned, s->job) ||
			    contains(watch, s->job) ||
			    (!hangs_on_others(f->diag) &&
			     !job_reads_any(s->job, touched)))
				continue;
			job = job_new(s->job->check, s->variant, s->job->tu,
				      s->job->header, n, WHY_WATCH);
			job->cost = s->job->cost;
			g_ptr_array_add(watch, job);
		}
	}
	return watch;
}

const struct finding *attrib_hidden_by(const struct attrib *a, unsigned int n,
				       const struct variant *v,
				       const GPtrArray *jobs)
{
	for (guint i = 0; i < a->findings->len; i++) {
		const struct finding *f = g_ptr_array_index(a->findings, i);
		const struct showing *s = finding_showing(f, v);

		if (!s || !diag_hides(f->diag) || !attrib_alive(f, s, n))
			continue;
		if (!jobs->len && job_is_compile(s->job) &&
		    g_str_has_suffix(f->diag->file, ".h"))
			return f;
		for (guint j = 0; j < jobs->len; j++) {
			const struct job *job = g_ptr_array_index(jobs, j);
			g_autoptr(GPtrArray) all = NULL;

			if (!job_usable(job))
				continue;
			all = attrib_flatten(job->diags);
			if (attrib_count(all, f->fingerprint))
				return f;
		}
	}
	return NULL;
}
