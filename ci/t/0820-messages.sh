#!/bin/sh
# Notes on mails and log messages: a small tree with everything that can be
# said and its mended twin, then the kernel's own MAINTAINERS and .mailmap with
# git and get_maintainer.pl as the oracles.  Nothing is compiled.
. "$(dirname "$0")/lib.sh"

for who in AUTHOR COMMITTER; do
	export GIT_${who}_NAME='Ada Example' GIT_${who}_EMAIL=ada@example.org
done
t=$tmp/small
g() { git -C "$t" "$@"; }

# A tree of four files, and two patches on it.
git init -q -b main "$t"
mkdir "$t/foo"
printf 'FOO DRIVER\nM:\tFay One <fay@example.org>\nL:\tfoo@lists.example.org\n%s' \
	'F:	foo/

THE REST
M:	Linus <torvalds@example.org>
F:	*
F:	*/
' >"$t/MAINTAINERS"
echo 'Nia New <nia@new.example.org> <nia@old.example.org>' >"$t/.mailmap"
echo 'int a;' >"$t/foo/a.c"
g add -A
g commit -q -m 'foo: begin'
first=$(g rev-parse --short=12 HEAD)
echo 'int b;' >>"$t/foo/a.c"
g commit -q -a -s -m "foo: b

Fixes: $first (\"foo: begin\")"
echo 'int c;' >>"$t/foo/a.c"
g commit -q -a -s -m 'foo: c'

# mails NAME [OPTION...]: the two patches as $tmp/NAME.mbox
mails() {
	name=$1
	shift
	g format-patch -q --stdout --cover-letter "$@" HEAD~2 |
		sed 's/^\*\*\* SUBJECT.*/foo/; s/\*\*\* SUBJECT HERE \*\*\*/foo/' \
		>"$tmp/$name.mbox"
}
judge() { run respin messages --tree "$t" "$@"; }

mails right --base=HEAD~2 --to=fay@example.org --cc=foo@lists.example.org
judge "$tmp/right.mbox"
is 'right' "$status: $(cat "$out" "$err")" '0: no note on mails and trailers'
mails wrong -v2 --to='Nia <nia@old.example.org>'
sed -i "s/^\(Fixes: \)\(........\).*/\1\2/; s/^Signed-off-by: .*/Reported-by: \
kernel test robot <lkp@intel.com>/" "$tmp/wrong.mbox"
judge --json "$tmp/notes.json" "$tmp/wrong.mbox"
is 'wrong' "$status: $(sed "s/$(echo "$first" | cut -c 1-8)/ID/" "$out" "$err")" \
	"0: $(cat <<-'END'
	0-2/2 message/stale-address: To: 'Nia <nia@old.example.org>' is an old address
	      use 'nia@new.example.org', as .mailmap of the base says
	0/2 message/no-changelog: nothing says what is new in v2
	      list it in the cover letter or below the "---" of each patch ("v2: ...")
	1-2/2 message/missing-maintainer: not in To or Cc: 'Fay One
	    <fay@example.org>', 'foo@lists.example.org'
	      add them: MAINTAINERS has them in FOO DRIVER
	1-2/2 message/no-signoff: there is no Signed-off-by:
	      git commit --amend -s
	1-2/2 message/robot-closes: no Closes: follows Reported-by: 'lkp@intel.com'
	      add the Closes: (or Link:) line of the report
	1/2 message/fixes-form: 'Fixes: ID' has less than 12 digits
	      git log -1 --abbrev=12 --format='Fixes: %h ("%s")' COMMIT, on one line
	0/2 message/no-base (hint): no base-commit: says what the series goes on
	      git format-patch --base=auto
	2/2 message/robot-new-version (hint): Reported-by: 'lkp@intel.com' in a new
	    version of the patch, without Fixes:
	      leave it out when the report was of an earlier version: it is for a
	        commit of its own
	END
	)"
check 'JSON: the same notes' test "$(grep -c '"rule": ' "$tmp/notes.json")" = 8
check 'JSON: places' perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>);
	exit !grep { $_->{rule} eq "message/stale-address" && $_->{n} == 0 &&
		$_->{confidence} eq "likely" && "@{$_->{patches}}" eq "0 1 2" }
		@{$d->{messages}}' <"$tmp/notes.json"

# Of commits only what stands in their messages is judged.
judge HEAD~2..HEAD
is 'a right range' "$status: $(cat "$out" "$err")" \
	'0: no note on mails and trailers'
g commit -q --allow-empty -m 'foo: d

Fixes: 0123456789ab ("foo: x")'
judge HEAD~1..HEAD
is 'a wrong range' "$status: $(cat "$out" "$err")" "0: $(cat <<-'END'
	1/1 message/no-signoff: there is no Signed-off-by:
	      git commit --amend -s
	not checked: whether the commits of Fixes: exist (the repository has not all
	             of upstream's history)
	END
	)"
g reset -q --hard HEAD~1

# Before the recipients are chosen; and answers to the version before.
mails unsent --base=HEAD~2
judge "$tmp/unsent.mbox"
is 'no recipients yet' "$status: $(cat "$out" "$err")" "0: $(cat <<-'END'
	no note on mails and trailers
	not checked: recipients (the mails have no To: and Cc: yet)
	END
	)"
cat >"$tmp/v1.mbox" <<'END'
From mboxrd@z Thu Jan  1 00:00:00 1970
From: Nia New <nia@new.example.org>
Date: Thu, 1 Jan 1970 00:00:01 +0000
Subject: Re: [PATCH 2/2] foo: c

> int c;
Reviewed-by: Nia New <nia@new.example.org>
END
mails v2 -v2 --base=HEAD~2 --to=fay@example.org --cc=foo@lists.example.org
sed -i 's/^\*\*\* BLURB.*/v2: better/' "$tmp/v2.mbox"
judge "$tmp/v2.mbox"
is 'v2 alone' "$status: $(cat "$out" "$err")" '0: no note on mails and trailers'
judge --earlier "$tmp/v1.mbox" "$tmp/v2.mbox"
is 'v2 after v1' "$status: $(cat "$out" "$err")" "0: $(cat <<-'END'
	2/2 message/missing-reviewer: 'Nia New <nia@new.example.org>' answered the
	    version before and is not in To or Cc
	      add them to Cc of the whole series
	2/2 message/lost-tag (hint): Reviewed-by: 'Nia New <nia@new.example.org>',
	    given to v1, is not there
	      add it, or say in the changelog that it was dropped and why
	END
	)"

# What cannot be judged though it was asked for is no silence.
g rm -q MAINTAINERS
g commit -q -m 'gone'
judge --base HEAD "$tmp/v2.mbox"
is 'no MAINTAINERS' "$status: $(cat "$out" "$err")" "2: $(cat <<-'END'
	no note on mails and trailers
	NOT VERIFIED  recipients: MAINTAINERS of the base cannot be read
	END
	)"
judge --earlier "$tmp/none" "$tmp/v2.mbox"
is 'no such thread' "$status" 2
judge
is 'no series' "$status: $(cat "$err")" \
	"2: respin messages: no series given; see 'respin messages -h'"

# The kernel's own.  mail_to FILE: a patch to it, for those in $tmp/to.
export RESPIN_CACHE=$real_cache
tree=$("$root/ci/linux")
mail_to() {
	{
		printf 'From m@z Thu Jan  1 00:00:00 1970\nFrom: Ada <ada@example.org>\n'
		printf 'Date: Thu, 1 Jan 1970 00:00:01 +0000\nSubject: [PATCH] s\nTo: '
		sed '2,$s/^/	/; $!s/$/,/' "$tmp/to"
		printf '\nText\n\nSigned-off-by: Ada <ada@example.org>\n---\n'
		printf 'diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-a\n+b\n' \
			"$1" "$1" "$1" "$1"
	} >"$tmp/one.mbox"
	run respin messages --tree "$tree" --json - "$tmp/one.mbox"
}
# field RULE FIELD: of the notes of that rule, one on a line
field() {
	perl -MJSON::PP -e 'local $/; binmode STDOUT, ":utf8";
		$_->{rule} =~ /^message\/$ARGV[0]/ and print "$_->{$ARGV[1]}\n"
		for @{decode_json(<STDIN>)->{messages}}' "$1" "$2" <"$out"
}
addresses() { grep -oE '[A-Za-z0-9_.+-]+@[A-Za-z0-9.-]+' | tr A-Z a-z | LC_ALL=C sort -u; }

# The seed: an address that .mailmap maps elsewhere, and what it maps to.
echo 'Nadav Amit <namit@vmware.com>' >"$tmp/to"
mail_to README
is 'an old address' "$(field stale text): $(field stale todo)" "To: 'Nadav Amit\
 <namit@vmware.com>' is an old address: use 'nadav.amit@gmail.com', as .mailmap\
 of the base says"
echo 'Nadav Amit <nadav.amit@gmail.com>' >"$tmp/to"
mail_to README
is 'a new address' "$(field stale text)" ''

# Nobody whom MAINTAINERS lists is said to be stale, whatever .mailmap has.
git -C "$tree" show HEAD:MAINTAINERS | sed -n 's/^[MR]:[[:blank:]]*//p' >"$tmp/to"
mail_to README
check 'MAINTAINERS: thousands of entries' test "$(wc -l <"$tmp/to")" -gt 4000
is 'MAINTAINERS: none is stale' "$status: $(field stale text)" '0: '
addresses <"$tmp/to" >"$tmp/listed"

# All other addresses of .mailmap are, and are replaced as git says.
git -C "$tree" show HEAD:.mailmap | grep -v '^#' | grep -o '<[^>]*>' |
	sed 's/^/Some One /' | sort -u >"$tmp/to"
git -C "$tree" check-mailmap --stdin <"$tmp/to" | paste -d ' ' "$tmp/to" - |
	LISTED="$tmp/listed" perl -ne '
	BEGIN { open my $in, "<", $ENV{LISTED}; chomp, $listed{$_}++ for <$in> }
	/<([^>]*)>.*<([^>]*)>/ && lc $1 ne lc $2 && !$listed{lc $1} or next;
	print lc("$1 $2"), "\n"' | sort -u >"$tmp/want"
mail_to README
perl -MJSON::PP -e 'local $/; for (@{decode_json(<STDIN>)->{messages}}) {
	my ($old) = $_->{text} =~ /<(.*)>. is an old/ or next;
	my ($new) = $_->{todo} =~ /^use .(.*)., as/;
	print lc("$old $new"), "\n" }' <"$out" | sort -u >"$tmp/got"
check 'mailmap: hundreds of entries' test "$(wc -l <"$tmp/want")" -gt 500
check 'mailmap: the same as git' diff "$tmp/want" "$tmp/got"

# Whom we miss the script names too; what nobody owns is not missed.
echo ada@example.org >"$tmp/to"
for file in mm/mprotect.c arch/arm64/mm/mmu.c drivers/gpu/drm/i915/i915_driver.c \
	net/ipv4/tcp.c kernel/sched/core.c fs/ext4/inode.c; do
	mail_to "$file"
	field missing text | addresses >"$tmp/ours"
	(cd "$tree" && perl scripts/get_maintainer.pl --no-git --no-git-fallback \
		--no-rolestats --nokeywords -f "$file") | addresses >"$tmp/theirs"
	check "$file: somebody is missing" test -s "$tmp/ours"
	is "$file: get_maintainer.pl has them" \
		"$(LC_ALL=C comm -23 "$tmp/ours" "$tmp/theirs")" ''
done
mail_to README
is 'README: THE REST only' "$(field missing text)" ''
finish
