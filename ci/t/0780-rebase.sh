#!/bin/sh
# Another base: what was made for the old one is moved, not made again, and is
# in the end what a start from nothing makes, file by file.
. "$(dirname "$0")/lib.sh"

. "$root/ci/t/series.sh"
. "$root/ci/t/rebase.sh"

# base A, and its state
A=$(g rev-parse HEAD)
begin
printf '/* respin */\n' | append lib/ctype.c
patch 'lib: comment'
series
judge_on 'base A' 0 "$A" </dev/null
keep "$tmp/a"

# base B: an object more, a default that flips, one that is new, another
# architecture, a table, sources
begin
printf 'int respin_new(void);\nint respin_new(void)\n{\n\treturn 0;\n}\n' |
	put mm/respin_new.c
printf 'obj-$(CONFIG_RESPIN_NEW) += respin_new.o\n' | append mm/Makefile
edit mm/Kconfig 's/^config ZSWAP$/config RESPIN_NEW\n\tbool\n\tdefault y\n\n$&/m'
edit init/Kconfig 's/^config IKCONFIG\n.*?^\thelp$/$& =~ s{\thelp}{\tdefault y\n\thelp}r/ems'
edit arch/x86/entry/syscalls/syscall_64.tbl 's/\z/# respin\n/'
for f in arch/arm64/kernel/Makefile fs/smb/client/Makefile; do
	printf '# respin\n' | append $f
done
for f in kernel/fork.c include/linux/mman.h; do
	printf '/* respin */\n' | append $f
done
patch 'B'
B=$on
give "$B"

# a series on it that needs all of that
edit mm/respin_new.c 's/^\{$/{\n\tint unused;/m'
patch 'mm: a new object'
printf '%s\n' '#ifdef CONFIG_IKCONFIG' 'static void respin_ikconfig(void)' \
	'{' '	int unused;' '}' '#endif' | append lib/ctype.c
patch 'lib: a new symbol'
series "$B"
cat >"$tmp/want" <<-'END'
	finding 1/2 warning mm/respin_new.c respin_new -Wunused-variable fails:x86_64
	finding 2/2 warning lib/ctype.c - -Wunused-function fails:x86_64
	finding 2/2 warning lib/ctype.c respin_ikconfig -Wunused-variable fails:x86_64
	END
fixdep=$state/build/scripts/basic/fixdep
made=$(stat -c %Y "$fixdep")
judge_on 'base B, moved' 1 "$B" <"$tmp/want"
moved=$seconds
is 'it is said how' "$(how)" \
	'moved from the base before; kbuild was asked for 3 directories'
is 'the programs of the host are kept' "$(stat -c %Y "$fixdep")" "$made"
check 'the new object is in the database' grep -q '^mm/respin_new.o	' "$state/compdb"
check 'the flipped symbol too' grep -q '^kernel/configs.o	' "$state/compdb"
keep "$tmp/b"

rm -rf "$state"
judge_on 'base B, cold' 1 "$B" <"$tmp/want"
is 'it is said why' "$(how)" 'made from nothing: nothing usable in the cache'
echo "# moved: $moved s, cold: $seconds s"
same 'moved and cold' "$tmp/b"

begin
printf '/* respin */\n' | append lib/ctype.c
patch 'lib: comment'
series
judge_on 'back to base A' 0 "$A" </dev/null
same 'base A again' "$tmp/a"

finish
