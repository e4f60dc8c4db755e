// SPDX-License-Identifier: GPL-2.0
/* The notes on mails and log messages, for people and as JSON. */
#include "messages.h"
#include "report.h"

#define PREFIX "message/"

static json_t *text(const char *s)
{
	g_autofree char *valid = g_utf8_make_valid(s, -1);

	return json_string(valid);
}

json_t *messages_json(const struct messages *m)
{
	json_t *list = json_array();

	for (guint i = 0; m && i < m->notes->len; i++) {
		const struct note *n = m->notes->pdata[i];
		json_t *patches = json_array();

		for (guint k = 0; k < n->patches->len; k++)
			json_array_append_new(patches, json_integer(
				g_array_index(n->patches, unsigned int, k)));
		json_array_append_new(list, json_pack(
			"{s:s, s:i, s:o, s:s, s:o, s:o}", "rule", n->rule, "n",
			g_array_index(n->patches, unsigned int, 0), "patches",
			patches, "confidence", n->hint ? "hint" : "likely",
			"text", text(n->text), "todo", text(n->todo)));
	}
	return list;
}

/* "0-7/7", "1,3-4/7" */
static char *places(const json_t *patches, unsigned int total)
{
	GString *s = g_string_new(NULL);
	size_t count = json_array_size(patches);

	for (size_t i = 0, k; i < count; i = k) {
		json_int_t from = json_integer_value(json_array_get(patches, i));

		for (k = i + 1; k < count && json_integer_value(json_array_get(
			patches, k)) == from + (json_int_t)(k - i); k++)
			;
		g_string_append_printf(s, "%s%d", i ? "," : "", (int)from);
		if (k - i > 1)
			g_string_append_printf(s, "-%d", (int)(from + k - i - 1));
	}
	g_string_append_printf(s, "/%u", total);
	return g_string_free(s, FALSE);
}

static const char *str(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

void messages_list(const json_t *notes, unsigned int total, FILE *out)
{
	json_t *n;
	size_t i;

	json_array_foreach(notes, i, n) {
		g_autofree char *where = places(json_object_get(n, "patches"),
						total);
		bool hint = !strcmp(str(n, "confidence"), "hint");
		g_autofree char *what = g_strdup_printf("%s%s: %s",
			str(n, "rule"), hint ? " (hint)" : "", str(n, "text"));
		g_autofree char *first = g_strdup_printf("%s ", where);

		report_wrap(out, first, 4, what);
		report_wrap(out, "      ", 8, str(n, "todo"));
	}
	if (!json_array_size(notes))
		fputs("no note on mails and trailers\n", out);
}

/* Adds "3 notes: 2 stale-address, no-signoff", or the same of hints. */
static void add_rules(GString *s, const struct messages *m, bool hint)
{
	g_autoptr(GString) list = g_string_new(NULL);
	unsigned int total = 0;

	for (guint i = 0; i < m->notes->len; i++)
		total += ((const struct note *)m->notes->pdata[i])->hint == hint;
	for (guint i = 0; i < m->notes->len; i++) {
		const struct note *n = m->notes->pdata[i];
		unsigned int count = 0, before = 0;

		for (guint k = 0; k < m->notes->len; k++) {
			const struct note *other = m->notes->pdata[k];

			if (other->hint != hint || strcmp(n->rule, other->rule))
				continue;
			count++;
			before += k < i;
		}
		if (n->hint != hint || before)
			continue;
		g_string_append(list, list->len ? ", " : "");
		if (count > 1 && count < total)
			g_string_append_printf(list, "%u ", count);
		g_string_append(list, n->rule + strlen(PREFIX));
	}
	if (total)
		g_string_append_printf(s, "%s%u %s%s: %s", s->len ? "; " : "",
				       total, hint ? "hint" : "note",
				       total > 1 ? "s" : "", list->str);
}

char *messages_unchecked(const struct messages *m)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < m->unchecked->len; i++)
		g_string_append_printf(s, "%s%s", i ? "; " : "",
				       (char *)m->unchecked->pdata[i]);
	return g_string_free(s, FALSE);
}

void messages_summary(const struct messages *m, unsigned int total, FILE *out,
		      bool verbose)
{
	g_autofree char *unchecked = NULL;
	g_autoptr(GString) s = g_string_new(NULL);

	if (!m)
		return;
	unchecked = messages_unchecked(m);
	add_rules(s, m, false);
	add_rules(s, m, true);
	if (s->len)
		g_string_append(s, " (respin show messages)");
	if (*unchecked)
		g_string_append_printf(s, "%snot checked: %s",
				       s->len ? "; " : "", unchecked);
	if (s->len)
		report_wrap(out, "MESSAGES  ", 10, s->str);
	if (verbose && m->notes->len) {
		json_t *notes = messages_json(m);

		messages_list(notes, total, out);
		json_decref(notes);
	}
}
