// SPDX-License-Identifier: GPL-2.0
/* What an object is linked into. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "symimage.h"

static const struct arch x86 = { .name = "x86_64", .srcarch = "x86" };
static const struct arch arm64 = { .name = "arm64", .srcarch = "arm64" };
static const struct arch powerpc = { .name = "powerpc", .srcarch = "powerpc" };

/* "kind name prefix" of an object that is made by @command. */
static char *image(const struct arch *arch, const char *object,
		   const char *command, const char *module)
{
	struct variant v = { .arch = arch, .db = compdb_new() };
	char *values[] = { (char *)"%S/x.c", (char *)"\"x\"", (char *)module,
			   NULL };
	struct tu tu = { .object = (char *)object, .values = values };
	struct image got;
	char *text;

	tu.template = compdb_template_id(v.db, command);
	got = image_of(&v, &tu);
	text = g_strdup_printf("%d %s %s", got.kind, got.name, got.prefix);
	compdb_free(v.db);
	return text;
}

#define BUILTIN "gcc -DKBUILD_BASENAME=%1 -DKBUILD_MODNAME=%2 -c -o %o %s"
#define MODULE "gcc -DMODULE -DKBUILD_BASENAME=%1 -DKBUILD_MODNAME=%2 -c -o %o %s"
#define MODULE2 "gcc -DMODULE -DKBUILD_BASENAME=%1 -D__KBUILD_MODNAME=%2 -c %s"

static void is(const struct arch *arch, const char *object, const char *expected)
{
	g_autofree char *got = image(arch, object, BUILTIN, "\"x\"");

	assert_string_equal(got, expected);
}

static void test_of(void **state)
{
	g_autofree char *module = image(&x86, "fs/x/file.o", MODULE, "\"efivarfs\"");
	g_autofree char *other = image(&x86, "fs/x/file.o", MODULE2, "kmod_a:b");

	assert_string_equal(module, "1 efivarfs ");
	assert_string_equal(other, "1 a:b ");
	is(&x86, "mm/mmap.o", "0 vmlinux ");
	is(&x86, "arch/x86/entry/vdso/vma.o", "0 vmlinux ");
	is(&x86, "arch/x86/entry/vdso/vgetcpu.o", "2 the vDSO ");
	is(&x86, "arch/x86/entry/vdso/vdso32/vgetcpu.o", "2 the 32-bit vDSO ");
	is(&x86, "arch/x86/boot/compressed/misc.o", "2 the decompressor ");
	is(&x86, "arch/x86/boot/main.o", "2 the boot code ");
	is(&x86, "drivers/firmware/efi/libstub/mem.o", "2 the decompressor ");
	is(&arm64, "drivers/firmware/efi/libstub/mem.stub.o",
	   "2 the EFI stub __efistub_");
	is(&arm64, "arch/arm64/kvm/hyp/nvhe/switch.nvhe.o",
	   "2 the nVHE hypervisor __kvm_nvhe_");
	is(&arm64, "arch/arm64/kvm/hyp/vhe/switch.o", "0 vmlinux ");
	is(&arm64, "arch/arm64/kernel/pi/map_range.pi.o",
	   "2 the early code (pi) __pi_");
	is(&powerpc, "arch/powerpc/kernel/vdso/note-32.o", "2 the 32-bit vDSO ");
	is(&powerpc, "arch/powerpc/kernel/vdso/note-64.o", "2 the vDSO ");
	is(&powerpc, "arch/powerpc/kernel/prom_init.o", "2 prom_init ");
	is(&powerpc, "arch/powerpc/kernel/prom.o", "0 vmlinux ");
	is(&x86, "scripts/mod/empty.o", "3  ");
}

static void test_shares(void **state)
{
	struct image vmlinux = { IMAGE_VMLINUX, "vmlinux", "" };
	struct image a = { IMAGE_MODULE, g_intern_string("a"), "" };
	struct image b = { IMAGE_MODULE, g_intern_string("b"), "" };
	struct image ab = { IMAGE_MODULE, g_intern_string("a:b"), "" };
	struct image vdso = { IMAGE_CONFINED, "the vDSO", "" };
	struct image stub = { IMAGE_CONFINED, "the EFI stub", "__efistub_" };
	struct image none = { IMAGE_NONE, "", "" };

	assert_true(image_shares(&vmlinux, &vmlinux));
	assert_true(image_shares(&a, &a));
	assert_true(image_shares(&a, &ab));
	assert_true(image_shares(&ab, &b));
	assert_true(image_shares(&vdso, &vdso));
	assert_false(image_shares(&a, &b));
	assert_false(image_shares(&a, &vmlinux));
	assert_false(image_shares(&vmlinux, &a));
	assert_false(image_shares(&vdso, &stub));
	assert_false(image_shares(&vdso, &vmlinux));
	assert_false(image_shares(&none, &none));
}

static void test_prefix(void **state)
{
	assert_string_equal(image_by_prefix("__kvm_nvhe_x")->name,
			    "the nVHE hypervisor");
	assert_string_equal(image_by_prefix("__pi_memcpy")->name,
			    "the early code (pi)");
	assert_null(image_by_prefix("memcpy"));
}

static void test_ignores(void **state)
{
	const struct variant here = { .arch = &x86 };
	const struct variant ppc = { .arch = &powerpc };

	assert_true(image_ignores(&here, "__this_module"));
	assert_true(image_ignores(&ppc, ".TOC."));
	assert_true(image_ignores(&ppc, "_restgpr0_14"));
	assert_false(image_ignores(&here, ".TOC."));
	assert_false(image_ignores(&here, "_restgpr0_14"));
	assert_false(image_ignores(&ppc, "__udivdi3"));
	assert_false(image_ignores(&here, "memcpy"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of),
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_ignores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
