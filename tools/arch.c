// SPDX-License-Identifier: GPL-2.0
/* The architectures and their compilers. */
#include <sys/utsname.h>
#include "error.h"
#include "kbuild.h"
#include "proc.h"

const struct arch arches[] = {
	{ "x86_64", "x86_64", "x86", "x86_64-linux-gnu", true },
	{ "arm64", "arm64", "arm64", "aarch64-linux-gnu" },
	/*
	 * `make defconfig` asks uname -m which one is meant; the compiler is
	 * the better witness.
	 */
	{ "powerpc", "powerpc", "powerpc", "powerpc64le-linux-gnu", false,
	  false, "ppc64le_defconfig" },
	{ "riscv", "riscv", "riscv", "riscv64-linux-gnu" },
	/* The 32-bit ones, by the same compilers. */
	{ "i386", "i386", "x86", "x86_64-linux-gnu", true, true,
	  "i386_defconfig" },
	{ "riscv32", "riscv", "riscv", "riscv64-linux-gnu", false,
	  true, "rv32_defconfig" },
	{ "powerpc32", "powerpc", "powerpc", "powerpc64le-linux-gnu", false,
	  true, "pmac32_defconfig" },
	{ NULL }
};

const struct arch *arch_find(const char *name)
{
	for (const struct arch *a = arches; a->name; a++)
		if (!strcmp(a->name, name))
			return a;
	return NULL;
}

static const struct arch *arch_get(const char *name, GError **error)
{
	const struct arch *a = arch_find(name);
	g_autoptr(GString) known = NULL;

	if (a)
		return a;
	known = g_string_new(NULL);
	for (a = arches; a->name; a++)
		g_string_append_printf(known, "%s%s", known->len ? ", " : "",
				       a->name);
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_USAGE,
		    "unknown architecture '%s'; known are %s", name, known->str);
	return NULL;
}

bool arch_is_host(const struct arch *a)
{
	g_autofree char *cpu = g_strndup(a->triplet,
					 strcspn(a->triplet, "-"));
	struct utsname un;

	if (uname(&un))
		return false;
	/* the one name that differs between uname -m and a triplet */
	if (!strcmp(un.machine, "ppc64le"))
		return !strcmp(cpu, "powerpc64le");
	return !strcmp(un.machine, cpu);
}

static char *find_gcc(const char *cross)
{
	g_autofree char *gcc = g_strconcat(cross, "gcc", NULL);

	return g_find_program_in_path(gcc);
}

/* Debian's names, kernel.org's crosstool, Fedora's */
static char *find_cross(const struct arch *a)
{
	g_autofree char *cpu = g_strndup(a->triplet, strcspn(a->triplet, "-"));
	char *names[] = {
		g_strconcat(a->triplet, "-", NULL),
		g_strconcat(cpu, "-linux-", NULL),
		g_strconcat(cpu, "-unknown-linux-gnu-", NULL),
		/* either endianness is one compiler there */
		g_strdup(strcmp(cpu, "powerpc64le") ? "" : "powerpc64-linux-"),
	};
	char *cross = NULL;

	if (arch_is_host(a))
		cross = g_strdup("");
	for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *gcc = NULL;

		if (!cross && *names[i]) {
			gcc = find_gcc(names[i]);
			if (gcc)
				cross = g_strdup(names[i]);
		}
		g_free(names[i]);
	}
	return cross;
}

/*
 * The sandbox has its own PATH and shows /usr only: a compiler elsewhere is
 * called by its full name, and the directory above its bin/ is shown.
 */
static void set_tooldir(struct variant *v, const char *gcc)
{
	g_autofree char *bin = g_path_get_dirname(gcc);
	g_autofree char *base = NULL;

	if (g_str_has_prefix(gcc, "/usr/") || g_str_has_prefix(gcc, "/bin/"))
		return;
	v->tooldir = g_path_get_dirname(bin);
	base = g_path_get_basename(gcc);
	base[strlen(base) - strlen("gcc")] = 0;
	g_free(v->cross);
	v->cross = g_build_filename(bin, base, NULL);
}

static char *first_line(const char *text)
{
	return g_strndup(text, strcspn(text, "\n"));
}

static int set_toolchain(struct variant *v, const char *gcc, GError **error)
{
	const char *argv[] = { gcc, "--version", NULL };
	struct proc_job *j = proc_job_new(g_strdupv((char **)argv));
	bool ok;

	j->seconds = 30;
	proc_run(j);
	ok = j->end == PROC_EXITED && !j->status && j->out->len;
	if (ok) {
		v->toolchain = first_line(j->out->str);
	} else {
		g_autofree char *why = proc_job_describe(j);

		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "'%s --version' does not work: %s", gcc, why);
	}
	proc_job_free(j);
	return ok ? 0 : -1;
}

static int find_compiler(struct variant *v, const char *cross, GError **error)
{
	g_autofree char *gcc = NULL, *package = NULL;

	v->cross = cross ? g_strdup(cross) : find_cross(v->arch);
	gcc = v->cross ? find_gcc(v->cross) : NULL;
	if (gcc) {
		set_tooldir(v, gcc);
		return set_toolchain(v, gcc, error);
	}
	if (cross) {
		g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
			    "no compiler '%sgcc' for %s; check the configured "
			    "cross prefix", cross, v->arch->name);
		return -1;
	}
	package = arch_is_host(v->arch) ? g_strdup("gcc") :
				     g_strconcat("gcc-", v->arch->triplet, NULL);
	g_strdelimit(package, "_", '-');
	g_set_error(error, RESPIN_ERROR, RESPIN_ERROR_TOOL,
		    "no compiler for %s ('%s-gcc'); apt install %s",
		    v->arch->name, v->arch->triplet, package);
	return -1;
}

struct variant *variant_new(const char *arch, const char *kconfig,
			    const char *cross, GError **error)
{
	const struct arch *a = arch_get(arch, error);
	struct kspec *k = a ? kspec_parse(kconfig, error) : NULL;
	struct variant *v;

	if (!k)
		return NULL;
	v = g_new0(struct variant, 1);
	v->arch = a;
	v->kspec = k;
	v->kconfig = g_strdup(k->name);
	v->name = g_strdup_printf("%s-%s", a->name, k->name);
	if (!find_compiler(v, cross, error))
		return v;
	variant_free(v);
	return NULL;
}

struct variant *variant_new_host(const char *odir, GError **error)
{
	static const struct arch host = { "host", "host", "", "" };
	struct variant *v = g_new0(struct variant, 1);

	v->arch = &host;
	v->host = true;
	v->name = g_strdup("host");
	v->kconfig = g_strdup("");
	v->cross = g_strdup("");
	v->config_hash = g_strdup("");
	v->odir = g_strdup(odir);
	v->db = compdb_new();
	/* what needs a compiler finds out; scripts do not */
	if (set_toolchain(v, "cc", NULL))
		v->toolchain = g_strdup("no compiler");
	return v;
}

void variant_free(struct variant *v)
{
	if (!v)
		return;
	kspec_free(v->kspec);
	g_free(v->note);
	g_free(v->how);
	g_free(v->toggle);
	g_free(v->parent);
	g_free(v->kconfig);
	g_free(v->cross);
	g_free(v->name);
	g_free(v->odir);
	g_free(v->config_hash);
	g_free(v->toolchain);
	g_free(v->tooldir);
	g_free(v->checkflags);
	compdb_free(v->db);
	g_free(v);
}
