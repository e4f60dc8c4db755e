#!/bin/sh
# Patches to what all of the kernel is built with: defconfigs, Kconfig that
# selects what cannot be, the Makefile of an architecture.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

wakeup=arch/x86/kernel/acpi/wakeup_64.S

begin
echo 'CONFIG_MEMTEST=y' | append arch/x86/configs/x86_64_defconfig
printf 'static int respin_unused;\n' | append mm/memtest.c
patch 'x86: defconfig: more'
printf 'config RESPIN_A\n\tbool\n\tdepends on !64BIT\nconfig RESPIN_B\n\tdef_bool y\n\tselect RESPIN_A\n' |
	append lib/Kconfig
patch 'lib: select what cannot be'
judge 'configuration' 1 <<-'END'
	finding 1/2 warning mm/memtest.c - -Wunused-variable fails:x86_64
	finding 2/2 warning lib/Kconfig - - fails:x86_64
	END

begin
printf '#ifdef RESPIN_NEW\n#warning respin\n#endif\n' | append $wakeup
patch 'x86: warn when told so'
echo 'KBUILD_AFLAGS += -DRESPIN_NEW' | append arch/x86/Makefile
patch 'x86: tell so'
line=$(g cat-file blob ":$wakeup" | grep -n '#warning respin' | cut -d: -f1)
judge 'flags of all' 1 <<-END
	finding 2/2 warning $wakeup - -Wcpp fails:x86_64
	not-verified 1 $wakeup:$line: no variant compiles it: only where defined(RESPIN_NEW)
	END

begin
echo 'CONFIG_MEMTEST=y' | append arch/x86/configs/i386_defconfig
echo 'ifdef CONFIG_RESPIN_NOWHERE
KBUILD_CFLAGS += -Wunused-macros
endif' | append arch/x86/Makefile
echo '# nothing' | append scripts/mkuboot.sh
patch 'x86: what is not built here'
judge 'nothing of it' 2 <<-'END'
	not-verified 1 arch/x86/Makefile: it uses CONFIG_RESPIN_NOWHERE, which no Kconfig defines
	not-verified 1 arch/x86/Makefile: what it changes is built by no variant of this run: it hangs on CONFIG_RESPIN_NOWHERE
	not-verified 1 arch/x86/configs/i386_defconfig: no variant of this run is configured with it
	not-verified 1 scripts/mkuboot.sh: make knows of nothing that is made of it on the variants of this run
	END

finish
