#!/bin/sh
# The machine fails, not the patch: what was not verified is said, nothing is
# called new, and the cache is still good for the next call.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

# judge ARGUMENT...: checks the series of one patch.
judge() {
	run respin "$@" --tree "$tree" --arch x86_64 --no-audit "$tmp/series.mbox"
}

# said NAME REGEX: a line of the report, taken together when it is wrapped.
said() {
	perl -0pe 's/\n {14}/ /g' "$out" >"$tmp/long"
	check "$1" grep -Eq "$2" "$tmp/long"
}
nothing='^nothing new in what was verified'

# A TU that is never through: the header includes itself twice, 2^25 times.
begin
edit mm/mprotect.c 's/(#include "internal.h"\n)/$1#include "slow.h"\n/'
put mm/slow.h <<'END'
#if __INCLUDE_LEVEL__ < 26
#include "slow.h"
#include "slow.h"
#endif
END
patch 'mm/mprotect: include something slow'
series
judge -c respin.timeout=15 check
is "over the limit: status" "$status" 2
said "over the limit: said" \
	'^NOT VERIFIED  1/1 x86_64-defconfig mm/mprotect.o: .*15 s'
said "over the limit: nothing is called new" "$nothing"

# The compiler is killed: by whom does not matter.
{
	for i in $(seq 600); do
		pkill -KILL -f "cc1 .*$RESPIN_CACHE/trees.*mm/mprotect" && break
		sleep 0.1
	done
} &
judge check
wait
is "killed: status" "$status" 2
said "killed: said" \
	'^NOT VERIFIED  1/1 x86_64-defconfig mm/mprotect.o: .*[Kk]illed'
said "killed: nothing is called new" "$nothing"

# Too little memory for any compiler.
begin
edit mm/mprotect.c 's/(\nstatic long change_pte_range)/\nstatic int one_more(int i)\n{\n\treturn i + 1;\n}\n$1/'
patch 'mm/mprotect: add a function that nobody uses'
series
judge -c respin.memory=60 check --no-reuse
is "no memory: status" "$status" 2
said "no memory: said" '^NOT VERIFIED  1/1 x86_64-defconfig mm/mprotect.o: .*memory'
said "no memory: nothing is called new" "$nothing"

# The disk gets full while compilers run.
if [ "$(id -u)" = 0 ]; then
	mount -t tmpfs -o size=16k none "$states/jobs"
	judge check --no-reuse
	umount "$states/jobs"
	is "no disk: status" "$status" 2
	check "no disk: said" grep -q 'o space left on' "$out" "$err"
fi

# The cache is still good.
judge check
is "the next call: status" "$status" 1
check "the next call: finds what is there" grep -q \
	"^1/1 WARNING mm/mprotect.c:[0-9]*: 'one_more' defined but not used" "$out"

# A generated header whose generator does not compile any more.
begin
edit lib/gen_crc32table.c 's/(int main\()/#error broken\n$1/'
edit lib/crc32.c 's/(\nMODULE_AUTHOR)/\nint crc32_answer(void);\nint crc32_answer(void)\n{\n\treturn 42;\n}\n$1/'
patch 'lib/crc32: break what makes its table'
series
judge check
check "generator: not a pass" test "$status" != 0
said "generator: said" '^(NOT VERIFIED|1/1 ERROR).*crc32'
finish
