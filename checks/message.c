// SPDX-License-Identifier: GPL-2.0
#include "message-int.h"

static void note_free(gpointer data)
{
	struct note *n = data;

	g_array_unref(n->patches);
	g_free(n->text);
	g_free(n->todo);
	g_free(n);
}

void messages_free(struct messages *m)
{
	if (!m)
		return;
	g_ptr_array_unref(m->notes);
	g_ptr_array_unref(m->unchecked);
	g_free(m->gap);
	g_free(m);
}

static struct note *find(const struct message *m, const char *rule,
			 enum sure sure, const char *text)
{
	for (guint i = 0; i < m->out->notes->len; i++) {
		struct note *n = m->out->notes->pdata[i];

		if (!strcmp(n->rule, rule) && n->hint == (sure == HINT) &&
		    !strcmp(n->text, text))
			return n;
	}
	return NULL;
}

static int by_number(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return x < y ? -1 : x > y;
}

static void add_patch(struct note *note, unsigned int n)
{
	for (guint i = 0; i < note->patches->len; i++)
		if (g_array_index(note->patches, unsigned int, i) == n)
			return;
	g_array_append_val(note->patches, n);
	g_array_sort(note->patches, by_number);
}

void message_note(struct message *m, const char *rule, unsigned int n,
		  enum sure sure, char *text, char *todo)
{
	struct note *note = find(m, rule, sure, text);

	if (note) {
		g_free(text);
		g_free(todo);
	} else {
		note = g_new0(struct note, 1);
		note->rule = rule;
		note->patches = g_array_new(FALSE, FALSE, sizeof(unsigned int));
		note->hint = sure == HINT;
		note->text = text;
		note->todo = todo;
		g_ptr_array_add(m->out->notes, note);
	}
	add_patch(note, n);
}

const struct patch *message_patch(const struct message *m, unsigned int n)
{
	return m->series->patches->pdata[n - 1];
}

const GPtrArray *message_trailers_of(const struct message *m, unsigned int n)
{
	return m->trailers->pdata[n - 1];
}

const struct letter *message_letter(const struct message *m, unsigned int n)
{
	const GPtrArray *letters = m->series->letters;

	return n < letters->len ? letters->pdata[n] : NULL;
}

/* "Linus Torvalds": a single word may be anybody's. */
static bool is_full_name(const struct address *a)
{
	return strchr(a->name, ' ') && !strchr(a->name, '@');
}

bool message_same(const struct message *m, const struct address *a,
		  const struct address *b)
{
	g_autofree char *x = NULL, *y = NULL;

	if (!g_ascii_strcasecmp(a->email, b->email))
		return true;
	if (is_full_name(a) && !g_ascii_strcasecmp(a->name, b->name))
		return true;
	x = mailmap_email(m->mailmap, a->name, a->email);
	y = mailmap_email(m->mailmap, b->name, b->email);
	return !g_ascii_strcasecmp(x, y);
}

bool message_in(const struct message *m, const struct address *a,
		const GPtrArray *list)
{
	for (guint i = 0; i < list->len; i++)
		if (message_same(m, a, list->pdata[i]))
			return true;
	return false;
}

/* The author, and those whom git send-email adds by itself. */
static bool patch_reaches(const struct message *m, const struct address *a,
			  unsigned int n)
{
	const struct patch *p = message_patch(m, n);
	const GPtrArray *trailers = message_trailers_of(m, n);
	struct address author = { p->author_name, p->author_email };

	if (message_same(m, a, &author))
		return true;
	for (guint i = 0; i < trailers->len; i++) {
		const struct trailer *t = trailers->pdata[i];

		if (t->who && message_same(m, a, t->who))
			return true;
	}
	return false;
}

bool message_mailed(const struct message *m, const struct address *a,
		    unsigned int n)
{
	const struct letter *l = message_letter(m, n);

	return l && (message_in(m, a, l->to) || message_in(m, a, l->cc) ||
		     (l->from && message_same(m, a, l->from)));
}

bool message_reaches(const struct message *m, const struct address *a,
		     unsigned int n)
{
	return message_mailed(m, a, n) || (n && patch_reaches(m, a, n));
}

bool message_is_robot(const struct address *a)
{
	return !g_ascii_strcasecmp(a->email, "lkp@intel.com") ||
	       !g_ascii_strcasecmp(a->name, "kernel test robot") ||
	       !g_ascii_strncasecmp(a->email, "syzbot", 6);
}

static void read_series(struct message *m)
{
	const struct series *s = m->series;
	g_autofree char *cover = g_strconcat("\n\n", s->cover, NULL);

	m->for_all = trailers_of(cover);
	m->trailers = g_ptr_array_new_with_free_func(
				(GDestroyNotify)g_ptr_array_unref);
	for (guint i = 0; i < s->patches->len; i++) {
		const struct patch *p = s->patches->pdata[i];

		g_ptr_array_add(m->trailers, trailers_of(p->message));
	}
	for (guint i = 0; i < s->letters->len; i++) {
		const struct letter *l = s->letters->pdata[i];

		m->addressed |= l && (l->to->len || l->cc->len);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct note *x = *(struct note *const *)a;
	const struct note *y = *(struct note *const *)b;

	if (x->hint != y->hint)
		return x->hint - y->hint;
	return by_number(x->patches->data, y->patches->data);
}

struct messages *message_check(const struct series *s,
			       const struct message_base *b)
{
	struct message m = { .series = s, .base = b };

	m.out = g_new0(struct messages, 1);
	m.out->notes = g_ptr_array_new_with_free_func(note_free);
	m.out->unchecked = g_ptr_array_new_with_free_func(g_free);
	m.mailmap = mailmap_new(b->mailmap);
	m.maintainers = b->maintainers ? maintainers_parse(b->maintainers) : NULL;
	read_series(&m);
	message_recipients(&m);
	message_trailers(&m);
	message_fixes(&m);
	message_form(&m);
	message_earlier(&m);
	g_ptr_array_sort(m.out->notes, by_place);
	g_ptr_array_unref(m.trailers);
	g_ptr_array_unref(m.for_all);
	maintainers_free(m.maintainers);
	mailmap_free(m.mailmap);
	return m.out;
}
