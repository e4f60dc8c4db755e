// SPDX-License-Identifier: GPL-2.0
#include <jansson.h>
#include "diag.h"
#include "error.h"

/* Strings are UTF-8 when diag_parse() made them; others may not be. */
static json_t *string(const char *s)
{
	g_autofree char *valid = NULL;
	json_t *json = json_string(s);

	if (json)
		return json;
	valid = g_utf8_make_valid(s, -1);
	return json_string(valid);
}

static json_t *places_to_json(const GPtrArray *places)
{
	json_t *array = json_array();

	for (guint i = 0; i < places->len; i++) {
		const struct diag_place *p = places->pdata[i];

		json_array_append_new(array, json_pack(
			"{s:o, s:I, s:I, s:o, s:o, s:b}",
			"file", string(p->file), "line", (json_int_t)p->line,
			"column", (json_int_t)p->column,
			"text", string(p->text), "via", string(p->via),
			"inlined", (int)p->inlined));
	}
	return array;
}

static json_t *array_to_json(const GPtrArray *diags);

static json_t *to_json(const struct diag *d)
{
	json_t *notes = json_array();

	for (guint i = 0; i < d->notes->len; i++)
		json_array_append_new(notes, string(d->notes->pdata[i]));
	return json_pack(
		"{s:s, s:b, s:b, s:i, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:o, s:I}",
		"kind", d->kind == DIAG_ERROR ? "error" : "warning",
		"fatal", (int)d->fatal, "tool", (int)d->tool,
		"confidence", (int)d->confidence,
		"check", string(d->check), "rule", string(d->rule),
		"file", string(d->file), "line", (json_int_t)d->line,
		"column", (json_int_t)d->column,
		"function", string(d->function),
		"message", string(d->message), "text", string(d->text),
		"chain", string(d->chain),
		"places", places_to_json(d->places), "notes", notes,
		"follow_ons", array_to_json(d->follow_ons),
		"repeats", (json_int_t)d->repeats);
}

static json_t *array_to_json(const GPtrArray *diags)
{
	json_t *array = json_array();

	for (guint i = 0; i < diags->len; i++)
		json_array_append_new(array, to_json(diags->pdata[i]));
	return array;
}

char *diag_to_json(const GPtrArray *diags)
{
	json_t *json = array_to_json(diags);
	char *dumped = json_dumps(json, JSON_COMPACT), *text = g_strdup(dumped);

	free(dumped);
	json_decref(json);
	return text;
}

static bool read_places(GPtrArray *places, json_t *json)
{
	json_t *item;
	size_t i;

	json_array_foreach(json, i, item) {
		const char *file, *text, *via;
		struct diag_place *p;
		json_int_t line, column;
		int inlined;

		if (json_unpack(item, "{s:s, s:I, s:I, s:s, s:s, s:b}",
				"file", &file, "line", &line, "column", &column,
				"text", &text, "via", &via, "inlined", &inlined))
			return false;
		p = g_new0(struct diag_place, 1);
		p->file = g_strdup(file);
		p->line = line;
		p->column = column;
		p->text = g_strdup(text);
		p->via = g_strdup(via);
		p->inlined = inlined;
		g_ptr_array_add(places, p);
	}
	return true;
}

static bool read_notes(GPtrArray *notes, json_t *json)
{
	json_t *item;
	size_t i;

	json_array_foreach(json, i, item) {
		if (!json_is_string(item))
			return false;
		g_ptr_array_add(notes, g_strdup(json_string_value(item)));
	}
	return true;
}

static void replace(char **field, const char *value)
{
	g_free(*field);
	*field = g_strdup(value);
}

static bool read_diags(GPtrArray *diags, json_t *json);

static bool read_diag(struct diag *d, json_t *json)
{
	const char *kind, *check, *rule, *file, *function, *message, *text;
	const char *chain;
	json_t *places, *notes, *follow_ons;
	json_int_t line, column, repeats;
	int fatal, tool, confidence = CONFIDENCE_CERTAIN;

	/* what was stored before there was another is certain */
	if (json_unpack(json,
			"{s:s, s:b, s:b, s?i, s:s, s:s, s:s, s:I, s:I, s:s, s:s, "
			"s:s, s:s, s:o, s:o, s:o, s:I}",
			"kind", &kind, "fatal", &fatal, "tool", &tool,
			"confidence", &confidence, "check", &check, "rule", &rule, "file", &file,
			"line", &line, "column", &column, "function", &function,
			"message", &message, "text", &text, "chain", &chain,
			"places", &places, "notes", &notes,
			"follow_ons", &follow_ons, "repeats", &repeats))
		return false;
	d->kind = strcmp(kind, "warning") ? DIAG_ERROR : DIAG_WARNING;
	d->fatal = fatal;
	d->tool = tool;
	d->confidence = confidence;
	d->line = line;
	d->column = column;
	d->repeats = repeats;
	replace(&d->check, check);
	replace(&d->rule, rule);
	replace(&d->file, file);
	replace(&d->function, function);
	replace(&d->message, message);
	replace(&d->text, text);
	replace(&d->chain, chain);
	return read_places(d->places, places) && read_notes(d->notes, notes) &&
	       read_diags(d->follow_ons, follow_ons);
}

static bool read_diags(GPtrArray *diags, json_t *json)
{
	json_t *item;
	size_t i;

	if (!json_is_array(json))
		return false;
	json_array_foreach(json, i, item) {
		struct diag *d = diag_new();

		g_ptr_array_add(diags, d);
		if (!read_diag(d, item))
			return false;
	}
	return true;
}

GPtrArray *diag_from_json(const char *json, GError **error)
{
	g_autoptr(GPtrArray) diags = diag_array_new();
	json_error_t where;
	json_t *root = json_loads(json, 0, &where);
	bool read;

	if (!root) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "stored diagnostics are not JSON: line %d: %s",
			    where.line, where.text);
		return NULL;
	}
	read = read_diags(diags, root);
	json_decref(root);
	if (!read) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_IO,
			    "stored diagnostics lack a field");
		return NULL;
	}
	return g_steal_pointer(&diags);
}
