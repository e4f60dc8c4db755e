// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "fpattern.h"
#include "maintainers.h"

/* How deep a pattern goes that is no path from the top. */
#define WIDE (-1)

struct pattern {
	char type;		/* 'F', 'X' or 'N' */
	char *value;		/* as written */
	GRegex *regex;		/* NULL: it stands for itself, or is wrong */
	gsize literal;		/* so many characters of it begin each match */
	bool whole;		/* all of them: it stands for itself */
	int slashes, depth;	/* depth: as get_maintainer.pl counts it */
	bool for_all;		/* THE REST */
};

static void pattern_free(gpointer data)
{
	struct pattern *p = data;

	g_free(p->value);
	g_clear_pointer(&p->regex, g_regex_unref);
	g_free(p);
}

static void section_free(gpointer data)
{
	struct section *s = data;

	g_free(s->name);
	g_ptr_array_unref(s->people);
	g_ptr_array_unref(s->lists);
	g_ptr_array_unref(s->patterns);
	g_free(s);
}

static struct section *section_new(struct maintainers *m, const char *name)
{
	struct section *s = g_new0(struct section, 1);

	s->name = g_strdup(name);
	s->people = address_array_new();
	s->lists = g_ptr_array_new_with_free_func(g_free);
	s->patterns = g_ptr_array_new_with_free_func(pattern_free);
	g_ptr_array_add(m->sections, s);
	return s;
}

static int slashes(const char *text)
{
	int n = 0;

	for (; (text = strchr(text, '/')); text++)
		n++;
	return n;
}

static bool ends_in_slash(const char *value)
{
	return *value && value[strlen(value) - 1] == '/';
}

static int depth_of(const struct pattern *p)
{
	if (p->type == 'N' || *p->value == '*')
		return WIDE;
	return slashes(p->value) + !ends_in_slash(p->value);
}

static bool is_for_all(const struct pattern *p)
{
	return !strcmp(p->value, "*") || !strcmp(p->value, "*/");
}

static void add_pattern(struct section *s, char type, const char *value)
{
	struct pattern *p = g_new0(struct pattern, 1);

	p->type = type;
	p->value = g_strdup(value);
	if (type == 'N')
		p->regex = g_regex_new(value, G_REGEX_RAW | G_REGEX_EXTENDED, 0,
				       NULL);
	else
		p->literal = fpattern_literal(value, &p->whole);
	if (type != 'N' && !p->whole)
		p->regex = fpattern_regex(value);
	p->slashes = slashes(value);
	p->depth = depth_of(p);
	p->for_all = is_for_all(p);
	g_ptr_array_add(s->patterns, p);
}

/* "linux-mm@kvack.org (moderated)"; one for subscribers takes no mail. */
static void add_list(struct section *s, const char *value)
{
	gsize len = strcspn(value, " \t");

	if (!strstr(value + len, "subscribers-only") && strchr(value, '@'))
		g_ptr_array_add(s->lists, g_strndup(value, len));
}

static void add_person(struct maintainers *m, struct section *s, char type,
		       const char *value)
{
	struct address *a = address_parse(value);

	if (!a)
		return;
	g_hash_table_add(m->emails, g_ascii_strdown(a->email, -1));
	if (type == 'M')
		g_ptr_array_add(s->people, a);
	else
		address_free(a);
}

static void add_line(struct maintainers *m, struct section *s, const char *line)
{
	const char *value = line + 2 + strspn(line + 2, " \t");

	switch (line[0]) {
	case 'M':
	case 'R':
		add_person(m, s, line[0], value);
		break;
	case 'L':
		add_list(s, value);
		break;
	case 'F':
	case 'X':
	case 'N':
		add_pattern(s, line[0], value);
		break;
	}
}

struct maintainers *maintainers_parse(const char *text)
{
	struct maintainers *m = g_new0(struct maintainers, 1);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct section *s = NULL;

	m->sections = g_ptr_array_new_with_free_func(section_free);
	m->emails = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (char **l = lines; *l; l++) {
		const char *start = *l + strspn(*l, " \t");

		g_strchomp(*l);
		if (g_ascii_isupper(**l) && (*l)[1] == ':' && s)
			add_line(m, s, *l);
		else if (*start && *start != '#')
			s = section_new(m, *l);
	}
	return m;
}

void maintainers_free(struct maintainers *m)
{
	if (!m)
		return;
	g_ptr_array_unref(m->sections);
	g_hash_table_unref(m->emails);
	g_free(m);
}

bool maintainers_has(const struct maintainers *m, const char *email)
{
	g_autofree char *low = g_ascii_strdown(email, -1);

	return g_hash_table_contains(m->emails, low);
}

/* @path is a file, so what is before a slash in it is a directory: the
 * script gives such a pattern its slash. */
static bool is_dir_of(const char *value, const char *path)
{
	gsize len = strlen(value);

	return len && !strncmp(path, value, len) && path[len] == '/';
}

static bool matches(const struct pattern *p, const char *path)
{
	bool begins;

	if (p->type == 'N')
		return p->regex && g_regex_match(p->regex, path, 0, NULL);
	if (strncmp(path, p->value, p->literal))
		return false;
	begins = p->whole || (p->regex &&
			      g_regex_match(p->regex, path, 0, NULL));
	return begins && (ends_in_slash(p->value) || is_dir_of(p->value, path) ||
			  p->slashes == slashes(path));
}

/* How deep the section goes for @path; WIDE - 1: it does not match. */
static int section_depth(const struct section *s, const char *path)
{
	int depth = WIDE - 1;

	for (guint i = 0; i < s->patterns->len; i++) {
		const struct pattern *p = s->patterns->pdata[i];

		if (p->type == 'X' && matches(p, path))
			return WIDE - 1;
		if (p->type == 'X' || p->for_all || p->depth <= depth ||
		    !matches(p, path))
			continue;
		depth = p->depth;
	}
	return depth;
}

GPtrArray *maintainers_of(const struct maintainers *m, const char *path,
			  GPtrArray **wide)
{
	GPtrArray *found = g_ptr_array_new();
	int best = 0;

	if (wide)
		*wide = g_ptr_array_new();
	for (guint i = 0; i < m->sections->len; i++) {
		struct section *s = m->sections->pdata[i];
		int depth = s->people->len || s->lists->len ?
			    section_depth(s, path) : WIDE - 1;

		if (depth == WIDE && wide)
			g_ptr_array_add(*wide, s);
		if (depth <= WIDE || depth < best)
			continue;
		if (depth > best)
			g_ptr_array_set_size(found, 0);
		best = depth;
		g_ptr_array_add(found, s);
	}
	return found;
}
