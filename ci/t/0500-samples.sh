#!/bin/sh
# Every sample series of patches/ on the real kernel, all four architectures:
# what is reported is what its expect file says, and nothing else.
. "$(dirname "$0")/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")

# base COMMIT-ISH PATCH: the commit that has PATCH on top, without a checkout.
base() {
	export GIT_INDEX_FILE="$tmp/index"
	git -C "$tree" read-tree HEAD &&
	git -C "$tree" apply --cached "$1" &&
	git -C "$tree" -c user.name=t -c user.email=t@localhost commit-tree \
		-p HEAD -m 'base of a sample' "$(git -C "$tree" write-tree)"
	unset GIT_INDEX_FILE
}

before=$(git -C "$tree" for-each-ref refs/heads; git -C "$tree" rev-parse HEAD
	cksum <"$tree/.git/index")
for dir in "$root"/patches/*/; do
	name=$(basename "$dir")
	on=HEAD
	[ ! -e "$dir/base.patch" ] || on=$(base "$dir/base.patch")
	run respin check --tree "$tree" --base "$on" --json "$tmp/report.json" \
		"$dir/series.mbox"
	# No compiler sees a defect: it stands there for the reader.
	expected=$(grep -v -e '^#' -e '^defect' "$dir/expect" | grep . | sort)
	is "$name: status" "$status" \
		"$(echo "$expected" | sed -n 's/^exit //p')"
	is "$name: facts" "$("$root/ci/facts" "$tmp/report.json")" "$expected"
	# The whole report, as a person reads it; what an update of the kernel or
	# the speed of the machine may change is masked.
	[ ! -e "$dir/report" ] || is "$name: report" "$(sed -E \
		-e 's/^base: [0-9a-f]{12}/base: ID/' -e 's/(apply), [0-9]+ moved/\1/' -e 's/:[0-9]+/:N/g' \
		-e 's/  [0-9]+ compiles.*/  N compiles/' \
		-e 's/in [0-9]+ of the TUs/in N of the TUs/' "$out")" \
		"$(cat "$dir/report")"
	[ "$failed" = 0 ] || sed 's/^/# /' "$out" "$err"
done
is "branches, HEAD and index are as before" "$before" \
	"$(git -C "$tree" for-each-ref refs/heads; git -C "$tree" rev-parse HEAD
	cksum <"$tree/.git/index")"
finish
