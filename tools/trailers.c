// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "trailers.h"

static void trailer_free(gpointer data)
{
	struct trailer *t = data;

	g_free(t->key);
	g_free(t->value);
	g_free(t->next);
	address_free(t->who);
	g_free(t);
}

static bool is_key(const char *key)
{
	static const char *const keys[] = { "Cc", "Fixes", "Closes", "Link" };
	gsize len = strlen(key);

	for (gsize i = 0; i < G_N_ELEMENTS(keys); i++)
		if (!g_ascii_strcasecmp(key, keys[i]))
			return true;
	return len > 3 && !g_ascii_strcasecmp(key + len - 3, "-by");
}

/* What is behind a '#' is for people: "# 6.1: 0123456789ab: mm: foo". */
static struct address *who(const char *value)
{
	g_autofree char *text = g_strndup(value, strcspn(value, "#"));

	return address_parse(text);
}

static void add(GPtrArray *list, const char *line, const char *next, bool last)
{
	gsize len = strspn(line, "abcdefghijklmnopqrstuvwxyz"
			   "ABCDEFGHIJKLMNOPQRSTUVWXYZ-");
	g_autofree char *key = g_strndup(line, len);
	struct trailer *t;

	if (line[len] != ':' || !is_key(key))
		return;
	t = g_new0(struct trailer, 1);
	t->key = g_steal_pointer(&key);
	t->value = g_strstrip(g_strdup(line + len + 1));
	t->next = g_strdup(next ? next : "");
	t->who = who(t->value);
	t->last = last;
	g_ptr_array_add(list, t);
}

GPtrArray *trailers_of(const char *message)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(trailer_free);
	g_auto(GStrv) lines = g_strsplit(message, "\n", -1);
	guint count = g_strv_length(lines), last;

	while (count && !*g_strchomp(lines[count - 1]))
		count--;
	for (last = count; last > 1 && *lines[last - 1]; last--)
		;
	for (guint i = 1; i < count; i++)
		add(list, lines[i], lines[i + 1], i >= last);
	return list;
}

bool trailer_is(const struct trailer *t, const char *key)
{
	return !g_ascii_strcasecmp(t->key, key);
}

bool trailer_is_review(const struct trailer *t)
{
	return trailer_is(t, "Reviewed-by") || trailer_is(t, "Acked-by") ||
	       trailer_is(t, "Tested-by");
}
