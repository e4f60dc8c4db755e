#!/bin/sh
# What an earlier run found out is used once more, on the real kernel, and not for
# another text of the same lines, nor when its file is damaged.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"

inline() {
	TEXT="static inline unsigned long respin_new($1)
{
	return $2;
}" edit include/linux/pagewalk.h 's/(.*\n)(#endif)/$1$ENV{TEXT}\n$2/s'
}
compiled() {
	perl -MJSON::PP -0ne 'print decode_json($_)->{stats}{compiled}' \
		"$tmp/report.json"
}

begin
inline 'struct vm_area_struct *vma' 'vma_pages(vma)'
patch 'mm: an inline that needs mm.h only'
judge 'right' 0 </dev/null
check 'something is kept' [ -n "$(ls "$states/kept")" ]
touch "$tmp/stamp"
judge 'right, once more' 0 </dev/null
is 'all results are reused' "$(compiled)" 0

# The same lines and nothing else is changed.
begin
inline void 'get_nr_swap_pages()'
patch 'mm: an inline that needs swap.h'
wrong() {
	judge "$@" <<-'END'
	finding 1/1 error include/linux/pagewalk.h respin_new -Wimplicit-function-declaration fails:x86_64
	END
}
wrong 'another text' 1
check 'that is kept too' \
	[ -n "$(find "$states/kept" -newer "$tmp/stamp" -type f)" ]
wrong 'another text, once more' 1
is 'all results of that are reused' "$(compiled)" 0

# A byte more, a byte less, nothing at all.
find "$states/kept" -newer "$tmp/stamp" -type f >"$tmp/files"
while read -r file; do
	printf x >>"$file"
done <"$tmp/files"
wrong 'damaged' 1
while read -r file; do
	[ ! -f "$file" ] || : >"$file"
done <"$tmp/files"
wrong 'empty' 1
is 'damage costs no compile' "$(compiled)" 0
wrong 'without what is kept' 1 --no-reuse

finish
