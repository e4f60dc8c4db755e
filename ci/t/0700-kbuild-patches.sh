#!/bin/sh
# Patches that add files and touch Makefiles and Kconfig, on the real kernel:
# what they build is compiled, what they do not is said, and the O= that all
# runs share stays as it is.
. "$(dirname "$0")/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
git clone -q -s -n "$tree" "$tmp/linux"
export GIT_INDEX_FILE="$tmp/index"
for who in AUTHOR COMMITTER; do
	export GIT_${who}_NAME=t GIT_${who}_EMAIL=t@localhost
done

# g ARGUMENT...: git in the scratch clone, which has no files checked out.
g() { git -C "$tmp/linux" "$@"; }

# begin: a new series.  put PATH: stdin becomes that file; append PATH adds
# stdin to it; drop PATH removes it.  patch SUBJECT: commits that.
begin() {
	on=$(g rev-parse HEAD)
	g read-tree HEAD
}
put() {
	g update-index --add --cacheinfo "100644,$(g hash-object -w --stdin),$1"
}
append() {
	{ g cat-file blob ":$1"; cat; } >"$tmp/file"
	put "$1" <"$tmp/file"
}
drop() { g update-index --force-remove "$1"; }
patch() {
	on=$(g commit-tree -p "$on" -m "$1" "$(g write-tree)")
}
# judge NAME STATUS: checks the series, with its verdict and its facts.
judge() {
	g format-patch -q --stdout "HEAD..$on" >"$tmp/series.mbox"
	run respin check --tree "$tree" --base HEAD --arch x86_64 \
		--json "$tmp/report.json" "$tmp/series.mbox"
	is "$1: status" "$status" "$2"
	"$root/ci/facts" "$tmp/report.json" | grep -v '^exit' >"$tmp/facts"
	is "$1: facts" "$(cat "$tmp/facts")" "$(cat)"
	[ "$failed" = 0 ] || sed 's/^/# /' "$out" "$err"
}

c() { printf 'int %s(void);\nint %s(void)\n{\n%s\treturn 0;\n}\n' "$1" "$1" "${2:-}"; }
unused='	int unused;
'

begin
c respin_new | put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file'
judge 'new file' 0 </dev/null

# What the dry runs may not touch.
odir=$(cd "$RESPIN_CACHE"/trees/*/x86_64-defconfig/build && pwd)
sums() { find "$odir" -type f -exec cksum {} + | LC_ALL=C sort; }
sums >"$tmp/before"

begin
c respin_new "$unused" | put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file'
judge 'new file with a warning' 1 <<-'END'
	finding 1/1 warning lib/respin_new.c respin_new -Wunused-variable fails:x86_64
	END
finish
