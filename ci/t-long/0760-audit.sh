#!/bin/sh
# respin audit on a header that few TUs read: all of them are compiled, nothing
# is missed; and the standing audit of every check.  That something that was
# missed is noticed is tested in tools/t/test-audit.c and, on more than this
# header, in ci/t-long.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

header=fs/isofs/isofs.h
# inline BODY: a series of one patch that adds a function to that header.
inline() {
	begin
	printf 'static inline int respin_op(int here)\n{\n\treturn %s;\n}\n' "$1" |
		append $header
	patch 'isofs: add a function'
	series
}

audit() {
	run respin audit --tree "$tree" --arch x86_64 --json "$tmp/audit.json" \
		"$@" "$tmp/series.mbox"
}

# of PERL: an expression on the document as $d.
of() {
	perl -MJSON::PP -0777 -ne '$d = decode_json($_); $r = $d->{patches}[0];
		print '"$1" "${2:-$tmp/audit.json}"
}

inline 'here'
audit
is "harmless: status" "$status" 0
is "harmless: findings" "$(of 'scalar @{ $d->{findings} }')" 0
is "harmless: the graph lists all" "$(of 'scalar @{ $d->{unlisted} }')" 0
is "harmless: nothing is left" "$(of '"$r->{left} $d->{complete}"')" "0 1"
check "harmless: there is something outside" test "$(of '$r->{outside}')" -gt 0
is "harmless: some cannot reach it" "$(of '$r->{far}')" 20
check "harmless: the check saves work" \
	test "$(of '$r->{planned}')" -lt "$(of '$r->{reach}')"
check "harmless: the verdict" grep -Eq '^nothing missed\.  [0-9]+ outside of the plan compiled, 20 that cannot reach it$' "$out"
check "harmless: the table" grep -Eq '^ +1/1 x86_64-defconfig +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +0 +0 +[0-9]+ % +[0-9]+ %$' "$out"

inline 'respin_nowhere(here)'
audit
is "broken: the plan has it" \
	"$(of 'join " ", map { "$_->{file} $_->{rule} $_->{missed} " . (@{ $_->{planned} } > 0) } @{ $d->{findings} }')" \
	"$header -Wimplicit-function-declaration 0 1"
check "broken: all that is outside shows it too" \
	test "$(of 'scalar @{ $d->{findings}[0]{outside} }')" -gt 0
is "broken: status" "$status" 0

# Every check: a few TUs outside of the impact, and the same ones again.
inline '2 * here'
check_all() {
	run respin -c respin.audit=100 check --tree "$tree" --arch x86_64 \
		--json "$tmp/check.json" "$@" "$tmp/series.mbox"
}
compiles_of='$d->{variants}[0]{patches}[0]{compiles}'
stat() { of "\$d->{stats}{$1}" "$tmp/check.json"; }
check_all
is "standing: status" "$status" 0
audited=$(stat audited)
check "standing: something is audited" test "$audited" -gt 0
compiles=$(of "$compiles_of" "$tmp/check.json")
check "standing: the patch has compiles too" test "$compiles" -gt 0
check_all
is "standing: the same ones again" "$(stat audited) $(stat compiled)" \
	"$audited 0"
check_all --no-audit
is "standing: it can be turned off" "$status $(stat audited)" "0 0"
is "standing: it is no compile of the patch" \
	"$(of "$compiles_of" "$tmp/check.json")" "$compiles"

run respin audit --tree "$tree" --arch x86_64 --minutes -1 "$tmp/series.mbox"
is "minutes: status" "$status" 2
is "minutes: message" "$(cat "$err")" "respin audit: --jobs and --minutes take\
 a number from 0; see 'respin audit -h'"
finish
