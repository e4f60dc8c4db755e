#!/bin/sh
# A commit range gives the facts of the mails it was sent as; show and repro
# look closer at what was found.
. "$(dirname "$0")/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
dir=$root/patches/hazard

run respin check --tree "$tree" --arch x86_64 --json "$tmp/mail.json" \
	"$dir/series.mbox"
is "mails: status" "$status" 1
run respin show messages
check "show: the notes on the mails" \
	grep -q '^0/4 message/no-base (hint): ' "$out"
refs=$(git -C "$tree" for-each-ref --format='%(refname)' refs/respin |
	grep 'deactivation-less.*/0$')
refs=${refs%/0}
run respin check --tree "$tree" --arch x86_64 --json "$tmp/range.json" \
	"$refs/0..$refs/4"
is "range: status" "$status" 1
is "range: the same facts" "$("$root/ci/facts" "$tmp/range.json")" \
	"$("$root/ci/facts" "$tmp/mail.json")"
culprit=$(git -C "$tree" rev-parse "$refs/2")
check "range: the fixup names the commit" grep -q \
	"git commit --fixup=$(echo "$culprit" | cut -c1-12)\$" "$out"

run respin show 2/4.1
is "show: status" "$status" 0
check "show: what the compiler said" grep -q "^mm/fadvise.c:.*: error: too few \
arguments to function 'mapping_try_invalidate'\$" "$out"
run respin show 9/9.9
is "show: no such finding" "$status: $(cat "$err")" "2: respin show: the last\
 report has no finding '9/9.9'; it has: 2/4.1"

run respin repro 2/4.1
is "repro: status" "$status" 0
cp "$out" "$tmp/repro.sh"
run sh "$tmp/repro.sh"
check "repro: the command shows the error" grep -q \
	"mm/fadvise.c:[0-9:]* error: too few arguments" "$err"

# The parent is free of it: the same command on step 1.
run respin check --tree "$tree" --arch x86_64 "$refs/0..$refs/1"
is "the patch before: nothing new" "$status" 0
check "the patch before: said" grep -q '^nothing new (compile level, 1 variant)' \
	"$out"
finish
