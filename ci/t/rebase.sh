# Helpers to compare the states of variants: `. "$root/ci/t/rebase.sh"` after
# series.sh.
#
#	use VARIANT		which one: $state is its directory in the cache
#	give COMMIT		its objects for $tree, which has not got them
#	judge_on NAME STATUS BASE
#				checks $tmp/series.mbox on that base, with its
#				status and its facts (stdin); $seconds
#	how			how the state came about
#	keep DIR		notes what the state is
#	same NAME DIR		it is that one now

use() {
	arch=${1%%-*}
	state=$states/$1
}
use x86_64-defconfig
give() {
	printf '%s\n^%s\n' "$1" "$(g rev-parse HEAD)" |
		g pack-objects -q --revs --stdout |
		git -C "$tree" unpack-objects -q
}
judge_on() {
	start=$(date +%s)
	run respin check -v --no-reuse --tree "$tree" --base "$3" --arch "$arch" \
		--json "$tmp/report.json" "$tmp/series.mbox"
	seconds=$(($(date +%s) - start))
	is "$1: status" "$status" "$2"
	"$root/ci/facts" "$tmp/report.json" | grep -v '^exit' >"$tmp/facts"
	is "$1: facts" "$(cat "$tmp/facts")" "$(cat)"
	[ "$status" = "$2" ] || sed 's/^/# /' "$out" "$err"
}
how() {
	perl -MJSON::PP -0777 -ne \
		'print decode_json($_)->{variants}[0]{database} // "cached"' \
		"$tmp/report.json"
}
keep() {
	mkdir "$1"
	cp "$state/compdb" "$state/unprinted" "$state/dirs" "$1"
	"$root/ci/odir" "$state/build" >"$1/build"
}
same() {
	keep "$tmp/now"
	for f in compdb unprinted dirs; do
		check "$1: $f" cmp "$2/$f" "$tmp/now/$f"
	done
	is "$1: all of O=" "$(diff "$2/build" "$tmp/now/build")" ''
	check "$1: there is something in O=" \
		grep -q '^./include/generated/asm-offsets.h ' "$tmp/now/build"
	rm -r "$tmp/now"
}
