// SPDX-License-Identifier: GPL-2.0
/* Which variants a run has: what the user said, configured, or the defaults. */
#include "error.h"
#include "session.h"

static const char *const default_arches[] = { "x86_64", "arm64", "powerpc",
					      "riscv", NULL };
static const char *const default_kconfigs[] = { "defconfig", "allmodconfig",
						NULL };
static const char *const default_tip[] = { "i386", "riscv32", "powerpc32", NULL };
static const char *const nothing[] = { NULL };

static int list_or(struct session *s, char **given, const char *key,
		   const char *const *fallback, char ***list, GError **error)
{
	*list = NULL;
	if (given) {
		*list = g_strdupv(given);
		return 0;
	}
	if (config_strings(s->config, key, list, error))
		return -1;
	if (!*list)
		*list = g_strdupv((char **)fallback);
	return 0;
}

/* @kconfig NULL: all that were asked for. */
static void lose(struct run *run, const char *arch, const char *kconfig,
		 const char *reason)
{
	struct lost_variant *l = g_new0(struct lost_variant, 1);

	l->name = g_strjoin("-", arch, kconfig, NULL);
	l->reason = g_strdup(reason);
	g_ptr_array_add(run->lost, l);
}

/* A verdict soon, then the wider one, then what only a look at the tip costs. */
static unsigned int stage_of(const char *kconfig, bool tip)
{
	static const char *const wide[] = { "allmodconfig", "allyesconfig", NULL };

	return tip ? 2 : g_strv_contains(wide, kconfig) ? 1 : 0;
}

static bool fits(const struct variant *v)
{
	const struct arch *a = v->arch;

	return kspec_fits(v->kspec, (const char *[]){ a->name, a->kernel_arch,
			  a->srcarch, NULL }, a->is_32bit);
}

/* A configuration of another architecture is none of this one; *@fitting: it was
 * one of this, whether or not it can be had. */
static int add_variant(struct session *s, const char *arch, const char *kconfig,
		       bool tip, bool *fitting, GError **error)
{
	g_autofree char *key = g_strdup_printf("respin-toolchain.%s.crossCompile",
					       arch);
	g_autofree char *cross = NULL;
	g_autoptr(GError) why = NULL;
	struct variant *v;

	if (config_string(s->config, key, &cross, error))
		return -1;
	v = variant_new(arch, kconfig, cross, &why);
	if (v && !fits(v)) {
		variant_free(v);
		return 0;
	}
	*fitting = true;
	if (v) {
		v->tip = tip;
		run_add_variant(s->run, stage_of(kconfig, tip), v);
		return 0;
	}
	if (g_error_matches(why, RESPIN_ERROR, RESPIN_ERROR_USAGE)) {
		g_propagate_error(error, g_steal_pointer(&why));
		return -1;
	}
	lose(s->run, arch, kconfig, why->message);
	return 0;
}

/* The 32-bit ones by default, unless the user chose architectures himself. */
static int make_tip_variants(struct session *s, const struct session_options *o,
			     GError **error)
{
	bool chosen = o->arches || o->kconfigs;
	g_auto(GStrv) names = NULL;

	if (list_or(s, o->tip, "respin.tip", chosen ? nothing : default_tip,
		    &names, error))
		return -1;
	for (char **a = names; *a; a++) {
		bool fitting;

		if (strcmp(*a, "none") &&
		    add_variant(s, *a, "defconfig", true, &fitting, error))
			return -1;
	}
	return 0;
}

/*
 * @named (set of char *): those that have a configuration.  One that nobody
 * named, of the default ones, may have none; one that was asked for may not.
 */
static int add_all(struct session *s, char **names, const char *kconfig,
		   GHashTable *named, GError **error)
{
	bool any = false;

	for (char **a = names; *a; a++) {
		bool fitting = false;

		if (add_variant(s, *a, kconfig, false, &fitting, error))
			return -1;
		if (fitting)
			g_hash_table_add(named, *a);
		any |= fitting;
	}
	if (any)
		return 0;
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE, "'%s' is a "
		    "configuration of another architecture; name that with "
		    "--arch", kconfig);
	return -1;
}

int session_variants(struct session *s, const struct session_options *o,
		     GError **error)
{
	g_autoptr(GHashTable) named = g_hash_table_new(g_str_hash, g_str_equal);
	g_auto(GStrv) names = NULL, kconfigs = NULL;

	if (list_or(s, o->arches, "respin.arches", default_arches, &names, error) ||
	    list_or(s, o->kconfigs, "respin.kconfigs", default_kconfigs, &kconfigs,
		    error))
		return -1;
	for (char **k = kconfigs; *k; k++)
		if (add_all(s, names, *k, named, error))
			return -1;
	for (char **a = names; *a; a++)
		if (o->arches && !g_hash_table_contains(named, *a))
			lose(s->run, *a, NULL, "every --kconfig is for "
			     "another architecture; add 'defconfig'");
	return make_tip_variants(s, o, error);
}
