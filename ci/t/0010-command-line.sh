#!/bin/sh
# What the program answers before it does anything.
. "$(dirname "$0")/lib.sh"

run respin
is 'no command: exit status' "$status" 2
is 'no command: nothing on stdout' "$(cat "$out")" ''
is 'no command: usage on stderr' "$(head -n 1 "$err")" \
	'usage: respin [-C DIR] [-c NAME=VALUE]... COMMAND [ARGUMENTS]'

run respin -h
is '-h: exit status' "$status" 0
is '-h: nothing on stderr' "$(cat "$err")" ''
check '-h: lists check' grep -q '^   check  ' "$out"
check '-h: does not list apply' sh -c '! grep -q "^   apply" "$0"' "$out"
cp "$out" "$tmp/help"
for h in --help help; do
	run respin $h
	check "$h: the same as -h" cmp "$out" "$tmp/help"
done

run respin --version
is '--version' "$(cat "$out")" 'respin 0.1'

run respin chekc
is 'unknown command: exit status' "$status" 2
is 'unknown command: the nearest is named' "$(cat "$err")" \
	"respin: 'chekc' is not a command; did you mean 'check'?"
run respin frobnicate
is 'unknown command: none is near' "$(cat "$err")" \
	"respin: 'frobnicate' is not a command; see 'respin -h'"

run respin -C /nonexistent check
is '-C to nowhere' "$status $(cat "$err")" \
	"2 respin: cannot change to '/nonexistent': No such file or directory"
run respin --nope check
is 'unknown global option' "$status $(cat "$err")" \
	"2 respin: unknown option '--nope'; see 'respin -h'"

for c in check show repro doctor apply impact; do
	run respin $c --nope
	is "$c: unknown option" "$status $(cat "$err")" \
		"2 respin $c: unknown option '--nope'; see 'respin $c -h'"
	run respin $c -h
	is "$c -h: exit status, stderr" "$status $(cat "$err")" '0 '
	check "$c -h: usage" grep -q "^  respin $c " "$out"
	cp "$out" "$tmp/help"
	run respin help $c
	check "help $c: the same" cmp "$out" "$tmp/help"
done

run sh -c 'respin -h >/dev/full'
is 'output that cannot be written: exit status' "$status" 2
is 'output that cannot be written: message' "$(cat "$err")" \
	'respin: cannot write to standard output: No space left on device'

finish
