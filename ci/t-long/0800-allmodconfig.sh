#!/bin/sh
# allmodconfig on the real kernel: the stage after the defconfigs, and a variant
# that is blind to an error because it defines a macro itself.
. "$(dirname "$0")/../t/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")

run respin check --tree "$tree" --arch x86_64,riscv \
	--kconfig defconfig,allmodconfig --json "$tmp/report.json" \
	"$root/patches/mprotect-batch/series.mbox"
is "status" "$status" 1
is "facts" "$("$root/ci/facts" "$tmp/report.json" | grep -v '^not-verified')" \
	"$(cat <<'END'
also 3/7 error include/linux/pgtable.h modify_prot_commit_ptes -Wimplicit-function-declaration fails:x86_64,riscv,riscv-allmodconfig passes:x86_64-allmodconfig
exit 1
finding 3/7 error include/linux/pgtable.h modify_prot_start_ptes -Wimplicit-function-declaration fails:x86_64,riscv,riscv-allmodconfig passes:x86_64-allmodconfig
finding 6/7 warning mm/mprotect.c can_change_ptes_writable -Wunused-variable fails:x86_64,x86_64-allmodconfig,riscv,riscv-allmodconfig
END
)"
finish
