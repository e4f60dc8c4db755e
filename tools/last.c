// SPDX-License-Identifier: GPL-2.0
#include "command.h"
#include "config.h"
#include "error.h"
#include "last.h"
#include "session.h"

json_t *last_report(GError **error)
{
	g_autoptr(config_t) config = config_open(NULL, command_overrides(), error);
	g_autofree char *cache = NULL, *path = NULL, *text = NULL;
	struct store *store;
	json_t *doc = NULL;

	cache = config ? config_cache_dir(config, error) : NULL;
	if (!cache)
		return NULL;
	path = session_store_path(cache);
	if (g_file_test(path, G_FILE_TEST_EXISTS)) {
		store = store_open(path, error);
		if (!store)
			return NULL;
		text = store_last_report(store);
		store_close(store);
	}
	if (text)
		doc = json_loads(text, 0, NULL);
	if (!doc)
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
			    "no report in '%s'; run respin check first", cache);
	return doc;
}

json_t *last_finding(const json_t *doc, const char *id, GError **error)
{
	g_autoptr(GString) ids = g_string_new("");
	json_t *f;
	size_t i;

	json_array_foreach(json_object_get(doc, "findings"), i, f) {
		const char *have = json_string_value(json_object_get(f, "id"));
		const char *slash = strchr(have, '/'), *dot = strchr(have, '.');
		g_autofree char *brief = g_strdup_printf("%.*s%s",
			(int)(slash - have), have, dot);

		if (!strcmp(have, id) || !strcmp(brief, id))
			return f;
		g_string_append_printf(ids, "%s%s", ids->len ? " " : "", have);
	}
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE, "the last report has "
		    "no finding '%s'; it has: %s", id, ids->len ? ids->str : "none");
	return NULL;
}

const char *last_str(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}
