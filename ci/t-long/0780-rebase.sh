#!/bin/sh
# Another base: what was made for the old one is moved, not made again, and is
# in the end what a start from nothing makes.
. "$(dirname "$0")/../t/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
git clone -q -s -n "$tree" "$tmp/linux"
export GIT_INDEX_FILE="$tmp/index"
for who in AUTHOR COMMITTER; do
	export GIT_${who}_NAME=t GIT_${who}_EMAIL=t@localhost
done

# g ARGUMENT...: git in the scratch clone, which has no files checked out.
g() { git -C "$tmp/linux" "$@"; }
put() {
	g update-index --add --cacheinfo "100644,$(g hash-object -w --stdin),$1"
}
# edit PATH FILTER...: what the filter makes of that file
edit() {
	path=$1
	shift
	g cat-file blob ":$path" | "$@" >"$tmp/file"
	put "$path" <"$tmp/file"
}
append() { edit "$1" sh -c 'cat; printf "%s\n" "$1"' sh "$2"; }
commit() { g commit-tree -p "$1" -m "$2" "$(g write-tree)"; }
# give COMMIT: the objects that it has and HEAD has not, for $tree
give() {
	printf '%s\n^%s\n' "$1" "$(g rev-parse HEAD)" |
		g pack-objects -q --revs --stdout |
		git -C "$tree" unpack-objects -q
}
# judge NAME STATUS SERIES BASE: facts and seconds of a check on that base
judge() {
	start=$(date +%s)
	run respin check --tree "$tree" --base "$4" --arch x86_64 \
		--json "$tmp/report.json" "$3"
	seconds=$(($(date +%s) - start))
	is "$1: status" "$status" "$2"
	"$root/ci/facts" "$tmp/report.json" | grep -v '^exit' >"$tmp/facts"
	is "$1: facts" "$(cat "$tmp/facts")" "$(cat)"
	[ "$status" = "$2" ] || sed 's/^/# /' "$out" "$err"
}

# base A, and its state
A=$(g rev-parse HEAD)
g read-tree HEAD
append lib/ctype.c '/* respin */'
g format-patch -q --stdout "HEAD..$(commit HEAD 'lib: comment')" >"$tmp/a.mbox"
judge 'base A' 0 "$tmp/a.mbox" "$A" </dev/null
key=$(realpath "$tree" | tr -d '\n' | sha1sum | cut -c 1-12)
state=trees/$key/x86_64-defconfig
cp "$RESPIN_CACHE/$state/compdb" "$tmp/compdb.a"

# base B: an object more, a default that flips, another architecture, sources
g read-tree HEAD
printf 'int respin_new(void);\nint respin_new(void)\n{\n\treturn 0;\n}\n' |
	put mm/respin_new.c
append mm/Makefile 'obj-y += respin_new.o'
edit init/Kconfig sed '/^config IKCONFIG$/,/^$/s/^\thelp$/\tdefault y\n&/'
append arch/arm64/kernel/Makefile '# respin'
append kernel/fork.c '/* respin */'
append include/linux/mman.h '/* respin */'
B=$(commit HEAD B)
give "$B"

# a series on it that needs all of that
g read-tree "$B"
edit mm/respin_new.c sed "s/^{$/{\\
	int unused;/"
first=$(commit "$B" 'mm: a new object')
append lib/ctype.c '#ifdef CONFIG_IKCONFIG
int respin_ikconfig(void);
int respin_ikconfig(void)
{
	int unused;
	return 0;
}
#endif'
g format-patch -q --stdout "$B..$(commit "$first" 'lib: a new symbol')" >"$tmp/b.mbox"
cat >"$tmp/want" <<-'END'
	finding 1/2 warning mm/respin_new.c respin_new -Wunused-variable fails:x86_64
	finding 2/2 warning lib/ctype.c respin_ikconfig -Wunused-variable fails:x86_64
	END
fixdep=$RESPIN_CACHE/$state/build/scripts/basic/fixdep
made=$(stat -c %Y "$fixdep")
judge 'base B, moved' 1 "$tmp/b.mbox" "$B" <"$tmp/want"
moved=$seconds
is 'the programs of the host are kept' "$(stat -c %Y "$fixdep")" "$made"
cp "$RESPIN_CACHE/$state/compdb" "$tmp/compdb.b"
cp "$RESPIN_CACHE/$state/unprinted" "$tmp/unprinted.b"
check 'the new object is in the database' grep -q '^mm/respin_new.o	' "$tmp/compdb.b"
check 'the flipped symbol too' grep -q '^kernel/configs.o	' "$tmp/compdb.b"

export RESPIN_CACHE=$tmp/cold
judge 'base B, cold' 1 "$tmp/b.mbox" "$B" <"$tmp/want"
echo "# moved: $moved s, cold: $seconds s"
check 'faster than cold' test "$moved" -lt "$seconds"
check 'the database is the cold one' cmp "$tmp/compdb.b" "$RESPIN_CACHE/$state/compdb"
check 'so is what was not printed' cmp "$tmp/unprinted.b" "$RESPIN_CACHE/$state/unprinted"
check 'so is .config' cmp "$RESPIN_CACHE/$state/build/.config" \
	"$real_cache/$state/build/.config"
# all that prepare generates, but for dates of builds
(cd "$RESPIN_CACHE/$state/build" && find include arch -name '*.h' -exec cksum {} + |
	LC_ALL=C sort -k 3) >"$tmp/generated.cold"
(cd "$real_cache/$state/build" && find include arch -name '*.h' -exec cksum {} + |
	LC_ALL=C sort -k 3) >"$tmp/generated.moved"
is 'the generated headers are the same' "$(diff "$tmp/generated.cold" "$tmp/generated.moved")" ''
check 'there are such headers' grep -q asm-offsets.h "$tmp/generated.cold"

export RESPIN_CACHE=$real_cache
judge 'back to base A' 0 "$tmp/a.mbox" "$A" </dev/null
check 'the database is the one of A again' cmp "$tmp/compdb.a" "$RESPIN_CACHE/$state/compdb"
is 'the programs of the host are still kept' "$(stat -c %Y "$fixdep")" "$made"

finish
