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
