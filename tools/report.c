// SPDX-License-Identifier: GPL-2.0
#include "checkset.h"
#include "report.h"

char *report_label(const struct run *run, const struct finding *f)
{
	return g_strdup_printf("%u/%u.%u", f->n, run_steps(run), f->k);
}

const char *report_kconfig_short(const char *kconfig)
{
	static const struct { const char *name, *brief; } known[] = {
		{ "defconfig", "def" }, { "allmodconfig", "all" },
		{ "allnoconfig", "no" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
		if (!strcmp(known[i].name, kconfig))
			return known[i].brief;
	return kconfig;
}

static bool has_kconfigs(const struct run *run)
{
	const struct variant *first = NULL;

	for (guint i = 0; i < run->variants->len; i++) {
		const struct variant *v = g_ptr_array_index(run->variants, i);

		if (!first)
			first = v;
		else if (v->toggle || strcmp(v->kconfig, first->kconfig))
			return true;
	}
	return false;
}

char *report_config(const struct variant *v)
{
	return g_strjoin(" ", report_kconfig_short(v->kconfig), v->toggle, NULL);
}

char *report_variants(const struct run *run, const GPtrArray *variants)
{
	GString *s = g_string_new("");
	const struct arch *arch = NULL;
	bool kconfigs = has_kconfigs(run);

	for (guint i = 0; i < variants->len; i++) {
		const struct variant *v = g_ptr_array_index(variants, i);
		g_autofree char *config = report_config(v);

		if (arch == v->arch && !v->toggle) {
			g_string_append_printf(s, "+%s", config);
			continue;
		}
		g_string_append_printf(s, "%s%s", s->len ? ", " : "",
				       v->arch->name);
		if (kconfigs && *v->kconfig)
			g_string_append_printf(s, " %s", config);
		arch = v->toggle ? NULL : v->arch;
	}
	return g_string_free(s, FALSE);
}

char *report_sentence(const struct finding *f)
{
	const struct diag *d = f->diag;

	if (f->cause)
		return g_strdup(f->cause);
	return g_strdup_printf("%s%s%s%s", d->message, *d->rule ? " [" : "",
			       d->rule, *d->rule ? "]" : "");
}

char *report_seconds(double seconds)
{
	unsigned int s = seconds + 0.5;

	if (s < 60)
		return g_strdup_printf("%u s", s);
	return g_strdup_printf("%u min %u s", s / 60, s % 60);
}

unsigned int report_bad_patches(const struct run *run)
{
	unsigned int n = 0, bad = 0;

	for (guint i = 0; i < run->attrib->findings->len; i++) {
		const struct finding *f =
			g_ptr_array_index(run->attrib->findings, i);

		bad += f->n != n;
		n = f->n;
	}
	return bad;
}

/* A commit of the user's own is named by its id, a mailed one by its subject,
 * which the author's branch has too. */
char *report_fixup(const struct run *run, const struct finding *f)
{
	const struct patch *p = g_ptr_array_index(run->series->patches, f->n - 1);
	g_autofree char *subject = NULL;

	if (p->commit)
		return g_strdup_printf("git commit --fixup=%.12s", p->commit);
	subject = g_strconcat(":/", p->subject, NULL);
	for (char *c = subject; *c; c++)
		if (*c == '\'')
			*c = '.';	/* :/ takes a regular expression */
	return g_strdup_printf("git commit --fixup='%s'", subject);
}

char *report_out_of_scope(const struct run *run)
{
	GString *s = g_string_new("link, modpost, objtool, Rust, BTF, boot, "
				  "htmldocs");
	g_autofree char *left_out = checkset_left_out(run->checks);
	bool narrow = false;

	for (guint i = 0; i < run->variants->len; i++)
		narrow |= ((struct variant *)run->variants->pdata[i])->arch->is_32bit;
	if (!narrow)
		g_string_append(s, ", 32-bit");
	if (left_out)
		g_string_append_printf(s, "; checks left out: %s", left_out);
	for (guint i = 0; i < run->out_of_scope->len; i++)
		g_string_append_printf(s, "; %s", (char *)
			g_ptr_array_index(run->out_of_scope, i));
	return g_string_free(s, FALSE);
}
