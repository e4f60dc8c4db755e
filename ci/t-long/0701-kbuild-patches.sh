#!/bin/sh
# Patches that add files and touch Makefiles and Kconfig, on the real kernel:
# what they build is compiled, what they do not is said, and the O= that all
# runs share stays as it is.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

# What the dry runs may not touch.
sums() { find "$odir" -type f -exec cksum {} + | LC_ALL=C sort; }
sums >"$tmp/before"
check "the shared O= is found" grep -q '/\.config$' "$tmp/before"

begin
printf 'config RESPIN_NEW\n\tdef_bool y\n' | append lib/Kconfig
c respin_new "$unused" | put lib/respin_new.c
echo 'obj-$(CONFIG_RESPIN_NEW) += respin_new.o' | append lib/Makefile
patch 'lib: add an option that is on'
c respin_new "$unused#ifdef CONFIG_RESPIN_NEW
	int more;
#endif
" | put lib/respin_new.c
patch 'lib: use it'
judge 'symbol that is on' 1 <<-'END'
	finding 1/2 warning lib/respin_new.c respin_new -Wunused-variable fails:x86_64
	finding 2/2 warning lib/respin_new.c respin_new -Wunused-variable fails:x86_64
	END

begin
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: name a file'
c respin_new | put lib/respin_new.c
patch 'lib: add the file'
judge 'Makefile before the file' 1 <<-'END'
	finding 1/2 error lib/Makefile - - fails:x86_64
	hazard 1/2 gone 2/2
	END

begin
drop mm/interval_tree.c
patch 'mm: drop a file'
judge 'file that is still named' 1 <<-'END'
	finding 1/1 error mm/Makefile - - fails:x86_64
	END

begin
printf 'config RESPIN_NEW\n\tbool "respin"\n' | append lib/Kconfig
patch 'lib: add an option'
c respin_new | put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file'
printf 'config RESPIN_WRONG\n\tbol "respin"\n' | append lib/Kconfig
patch 'lib: add an option that is none'
judge 'Kconfig that cannot be read' 1 <<-'END'
	finding 3/3 error lib/Kconfig - - fails:x86_64
	not-verified 3 Kconfig: it cannot be read at this patch: what is built from here on is not found out
	END

begin
printf 'int respin_new(void);\n#include "respin_gen.h"\nint respin_new(void)\n{\n\treturn RESPIN_GEN;\n}\n' |
	put lib/respin_new.c
printf 'obj-y += respin_new.o\n$(obj)/respin_new.o: $(obj)/respin_gen.h\n$(obj)/respin_gen.h: FORCE\n\t$(Q)echo "#define RESPIN_GEN 1" >$@\n' |
	append lib/Makefile
patch 'lib: add a file that needs a generated one'
judge 'generated file' 0 </dev/null

begin
printf '#include "respin_gen.h"\n' | put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file that needs one that is nowhere'
judge 'no such header' 1 <<-'END'
	finding 1/1 error lib/respin_new.c - - fails:x86_64
	END

begin
c respin_new | put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file'
drop lib/respin_new.c
g update-index --add --cacheinfo "100644,$(g rev-parse HEAD:lib/Makefile),lib/Makefile"
patch 'lib: remove it'
judge 'file that goes' 0 </dev/null

begin
{ echo '#define RESPIN_UNUSED 1'; c respin_new; } | put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file'
echo 'CFLAGS_respin_new.o += -Wunused-macros' | append lib/Makefile
patch 'lib: warn more'
judge 'flags' 1 <<-'END'
	finding 2/2 warning lib/respin_new.c - -Wunused-macros fails:x86_64
	END

begin
printf '\n#ifdef CONFIG_RESPIN_NOWHERE\nint respin_new;\n#endif\n' |
	append mm/mlock.c
patch 'mm: a symbol that nobody defines'
judge 'symbol without Kconfig' 2 <<-'END'
	not-verified 1 mm/mlock.c: it uses CONFIG_RESPIN_NOWHERE, which no Kconfig defines
	not-verified 1 mm/mlock.c:830: no variant compiles it: only where defined(CONFIG_RESPIN_NOWHERE)
	END

begin
echo '# a comment' | append mm/Makefile
patch 'mm: comment'
judge 'comment in a Makefile' 0 </dev/null

begin
echo 'obj-$(CONFIG_RTL8723BS) += foo.o' | append drivers/staging/rtl8723bs/Makefile
patch 'staging: not built here'
judge 'directory that is not built' 2 <<-'END'
	not-verified 1 drivers/staging/rtl8723bs/Makefile: what it changes is built by no variant of this run: it hangs on CONFIG_RTL8723BS
	END

sums >"$tmp/after"
check "the shared O= is as it was" cmp "$tmp/before" "$tmp/after"

# An old warning of a header is not the new file's.
begin
printf 'static inline void respin_old(void) { int old; }\n' |
	append include/linux/mman.h
old=$(g commit-tree -p HEAD -m old "$(g write-tree)")
printf '%s\n^%s\n' "$old" "$on" | g pack-objects -q --revs --stdout |
	git -C "$tree" unpack-objects -q
on=$old
{ echo '#include <linux/mman.h>'; c respin_new "$unused"; } |
	put lib/respin_new.c
echo 'obj-y += respin_new.o' | append lib/Makefile
patch 'lib: add a file'
base=$old judge 'old warning of a header' 1 <<-'END'
	finding 1/1 warning lib/respin_new.c respin_new -Wunused-variable fails:x86_64
	END

finish
