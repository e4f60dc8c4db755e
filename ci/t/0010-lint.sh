#!/bin/sh
# ci/lint: each rule fires on a sample that breaks it and nothing else does.
set -u

lint=$(cd "$(dirname "$0")/.." && pwd)/lint
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0

ok() {		# ok STATUS NAME
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		sed 's/^/# /' "$tmp/out"
	fi
}

# A tree that keeps all rules: every test starts from it.
good() {
	rm -rf "$tmp/r"
	mkdir -p "$tmp/r/tools/t/data" "$tmp/r/checks"
	cat >"$tmp/r/tools/good.h" <<-'END'
	/* SPDX-License-Identifier: GPL-2.0 */
	#ifndef RESPIN_GOOD_H
	#define RESPIN_GOOD_H

	/* Twice @n. */
	int good_twice(int n);
	#endif
	END
	cat >"$tmp/r/tools/good.c" <<-'END'
	// SPDX-License-Identifier: GPL-2.0
	#include "good.h"

	int good_twice(int n)
	{
		const char *s = "system(\"x\") /* no comment";

		return n ? n * 2 : *s == '"';
	}

	static int my_system(int n)
	{
		return good_twice(n);
	}

	/*
	 * Four times @n.
	 */
	int good_four(int n)
	{
		return my_system(n) * 2;
	}
	END
	cp "$tmp/r/tools/good.c" "$tmp/r/checks/good.c"
}

run() {
	"$lint" "$tmp/r" >"$tmp/out" 2>&1
	status=$?
}

passes() {	# passes NAME
	run
	[ "$status" = 0 ] && [ "$(grep -vc '^lint: ' "$tmp/out")" = 0 ] &&
		grep -q '; no problem$' "$tmp/out"
	ok $? "$1"
}

# The one problem in the tree is WHERE: TEXT.
fires() {	# fires NAME WHERE TEXT
	run
	[ "$status" = 1 ] && grep -v '^lint: ' "$tmp/out" >"$tmp/problems"
	[ "$(cat "$tmp/problems")" = "$2: $3" ] &&
		grep -q '; 1 problem' "$tmp/out"
	ok $? "$1"
}

line() {	# line FILE TEXT...: appends lines
	file=$tmp/r/$1
	shift
	printf '%s\n' "$@" >>"$file"
}

lines() {	# lines COUNT: code, one line in five with a comment
	awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++)
		print "extern int v" i ";" (i % 5 ? "" : " /* v */") }'
}

func() {	# func NAME LINES: a function of so many lines, a comment in five
	echo "int $1(int n)"
	echo "{"
	awk -v n="$2" 'BEGIN { for (i = 1; i <= n - 4; i++)
		print "\tn++;" (i % 5 ? "" : " /* n */") }'
	printf '\treturn n;\n}\n'
}

source_of() {	# source_of FILE: starts a source file
	echo '// SPDX-License-Identifier: GPL-2.0' >"$tmp/r/$1"
}

good
passes 'a good tree'

# lengths
good; source_of tools/long.c; lines 499 >>"$tmp/r/tools/long.c"
passes 'a file of 500 lines'
good; source_of tools/long.c; lines 500 >>"$tmp/r/tools/long.c"
fires 'a file of 501 lines' tools/long.c:501 '501 lines, more than 500'
good; source_of tools/t/test-x.c; lines 799 >>"$tmp/r/tools/t/test-x.c"
passes 'a test of 800 lines'
good; source_of tools/t/test-x.c; lines 800 >>"$tmp/r/tools/t/test-x.c"
fires 'a test of 801 lines' tools/t/test-x.c:801 '801 lines, more than 800'

many() {	# many COUNT LINES: COUNT functions of LINES lines
	for i in $(seq "$1"); do func "f$2_$i" "$2"; done
}
good; source_of tools/f.c; many 20 10 >>"$tmp/r/tools/f.c"
func g 80 >>"$tmp/r/tools/f.c"
passes 'a function of 80 lines'
good; source_of tools/f.c; many 20 10 >>"$tmp/r/tools/f.c"
func g 81 >>"$tmp/r/tools/f.c"
fires 'a function of 81 lines' tools/f.c:202 'g() has 81 lines, more than 80'
good; source_of tools/t/test-f.c; func g 90 >>"$tmp/r/tools/t/test-f.c"
passes 'a test function of 90 lines'
good; source_of tools/f.c; many 8 20 >>"$tmp/r/tools/f.c"
passes 'a median of 20'
good; source_of tools/f.c; many 8 21 >>"$tmp/r/tools/f.c"
fires 'a median of 21' tools:0 'the median function has 21 lines, more than 20'
good; source_of tools/f.c; many 3 45 >>"$tmp/r/tools/f.c"
passes 'a p90 of 45'
good; source_of tools/f.c; many 3 46 >>"$tmp/r/tools/f.c"
fires 'a p90 of 46' tools:0 '1 function in 10 passes 46 lines, more than 45'

# comments
good; source_of tools/c.c
seq -f 'extern int v%g;' 100 >>"$tmp/r/tools/c.c"
run
grep -q '^tools:0: [0-9.]* % of the lines hold a comment, not 10 to 25$' "$tmp/out"
ok $? 'too few comments'
good; source_of tools/c.c
seq -f '/* %g */' 100 >>"$tmp/r/tools/c.c"
run
grep -q '^tools:0: [0-9.]* % of the lines hold a comment, not 10 to 25$' "$tmp/out"
ok $? 'too many comments'

# form
good; line tools/good.c "extern int $(printf 'x%.0s' $(seq 88));"
passes 'a line of 100 columns'
good; line tools/good.c "extern int $(printf 'x%.0s' $(seq 89));"
fires 'a line of 101 columns' tools/good.c:23 '101 columns, more than 100'
good; line tools/good.c "	extern int $(printf 'x%.0s' $(seq 81));"
fires 'a tab is 8 columns' tools/good.c:23 '101 columns, more than 100'
good; line tools/good.c "/* $(printf 'ä%.0s' $(seq 94)) */"
passes 'columns are characters, not bytes'
good; line tools/t/../good.c 'extern int x; '
fires 'a blank at the end' tools/good.c:23 'blanks at the end'
good; line tools/good.c '	'
fires 'a tab at the end' tools/good.c:23 'blanks at the end'
good; sed -i 1s,//,///, "$tmp/r/tools/good.c"
fires 'no SPDX line in a source' tools/good.c:1 'no SPDX line first'
good; sed -i '1s,.*,// SPDX-License-Identifier: GPL-2.0,' "$tmp/r/tools/good.h"
fires 'the SPDX line of a header' tools/good.h:1 'no SPDX line first'
good; sed -i 's/define RESPIN_GOOD_H/define RESPIN_GOD_H/' "$tmp/r/tools/good.h"
fires 'no include guard' tools/good.h:1 'no include guard'
good; echo '/* SPDX-License-Identifier: GPL-2.0 */' >"$tmp/r/checks/list.h"
passes 'a list in checks/ needs none'

# layers
for h in gmime/gmime.h git2.h git2/sys/mempack.h sqlite3.h; do
	good; line tools/good.c "#include <$h>"
	run
	[ "$status" = 1 ] &&
		grep -q "^tools/good.c:23: .* ($h) belongs in tools/" "$tmp/out" &&
		[ "$(wc -l <"$tmp/out")" = 2 ]
	ok $? "$h outside of its place"
done
for place in mail.c:gmime/gmime.h repo.c:git2.h checkout.c:git2.h apply.c:git2.h \
	     steps.c:git2.h config.c:git2.h store.c:sqlite3.h t/test-x.c:git2.h; do
	good; mv "$tmp/r/tools/good.c" "$tmp/r/tools/${place%%:*}"
	line "tools/${place%%:*}" "#include <${place#*:}>"
	passes "${place#*:} in ${place%%:*}"
done
for call in fork vfork execvp execve waitpid posix_spawn g_spawn_sync; do
	good; line tools/good.c "int x = $call();"
	fires "$call()" tools/good.c:23 "$call(): only tools/proc.c starts processes"
	good; mv "$tmp/r/tools/good.c" "$tmp/r/tools/proc.c"
	line tools/proc.c "int x = $call();"
	passes "$call() in proc.c"
done
good; line tools/good.c '/* fork() */ int forks(int my_fork);'
passes 'a word that only looks like a call'

# banned calls
for call in strcpy strcat strncpy strncat strtok sprintf vsprintf gets system \
	    popen; do
	good; line tools/good.c "int x = $call (1);"
	fires "$call()" tools/good.c:23 "$call() is banned"
done
good; source_of tools/t/test-x.c; line tools/t/test-x.c 'int x = system(1);'
fires 'a banned call in a test' tools/t/test-x.c:2 'system() is banned'
good; line tools/good.c 'int x = snprintf(1), y = fgets(1); /* gets(s) */'
passes 'calls that only look banned'
good; line tools/t/data/bad.c 'int x = system(1);'
passes 'data of tests is not looked at'

# the check itself
"$lint" "$tmp/none" >"$tmp/out" 2>&1
[ $? = 2 ]; ok $? 'no such directory'
mkdir "$tmp/empty"
"$lint" "$tmp/empty" >"$tmp/out" 2>&1
[ $? = 2 ]; ok $? 'nothing to check is not a pass'
mkdir "$tmp/bin"
for p in perl env; do ln -s "$(command -v $p)" "$tmp/bin"; done
good
PATH=$tmp/bin "$lint" "$tmp/r" >"$tmp/out" 2>&1
[ $? = 2 ]; ok $? 'no ctags is not a pass'

echo "1..$n"
