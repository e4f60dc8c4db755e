// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "coccirules.h"

/* The header of @id in the joined text: "// Rule: ID" and what follows it. */
static const char *header_of(const char *id)
{
	g_autofree char *mark = g_strdup_printf("\n// Rule: %s\n", id);
	const char *at = strstr(cocci_rules_text, mark);

	return at ? at + strlen(mark) : NULL;
}

/* The values of "// KEY: ...", joined, among the lines that begin with "//". */
static char *value_of(const char *header, const char *key)
{
	g_autofree char *start = g_strdup_printf("// %s: ", key);
	GString *value = g_string_new("");

	while (header && g_str_has_prefix(header, "//")) {
		gsize len = strcspn(header, "\n");

		if (g_str_has_prefix(header, start)) {
			if (value->len)
				g_string_append_c(value, ' ');
			g_string_append_len(value, header + strlen(start),
					    len - strlen(start));
		}
		header += len + (header[len] != 0);
	}
	return g_string_free(value, !value->len);
}

enum confidence coccirules_confidence(const char *id)
{
	g_autofree char *word = value_of(header_of(id), "Confidence");

	return !g_strcmp0(word, "likely") ? CONFIDENCE_LIKELY : CONFIDENCE_HINT;
}

char *coccirules_explain(const char *id)
{
	return value_of(header_of(id), "Explain");
}
