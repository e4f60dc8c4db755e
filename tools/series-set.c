// SPDX-License-Identifier: GPL-2.0
#include "series-set.h"

#include "error.h"
#include "series-thread.h"

/* A list in a message is cut here, so that it stays one readable line. */
#define MAX_LISTED	40

static void mail_free_func(void *data)
{
	series_mail_free(data);
}

struct series_set *series_set_new(GPtrArray *left_out)
{
	struct series_set *set = g_new0(struct series_set, 1);

	set->left_out = left_out;
	set->mails = g_ptr_array_new_with_free_func(mail_free_func);
	set->others = g_ptr_array_new_with_free_func(mail_free_func);
	set->slots = g_ptr_array_new();
	return set;
}

void series_set_free(struct series_set *set)
{
	if (!set)
		return;
	g_free(set->name);
	g_ptr_array_unref(set->mails);
	g_ptr_array_unref(set->others);
	g_ptr_array_unref(set->slots);
	g_free(set);
}

static void leave_out(struct series_set *set, const struct series_mail *sm,
		      const char *reason)
{
	g_ptr_array_add(set->left_out,
			g_strdup_printf("'%s', '%s': %s", sm->source,
					sm->info->raw_subject, reason));
}

void series_set_add(struct series_set *set, struct series_mail *sm)
{
	if (sm->kind != SERIES_MAIL_OTHER) {
		g_ptr_array_add(set->mails, sm);
		return;
	}
	leave_out(set, sm, sm->reason);
	g_ptr_array_add(set->others, sm);
}

static int by_tag(const void *a, const void *b)
{
	const struct series_tag *x = (*(struct series_mail *const *)a)->tag;
	const struct series_tag *y = (*(struct series_mail *const *)b)->tag;

	if (x->version != y->version)
		return x->version < y->version ? -1 : 1;
	if (x->minor != y->minor)
		return x->minor < y->minor ? -1 : 1;
	if (x->m != y->m)
		return x->m < y->m ? -1 : 1;
	return x->n < y->n ? -1 : x->n > y->n;
}

/* "0/7 1/7 3/7", in order; versions only where they differ. */
static char *seen(const struct series_set *set, bool versions)
{
	g_autoptr(GPtrArray) sorted = g_ptr_array_copy(set->mails, NULL, NULL);
	GString *list = g_string_new(NULL);

	g_ptr_array_set_free_func(sorted, NULL);
	g_ptr_array_sort(sorted, by_tag);
	for (guint i = 0; i < sorted->len && i < MAX_LISTED; i++) {
		const struct series_mail *sm = sorted->pdata[i];
		g_autofree char *label = series_tag_label(sm->tag, versions);

		g_string_append_printf(list, "%s%s", i ? " " : "", label);
	}
	if (sorted->len > MAX_LISTED)
		g_string_append_printf(list, " and %u more",
				       sorted->len - MAX_LISTED);
	return g_string_free(list, FALSE);
}

static int fail(const struct series_set *set, bool versions, const char *what,
		GError **error)
{
	g_autofree char *list = seen(set, versions);

	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT, "%s: %s; seen: %s",
		    set->name, what, list);
	return -1;
}

static int no_patch(const struct series_set *set, GError **error)
{
	const GPtrArray *out = set->left_out;

	if (!out->len)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "%s: no patch in it", set->name);
	else
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "%s: no patch in it; left out %u: %s%s", set->name,
			    out->len, (char *)out->pdata[0],
			    out->len > 1 ? ", ..." : "");
	return -1;
}

/* All mails carry one version, one total, and a place that can be. */
static int check_tags(const struct series_set *set, GError **error)
{
	const struct series_mail *first = set->mails->pdata[0];

	for (guint i = 0; i < set->mails->len; i++) {
		const struct series_mail *sm = set->mails->pdata[i];
		const struct series_tag *tag = sm->tag;

		if (tag->version != first->tag->version ||
		    tag->minor != first->tag->minor)
			return fail(set, true,
				    "versions are mixed; give one", error);
		if (tag->m != first->tag->m ||
		    tag->numbered != first->tag->numbered)
			return fail(set, false,
				    "patches of two series; give one", error);
		if (tag->n > tag->m || !tag->m)
			return fail(set, false,
				    "a patch is numbered above its total",
				    error);
	}
	return 0;
}

/*
 * Of two mails with one place the later counts: a resent patch often has
 * more Acked-by: lines than the first.
 */
static int take_duplicate(struct series_set *set, struct series_mail *old,
			  struct series_mail *sm, GError **error)
{
	bool cover = sm->kind == SERIES_MAIL_COVER;
	bool same = cover ? !strcmp(old->info->subject, sm->info->subject) :
			    series_mail_same_diff(old, sm);
	struct series_mail *later =
		sm->info->date > old->info->date ? sm : old;
	struct series_mail *earlier = later == sm ? old : sm;
	g_autofree char *what = NULL;

	if (!same) {
		g_autofree char *label = series_tag_label(sm->tag, false);

		what = cover ? g_strdup_printf("two cover letters, '%s' and "
					       "'%s'; give one series",
					       old->source, sm->source) :
			!sm->tag->numbered ?
			g_strdup_printf("patches without n/m, '%s' and '%s', so "
					"their order is unknown; use git "
					"format-patch -n",
					old->source, sm->source) :
			g_strdup_printf("patch %s is there twice with different "
					"diffs, in '%s' and '%s'", label,
					old->source, sm->source);
		return fail(set, false, what, error);
	}
	what = g_strdup_printf("the same %s as '%s'%s",
			       cover ? "cover letter" : "patch", later->source,
			       strcmp(old->info->message, sm->info->message) ?
			       ", whose text is newer" : "");
	leave_out(set, earlier, what);
	set->slots->pdata[sm->tag->n] = later;
	return 0;
}

static int check_missing(const struct series_set *set, GError **error)
{
	GString *list = g_string_new(NULL);
	unsigned int missing = 0, total = set->slots->len - 1;
	g_autofree char *what = NULL, *places = NULL;

	for (unsigned int n = 1; n <= total; n++) {
		if (set->slots->pdata[n] || ++missing > MAX_LISTED)
			continue;
		g_string_append_printf(list, "%s%u/%u", missing > 1 ? ", " : "",
				       n, total);
	}
	if (missing > MAX_LISTED)
		g_string_append_printf(list, " and %u more",
				       missing - MAX_LISTED);
	places = g_string_free(list, FALSE);
	if (!missing)
		return 0;
	what = g_strdup_printf(missing > 1 ? "patches %s are missing" :
					     "patch %s is missing", places);
	return fail(set, false, what, error);
}

int series_set_order(struct series_set *set, GError **error)
{
	unsigned int total;

	if (!set->mails->len)
		return no_patch(set, error);
	if (check_tags(set, error))
		return -1;
	total = ((struct series_mail *)set->mails->pdata[0])->tag->m;
	if (total > SERIES_MAX_PATCHES) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_INPUT,
			    "%s: a series of %u patches; the limit is %d",
			    set->name, total, SERIES_MAX_PATCHES);
		return -1;
	}
	g_ptr_array_set_size(set->slots, total + 1);
	for (guint i = 0; i < set->mails->len; i++) {
		struct series_mail *sm = set->mails->pdata[i];
		struct series_mail *old = set->slots->pdata[sm->tag->n];

		if (!old)
			set->slots->pdata[sm->tag->n] = sm;
		else if (take_duplicate(set, old, sm, error))
			return -1;
	}
	if (!series_thread_is_one(set->mails))
		return fail(set, false, "mails of two threads, so of two series; "
			    "give one", error);
	return check_missing(set, error);
}
