#!/bin/bash
# respin apply against git am -3, on the cases of ci/apply-cases: where git am
# succeeds the trees must be the same.  What differs is printed with its cause
# and must be in ci/apply-differences, no more and no less.
# TAP; run by prove from the top directory.
#
#	COUNT=30 SEED=7 prove -v ci/t/0200-apply-oracle.sh	other cases
#	RESPIN=path, KEEP=1 (leaves the cases in place and prints where)
set -u

top=$PWD
respin=${RESPIN:-$top/${BUILD:-build}/respin}
[ -x "$respin" ] || make -s -C "$top" "${respin#"$top"/}" >&2 || exit 1
linux=$("$top/ci/linux") || exit 1
tmp=$(mktemp -d) || exit 1
[ -n "${KEEP:-}" ] && echo "# cases in $tmp" || trap 'rm -rf "$tmp"' EXIT
export HOME=$tmp GIT_CONFIG_NOSYSTEM=1 LC_ALL=C
export GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

"$top/ci/apply-cases" "$linux" "$tmp/c" ${COUNT:-300} ${SEED:-612} || exit 1
cases=$tmp/c
repo=$cases/repo
cd "$repo" || exit 1
before=$(git rev-parse main; git symbolic-ref HEAD)

# No file of a case outlives the test: no need to wait for the disk.
git config core.fsync none
git config gc.auto 0

# oracle NR [--keep-cr]: the tree that git am makes, or "fails"
oracle() {
	git checkout -q -f --detach "refs/cases/$1/base" && git clean -fdxq
	if git am -3 -q ${2:+"$2"} <"$cases/mail/$1" >am.log 2>&1; then
		git rev-parse 'HEAD^{tree}'
	else
		git am --abort >/dev/null 2>&1
		echo fails
	fi
}

# ours NR [--keep-cr]
ours() {
	local out
	if out=$("$respin" apply ${2:+"$2"} --tree "$repo@refs/cases/$1/base" \
			"$cases/mail/$1" 2>our.log); then
		sed -n '2s/.* //p' <<<"$out"
	else
		# A crash is not a refusal.
		grep -q '^respin apply: ' our.log && echo fails || echo crashes
	fi
}

# compare ORACLE OURS: "same", "both-fail" or how they differ
compare() {
	case $1/$2 in
	fails/fails) echo both-fail ;;
	*/crashes) echo crashes ;;
	fails/*) echo only-respin ;;
	*/fails) echo only-git ;;
	*) [ "$1" = "$2" ] && echo same || echo other-tree ;;
	esac
}

one_case() {	# one_case NR KIND MODE
	local opt= how
	[ "$3" = default ] || opt=--keep-cr
	how=$(compare "$(oracle "$1" $opt)" "$(ours "$1" $opt)")
	echo "$2 $3 $how"
	case $how in
	same|both-fail) ;;
	*)
		{
			echo "# $1 $2 $3 $how"
			sed 's/^/#   git am: /' am.log | head -3
			sed 's/^/#   /' our.log | head -3
		} >&3 ;;
	esac
}

# Two at a time, each with a work tree of its own.
worker() {	# worker 0|1
	local nr kind
	git worktree add -q --detach "$tmp/w$1" main && cd "$tmp/w$1" || exit 1
	while read -r nr kind; do
		[ $((10#$nr % 2)) = "$1" ] || continue
		one_case "$nr" "$kind" default
		# Without a CR in the mail --keep-cr is the same run again.
		! grep -q $'\r' "$cases/mail/$nr" ||
			one_case "$nr" "$kind" keep-cr
	done <"$cases/list"
}

(worker 0) >"$tmp/results.0" 3>"$tmp/log.0" &
(worker 1) >"$tmp/results.1" 3>"$tmp/log.1"
wait
cat "$tmp"/results.? >"$tmp/results"
cat "$tmp"/log.?
ran=$(wc -l <"$tmp/results")

sort -u "$tmp/results" >"$tmp/kinds"
grep -v -e ' same$' -e ' both-fail$' "$tmp/kinds" >"$tmp/got"
sed 's/#.*//; s/[[:blank:]]*$//; /^$/d' "$top/ci/apply-differences" | sort >"$tmp/want"

nr=0
result() {	# result RC NAME
	nr=$((nr + 1))
	[ "$1" = 0 ] || printf 'not '
	printf 'ok %d - %s\n' "$nr" "$2"
}

diff -u "$tmp/want" "$tmp/got" >"$tmp/diff"
result $? "$ran runs differ from git am only as ci/apply-differences says"
sed 's/^/# /' "$tmp/diff"
echo "# the differences and their cause:"
sed -n '/^[a-z]/s/^/#   /p' "$top/ci/apply-differences"

! grep crashes "$tmp/results" >&2
result $? 'no crash'

# The harness itself: cases that must apply do, and cases that must not do not.
for want in 'exact default same' 'ambiguous default same' \
	'rename-edit default same' 'binary-delta default same' \
	'3way-context default same' '3way-conflict default both-fail' \
	'binary-changed default both-fail' 'leaves-tree default both-fail' \
	'through-symlink default both-fail' 'truncated default both-fail'; do
	[ "$(grep "^${want% *} " "$tmp/kinds")" = "$want" ]
	result $? "$want"
done

# Nothing of the user's has moved.
git symbolic-ref HEAD refs/heads/main
[ "$(git rev-parse main; git symbolic-ref HEAD)" = "$before" ] &&
	[ -z "$(git for-each-ref refs/respin)" ]
result $? 'no branch is touched, no ref without --ref'

# On the whole kernel, through the alternates: git apply with its own index.
kernel=$(git -C "$linux" rev-parse HEAD)
whole=0
for file in mm/mprotect.c kernel/fork.c drivers/base/core.c; do
	export GIT_INDEX_FILE=$tmp/index
	git read-tree "$kernel"
	blob=$(git show "$kernel:$file" | sed '30,40d; 100i\new line' |
		git hash-object -w --stdin)
	git update-index --cacheinfo "100644,$blob,$file"
	want=$(git write-tree)
	unset GIT_INDEX_FILE
	{
		printf 'From: A <a@b.c>\nDate: Tue, 14 Nov 2023 22:13:20 +0100\n'
		printf 'Subject: [PATCH] whole\n\nbody\n---\n'
		git diff-tree -p "$kernel" "$want"
		printf -- '-- \n2.39.5\n'
	} >"$tmp/whole"
	got=$("$respin" apply --tree "$repo@$kernel" --ref "t" "$tmp/whole" |
		sed -n '2s/.* //p')
	[ "$got" = "$want" ] || whole=1
done
result $whole 'the same tree on the whole kernel'
[ "$(git rev-parse refs/respin/t/0)" = "$kernel" ] &&
	[ "$(git rev-parse 'refs/respin/t/1^{tree}')" = "$got" ] &&
	[ "$(git log -1 --format='%an %ae %at %cn %ce %ct %s' refs/respin/t/1)" = \
		'A a@b.c 1699996400 respin respin@localhost 1699996400 whole' ]
result $? 'refs, author and committer'
echo "1..$nr"
