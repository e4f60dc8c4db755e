#!/bin/sh
# The stages of a run on the real kernel: what is judged at every patch has a
# verdict of its own, then comes what is compiled after the last patch only.  (For
# allmodconfig see ci/t-long.)
. "$(dirname "$0")/../t/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
batch=$root/patches/mprotect-batch/series.mbox

run respin check --tree "$tree" --arch x86_64 --tip i386 "$batch"
is "mprotect-batch: status" "$status" 1
is "mprotect-batch: two reports" "$(grep -c '^respin: ' "$out")" 2
check "mprotect-batch: i386 shows the error too" grep -q \
	'after 7/7: i386 def E' "$out"

# An interrupt keeps the verdict of the stage before.
env --default-signal=INT respin check --no-reuse --tree "$tree" \
	--tip i386 --arch x86_64 \
	"$root/patches/right/series.mbox" >"$out" 2>"$err" </dev/null &
pid=$!
for i in $(seq 3000); do
	! grep -q 'more to come' "$out" || break
	kill -0 "$pid" 2>/dev/null || break
	sleep 0.1
done
kill -INT "$pid"
status=0
wait "$pid" || status=$?
is "interrupted: status" "$status" 2
check "interrupted: defconfig has its verdict" grep -q \
	'^nothing new (compile level, 1 variant)' "$out"
check "interrupted: the rest is named" grep -q \
	'^NOT VERIFIED  i386-defconfig.*interrupted' "$out"
finish
