// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#include "symimage.h"

/* Objects by their path in O=, the first that matches. */
static const struct { const char *pattern; struct image image; } images[] = {
#define VMLINUX { IMAGE_VMLINUX, "vmlinux", "" }
#define CONFINED(name, prefix) { IMAGE_CONFINED, name, prefix }
	{ "scripts/*", { IMAGE_NONE, "", "" } },
	{ "tools/*", { IMAGE_NONE, "", "" } },
	{ "arch/x86/entry/vdso/vma.o", VMLINUX },
	{ "arch/x86/entry/vdso/extable.o", VMLINUX },
	{ "arch/x86/entry/vdso/vdso32-setup.o", VMLINUX },
	{ "arch/x86/entry/vdso/vdso-image-*.o", VMLINUX },
	{ "arch/x86/entry/vdso/vdso32/*", CONFINED("the 32-bit vDSO", "") },
	{ "arch/x86/entry/vdso/*x32.o", CONFINED("the x32 vDSO", "") },
	{ "arch/x86/entry/vdso/*", CONFINED("the vDSO", "") },
	{ "arch/*/kernel/vdso/vdso.o", VMLINUX },
	{ "arch/*/kernel/compat_vdso/compat_vdso.o", VMLINUX },
	{ "arch/*/kernel/compat_vdso/*", CONFINED("the compat vDSO", "") },
	{ "arch/*/kernel/vdso/*32.o", CONFINED("the 32-bit vDSO", "") },
	{ "arch/*/kernel/vdso32/*", CONFINED("the 32-bit vDSO", "") },
	{ "arch/*/kernel/vdso/*", CONFINED("the vDSO", "") },
	{ "arch/x86/realmode/rm/*", CONFINED("the real mode code", "") },
	/* the EFI stub of x86 is a library of the decompressor */
	{ "arch/x86/boot/compressed/*", CONFINED("the decompressor", "") },
	{ "arch/*/boot/*", CONFINED("the boot code", "") },
	{ "drivers/firmware/efi/libstub/*",
	  CONFINED("the EFI stub", "__efistub_") },
	{ "arch/*/purgatory/kexec-purgatory.o", VMLINUX },
	{ "arch/*/purgatory/*", CONFINED("the purgatory", "") },
	{ "arch/*/kernel/pi/*", CONFINED("the early code (pi)", "__pi_") },
	{ "*.nvhe.o", CONFINED("the nVHE hypervisor", "__kvm_nvhe_") },
	{ "arch/powerpc/kernel/prom_init.o", CONFINED("prom_init", "") },
};

/* The value of "-DKBUILD_MODNAME=%3" in a command. */
static char *module_name(const char *template, char *const *values)
{
	static const char *const words[] = { " -D__KBUILD_MODNAME=%",
					     " -DKBUILD_MODNAME=%" };
	guint count = g_strv_length((char **)values);

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		const char *at = strstr(template, words[i]);
		guint n = at ? at[strlen(words[i])] - '0' : 0;
		char *name;

		if (!n || n >= count)
			continue;
		name = g_strdup(g_str_has_prefix(values[n], "kmod_") ?
				values[n] + strlen("kmod_") : values[n]);
		g_strdelimit(name, "\"", ' ');
		return g_strstrip(name);
	}
	return g_strdup("");
}

struct image image_of(const struct variant *v, const struct tu *tu)
{
	const char *template = v->db->templates->pdata[tu->template];
	g_autofree char *name = NULL;

	if (strstr(template, " -DMODULE ")) {
		name = module_name(template, tu->values);
		return (struct image){ IMAGE_MODULE, g_intern_string(name), "" };
	}
	for (gsize i = 0; i < G_N_ELEMENTS(images); i++) {
		if (!g_pattern_match_simple(images[i].pattern, tu->object))
			continue;
		if (*images[i].image.prefix && !strcmp(v->arch->srcarch, "x86"))
			return (struct image)CONFINED("the decompressor", "");
		return images[i].image;
	}
	return (struct image)VMLINUX;
}

static bool shares_module(const char *a, const char *b)
{
	g_auto(GStrv) words = NULL;

	if (a == b)
		return true;
	if (!strchr(a, ':') && !strchr(b, ':'))
		return false;
	words = g_strsplit(a, ":", -1);
	for (char **w = words; *w; w++) {
		g_auto(GStrv) others = g_strsplit(b, ":", -1);

		if (g_strv_contains((const char *const *)others, *w))
			return true;
	}
	return false;
}

bool image_shares(const struct image *a, const struct image *b)
{
	if (a->kind != b->kind || a->kind == IMAGE_NONE)
		return false;
	if (a->kind == IMAGE_MODULE)
		return shares_module(a->name, b->name);
	return a->kind == IMAGE_VMLINUX || !strcmp(a->name, b->name);
}

const struct image *image_by_prefix(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(images); i++) {
		const struct image *image = &images[i].image;

		if (*image->prefix && g_str_has_prefix(name, image->prefix))
			return image;
	}
	return NULL;
}

/* ignore_undef_symbol() of scripts/mod/modpost.c */
bool image_ignores(const struct variant *v, const char *name)
{
	static const char *const helpers[] = { "_restgpr", "_savegpr",
		"_rest32gpr_", "_save32gpr_", "_restfpr_", "_savefpr_",
		"_restvr_", "_savevr_" };

	if (!strcmp(name, "__this_module") ||
	    !strcmp(name, "_GLOBAL_OFFSET_TABLE_"))
		return true;
	if (strcmp(v->arch->srcarch, "powerpc"))
		return false;
	for (gsize i = 0; i < G_N_ELEMENTS(helpers); i++)
		if (g_str_has_prefix(name, helpers[i]))
			return true;
	return !strcmp(name, ".TOC.");
}
