// SPDX-License-Identifier: GPL-2.0
/* The words of dtc: srcpos.c, checks.c and util.c of scripts/dtc. */
#include <stdlib.h>
#include <string.h>
#include "diag.h"
#include "dtree.h"

static char *place(const char *file, const char *srcdir)
{
	g_autofree char *root = realpath(srcdir, NULL);
	g_autofree char *real = realpath(file, NULL);
	const char *path = real ?: file;
	gsize n = root ? strlen(root) : 0;

	if (root && !strncmp(path, root, n) && path[n] == '/')
		return g_strdup(path + n + 1);
	n = strlen(srcdir);
	return g_strdup(!strncmp(file, srcdir, n) && file[n] == '/' ?
			file + n + 1 : file);
}

static char *fetch(const GMatchInfo *m, const char *name)
{
	return g_match_info_fetch_named(m, name);
}

/* "arch/arm64/boot/dts/x.dtb", which dtc names when it has no place, is x.dts;
 * "<stdout>" is nothing. */
static char *source_of(const char *file, const char *srcdir)
{
	char *path = place(file, srcdir);

	if (*path == '<') {
		*path = '\0';
	} else if (g_str_has_suffix(path, ".dtb")) {
		path[strlen(path) - 1] = 's';
	} else if (g_str_has_suffix(path, ".dtbo")) {
		path[strlen(path) - 2] = 's';
	}
	return path;
}

static struct diag *make(const GMatchInfo *m, const char *srcdir)
{
	g_autofree char *file = fetch(m, "file"), *line = fetch(m, "line");
	g_autofree char *column = fetch(m, "column");
	g_autofree char *kind = fetch(m, "kind"), *rule = fetch(m, "rule");
	g_autofree char *what = fetch(m, "what");
	g_autofree char *source = source_of(file ?: "", srcdir);
	bool warning = kind && !g_ascii_strncasecmp(kind, "warning", 7);
	struct diag *d = diag_say(warning ? DIAG_WARNING : DIAG_ERROR, "dtbs",
				  rule ?: "", source,
				  line ? strtoul(line, NULL, 10) : 0,
				  g_utf8_make_valid(what ?: "", -1));

	d->column = column ? strtoul(column, NULL, 10) : 0;
	return d;
}

#define POSITION "(?<file>[^ :][^:]*):(?<line>[0-9]+)\\.(?<column>[0-9]+)" \
	"(?:-[0-9.]+)?"

/* "a.dts:3.2-5.4: Warning (reg_format): /node: text", "a.dtb: ERROR (x): text" */
static const char check_form[] =
	"^(?J)(?:" POSITION "|(?<file>[^ :][^:]*)): "
	"(?<kind>Warning|ERROR) \\((?<rule>[^)]+)\\): (?<what>.*)$";
/* "Error: a.dts:3.2-4 syntax error", "Lexical error: a.dts:3.2 Unexpected" */
static const char parse_form[] =
	"^(?<kind>Error|Lexical error|Warning): " POSITION " (?<what>.*)$";
/* "Failed to apply 'x.dtbo': FDT_ERR_NOTFOUND" of fdtoverlay */
static const char overlay_form[] =
	"^Failed to apply '(?<file>[^']+)': (?<what>.*)$";
/* All the rest, without a place; what only ends a run is none of it. */
static const char other_form[] =
	"^(?<kind>FATAL ERROR|ERROR): (?<what>(?!Unable to parse input tree|"
	"Syntax error parsing input tree|Input tree has errors).*)$";

static struct diag *line_diag(const char *line, const char *srcdir)
{
	static const char *const forms[] = { check_form, parse_form,
					     overlay_form, other_form };
	static GRegex *compiled[G_N_ELEMENTS(forms)];

	for (gsize i = 0; i < G_N_ELEMENTS(forms); i++) {
		g_autoptr(GMatchInfo) m = NULL;

		if (!compiled[i])
			compiled[i] = g_regex_new(forms[i], G_REGEX_RAW, 0, NULL);
		if (g_regex_match(compiled[i], line, 0, &m))
			return make(m, srcdir);
	}
	return NULL;
}

static bool is_same(const struct diag *a, const struct diag *b)
{
	return a->line == b->line && a->column == b->column &&
	       a->kind == b->kind && !strcmp(a->file, b->file) &&
	       !strcmp(a->rule, b->rule) && !strcmp(a->message, b->message);
}

/* A .dtsi says the same in every tree that includes it. */
static struct diag *add_once(GPtrArray *list, struct diag *d)
{
	for (guint i = 0; i < list->len; i++) {
		struct diag *have = list->pdata[i];

		if (!is_same(have, d))
			continue;
		diag_free(d);
		return NULL;
	}
	g_ptr_array_add(list, d);
	return d;
}

/* "  also defined at FILE:12.3-14.5" */
static void add_note(struct diag *d, const char *line, const char *srcdir)
{
	static const char mark[] = "also defined at ";
	const char *at = strstr(line, mark), *colon;
	g_autofree char *file = NULL, *path = NULL;

	colon = at ? strchr(at, ':') : NULL;
	if (!colon)
		return;
	at += strlen(mark);
	file = g_strndup(at, colon - at);
	path = place(file, srcdir);
	g_ptr_array_add(d->notes, g_strdup_printf("%s:%lu: also defined here",
		path, strtoul(colon + 1, NULL, 10)));
}

/* cpp is gcc; what make repeats is nobody's. */
static void add_cpp(GPtrArray *list, const char *text, const char *srcdir)
{
	g_autoptr(GPtrArray) diags = diag_parse(text, srcdir, NULL);

	for (guint i = 0; i < diags->len; i++) {
		struct diag *d = diag_copy(diags->pdata[i]);

		g_free(d->check);
		d->check = g_strdup("dtbs");
		if (*d->file) {
			g_autofree char *full = g_build_filename(srcdir, d->file,
								 NULL);

			g_free(d->file);
			d->file = place(full, srcdir);
		}
		add_once(list, d);
	}
}

GPtrArray *dtree_diags(const char *text, const char *srcdir)
{
	GPtrArray *list = diag_array_new();
	g_autoptr(GString) rest = g_string_new(NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct diag *last = NULL;

	for (char **l = lines; *l; l++) {
		struct diag *d;

		if (g_str_has_prefix(*l, "  also defined at ")) {
			if (last)
				add_note(last, *l, srcdir);
			continue;
		}
		d = line_diag(*l, srcdir);
		last = d ? add_once(list, d) : NULL;
		if (!d && !g_str_has_prefix(*l, "make"))
			g_string_append_printf(rest, "%s\n", *l);
	}
	add_cpp(list, rest->str, srcdir);
	return list;
}
