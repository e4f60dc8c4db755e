# Helpers of the end-to-end tests: `. "$(dirname "$0")/lib.sh"`.
#
#	run COMMAND...		runs it: $status, and its output in $out and $err
#	check NAME COMMAND...	one test: passes when the command succeeds
#	is NAME GOT EXPECTED	one test: passes when both texts are the same
#	finish			prints the plan; the last line of a test
#
# Each test has a directory of its own, $tmp, which is also HOME: nothing of
# the user's configuration counts, and nothing of his is written.

set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
case $PATH in "$root/build:"*) ;; *) PATH=$root/build:$PATH ;; esac
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM HUP
# The trees and databases that tests share are made once, in the real cache.
real_cache=${RESPIN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/respin}
export HOME="$tmp"
unset RESPIN_CACHE XDG_CACHE_HOME XDG_CONFIG_HOME
export LC_ALL=C.UTF-8 GIT_CONFIG_NOSYSTEM=1

# What a test does not ask for is not compiled: four variants, each at every
# patch, and only what the impact names.  Those that want more say so.
git config --global respin.kconfigs defconfig
git config --global respin.tip none
git config --global respin.toggles none
git config --global respin.audit 0
git config --global respin.skip \
	header-order,helper-override,sparse,cocci,kernel-doc,checkpatch

out=$tmp/out
err=$tmp/err
status=
count=0
failed=0

run() {
	status=0
	"$@" >"$out" 2>"$err" </dev/null || status=$?
}

result() {
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		failed=$((failed + 1))
		echo "not ok $count - $2"
	fi
}

check() {
	name=$1
	shift
	rc=0
	"$@" >"$tmp/check.log" 2>&1 || rc=$?
	result "$rc" "$name"
	[ "$rc" = 0 ] || sed 's/^/# /' "$tmp/check.log"
}

is() {
	if [ "$2" = "$3" ]; then
		result 0 "$1"
		return
	fi
	result 1 "$1"
	echo "$2" | sed 's/^/# got:      /'
	echo "$3" | sed 's/^/# expected: /'
}

finish() {
	echo "1..$count"
	[ "$failed" = 0 ] || exit 1
}
