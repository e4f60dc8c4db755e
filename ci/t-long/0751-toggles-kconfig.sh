#!/bin/sh
# A symbol that the series itself brings, tried the other way round: no defconfig
# has it off.
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

with_option() {
	begin
	printf 'config RESPIN_NEW\n\tbool "respin"\n\tdefault y\n' | append lib/Kconfig
	patch 'lib: add an option'
}

with_option
append mm/mlock.c <<'END'

#ifdef CONFIG_RESPIN_NEW
static int respin_new(void)
{
	return 1;
}
#endif

int respin_use(void);
int respin_use(void)
{
	return respin_new();
}
END
patch 'mm: use it'
judge 'new symbol' 1 --toggle 1 <<'END'
finding 2/2 error mm/mlock.c respin_use -Wimplicit-function-declaration fails:x86_64-defconfig-RESPIN_NEW=n passes:x86_64
END
is "new symbol: what was tried" "$(toggles)" "RESPIN_NEW=n"

with_option
append mm/mlock.c <<'END'

#ifdef CONFIG_RESPIN_NEW
static int respin_new(void)
{
	return 1;
}
#else
#define respin_new() 0
#endif

int respin_use(void);
int respin_use(void)
{
	return respin_new();
}
END
patch 'mm: use it'
judge 'new symbol with a stub' 0 --toggle 1 </dev/null
is "new symbol with a stub: what was tried" "$(toggles)" "RESPIN_NEW=n"

# A stub in the header itself: all that hangs on the header is compiled too.
begin
filter include/linux/compaction.h sed '/^static inline void reset_isolation_suitable/i #define fragmentation_index(zone, order) 0'
patch 'mm: a stub'
filter mm/mlock.c sed -e 's|^#include <linux/secretmem.h>|&\n#include <linux/compaction.h>|' \
	-e '/^bool can_do_mlock/,/^}/s|^	return false;|	return fragmentation_index(NULL, 0) > 0;|'
patch 'mm: use it'
judge 'stub' 0 --toggle 1 </dev/null
is "stub: what was tried" "$(toggles)" "COMPACTION=n"

# What is only built with it is found and built, with what it depends on.
begin
printf 'config RESPIN_NEW\n\ttristate "respin"\n\tdepends on RESPIN_MORE\nconfig RESPIN_MORE\n\tbool "more"\n' |
	append lib/Kconfig
echo 'obj-$(CONFIG_RESPIN_NEW) += respin_new.o' | append lib/Makefile
printf 'int respin_new(void);\nint respin_new(void)\n{\n\tint unused;\n\treturn 0;\n}\n' |
	put lib/respin_new.c
patch 'lib: add a file'
judge 'new file' 1 --toggle none --cover <<'END'
finding 1/1 warning lib/respin_new.c respin_new -Wunused-variable fails:x86_64-defconfig-RESPIN_NEW=y+1
END
check "new file: the fragment" grep -q '^         CONFIG_RESPIN_MORE=y$' "$out"

finish
