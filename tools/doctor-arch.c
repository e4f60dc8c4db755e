// SPDX-License-Identifier: GPL-2.0
/*
 * Compilers and the sandbox: found in the way that a run finds them.
 */
#include <sys/utsname.h>
#include "doctor.h"
#include "error.h"
#include "kbuild.h"

/* The package of the compiler that variant_new() did not find. */
static char *compiler_package(const struct arch *arch)
{
	g_autoptr(GString) triplet = g_string_new(arch->triplet);
	struct utsname host;
	g_autofree char *prefix = NULL;

	uname(&host);
	/* "ppc64le" is what uname says for "powerpc64le-linux-gnu" */
	prefix = g_strdup_printf("%s-", g_str_equal(host.machine, "ppc64le") ?
				 "powerpc64le" : host.machine);
	if (g_str_has_prefix(arch->triplet, prefix))
		return g_strdup("gcc");
	g_string_replace(triplet, "_", "-", 0);
	return g_strdup_printf("gcc-%s", triplet->str);
}

static int check_compiler(GPtrArray *rows, const struct arch *arch,
			  struct config *c, GError **error)
{
	g_autofree char *key = g_strdup_printf("respin-toolchain.%s.crossCompile",
					       arch->name);
	g_autofree char *purpose = g_strdup_printf("compiles for %s", arch->name);
	g_autofree char *cross = NULL, *gcc = NULL, *path = NULL, *version = NULL;
	g_autofree char *name = g_strdup_printf("gcc %s", arch->name);
	g_autoptr(GError) reason = NULL;
	struct doctor_row *row;
	struct variant *v;

	if (config_string(c, key, &cross, error))
		return -1;
	v = variant_new(arch->name, "defconfig", cross, &reason);
	if (!v) {
		row = doctor_add(rows, cross ? DOCTOR_BROKEN : DOCTOR_MISSING,
				 name, "", "", purpose);
		row->package = cross ? NULL : compiler_package(arch);
		row->hint = g_strdup(reason->message);
		return 0;
	}
	gcc = g_strconcat(v->cross ?: "", "gcc", NULL);
	path = g_find_program_in_path(gcc);
	version = doctor_version(v->toolchain ?: "");
	doctor_add(rows, DOCTOR_OK, name, version, path ?: gcc, purpose);
	variant_free(v);
	return 0;
}

int doctor_check_compilers(GPtrArray *rows, char *const *archs,
			   struct config *c, GError **error)
{
	for (; *archs; archs++)
		if (check_compiler(rows, arch_find(*archs), c, error))
			return -1;
	return 0;
}

void doctor_check_sandbox(GPtrArray *rows)
{
	const struct sandbox sb = { .off = false };
	g_autoptr(GError) error = NULL;
	struct doctor_row *row;

	row = doctor_add(rows, DOCTOR_OK, "sandbox", "", "",
			 "bwrap was run with it");
	if (!sandbox_check(&sb, &error))
		return;
	row->state = DOCTOR_BROKEN;
	row->hint = g_strdup(error->message);
}
