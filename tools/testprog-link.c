// SPDX-License-Identifier: GPL-2.0
/* What ld says: "FILE:LINE: undefined reference to `x'" and the like. */
#include <stdlib.h>
#include <string.h>
#include "diag.h"
#include "testprog.h"

static bool is_said(const GPtrArray *diags, const struct diag *d)
{
	for (guint i = 0; i < diags->len; i++) {
		const struct diag *e = diags->pdata[i];

		if (e->line == d->line && !strcmp(e->file, d->file) &&
		    !strcmp(e->function, d->function) &&
		    !strcmp(e->message, d->message))
			return true;
	}
	return false;
}

/* `x' as the compilers write it */
static char *plain_quotes(const char *text)
{
	char *s = g_strdup(text);

	for (char *c = s; *c; c++)
		if (*c == '`')
			*c = '\'';
	return s;
}

static void add(struct linker *l, const char *where, const char *what)
{
	const char *colon = strrchr(where, ':');
	/* where else it stands is another way on each machine */
	g_autofree char *message = g_strndup(what, strcspn(what, ";"));
	g_autofree char *name = NULL, *file = NULL;
	struct diag *d;

	/* "vma.c:332", or without debug information "vma.c:(.text+0x12)" */
	name = colon ? g_strndup(where, colon - where) : g_strdup(where);
	file = testprog_path(l->srcdir, l->dir, name);
	d = diag_say(DIAG_ERROR, "tools", DIAG_LINK, file,
		     colon ? strtoul(colon + 1, NULL, 10) : 0,
		     plain_quotes(message));
	if (l->function) {
		g_free(d->function);
		d->function = g_strdup(l->function);
	}
	if (is_said(l->diags, d))
		diag_free(d);
	else
		g_ptr_array_add(l->diags, d);
}

static char *between(const char *text, const char *before, const char *after)
{
	const char *from = strstr(text, before), *to;

	if (!from)
		return NULL;
	from += strlen(before);
	to = strstr(from, after);
	return to ? g_strndup(from, to - from) : NULL;
}

bool testprog_link_line(struct linker *l, const char *line)
{
	static const char ld[] = "/usr/bin/ld: ";
	static const char *const says[] = {
		": undefined reference to ", ": multiple definition of ",
	};
	bool ours = g_str_has_prefix(line, ld);
	const char *p = ours ? line + strlen(ld) : line;
	g_autofree char *function = between(p, ": in function `", "':");

	if (g_str_has_prefix(line, "collect2: error: ld returned"))
		return true;
	if (function) {
		g_free(l->function);
		l->function = g_steal_pointer(&function);
		return true;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(says); i++) {
		const char *what = strstr(p, says[i]);
		g_autofree char *where = NULL;

		if (!what || (!i && strstr(p, ": more undefined references")))
			continue;
		where = g_strndup(p, what - p);
		/* "vma.o:/long/way/vma.c:332" */
		if (strstr(where, ".o:"))
			add(l, strstr(where, ".o:") + 3, what + 2);
		else
			add(l, where, what + 2);
		return true;
	}
	return strstr(p, ": more undefined references to ") != NULL;
}

void linker_clear(struct linker *l)
{
	g_clear_pointer(&l->function, g_free);
	g_clear_pointer(&l->diags, g_ptr_array_unref);
}
