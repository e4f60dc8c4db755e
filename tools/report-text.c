// SPDX-License-Identifier: GPL-2.0
/* What the text says of architectures that no variant compiles. */
#include "report.h"

static bool is_same_place(const struct diag *a, const struct diag *b)
{
	return a->line == b->line && !strcmp(a->file, b->file);
}

bool report_is_said(const struct finding *f, guint i)
{
	const struct diag *d = ((struct finding *)f->same_cause->pdata[i])->diag;

	if (finding_by_text(d))
		return true;
	if (strcmp(d->check, "header-order"))
		return false;
	for (guint k = 0; k < i; k++)
		if (is_same_place(((struct finding *)
				   f->same_cause->pdata[k])->diag, d))
			return true;
	return false;
}

static void add(GPtrArray *said, const struct diag *d, FILE *out)
{
	const char *note;

	if (!finding_by_text(d))
		return;
	note = d->notes->pdata[0];
	if (g_ptr_array_find_with_equal_func(said, note, g_str_equal, NULL))
		return;
	g_ptr_array_add(said, (gpointer)note);
	report_wrap(out, "      by text: ", 14, note);
}

void report_by_text(const struct finding *f, FILE *out)
{
	g_autoptr(GPtrArray) said = g_ptr_array_new();

	/* of the other check it is what the finding says itself */
	if (!strcmp(f->diag->check, "header-order"))
		add(said, f->diag, out);
	for (guint i = 0; i < f->same_cause->len; i++) {
		const struct finding *g = f->same_cause->pdata[i];

		add(said, g->diag, out);
	}
}
