#!/bin/sh
# Configurations that no variant has, on the real kernel: a symbol that the
# touched code hangs on is tried the other way round, lines that none compiles
# are said, and --cover finds the settings for them, or says why there are none.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

facts_of() {
	sed -E 's/:[0-9]+/:N/g; s/N-[0-9]+/N/g' | LC_ALL=C sort
}
# toggles: those that were tried, of the last report
toggles() {
	perl -MJSON::PP -0777 -ne 'print join " ", map { $_->{toggle} // () }
		@{ decode_json($_)->{variants} }' "$tmp/report.json"
}

include() { filter mm/mlock.c sed "s|^#include <linux/secretmem.h>|&\n#include <$1>|"; }
in_can_do_mlock() {
	filter mm/mlock.c sed "/^bool can_do_mlock/,/^}/s|^	return false;|	return $1;|"
}

# The helper is declared with COMPACTION only, which every defconfig has on.
begin
include linux/compaction.h
patch 'mm: include it'
in_can_do_mlock 'fragmentation_index(NULL, 0) > 0'
patch 'mm: use it'
append mm/mlock.c <<'END'

/* nothing */
END
patch 'mm: comment on it'
judge 'no stub' 1 --toggle 6 <<'END'
finding 2/3 error mm/mlock.c can_do_mlock -Wimplicit-function-declaration fails:x86_64-defconfig-COMPACTION=n
END
is "no stub: what was tried" "$(toggles)" "COMPACTION=n"
check "no stub: the report names it" \
	grep -q '^      fails:  x86_64 def COMPACTION=n$' "$out"
check "no stub: the grid names it" \
	grep -q '^    after 3/3: x86_64 def COMPACTION=n E$' "$out"

judge 'without toggles' 0 --toggle none </dev/null
is "without toggles: none" "$(toggles)" ""

begin
filter mm/mlock.c sed 's|^#include "internal.h"|&\n\n#ifndef CONFIG_COMPACTION\n#define fragmentation_index(zone, order) 0\n#endif|'
include linux/compaction.h
patch 'mm: a stub'
in_can_do_mlock 'fragmentation_index(NULL, 0) > 0'
patch 'mm: use it'
judge 'stub' 0 --toggle 6 </dev/null
is "stub: what was tried" "$(toggles)" "COMPACTION=n"

# As above, with THP: off in the defconfig of x86_64, on in that of arm64.
begin
append mm/mlock.c <<'END'

int respin_first(void);
int respin_first(void)
{
	return 0;
}
END
patch 'mm: add a function'
append mm/mlock.c <<'END'

pmd_t respin_get(struct vm_area_struct *vma, pmd_t *pmd);
pmd_t respin_get(struct vm_area_struct *vma, pmd_t *pmd)
{
	return pmdp_huge_get_and_clear_full(vma, 0, pmd, 0);
}
END
patch 'mm: add another'
judge 'pmdp' 1 --arch arm64 --toggle 1 <<'END'
finding 2/2 error mm/mlock.c respin_get -Wimplicit-function-declaration fails:arm64-defconfig-TRANSPARENT_HUGEPAGE=n passes:arm64
END
is "pmdp: what was tried" "$(toggles)" "TRANSPARENT_HUGEPAGE=n"

# The bound, and what cannot be off.
begin
in_can_do_mlock 'IS_ENABLED(CONFIG_MMU) \&\& IS_ENABLED(CONFIG_SWAP) \&\& IS_ENABLED(CONFIG_COMPACTION)'
patch 'mm: ask for three'
judge 'bound' 2 -v --toggle 1 <<'END'
not-verified 1 CONFIG_SWAP=n: not tried, by the bound of 1 (--toggle); it decides on mm/mlock.c:N
END
is "bound: what was tried" "$(toggles)" "COMPACTION=n"
check "bound: what has no prompt" grep -q '^not toggled: CONFIG_MMU: kconfig sets it again' "$out"

# Lines that no variant compiles.
begin
append mm/mlock.c <<'END'

#ifdef CONFIG_NEVER
int respin_never;
#endif

#ifdef CONFIG_KSM
int respin_ksm(void);
int respin_ksm(void)
{
	return ksm_pages;
}
#endif

#if defined(CONFIG_CXL_MEM) && !defined(CONFIG_64BIT)
int respin_32;
#endif

#ifdef CONFIG_PCI_HYPERV
extern int respin_hyperv;
#endif
END
patch 'mm: add what is off'
judge 'off' 2 --toggle none <<'END'
not-verified 1 mm/mlock.c: it uses CONFIG_NEVER, which no Kconfig defines
not-verified 1 mm/mlock.c:N: no variant compiles it: only where defined(CONFIG_CXL_MEM) && !defined(CONFIG_64BIT)
not-verified 1 mm/mlock.c:N: no variant compiles it: only where defined(CONFIG_KSM)
not-verified 1 mm/mlock.c:N: no variant compiles it: only where defined(CONFIG_NEVER)
not-verified 1 mm/mlock.c:N: no variant compiles it: only where defined(CONFIG_PCI_HYPERV)
END
judge 'cover' 1 --toggle none --cover <<'END'
finding 1/1 error mm/mlock.c respin_ksm - fails:x86_64-defconfig-KSM=y passes:x86_64,x86_64-defconfig-PCI_HYPERV=y+1
not-verified 1 mm/mlock.c: it uses CONFIG_NEVER, which no Kconfig defines
not-verified 1 mm/mlock.c:N: no variant compiles it: only where defined(CONFIG_CXL_MEM) && !defined(CONFIG_64BIT); kconfig always sets CONFIG_64BIT here
not-verified 1 mm/mlock.c:N: no variant compiles it: only where defined(CONFIG_NEVER); CONFIG_NEVER is defined nowhere
END
grep -A2 '^COVERED' "$out" | grep -o 'CONFIG_.*' >"$tmp/fragments"
check "cover: the fragment of KSM" grep -q '^CONFIG_KSM=y$' "$tmp/fragments"
# PCI_HYPERV depends on HYPERV, which nothing else turns on.
check "cover: the fragment of PCI_HYPERV" \
	grep -q 'CONFIG_HYPERV=y' "$out"

finish
