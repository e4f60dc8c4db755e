// SPDX-License-Identifier: GPL-2.0
#include "finding.h"

static void passing_free(struct passing *p)
{
	g_free(p->because);
	g_free(p->by);
	g_free(p);
}

struct finding *finding_new(unsigned int n, const char *fingerprint,
			    const struct diag *d)
{
	struct finding *f = g_new0(struct finding, 1);

	f->n = n;
	f->fingerprint = g_strdup(fingerprint);
	f->diag = diag_copy(d);
	f->showings = g_ptr_array_new_with_free_func(g_free);
	f->passes = g_ptr_array_new_with_free_func((GDestroyNotify)
						   passing_free);
	f->same_cause = g_ptr_array_new_with_free_func((GDestroyNotify)
						       finding_free);
	return f;
}

void finding_free(struct finding *f)
{
	if (!f)
		return;
	g_free(f->fingerprint);
	diag_free(f->diag);
	g_ptr_array_unref(f->showings);
	g_ptr_array_unref(f->passes);
	g_ptr_array_unref(f->same_cause);
	g_free(f->cause);
	g_free(f->cause_name);
	g_free(f);
}

struct showing *finding_showing(const struct finding *f,
				const struct variant *v)
{
	for (guint i = 0; i < f->showings->len; i++) {
		struct showing *s = g_ptr_array_index(f->showings, i);

		if (s->variant == v)
			return s;
	}
	return NULL;
}

unsigned int finding_died(const struct finding *f)
{
	unsigned int last = 0;

	for (guint i = 0; i < f->showings->len; i++) {
		const struct showing *s = g_ptr_array_index(f->showings, i);

		if (!s->died)
			return 0;
		last = MAX(last, s->died);
	}
	return last;
}

unsigned int finding_follow_ons(const struct finding *f)
{
	unsigned int n = f->diag->follow_ons ? f->diag->follow_ons->len : 0;

	for (guint i = 0; i < f->same_cause->len; i++)
		n += finding_follow_ons(g_ptr_array_index(f->same_cause, i));
	return n;
}

bool finding_by_text(const struct diag *d)
{
	return (!strcmp(d->check, "header-order") ||
		!strcmp(d->check, "helper-override")) &&
	       d->confidence == CONFIDENCE_LIKELY && d->notes->len;
}
