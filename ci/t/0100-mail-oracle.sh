#!/bin/bash
# What respin reads out of a mail is what git reads out of it: author, date,
# message and diff of each mail, against git mailsplit, mailinfo and stripspace,
# and the commit that git am makes.  TAP; run by prove from the top directory.
#
#	BUILD=build-san prove ci/t/0100-mail-oracle.sh
set -u

build=${BUILD:-build}
dump=$PWD/$build/t/mail-dump
data=$PWD/tools/t/data/mail
[ -x "$dump" ] || make -s "$build/t/mail-dump" >&2 || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

# No configuration but ours, and no colours, pagers or signatures in it.
export HOME=$tmp GIT_CONFIG_NOSYSTEM=1 LC_ALL=C.UTF-8 TZ=UTC
unset GIT_DIR GIT_WORK_TREE GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE
git config --global user.name 'Jürgen Müller'
git config --global user.email jm@example.org
git config --global init.defaultBranch main

nr=0
result() {	# result RC NAME
	nr=$((nr + 1))
	[ "$1" = 0 ] || printf 'not '
	printf 'ok %d - %s\n' "$nr" "$2"
}

# Name, address and date as one line, the date as git understands it.
git_ident() {
	sed -n 's/^Author: //p; s/^Email: /</p' info | paste -sd' ' | tr -d '\n'
	printf '> '
	GIT_AUTHOR_DATE=$(sed -n 's/^Date: //p' info) git var GIT_AUTHOR_IDENT |
		sed 's/.*> //'
}

# compare MAIL NAME [--keep-cr]: our reading against git mailinfo's
compare() {
	rm -rf split && mkdir split
	"$dump" "$1" message patch ${3:+"$3"} >ident 2>notes || {
		sed 's/^/# /' notes
		result 1 "$2"
		return
	}
	# mailinfo adds a newline where a multipart ends.
	case $2 in commit*attach) echo >>patch ;; esac
	git mailsplit -b ${3:+"$3"} -osplit "$1" >count &&
	git mailinfo log patch.git <split/0001 >info 2>/dev/null &&
	{ sed -n 's/^Subject: //p' info; echo; cat log; } |
		git stripspace >message.git &&
	git_ident >ident.git &&
	diff ident.git ident >diffs && diff -a message.git message >>diffs &&
		cmp patch.git patch >>diffs
	set -- $? "$2${3:+, $3}"
	[ "$1" = 0 ] || sed 's/^/# /' diffs
	result "$@"
}

# The fixtures of the unit test.  Not here: mails in which git keeps bytes
# that are no UTF-8 in the message (respin reads latin-1), a charset nobody
# knows (git gives up), a reply (no series), and parts that are no text.
for mail in "$data"/*.mail; do
	case $mail in
	*/raw-latin1.*|*/false-utf8.*|*/odd-charset.*|*/no-name.*|*/signed.*)
		continue ;;
	esac
	compare "$mail" "fixture $(basename "$mail" .mail)"
done

# Commits with what is hard in a mail, sent in all ways.
git init -q repo && cd repo || exit 1
seq 1 30 >text && printf 'x\0y\n' >binary && git add . &&
	git commit -q -m base || exit 1
commit() {	# commit MESSAGE; the change is made before
	git add -A && git commit -q --cleanup=verbatim -m "$1"
}
sed -i 's/^5$/five = 5/' text
commit 'mm: plain

A line.
From now on it is five.

Signed-off-by: J <j@example.org>
'
printf 'x\0z\n' >binary
commit 'mm: a binary file'
printf 'caf\351 in latin-1\n' >>text
commit 'mm: größer: a subject that is so long that it has to be folded into more lines

Straße.
'
sed -i 's/$/\r/' text
commit 'mm: CR LF'
git mv text other && sed -i 's/^7/seven/' other && chmod +x other
commit 'mm: rename and mode'
printf 'no newline' >>other
commit 'mm: [not a tag] no newline'
git -c user.name='Doe, "Jane" (X)' commit -q --allow-empty -m empty
printf 'more\n' >third && git add third &&
	git -c user.name='Doe, "Jane" (X)' -c user.email=jd@example.org \
		commit -q -m 'mm: new file' --date '2001-02-03T04:05:06 -0330'
git rm -q binary && commit 'mm: delete'
cd .. || exit 1

# encode NAME: the 8-bit mail on stdin with another transfer encoding
encode() {
	perl -MMIME::Base64 -MMIME::QuotedPrint -0777 -e '
		my ($how, $mail) = ($ARGV[0], scalar <STDIN>);
		my ($head, $body) = split /\n\n/, $mail, 2;
		$head =~ s/\nContent-[^\n]*|\nMIME-Version[^\n]*//g;
		$body = $how eq "base64" ? encode_base64($body) :
			encode_qp($body, "\n", 1) if $how ne "crlf";
		$head .= "\nMIME-Version: 1.0\nContent-Type: text/plain; " .
			 "charset=UTF-8\nContent-Transfer-Encoding: " .
			 ($how eq "crlf" ? "8bit" : $how);
		$mail = "$head\n\n$body";
		$mail =~ s/\n/\r\n/g if $how eq "crlf";
		print $mail' "$1"
}

count=$(git -C repo rev-list --count --no-merges main)
for i in $(seq 1 $((count - 1))); do
	rev=$(git -C repo rev-list --reverse main | sed -n "$((i + 1))p")
	git -C repo diff --quiet "$rev^" "$rev" && continue
	git -C repo format-patch -q -1 --stdout "$rev" >8bit.mail
	git -C repo format-patch -q -1 --stdout --from='S <s@example.org>' \
		"$rev" >from.mail
	git -C repo format-patch -q -1 --stdout --attach "$rev" >attach.mail
	for how in base64 quoted-printable crlf; do
		encode $how <8bit.mail >$how.mail
	done
	for how in 8bit from attach base64 quoted-printable crlf; do
		compare $how.mail "commit $i, $how"
		# git apply refuses a binary patch of CR LF lines too.
		case $how$(grep -ao '^GIT binary' $how.mail) in
		8bit*|attach*|crlf)
			compare $how.mail "commit $i, $how" --keep-cr ;;
		esac
	done
done

# And the commit itself: git am's author and message are ours.
git clone -q repo am && cd am || exit 1
i=0
for rev in $(git rev-list --reverse main | sed 1d); do
	i=$((i + 1))
	git diff --quiet "$rev^" "$rev" && continue
	git checkout -q "$rev^" || exit 1
	git format-patch -q -1 --stdout "$rev" |
		(cd .. && encode quoted-printable) >../am.mail
	git am -q --keep-cr ../am.mail 2>/dev/null || {
		git am --abort
		result 1 "git am of commit $i"
		continue
	}
	"$dump" ../am.mail ../message ../patch >../ident 2>/dev/null
	git log -1 --format='%an <%ae> %ad' --date=raw >../ident.git
	git log -1 --format=%B | git stripspace >../message.git
	cmp ../ident.git ../ident && cmp ../message.git ../message
	result $? "git am of commit $i"
done
echo "1..$nr"
