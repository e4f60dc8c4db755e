#!/bin/sh
# What was included before a header decides whether its new lines compile: a TU
# for each state of the names they use, on the real kernel.  In pagewalk.h
# swap.h is there in most TUs that include it, and not in a few.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"

# add PATH TEXT: before the last #endif of a header.
add() { TEXT=$2 edit "$1" 's/(.*\n)(#endif)/$1$ENV{TEXT}\n$2/s'; }
inline() {
	printf 'static inline unsigned long respin_new(%s)\n{\n\treturn %s;\n}\n' \
		"$1" "$2"
}

begin
add include/linux/pagewalk.h "$(inline void 'get_nr_swap_pages()')"
patch 'mm: an inline that needs swap.h'
judge 'a name that is there in most' 1 <<-'END'
	finding 1/1 error include/linux/pagewalk.h respin_new -Wimplicit-function-declaration fails:x86_64
	END

begin
add include/linux/pagewalk.h \
	"$(inline 'struct vm_area_struct *vma' 'vma_pages(vma)')"
patch 'mm: an inline that needs mm.h only'
judge 'a name that is there in all' 0 </dev/null

# The header alone passes, and so do the cheapest TUs of the flag classes: only
# where mempolicy.h came first the lines count, and swap.h is missing in one.
begin
add include/linux/pagewalk.h "#ifdef _LINUX_MEMPOLICY_H
$(inline void 'get_nr_swap_pages()')
#endif"
patch 'mm: an inline for who knows mempolicy.h'
judge 'lines that count in some' 1 <<-'END'
	finding 1/1 error include/linux/pagewalk.h respin_new -Wimplicit-function-declaration fails:x86_64
	END

begin
add include/linux/pagewalk.h "#ifdef _LINUX_MEMPOLICY_H
$(inline 'struct vm_area_struct *vma' 'vma_pages(vma)')
#endif"
patch 'mm: an inline for who knows mempolicy.h'
judge 'lines that count in some, right' 0 </dev/null

# pelt.h does not compile alone: each TU that includes it is asked.
begin
TEXT=$(inline void 'respin_nowhere()') edit kernel/sched/pelt.h \
	's/(\nint update_rt_rq_load_avg[^;]*;\n)/$1$ENV{TEXT}\n/'
patch 'sched: an inline that calls nothing'
judge 'a header that does not stand alone' 1 <<-'END'
	finding 1/1 error kernel/sched/pelt.h respin_new -Wimplicit-function-declaration fails:x86_64
	END
places=$(perl -MJSON::PP -0ne 'print decode_json($_)->{findings}[0]{fails}[0]{places}' \
	"$tmp/report.json")
including=$(g grep -l '#include "pelt.h"' HEAD -- kernel/sched/*.c | wc -l)
check "all that include it were compiled" [ "$places" -ge "$including" ]
finish
