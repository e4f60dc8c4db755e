// SPDX-License-Identifier: GPL-2.0
#include "address.h"
#include "mail.h"
#include "mail-text.h"
#include "mailinfo.h"

struct address *address_parse(const char *text)
{
	struct address *a = g_new0(struct address, 1);

	mailinfo_author(text, &a->name, &a->email);
	/* what is left of a group, "friends: jane@example.org;" */
	a->email[strcspn(a->email, ";,")] = '\0';
	if (strchr(a->name, '@') || g_str_has_suffix(a->name, ":")) {
		g_free(a->name);
		a->name = g_strdup(a->email);
	}
	if (strchr(a->email, '@'))
		return a;
	address_free(a);
	return NULL;
}

void address_free(struct address *a)
{
	if (!a)
		return;
	g_free(a->name);
	g_free(a->email);
	g_free(a);
}

GPtrArray *address_array_new(void)
{
	return g_ptr_array_new_with_free_func((GDestroyNotify)address_free);
}

static void add(GPtrArray *list, const char *text, gsize len)
{
	g_autofree char *raw = g_strndup(text, len);
	g_autofree char *decoded = mail_decode_header(raw);
	struct address *a = address_parse(g_strstrip(text_one_space(decoded)));

	if (a)
		g_ptr_array_add(list, a);
}

void address_list(GPtrArray *list, const char *header)
{
	const char *start = header, *c;
	bool quoted = false;
	int depth = 0;

	for (c = header; *c; c++) {
		if (*c == '\\' && c[1] && (quoted || depth))
			c++;
		else if (*c == '"' && !depth)
			quoted = !quoted;
		else if (*c == '(' && !quoted)
			depth++;
		else if (*c == ')' && !quoted && depth)
			depth--;
		if (*c != ',' || quoted || depth)
			continue;
		add(list, start, c - start);
		start = c + 1;
	}
	add(list, start, c - start);
}

char *address_text(const struct address *a)
{
	if (!strcmp(a->name, a->email))
		return g_strdup(a->email);
	return g_strdup_printf("%s <%s>", a->name, a->email);
}
