#!/bin/sh
# Killed at any moment: no child survives, and the next call goes on.
. "$(dirname "$0")/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
series=$root/patches/right/series.mbox

# compilers: how many compilers of this respin run.
compilers() {
	pgrep -f "cc1 .*$RESPIN_CACHE/trees" | wc -l
}

# interrupted SIGNAL: starts a check, waits for a compiler, sends SIGNAL.
interrupted() {
	# A shell starts what it puts behind with SIGINT ignored.
	env --default-signal=INT respin check --no-reuse --tree "$tree" \
		"$series" >"$out" 2>"$err" \
		</dev/null &
	pid=$!
	for i in $(seq 600); do
		[ "$(compilers)" = 0 ] || break
		sleep 0.1
	done
	kill -"$1" "$pid"
	status=0
	wait "$pid" || status=$?
	sleep 1
	is "$1: no compiler survives" "$(compilers)" 0
}

run respin check --tree "$tree" "$series"
is "the series has nothing new" "$status" 0

interrupted INT
is "INT: not verified" "$status" 2
# The report breaks its lines where they are full.
check "INT: the report says it" \
	sh -c "tr -s '\n ' ' ' <'$out' | grep -q 'NOT VERIFIED .*interrupted'"

interrupted KILL
run respin check --tree "$tree" "$series"
is "the next call goes on" "$status" 0
check "and reuses what was done" grep -q 'results reused' "$out"
finish
