// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include "diag.h"
#include "error.h"
#include "sparse-text.h"

struct line {
	char *file;
	unsigned int line, column;
	const char *rest;	/* behind "FILE:LINE:COL:" */
};

/* Where a message begins like this, the option that is about it. */
static const struct {
	const char *start, *rule;
} rules[] = {
	{ "context imbalance", "-Wcontext" },
	{ "context problem", "-Wcontext" },
	{ "restricted ", "-Wbitwise" },
	{ "cast to restricted", "-Wbitwise" },
	{ "cast from restricted", "-Wbitwise" },
	{ "bad assignment", "-Wbitwise" },
	{ "invalid assignment", "-Wbitwise" },
	{ "incompatible types for operation", "-Wtypes" },
	{ "incompatible types in comparison", "-Wtypes" },
	{ "incompatible types in conditional", "-Wtypes" },
	{ "incorrect type in", "-Wtypes" },
	{ "symbol ", "-Wdecl" },
	{ "Using plain integer as NULL", "-Wnon-pointer-null" },
	{ "dereference of noderef", "-Waddress-space" },
	{ "cast removes address space", "-Waddress-space" },
	{ "cast adds address space", "-Waddress-space" },
	{ "memset with", "-Wmemcpy-max-count" },
	{ "memcpy with", "-Wmemcpy-max-count" },
	{ "shift ", "-Wshift-count-big" },
};

/*
 * Errors behind which the rest of a function or file is not what its author
 * wrote: gcc has most of them too.  Other "errors" are of one expression.
 */
static const char *const unreadable[] = {
	"undefined identifier", "unable to open", "unknown ", "no member ",
	"Expected ", "got ", "typename in expression", "invalid member",
	"'struct ", "'union ", "bad constant", "unexpected ",
	"missing identifier", "using member", "trying to use reserved word",
	"unmatched ", "unterminated ", "too long", "Trying to use",
};

static bool starts(const char *s, const char *start)
{
	return g_str_has_prefix(s, start);
}

/* "FILE:LINE:COL: rest" */
static bool read_place(const char *s, struct line *l)
{
	const char *colon = s;

	while ((colon = strchr(colon, ':'))) {
		char *end;
		unsigned long line = strtoul(colon + 1, &end, 10), column;

		if (end > colon + 1 && *end == ':') {
			char *last;

			column = strtoul(end + 1, &last, 10);
			if (last > end + 1 && *last == ':') {
				l->file = g_strndup(s, colon - s);
				l->line = line;
				l->column = column;
				l->rest = last + 1;
				return true;
			}
		}
		colon++;
	}
	return false;
}

static const char *rule_of(const char *message)
{
	/* what a __bitwise type is not mixed with */
	if (strstr(message, "different base types") ||
	    strstr(message, "degrades to integer"))
		return "-Wbitwise";
	if (strstr(message, "different address spaces"))
		return "-Waddress-space";
	for (gsize i = 0; i < G_N_ELEMENTS(rules); i++)
		if (starts(message, rules[i].start))
			return rules[i].rule;
	return "";
}

static bool is_unreadable(const char *message)
{
	for (gsize i = 0; i < G_N_ELEMENTS(unreadable); i++)
		if (starts(message, unreadable[i]))
			return true;
	return false;
}

/* "context imbalance in 'f' - ...": sparse names no other function. */
static char *function_in(const char *message)
{
	static const char start[] = "context imbalance in '";
	const char *name = message + strlen(start);

	return starts(message, start) ? g_strndup(name, strcspn(name, "'")) :
					g_strdup("");
}

/* Its newer half is "    expected T" or "    got U", of the same place. */
static void add_more(struct diag *d, const struct line *l, const char *text)
{
	char *message;

	if (d->line == l->line && d->column == l->column &&
	    (starts(text, "expected ") || starts(text, "got "))) {
		message = g_strdup_printf("%s%s %s", d->message,
			starts(text, "got ") ? "," : ":", text);
		g_free(d->message);
		d->message = g_strchomp(message);
	} else {
		g_ptr_array_add(d->notes, g_strdup_printf("%s:%u: %s", l->file,
							  l->line, text));
	}
}

/* "(originally declared at /cur/mm/x.c:12)": the place of the checkout says
 * nothing about the code. */
static char *without_dir(const char *text, const char *srcdir)
{
	g_autofree char *dir = g_strconcat(srcdir, "/", NULL);
	g_auto(GStrv) parts = g_strsplit(text, dir, -1);

	return g_strjoinv("", parts);
}

static struct diag *begin(const struct line *l, const char *text,
			  const char *srcdir, bool error)
{
	bool hides = error && is_unreadable(text);
	struct diag *d = diag_say(hides ? DIAG_ERROR : DIAG_WARNING, "sparse",
				  rule_of(text), l->file, l->line,
				  without_dir(text, srcdir));

	d->column = l->column;
	g_free(d->function);
	d->function = function_in(text);
	return d;
}

static int cannot(GError **error, const char *line)
{
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
		    "sparse says what respin does not understand: %.200s", line);
	return -1;
}

/* Takes one line up; *@last is the diagnostic that it may belong to. */
static int take(GPtrArray *diags, struct line *l, struct diag **last,
		const char *whole, const char *srcdir, GError **error)
{
	const char *text = l->rest + strspn(l->rest, " ");
	bool is_error = starts(text, "error: ");

	if (starts(text, "warning: ") || is_error) {
		text += strlen(is_error ? "error: " : "warning: ");
		if (strstr(text, "too many ") == text) {
			g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
				    "sparse gave up: %s", text);
			return -1;
		}
		*last = begin(l, text, srcdir, is_error);
		g_ptr_array_add(diags, *last);
		return 0;
	}
	if (!*last)
		return cannot(error, whole);
	add_more(*last, l, text);
	return 0;
}

/* Lines that only say how sparse got where it is. */
static bool is_trail(const char *line)
{
	return !*line || strstr(line, ": note: in included file");
}

/* What our own text asks for need not be there. */
static void drop_probe(GPtrArray *diags, const char *probe)
{
	for (guint i = diags->len; probe && i > 0; i--) {
		const struct diag *d = diags->pdata[i - 1];

		if (*d->file == '/' && g_str_has_suffix(d->file, probe))
			g_ptr_array_remove_index(diags, i - 1);
	}
}

GPtrArray *sparse_parse(const char *text, const char *srcdir, const char *odir,
			const char *probe, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GPtrArray) diags = diag_array_new();
	struct diag *last = NULL;

	for (char **s = lines; *s; s++) {
		struct line l = { 0 };
		char *file;
		int ret;

		if (is_trail(*s))
			continue;
		if (!read_place(*s, &l)) {
			cannot(error, *s);
			return NULL;
		}
		file = diag_path(l.file, srcdir, odir);
		g_free(l.file);
		l.file = file;
		ret = take(diags, &l, &last, *s, srcdir, error);
		g_free(file);
		if (ret)
			return NULL;
	}
	drop_probe(diags, probe);
	return g_steal_pointer(&diags);
}
