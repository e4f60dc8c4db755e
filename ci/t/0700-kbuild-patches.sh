#!/bin/sh
# Patches that add files and touch Makefiles and Kconfig, on the real kernel:
# what they build is compiled, what they do not is said, and the O= that all
# runs share stays as it is.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"

begin
c respin_new | put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file'
judge 'new file' 0 </dev/null

# What the dry runs may not touch.
sums() { find "$odir" -type f -exec cksum {} + | LC_ALL=C sort; }
sums >"$tmp/before"
check "the shared O= is found" grep -q '/\.config$' "$tmp/before"

begin
c respin_new "$unused" | put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file'
judge 'new file with a warning' 1 <<-'END'
	finding 1/1 warning lib/respin_new.c respin_new -Wunused-variable fails:x86_64
	END

# Their headers are made from the linked kernel, which there is none of.
boot='arch/x86/boot/compressed/misc.c arch/x86/boot/compressed/kaslr.c
	arch/x86/boot/version.c'
begin
for f in $boot; do
	echo '/* more */' | append "$f"
done
patch 'x86/boot: comments'
judge 'boot' 0 </dev/null

begin
for f in $boot; do
	echo 'int respin_missing = RESPIN_MISSING;' | append "$f"
done
patch 'x86/boot: use what is not there'
judge 'boot, broken' 1 <<-'END'
	finding 1/1 error arch/x86/boot/compressed/kaslr.c - - fails:x86_64
	finding 1/1 error arch/x86/boot/compressed/misc.c - - fails:x86_64
	finding 1/1 error arch/x86/boot/version.c - - fails:x86_64
	END

begin
c respin_new | put lib/respin_new.c
patch 'lib: add a file'
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: build it'
judge 'no Makefile line, then one' 2 <<-'END'
	not-verified 1 lib/respin_new.c: no Makefile builds it
	END

begin
printf 'config RESPIN_NEW\n\tbool "respin"\n' | append lib/Kconfig
c respin_new "$unused" | put lib/respin_new.c
echo 'obj-$(CONFIG_RESPIN_NEW) += respin_new.o' | append lib/Makefile
patch 'lib: add an option'
judge 'symbol that is off' 2 <<-'END'
	not-verified 1 lib/respin_new.c: it is only built with CONFIG_RESPIN_NEW=y
	END

sums >"$tmp/after"
is "the shared O= is as before" "$(cat "$tmp/after")" "$(cat "$tmp/before")"
finish
