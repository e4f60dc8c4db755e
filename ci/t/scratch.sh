# Helpers to make series on the real kernel: `. "$(dirname "$0")/scratch.sh"`
# after lib.sh.  The edits are made by scripts on the kernel's own files, so
# that they survive its updates.
#
#	begin			a new series on the base
#	put PATH		stdin becomes that file
#	append PATH		stdin is added to it
#	edit PATH PERL		`perl -0pe PERL` over it; it must change something
#	drop PATH		removes it
#	patch SUBJECT		commits that: the next patch
#	series			writes the series to $tmp/series.mbox

git clone -q -s -n "$tree" "$tmp/linux"
export GIT_INDEX_FILE="$tmp/index"
for who in AUTHOR COMMITTER; do
	export GIT_${who}_NAME=t GIT_${who}_EMAIL=t@localhost
done

# g ARGUMENT...: git in the scratch clone, which has no files checked out.
g() { git -C "$tmp/linux" "$@"; }

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
edit() {
	g cat-file blob ":$1" >"$tmp/old"
	perl -0pe "$2" "$tmp/old" >"$tmp/file"
	if cmp -s "$tmp/old" "$tmp/file"; then
		result 1 "edit $1: $2"
	fi
	put "$1" <"$tmp/file"
}
drop() { g update-index --force-remove "$1"; }
patch() {
	on=$(g commit-tree -p "$on" -m "$1" "$(g write-tree)")
}
series() {
	g format-patch -q --stdout "${1:-HEAD}..$on" >"$tmp/series.mbox"
}
