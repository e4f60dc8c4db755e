#!/bin/sh
# Patches to what files are generated of, on the real kernel: what comes out of
# make at the patch and at its parent is compared, who reads it is compiled, and
# the O= that all runs share stays as it is.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

tbl=arch/x86/entry/syscalls/syscall_64.tbl
offsets=arch/x86/kernel/asm-offsets.c
frame=arch/x86/include/asm/sigframe.h
sig=arch/x86/entry/vdso/vdso32/sigreturn.S

begin
echo '# a comment' | append $tbl
patch 'x86: a comment'
judge 'comment in a table' 0 </dev/null

# `prepare` does not make these: so that the base has them from here on.
begin
printf '/* a comment */\n' | append lib/gen_crc32table.c
patch 'lib: a comment'
judge 'comment in a generator' 0 </dev/null

# What the steps may not touch.
sums() { find "$odir" -type f -exec cksum {} + | LC_ALL=C sort; }
sums >"$tmp/before"
check "the shared O= is found" grep -q '/\.config$' "$tmp/before"
check "what the generator makes is there" grep -q '/lib/crc32table.h$' \
	"$tmp/before"

begin
edit lib/gen_crc32table.c 's/^\tprintf\("\/\* this file is generated.*\n/$&\tprintf("static int respin_unused;\\n");\n/m'
patch 'lib: a variable that nobody uses'
judge 'generator' 1 <<-'END'
	finding 1/1 warning O/lib/crc32table.h - -Wunused-variable fails:x86_64
	END

begin
edit $tbl 's,^0(\s+)common(\s+)read(\s+)sys_read$,0$1common$2read$3sys_read+,m'
patch 'x86: a call that has no name'
judge 'name in a table' 1 <<-'END'
	finding 1/1 error O/arch/x86/include/generated/asm/syscalls_64.h - - fails:x86_64
	finding 1/1 error arch/x86/entry/syscall_64.c - - fails:x86_64
	END

# The script that reads the table refuses it: at 2/2 it is as it was.
begin
printf '0\t64\trespin_again\tsys_write\n' | append $tbl
patch 'x86: one number for two calls'
g update-index --add --cacheinfo "100644,$(g rev-parse "HEAD:$tbl"),$tbl"
patch 'x86: take it back'
judge 'number that is taken' 1 <<-END
	finding 1/2 error $tbl - - fails:x86_64
	hazard 1/2 gone 2/2
	not-verified 1 generated files: not all can be generated at this patch: what depends on those is not found out
	END

# 1/2 alone is fine; at 2/2 the constant that it uses is another.
begin
at=$(awk '$2 == "IA32_RT_SIGFRAME_sigcontext" { print $3 }' \
	"$odir/include/generated/asm-offsets.h")
check "the offset is known" test "$at" -gt 0
printf '#if IA32_RT_SIGFRAME_sigcontext != %s\n#error respin\n#endif\n' "$at" |
	append $sig
patch 'x86: rely on an offset'
edit $frame 's/^struct rt_sigframe_ia32 \{\n/$&\tu32 respin_new;\n/m'
patch 'x86: move what it relies on'
line=$(g cat-file blob ":$sig" | grep -n '#error respin' | cut -d: -f1)
judge 'layout' 1 <<-END
	finding 2/2 error $sig - - fails:x86_64
	not-verified 1 $sig:$line: no variant compiles it: only where IA32_RT_SIGFRAME_sigcontext != $at
	END

begin
edit $offsets 's/^\tBLANK\(\);\n/\tDEFINE(saved_magic, 1);\n$&/m'
patch 'x86: a constant with the name of a variable'
judge 'constant' 1 <<-'END'
	finding 1/1 error O/include/generated/asm-offsets.h - - fails:x86_64
	finding 1/1 error arch/x86/kernel/acpi/sleep.c x86_acpi_suspend_lowlevel - fails:x86_64
	finding 1/1 error arch/x86/kernel/acpi/wakeup_64.S - - fails:x86_64
	END

begin
edit $offsets 's/^\tBLANK\(\);\n/\tDEFINE(RESPIN_NEW, 1);\n$&/m'
patch 'x86: a constant'
judge 'constant that nobody uses' 0 </dev/null

sums >"$tmp/after"
check "the shared O= is as it was" cmp "$tmp/before" "$tmp/after"

finish
