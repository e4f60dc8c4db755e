# Series that a test makes on the real kernel: `. "$root/ci/t/series.sh"`.
#
#	begin			a new series, on HEAD
#	put PATH		stdin becomes that file
#	append PATH		... is added to it
#	edit PATH COMMAND...	it becomes what the command makes of it
#	patch SUBJECT		commits that
#	judge NAME STATUS OPTION...
#				checks the series, with its verdict, and its facts
#				(stdin; line numbers are N)
#	toggles			those that were tried, of the last report

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
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
	path=$1
	shift
	g cat-file blob ":$path" | "$@" >"$tmp/file"
	put "$path" <"$tmp/file"
}
patch() {
	on=$(g commit-tree -p "$on" -m "$1" "$(g write-tree)")
}
judge() {
	name=$1 want=$2
	shift 2
	g format-patch -q --stdout "HEAD..$on" >"$tmp/series.mbox"
	run respin check --tree "$tree" --arch x86_64 -v \
		--json "$tmp/report.json" "$@" "$tmp/series.mbox"
	is "$name: status" "$status" "$want"
	"$root/ci/facts" "$tmp/report.json" | grep -v '^exit' |
		sed -E 's/:[0-9]+/:N/g; s/N-[0-9]+/N/g' | LC_ALL=C sort \
		>"$tmp/facts"
	is "$name: facts" "$(cat "$tmp/facts")" "$(cat)"
	[ "$failed" = 0 ] || sed 's/^/# /' "$out" "$err"
}
toggles() {
	perl -MJSON::PP -0777 -ne 'print join " ", map { $_->{toggle} // () }
		@{ decode_json($_)->{variants} }' "$tmp/report.json"
}
