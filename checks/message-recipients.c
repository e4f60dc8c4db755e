// SPDX-License-Identifier: GPL-2.0
/*
 * To whom the mails go: addresses that .mailmap replaces, and those whom
 * MAINTAINERS names for what is touched.
 */
#include "diff.h"
#include "message-int.h"

/* A patch over more sections than this is a change of all the tree: nobody
 * writes to all their maintainers. */
#define SECTIONS_MAX 8

/* An address that is not today's, and where it stands. */
struct stale {
	struct address *who;
	char *now;
	GPtrArray *where;	/* of char *: "Cc", "Suggested-by" */
	GArray *patches;
	bool header;		/* of a mail: it will bounce */
};

static void stale_free(gpointer data)
{
	struct stale *s = data;

	address_free(s->who);
	g_free(s->now);
	g_ptr_array_unref(s->where);
	g_array_unref(s->patches);
	g_free(s);
}

static struct stale *stale_of(GPtrArray *list, const struct address *a,
			      char *now)
{
	struct stale *s;

	for (guint i = 0; i < list->len; i++) {
		s = list->pdata[i];
		if (!g_ascii_strcasecmp(s->who->email, a->email)) {
			g_free(now);
			return s;
		}
	}
	s = g_new0(struct stale, 1);
	s->who = g_new0(struct address, 1);
	s->who->name = g_strdup(a->name);
	s->who->email = g_strdup(a->email);
	s->now = now;
	s->where = g_ptr_array_new_with_free_func(g_free);
	s->patches = g_array_new(FALSE, FALSE, sizeof(unsigned int));
	g_ptr_array_add(list, s);
	return s;
}

/* One that MAINTAINERS lists is in use, whatever .mailmap says. */
static void look(const struct message *m, GPtrArray *list, const char *where,
		 const struct address *a, unsigned int n, bool header)
{
	char *now = mailmap_email(m->mailmap, a->name, a->email);
	struct stale *s;

	if (!g_ascii_strcasecmp(now, a->email) ||
	    (m->maintainers && maintainers_has(m->maintainers, a->email))) {
		g_free(now);
		return;
	}
	s = stale_of(list, a, now);
	s->header |= header;
	g_array_append_val(s->patches, n);
	if (!g_ptr_array_find_with_equal_func(s->where, where, g_str_equal, NULL))
		g_ptr_array_add(s->where, g_strdup(where));
}

static void look_at_mail(const struct message *m, GPtrArray *list, unsigned int n)
{
	const struct letter *l = message_letter(m, n);

	for (guint i = 0; l && i < l->to->len; i++)
		look(m, list, "To", l->to->pdata[i], n, true);
	for (guint i = 0; l && i < l->cc->len; i++)
		look(m, list, "Cc", l->cc->pdata[i], n, true);
	if (l && l->from)
		look(m, list, "From", l->from, n, false);
}

static void look_at_message(const struct message *m, GPtrArray *list,
			    unsigned int n)
{
	const struct patch *p = message_patch(m, n);
	const GPtrArray *trailers = message_trailers_of(m, n);
	struct address author = { p->author_name, p->author_email };

	look(m, list, "From", &author, n, false);
	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		if (t->who)
			look(m, list, trailer_is(t, "Cc") ? "Cc" : t->key,
			     t->who, n, false);
	}
}

static void stale_addresses(struct message *m)
{
	g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(stale_free);

	for (unsigned int n = 0; n < m->series->letters->len; n++)
		look_at_mail(m, list, n);
	for (unsigned int n = 1; n <= m->series->patches->len; n++)
		look_at_message(m, list, n);
	for (guint i = 0; i < list->len; i++) {
		const struct stale *s = list->pdata[i];
		g_autofree char *who = address_text(s->who), *where = NULL;

		g_ptr_array_add(s->where, NULL);
		where = g_strjoinv(", ", (char **)s->where->pdata);
		for (guint k = 0; k < s->patches->len; k++)
			message_note(m, "message/stale-address",
				g_array_index(s->patches, unsigned int, k),
				s->header ? LIKELY : HINT,
				g_strdup_printf("%s: '%s' is an old address",
						where, who),
				g_strdup_printf("use '%s', as .mailmap of the "
						"base says", s->now));
	}
}

/* The paths that patch @n touches, old and new; NULL: it has no diff. */
static GPtrArray *paths_of(const struct message *m, unsigned int n)
{
	const struct patch *p = message_patch(m, n);
	g_autoptr(diff_t) d = p->diff ? diff_parse(p->diff, NULL) : NULL;
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; d && i < d->files->len; i++) {
		const struct file_diff *f = d->files->pdata[i];

		if (f->new_path)
			g_ptr_array_add(paths, g_strdup(f->new_path));
		if (f->old_path && g_strcmp0(f->old_path, f->new_path))
			g_ptr_array_add(paths, g_strdup(f->old_path));
	}
	return paths;
}

static void add_all(GPtrArray *to, const GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++)
		if (!g_ptr_array_find(to, from->pdata[i], NULL))
			g_ptr_array_add(to, from->pdata[i]);
}

/* The cover letter reached them, or another patch: less of a slip. */
static bool reached_elsewhere(const struct message *m, const struct address *a)
{
	for (unsigned int n = 0; n < m->series->letters->len; n++)
		if (message_reaches(m, a, n))
			return true;
	return false;
}

/* What one section asks for and patch @n has not; one note says all. */
struct missing {
	GString *who;		/* "'A <a@x>', 'linux-mm@kvack.org'" */
	bool people;
};

static void take_missing(const struct message *m, struct missing *found,
			 const struct address *a, unsigned int n, bool elsewhere,
			 GPtrArray *said)
{
	struct address now = { a->name };
	g_autofree char *who = NULL, *email = NULL;

	if (message_reaches(m, a, n) || reached_elsewhere(m, a) != elsewhere ||
	    g_ptr_array_find_with_equal_func(said, a->email, g_str_equal, NULL))
		return;
	/* as get_maintainer.pl prints it */
	now.email = email = mailmap_email(m->mailmap, a->name, a->email);
	who = address_text(&now);
	g_ptr_array_add(said, g_strdup(a->email));
	g_string_append_printf(found->who, "%s'%s'", found->who->len ? ", " : "",
			       who);
}

static void missing_of(struct message *m, const struct section *s,
		       unsigned int n, enum sure sure, bool elsewhere,
		       GPtrArray *said)
{
	struct missing found = { g_string_new(NULL), false };

	for (guint i = 0; i < s->people->len; i++)
		take_missing(m, &found, s->people->pdata[i], n, elsewhere, said);
	found.people = found.who->len;
	for (guint i = 0; i < s->lists->len; i++) {
		struct address list = { s->lists->pdata[i], s->lists->pdata[i] };

		take_missing(m, &found, &list, n, elsewhere, said);
	}
	if (found.who->len)
		message_note(m, found.people ? "message/missing-maintainer" :
			     "message/missing-list", n, elsewhere ? HINT : sure,
			g_strdup_printf("not in To or Cc%s: %s", elsewhere ?
				" of this patch" : "", found.who->str),
			g_strdup_printf("add them: MAINTAINERS has them in %s",
					s->name));
	g_string_free(found.who, TRUE);
}

static bool nobody_reached(const struct message *m, const struct section *s,
			   unsigned int n)
{
	for (guint i = 0; i < s->people->len; i++)
		if (message_reaches(m, s->people->pdata[i], n))
			return false;
	return s->people->len > 0;
}

/* All over the tree: one note, that says how many were left out. */
static void treewide(struct message *m, const GPtrArray *sections,
		     unsigned int n)
{
	const struct section *first = NULL;
	unsigned int count = 0;

	for (guint i = 0; i < sections->len; i++) {
		const struct section *s = sections->pdata[i];

		if (!nobody_reached(m, s, n))
			continue;
		count++;
		first = first ?: s;
	}
	if (count)
		message_note(m, "message/missing-maintainer", n, HINT,
			g_strdup_printf("of the %u sections of MAINTAINERS that "
				"are touched %u have no maintainer in To or Cc",
				sections->len, count),
			g_strdup_printf("see scripts/get_maintainer.pl; the first "
					"is %s", first->name));
}

static void missing_in(struct message *m, unsigned int n)
{
	g_autoptr(GPtrArray) paths = paths_of(m, n);
	g_autoptr(GPtrArray) near = g_ptr_array_new();
	g_autoptr(GPtrArray) far = g_ptr_array_new();
	g_autoptr(GPtrArray) said = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < paths->len; i++) {
		g_autoptr(GPtrArray) wide = NULL;
		g_autoptr(GPtrArray) found =
			maintainers_of(m->maintainers, paths->pdata[i], &wide);

		add_all(near, found);
		add_all(far, wide);
	}
	if (near->len > SECTIONS_MAX) {
		treewide(m, near, n);
		return;
	}
	for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
		for (guint i = 0; i < near->len; i++)
			missing_of(m, near->pdata[i], n, LIKELY, elsewhere, said);
		for (guint i = 0; i < far->len && far->len <= SECTIONS_MAX; i++)
			missing_of(m, far->pdata[i], n, HINT, elsewhere, said);
	}
}

void message_recipients(struct message *m)
{
	if (m->addressed && !m->maintainers)
		m->out->gap = g_strdup("MAINTAINERS of the base cannot be read");
	if (m->maintainers)
		stale_addresses(m);
	if (!m->addressed && m->series->letters->len)
		g_ptr_array_add(m->out->unchecked, g_strdup(
			"recipients (the mails have no To: and Cc: yet)"));
	if (!m->addressed || !m->maintainers)
		return;
	for (unsigned int n = 1; n <= m->series->patches->len; n++)
		missing_in(m, n);
}
