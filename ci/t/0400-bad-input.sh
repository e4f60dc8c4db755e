#!/bin/sh
# Bad input: each one clear line, exit status 2, nothing changed.
. "$(dirname "$0")/lib.sh"

export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
batch=$root/patches/mprotect-batch/series.mbox

state() {
	git -C "$tree" for-each-ref
	git -C "$tree" rev-parse HEAD
	cksum <"$tree/.git/index"
}

# bad NAME 'LINE' ARGUMENT...: respin check says just LINE and nothing changes.
bad() {
	name=$1 line=$2
	shift 2
	before=$(state)
	run respin check --tree "$tree" "$@"
	is "$name: status" "$status" 2
	is "$name: message" "$(cat "$err")" "respin check: $line"
	is "$name: nothing on stdout" "$(cat "$out")" ""
	is "$name: nothing changed" "$(state)" "$before"
}

cd "$tmp" || exit 1
perl -ne '$n++ if /^From \S+ \w{3} \w{3} /; print unless $n == 4' \
	"$batch" >missing.mbox
perl -ne '$n++ if /^From \S+ \w{3} \w{3} /; print if $n == 2' "$batch" >one.mbox
sed -i 's/\[PATCH v2 1\/7\]/[PATCH v2]/' one.mbox
head -c $(($(wc -c <one.mbox) - 600)) one.mbox >cut.mbox
: >empty.mbox
cat >letter.mbox <<'END'
From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
From: A Person <a@example.org>
Date: Mon, 30 Nov 2026 10:00:00 +0000
Subject: lunch
Message-ID: <lunch@example.org>

At noon?
END

# escape PATH: a mail that creates PATH.
escape() {
	cat <<END
From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
From: A Person <a@example.org>
Date: Mon, 30 Nov 2026 10:00:00 +0000
Subject: [PATCH] add a file
Message-ID: <escape@example.org>

---
diff --git a/$1 b/$1
new file mode 100644
index 000000000000..d95f3ad14dee
--- /dev/null
+++ b/$1
@@ -0,0 +1 @@
+content
--
2.39.5
END
}
escape ../outside >outside.mbox
escape .git/hooks/post-commit >hook.mbox

bad "no such file" "cannot open 'nowhere.mbox': No such file or directory" \
	nowhere.mbox
bad "empty mbox" "'empty.mbox' is empty" empty.mbox
bad "no patch" "mail 'letter.mbox': no patch in it; left out 1:\
 'letter.mbox', 'lunch': it has no diff" letter.mbox
bad "3/7 missing" "mbox 'missing.mbox': patch 3/7 is missing;\
 seen: 0/7 1/7 2/7 4/7 5/7 6/7 7/7" missing.mbox
bad "truncated patch" "'cut.mbox': the patch cannot be used: line 41 of the\
 diff: the hunk is corrupt (a wrapped line?)" cut.mbox
bad "path out of the tree" "'outside.mbox': the patch cannot be used: line 2\
 of the diff: path '../outside' leaves the tree" outside.mbox
bad "path into .git" "'hook.mbox': the patch cannot be used: line 2 of the\
 diff: path '.git/hooks/post-commit' is in a git directory" hook.mbox
bad "no base" "no revision 'v9.9' in '$tree'" --base v9.9 "$batch"
bad "no such arch" "unknown architecture 'vax'; known are x86_64, arm64,\
 powerpc, riscv, i386, riscv32, powerpc32" \
	--arch vax "$batch"

# Trees that are none.
git init -q -b main unborn
run respin check --tree unborn "$batch"
is "unborn HEAD: status" "$status" 2
is "unborn HEAD: message" "$(cat "$err")" "respin check: tree '$tmp/unborn' has no\
 commit yet; name another with --tree PATH[@REV]"
git init -q -b main other
git -C other -c user.name=t -c user.email=t@localhost commit -q \
	--allow-empty -m 'no kernel'
run respin check --tree other "$batch"
is "no kernel: status" "$status" 2
is "no kernel: message" "$(cat "$err" | sed 's/at [0-9a-f]* /at ID /')" \
	"respin check: '$tmp/other' at ID is not a Linux kernel tree; name one\
 with --tree PATH[@REV]"
run respin check --tree nowhere "$batch"
is "no directory: status" "$status" 2
is "no directory: message" "$(cat "$err")" "respin check: no tree 'nowhere':\
 neither a directory nor a [respin-tree \"nowhere\"] with a path in the\
 configuration"
if [ "$(id -u)" = 0 ]; then
	cp -r other theirs
	chown -R nobody theirs
	run respin check --tree theirs "$batch"
	is "another user's tree: status" "$status" 2
	check "another user's tree: what to do is said" \
		grep -q 'safe.directory' "$err"
	# By sudo it is read, and what is written there is the user's.
	escape file >file.mbox
	chmod 755 "$tmp"
	run env SUDO_UID="$(id -u nobody)" respin apply --tree theirs \
		--ref sudo file.mbox
	is "another user's tree by sudo: status" "$status" 0
	check "another user's tree by sudo: the refs are there" \
		test -e theirs/.git/refs/respin/sudo/1
	is "another user's tree by sudo: nothing of root's in it" \
		"$(find theirs ! -user nobody)" ""
fi
finish
