// SPDX-License-Identifier: GPL-2.0
/*
 * What was missed: a finding that only jobs outside of the plan show.  Where a
 * planned job shows it too, the plan did its work: one TU is enough to find it.
 */
#include "attrib-internal.h"
#include "audit.h"
#include "ledger.h"

void audit_shown_free(struct audit_shown *s)
{
	g_ptr_array_unref(s->planned);
	g_ptr_array_unref(s->outside);
	g_free(s->rule);
	g_free(s);
}

/* The line counts: two places with one message are two findings. */
static char *key_of(const struct job *job, unsigned int line, const char *fp)
{
	return g_strdup_printf("%u\n%s\n%u\n%s", job->step, job->variant->name,
			       line, fp);
}

static void unref(gpointer list)
{
	g_ptr_array_unref(list);
}

/* key_of() -> GPtrArray of the jobs that show it, each once. */
static GHashTable *index_jobs(const GPtrArray *jobs)
{
	GHashTable *index = g_hash_table_new_full(g_str_hash, g_str_equal,
						  g_free, unref);

	for (guint i = 0; i < jobs->len; i++) {
		struct job *job = g_ptr_array_index(jobs, i);
		g_autoptr(GPtrArray) all = NULL;

		if (job->why == WHY_BASELINE || !job_usable(job))
			continue;
		all = attrib_flatten(job->diags);
		for (guint k = 0; k < all->len; k++) {
			const struct diag *d = g_ptr_array_index(all, k);
			g_autofree char *fp = ledger_fingerprint(d);
			char *key = key_of(job, d->line, fp);
			GPtrArray *list = g_hash_table_lookup(index, key);

			if (list) {
				g_free(key);
			} else {
				list = g_ptr_array_new();
				g_hash_table_insert(index, key, list);
			}
			if (!g_ptr_array_find(list, job, NULL))
				g_ptr_array_add(list, job);
		}
	}
	return index;
}

static void add_job(struct audit_shown *s, struct job *job)
{
	g_ptr_array_add(job->why == WHY_AUDIT ? s->outside : s->planned, job);
}

GPtrArray *audit_match(const GPtrArray *findings, const GPtrArray *jobs)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(
					(GDestroyNotify)audit_shown_free);
	g_autoptr(GHashTable) index = index_jobs(jobs);

	for (guint i = 0; i < findings->len; i++) {
		const struct finding *f = g_ptr_array_index(findings, i);

		for (guint k = 0; k < f->showings->len; k++) {
			const struct showing *sh =
				g_ptr_array_index(f->showings, k);
			g_autofree char *key = key_of(sh->job, f->diag->line,
						      f->fingerprint);
			GPtrArray *list = g_hash_table_lookup(index, key);
			struct audit_shown *s = g_new0(struct audit_shown, 1);

			s->finding = f;
			s->variant = sh->variant;
			s->planned = g_ptr_array_new();
			s->outside = g_ptr_array_new();
			for (guint j = 0; list && j < list->len; j++)
				add_job(s, g_ptr_array_index(list, j));
			if (!list)
				add_job(s, sh->job);
			g_ptr_array_add(all, s);
		}
	}
	return all;
}

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static bool line_mentions(const struct diff_line *line, const char *name)
{
	const char *end = line->text + line->len, *p = line->text;
	gsize len = strlen(name);

	while (line->op != ' ' && (p = g_strstr_len(p, end - p, name))) {
		bool starts = p == line->text || !is_word(p[-1]);

		p += len;
		if (starts && (p == end || !is_word(*p)))
			return true;
	}
	return false;
}

bool audit_mentions(const struct diff *d, const char *name)
{
	for (guint i = 0; i < d->files->len; i++) {
		const struct file_diff *fd = g_ptr_array_index(d->files, i);

		for (guint h = 0; fd->hunks && h < fd->hunks->len; h++) {
			const struct hunk *hunk = g_ptr_array_index(fd->hunks, h);

			for (guint l = 0; l < hunk->lines->len; l++)
				if (line_mentions(&g_array_index(hunk->lines,
						  struct diff_line, l), name))
					return true;
		}
	}
	return false;
}

char *audit_rule(const struct audit_clue *c)
{
	if (c->source_touched)
		return g_strdup("rule a: its own source is touched");
	if (!c->lists && c->reads)
		return g_strdup_printf("the include graph: it reads %s, which the "
				       "graph does not know", c->reads);
	if (!c->lists)
		return g_strdup("rule e: it reads no touched file, so a generated "
				"file or its command changed");
	if (c->in_touched && c->name)
		return g_strdup_printf("rule b: what '%s' is differs from one TU "
				       "that reads the header to another", c->name);
	if (c->in_touched)
		return g_strdup("rule b: what comes before the header differs from "
				"one TU that reads it to another");
	if (c->name && c->name_changed)
		return g_strdup_printf("rule c: it uses '%s', which the patch "
				       "changes", c->name);
	return g_strdup("rule c: what it uses hangs on what the patch changes, by "
			"a type, a macro or a condition");
}
