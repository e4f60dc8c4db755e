#!/bin/sh
# What sparse says: __bitwise types mixed, in a source and in an inline function
# that no source calls; locks; what was there before is not new.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"
git config --global --unset respin.skip

# wrong N STATEMENT... : functions respin_0, ... of one wrong statement each.
wrong() {
	i=0
	for s; do
		printf 'static int __maybe_unused respin_%d(cydp_t flags, int n)\n{\n\t%s\n}\n\n' \
			$i "$s"
		i=$((i + 1))
	done
}

# Legal uses of them: nothing.
begin
{
	printf '\n'
	wrong 'return !flags;' 'return flags & CYDP_CLEAR_YOUNG ? 1 : 0;' \
		'flags = 0; return flags == CYDP_CLEAR_DIRTY;' \
		'flags |= CYDP_CLEAR_YOUNG; flags &= ~CYDP_CLEAR_DIRTY; return n + !flags;'
} | append mm/madvise.c
patch 'mm/madvise: legal uses'
judge 'legal' 0 --arch x86_64,arm64 --check gcc,sparse </dev/null

# Wrong ones, in a source and in an inline function of a header.
begin
{
	printf '\n'
	wrong 'return flags == 1;' \
		'return (flags & 1) != 0;' \
		'cydp_t f = 1; return f == flags;' \
		'return flags + n;' \
		'return !(CYDP_CLEAR_YOUNG + CYDP_CLEAR_DIRTY);' \
		'flags <<= 1; return !flags;' \
		'return flags > CYDP_CLEAR_YOUNG;' \
		'flags = CYDP_CLEAR_YOUNG | BIT(0); return !flags;' \
		'return flags;' \
		'flags = n ? CYDP_CLEAR_YOUNG : 2; return !flags;' \
		'return (int)flags;' \
		'flags = (cydp_t)n; return !flags;' \
		'n = CYDP_CLEAR_DIRTY; return n;' \
		'return flags == FPB_IGNORE_DIRTY;'
} | append mm/madvise.c
patch 'mm/madvise: wrong uses'
edit include/linux/pgtable.h 's/^#ifndef clear_young_dirty_ptes$/static inline bool respin_young(cydp_t flags)\n{\n\treturn flags & 1;\n}\n\n$&/m'
patch 'mm: a wrong use in an inline function'
{
	for i in $(seq 0 13); do
		echo "finding 1/2 warning mm/madvise.c respin_$i -Wbitwise fails:x86_64,arm64"
	done
	echo 'finding 2/2 warning include/linux/pgtable.h respin_young -Wbitwise fails:x86_64,arm64'
} >"$tmp/want"
sort -o "$tmp/want" "$tmp/want"
judge 'wrong' 1 --arch x86_64,arm64 --check gcc,sparse <"$tmp/want"
says 'wrong: as many as there are mistakes' '15 findings in 2 of 2 patches.'

# A lock that is not given back, mended later; and the imbalances that mm has.
begin
edit mm/mlock.c 's/^\#include "internal.h"$/$&\n\nvoid respin_lock(spinlock_t *l);\nvoid respin_lock(spinlock_t *l)\n{\n\tspin_lock(l);\n}\n/m'
patch 'mm/mlock: take it'
edit mm/mlock.c 's/\tspin_lock\(l\);\n\}/\tspin_lock(l);\n\tspin_unlock(l);\n}/'
patch 'mm/mlock: and give it back'
judge 'a lock' 1 --check gcc,sparse <<-'END'
	finding 1/2 warning mm/mlock.c respin_lock -Wcontext fails:x86_64
	hazard 1/2 gone 2/2
	END

# Not asked for, it is said; no tool, it is not verified.
judge 'left out' 0 --skip sparse </dev/null
says 'left out: said' 'left out: sparse'
finish
