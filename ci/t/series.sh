# Series that a test makes on the real kernel: `. "$root/ci/t/series.sh"` after
# lib.sh.  The edits are made by scripts on the kernel's own files, so that they
# survive its updates.
#
#	begin			a new series, on HEAD
#	put PATH		stdin becomes that file
#	append PATH		stdin is added to it
#	edit PATH PERL		`perl -0pe PERL` over it; it must change something
#	filter PATH COMMAND...	it becomes what the command makes of it
#	drop PATH		removes it
#	c NAME [LINES]		prints a C file with that function
#	patch SUBJECT		commits that: the next patch
#	series [BASE]		writes the series to $tmp/series.mbox
#	judge NAME STATUS [OPTION...]	($before: options before the command)
#				checks the series on x86_64: the status and the
#				facts (stdin), as facts_of() leaves them
#	says NAME TEXT		the report has it, whatever its line breaks
#
# $tree is the kernel, $states where the cache has what is made of it, and $odir
# the O= that all runs on x86_64 share.

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
states=$RESPIN_CACHE/trees/$(realpath "$tree" | tr -d '\n' | sha1sum | cut -c 1-12)
odir=$states/x86_64-defconfig/build
git clone -q -s -n "$tree" "$tmp/linux"
export GIT_INDEX_FILE="$tmp/index"
for who in AUTHOR COMMITTER; do
	export GIT_${who}_NAME=t GIT_${who}_EMAIL=t@localhost
done
unused='	int unused;
'

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
filter() {
	path=$1
	shift
	g cat-file blob ":$path" >"$tmp/old"
	"$@" <"$tmp/old" >"$tmp/file"
	if cmp -s "$tmp/old" "$tmp/file"; then
		result 1 "edit $path: $*"
	fi
	put "$path" <"$tmp/file"
}
edit() { filter "$1" perl -0pe "$2"; }
drop() { g update-index --force-remove "$1"; }
c() { printf 'int %s(void);\nint %s(void)\n{\n%s\treturn 0;\n}\n' "$1" "$1" "${2:-}"; }
patch() {
	on=$(g commit-tree -p "$on" -m "$1" "$(g write-tree)")
}
series() {
	g format-patch -q --stdout "${1:-HEAD}..$on" >"$tmp/series.mbox"
}
facts_of() { cat; }
judge() {
	name=$1 want=$2
	shift 2
	series "${base:-HEAD}"
	run respin ${before:-} check --tree "$tree" --base "${base:-HEAD}" --arch x86_64 \
		--json "$tmp/report.json" "$@" "$tmp/series.mbox"
	is "$name: status" "$status" "$want"
	"$root/ci/facts" "$tmp/report.json" | grep -v '^exit' | facts_of \
		>"$tmp/facts"
	is "$name: facts" "$(cat "$tmp/facts")" "$(cat)"
	[ "$failed" = 0 ] || sed 's/^/# /' "$out" "$err"
}
says() {
	tr -s ' \n' '  ' <"$out" >"$tmp/flat"
	check "$1" grep -qF -- "$2" "$tmp/flat"
}
