#!/bin/sh
# Another base for each architecture: what a stable update changes, and a member
# more in the struct that has the canary of the stack protector: on all but x86_64
# that moves a flag of every command.
. "$(dirname "$0")/../t/lib.sh"

. "$root/ci/t/series.sh"
. "$root/ci/t/rebase.sh"

A=$(g rev-parse HEAD)
comment() {
	printf '/* respin */\n' | append lib/ctype.c
	patch 'lib: comment'
}

# some 300 files of all kinds
begin
edit Makefile 's/^SUBLEVEL = (\d+)/"SUBLEVEL = " . ($1 + 1)/me'
g ls-files -s | awk -F'\t' '$2 ~ /^(drivers|fs|net|kernel|mm|sound|lib|security)\/.*\.[ch]$/ ||
	$2 ~ /^arch\/(x86|arm64|powerpc|riscv)\/.*\.[ch]$/ ||
	$2 ~ /^include\/(linux|net)\/.*\.h$/ { if (++n % 160 == 7) print }' |
while IFS='	' read -r stat path; do
	{ g cat-file blob ":$path"; echo '/* respin */'; } >"$tmp/file"
	printf '%s %s\t%s\n' "${stat%% *}" \
		"$(g hash-object -w "$tmp/file")" "$path"
done >"$tmp/info"
g update-index --index-info <"$tmp/info"
for f in drivers/net/ethernet/intel/Kconfig arch/x86/Kconfig arch/arm64/Kconfig \
	drivers/hwmon/Makefile fs/smb/client/Makefile net/core/Makefile \
	arch/powerpc/boot/Makefile arch/riscv/kernel/vdso/Makefile \
	tools/testing/selftests/mm/Makefile include/asm-generic/Kbuild; do
	printf '# respin\n' | append $f
done
for f in tools/objtool/check.c scripts/mod/modpost.c; do
	printf '/* respin */\n' | append $f
done
patch 'stable'
check 'enough files' test "$(g diff --name-only "$A" "$on" | wc -l)" -gt 250
D=$on
give "$D"

edit include/linux/sched.h \
	's/^struct task_struct \{\n.*?randomized_struct_fields_start\n/$&\tunsigned long respin[8];\n/ms'
edit arch/powerpc/include/asm/paca.h \
	's/^(?=#ifdef CONFIG_STACKPROTECTOR\n\tunsigned long canary;)/\tunsigned long respin;\n/m'
patch 'sched, powerpc: a member'
E=$on
give "$E"

for v in x86_64 arm64 powerpc riscv; do
	use $v-defconfig
	begin
	comment
	series
	judge_on "$v: base A" 0 "$A" </dev/null

	g read-tree "$D"
	on=$D
	comment
	series "$D"
	judge_on "$v: stable" 0 "$D" </dev/null
	check "$v: stable: moved" expr "$(how)" : \
		'moved from the base before; kbuild was asked for [1-9]* director[iesy]*$'

	g read-tree "$E"
	on=$E
	comment
	series "$E"
	judge_on "$v: a member" 0 "$E" </dev/null
	is "$v: a member: moved" "$(how)" "moved from the base before$(
		[ $v = x86_64 ] || printf '%s' "; kbuild was asked for all: " \
			"commands changed in 'init', where no rule did")"
	keep "$tmp/$v"
	rm -rf "$state"
	judge_on "$v: cold" 0 "$E" </dev/null
	same "$v" "$tmp/$v"
	[ $v = x86_64 ] ||
		check "$v: the flag is there" \
			grep -q -e '-mstack-protector-guard-offset=[0-9]' \
			"$state/compdb"
done

# what is for all of the kernel is not moved
use x86_64-defconfig
begin
printf 'KBUILD_CFLAGS += -DRESPIN\n' | append arch/x86/Makefile
patch 'flags'
C=$on
give "$C"
comment
series "$C"
judge_on 'flags for all' 0 "$C" </dev/null
is 'flags for all: not moved' "$(how)" \
	"made from nothing: 'arch/x86/Makefile' is for all of the kernel"
check 'flags for all: there it is' grep -q -e '-DRESPIN ' "$state/compdb"

finish
