// SPDX-License-Identifier: GPL-2.0
#include "diag.h"

struct diag_place *diag_place_new(void)
{
	struct diag_place *p = g_new0(struct diag_place, 1);

	p->file = g_strdup("");
	p->text = g_strdup("");
	p->via = g_strdup("");
	return p;
}

void diag_place_free(struct diag_place *p)
{
	if (!p)
		return;
	g_free(p->file);
	g_free(p->text);
	g_free(p->via);
	g_free(p);
}

GPtrArray *diag_array_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)diag_free);
}

bool diag_hides(const struct diag *d)
{
	/* what is only likely did not stop a compiler */
	return d->kind == DIAG_ERROR && !d->confidence &&
	       strcmp(d->check, "symbols") &&
	       strcmp(d->rule, DIAG_LINK);
}

struct diag *diag_new(void)
{
	struct diag *d = g_new0(struct diag, 1);

	d->check = g_strdup("gcc");
	d->rule = g_strdup("");
	d->file = g_strdup("");
	d->function = g_strdup("");
	d->message = g_strdup("");
	d->text = g_strdup("");
	d->chain = g_strdup("");
	d->places = g_ptr_array_new_with_free_func(
		(GDestroyNotify)diag_place_free);
	d->notes = g_ptr_array_new_with_free_func(g_free);
	d->follow_ons = diag_array_new();
	return d;
}

struct diag *diag_say(enum diag_kind kind, const char *check, const char *rule,
		      const char *file, unsigned int line, char *message)
{
	struct diag *d = diag_new();

	g_free(d->check);
	g_free(d->rule);
	g_free(d->file);
	g_free(d->message);
	d->kind = kind;
	d->check = g_strdup(check);
	d->rule = g_strdup(rule);
	d->file = g_strdup(file);
	d->line = line;
	d->message = message;
	return d;
}

void diag_free(struct diag *d)
{
	if (!d)
		return;
	g_free(d->check);
	g_free(d->rule);
	g_free(d->file);
	g_free(d->function);
	g_free(d->message);
	g_free(d->text);
	g_free(d->chain);
	g_ptr_array_unref(d->places);
	g_ptr_array_unref(d->notes);
	g_ptr_array_unref(d->follow_ons);
	g_free(d);
}

struct diag_place *diag_place_copy(const struct diag_place *p)
{
	struct diag_place *copy = g_new0(struct diag_place, 1);

	*copy = *p;
	copy->file = g_strdup(p->file);
	copy->text = g_strdup(p->text);
	copy->via = g_strdup(p->via);
	return copy;
}

static gpointer place_copy(gconstpointer src, gpointer data)
{
	return diag_place_copy(src);
}

static gpointer note_copy(gconstpointer src, gpointer data)
{
	return g_strdup(src);
}

static gpointer follow_on_copy(gconstpointer src, gpointer data)
{
	return diag_copy(src);
}

struct diag *diag_copy(const struct diag *d)
{
	struct diag *copy;

	if (!d)
		return NULL;
	copy = g_new0(struct diag, 1);
	*copy = *d;
	copy->check = g_strdup(d->check);
	copy->rule = g_strdup(d->rule);
	copy->file = g_strdup(d->file);
	copy->function = g_strdup(d->function);
	copy->message = g_strdup(d->message);
	copy->text = g_strdup(d->text);
	copy->chain = g_strdup(d->chain);
	copy->places = g_ptr_array_copy(d->places, place_copy, NULL);
	copy->notes = g_ptr_array_copy(d->notes, note_copy, NULL);
	copy->follow_ons = g_ptr_array_copy(d->follow_ons, follow_on_copy, NULL);
	return copy;
}

/* 123, 123UL, 0x7fff: a number on its own; 3rd and 2d are not. */
static bool is_number(const char *s, gsize len)
{
	gsize i = 0;

	if (len > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
		for (i = 2; i < len && g_ascii_isxdigit(s[i]); i++)
			;
	else
		while (i < len && g_ascii_isdigit(s[i]))
			i++;
	if (i == 0)
		return false;
	while (i < len && strchr("uUlL", s[i]))
		i++;
	return i == len;
}

/*
 * Names the kernel makes with __COUNTER__ or __LINE__: their number changes
 * with every use before them.  Returns the length without it.
 */
static gsize without_counter(const char *s, gsize len)
{
	static const char *const made[] = {
		"__compiletime_assert_", "__UNIQUE_ID_", "__addressable_",
	};
	gsize end = len;

	for (guint i = 0; i < G_N_ELEMENTS(made); i++) {
		if (len <= strlen(made[i]) || strncmp(s, made[i], strlen(made[i])))
			continue;
		while (end && g_ascii_isdigit(s[end - 1]))
			end--;
		return end;
	}
	return len;
}

static gsize word_length(const char *s)
{
	gsize n = 0;

	while (g_ascii_isalnum(s[n]) || s[n] == '_')
		n++;
	return n;
}

char *diag_mask(const char *message)
{
	GString *out = g_string_new(NULL);
	const char *s = message;
	/* the suggestion depends on what else is declared */
	const char *guess = strstr(message, "; did you mean ");
	const char *end = guess ? guess : message + strlen(message);

	while (s < end) {
		gsize len = word_length(s), keep;

		/* a sign belongs to the number, a hyphen in "x86-64" does not */
		if (*s == '-' && g_ascii_isdigit(s[1]) &&
		    (s == message || !g_ascii_isalnum(s[-1]))) {
			s++;
			continue;
		}
		if (!len) {
			g_string_append_c(out, *s++);
			continue;
		}
		keep = is_number(s, len) ? 0 : without_counter(s, len);
		g_string_append_len(out, s, keep);
		if (keep < len)
			g_string_append_c(out, 'N');
		s += len;
	}
	return g_string_free(out, FALSE);
}

char *diag_subject(const struct diag *d)
{
	const char *s = d->message;

	while ((s = strchr(s, '\''))) {
		gsize len = word_length(++s);

		if (len && s[len] == '\'' && !g_ascii_isdigit(*s))
			return g_strndup(s, len);
		s = strchr(s, '\'');
		if (!s)
			break;
		s++;
	}
	return NULL;
}

const char *diag_where(const struct diag *d, unsigned int *line)
{
	const struct diag_place *use = NULL;

	for (guint i = 0; i < d->places->len; i++) {
		const struct diag_place *p = d->places->pdata[i];

		if (!p->inlined)
			use = p;
	}
	*line = use ? use->line : d->line;
	return use ? use->file : d->file;
}
