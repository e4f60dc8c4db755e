#!/bin/sh
# What is missing is said, and is never a pass.
. "$(dirname "$0")/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
series=$root/patches/right/series.mbox

run respin -c respin-toolchain.arm64.crossCompile=nowhere- check \
	--tree "$tree" --arch x86_64,arm64 "$series"
is "no cross compiler: status" "$status" 2
check "no cross compiler: the arch is not verified" \
	grep -q '^NOT VERIFIED  arm64-defconfig: ' "$out"
check "no cross compiler: the others are" \
	grep -q 'nothing new in what was verified (compile level, 1 variant)' "$out"

# A disk that is full before the sources are there.
if [ "$(id -u)" = 0 ]; then
	mkdir "$tmp/small"
	mount -t tmpfs -o size=30m none "$tmp/small"
	RESPIN_CACHE=$tmp/small
	run respin check --tree "$tree" "$series"
	is "full disk: status" "$status" 2
	check "full disk: said" grep -q 'No space left on device' "$err"
	umount "$tmp/small"
fi
RESPIN_CACHE=$real_cache

# bubblewrap that does not work: refused, unless told --no-sandbox.
mkdir "$tmp/bin"
printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/bwrap"
chmod 755 "$tmp/bin/bwrap"
PATH=$tmp/bin:$PATH run respin check --tree "$tree" --arch x86_64 "$series"
is "no sandbox: status" "$status" 2
check "no sandbox: what to do" grep -q -e --no-sandbox "$err"
PATH=$tmp/bin:$PATH run respin check --no-sandbox --tree "$tree" \
	--arch x86_64 "$series"
is "--no-sandbox: status" "$status" 0


# Uncommitted changes are fine, and said to be left out.
trap 'git -C "$tree" checkout -q README; rm -rf "$tmp"' EXIT
echo change >>"$tree/README"
run respin check --tree "$tree" --arch x86_64 "$series"
git -C "$tree" checkout -q README
is "uncommitted changes: status" "$status" 0
check "uncommitted changes: said" grep -q \
	'^base: .*(HEAD; uncommitted changes in the work tree are left out)' "$out"
finish
