#!/bin/sh
# What stands beside the kernel: test programs of tools/testing/ that include
# its sources, headers for user space, references to files, the C side of
# Rust.  Each defect is found, and its harmless twin is not.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

scope() { check "$1: out of scope: $2" grep -q "\"out_of_scope\":.*$2" "$tmp/report.json"; }

# The kernel has this macro, the stubs of the test program have not.
new_call() {
	perl -pe 's/^\tmight_sleep\(\);/\tcond_resched_tasks_rcu_qs();\n$&/'
}

begin
filter mm/vma.c new_call
patch 'mm: call it'
new_stub() {
	echo 'static inline void cond_resched_tasks_rcu_qs(void) {}' |
		append tools/testing/vma/vma_internal.h
}
new_stub
patch 'tools: add the stub'
judge 'call without a stub' 1 <<-'END'
	finding 1/2 error mm/vma.c remove_vma link fails:host
	finding 1/2 warning mm/vma.c remove_vma -Wimplicit-function-declaration fails:host
	hazard 1/2 gone 2/2
	END
check 'the report names the program' grep -q 'host (tools/testing/vma)' "$out"

begin
filter mm/vma.c new_call
new_stub
patch 'mm: call it'
judge 'call with its stub' 0 </dev/null

begin
append include/uapi/linux/iso_fs.h <<-'END'
	// not in C90
	END
patch 'uapi: a comment'
judge 'comment of C99' 1 <<-'END'
	finding 1/1 error include/uapi/linux/iso_fs.h - - fails:x86_64
	END
scope 'comment of C99' 'the values of macros'

begin
append include/uapi/linux/iso_fs.h <<-'END'
	#ifdef __KERNEL__
	// never seen
	#endif
	/* in C90 */
	END
patch 'uapi: a comment'
judge 'comment of C90' 0 </dev/null

begin
echo 'extern int respin_new(void);' | append include/uapi/linux/iso_fs.h
patch 'uapi: a function'
printf '#ifdef CONFIG_SMP\n#define ISOFS_RESPIN 1\n#endif\n' |
	append include/uapi/linux/iso_fs.h
patch 'uapi: an option'
judge 'what user space cannot use' 1 <<-'END'
	finding 1/2 warning include/uapi/linux/iso_fs.h - headers_check fails:x86_64
	finding 2/2 error include/uapi/linux/iso_fs.h - headers_install fails:x86_64
	not-verified 2 usr/include/linux/iso_fs.h: its types could not be compared: with this patch: include/uapi/linux/iso_fs.h: leak CONFIG_SMP to user-space
	END

# Types of user space: a member in front, which all of the struct feels, is of
# the first patch; what the second adds to it is of the second.
begin
filter include/uapi/linux/iso_fs.h perl -0pe \
	's/(struct iso_directory_record \{\n)/$1\t__u8 respin;\n/'
patch 'uapi: a member in front'
filter include/uapi/linux/iso_fs.h perl -pe 's/\bname_len\b/respin_len/'
for f in dir export joliet namei rock; do
	filter fs/isofs/$f.c perl -pe 's/(?<=->)name_len\b/respin_len/g'
done
patch 'uapi: a member goes'
filter include/uapi/linux/fiemap.h perl -pe 's/fe_reserved\[3\]/fe_respin, fe_reserved[2]/'
filter include/uapi/linux/cgroupstats.h perl -pe \
	's/^\t__CGROUPSTATS_CMD_MAX,/\tCGROUPSTATS_CMD_RESPIN,\n$&/'
patch 'uapi: padding is used, an enum grows'
filter include/uapi/linux/cgroupstats.h perl -pe \
	's/^\tCGROUPSTATS_CMD_GET,/\tCGROUPSTATS_CMD_RESPIN_TOO,\n$&/'
patch 'uapi: an enumerator in between'
judge 'types' 1 <<-'END'
	finding 1/4 warning include/uapi/linux/iso_fs.h - layout fails:x86_64
	finding 2/4 warning include/uapi/linux/iso_fs.h - layout fails:x86_64
	finding 4/4 warning include/uapi/linux/cgroupstats.h - enumerators fails:x86_64
	END
check 'the report names the struct' grep -q "struct iso_directory_record" "$out"
check 'and the member that goes' sh -c "tr -s ' \n' '  ' <'$out' |
	grep -q \"2/4 WARNING .*member 'name_len' is gone\""
run respin repro 1/4.1
check 'the reproducer shows the struct' sh -c "sh '$out' 2>&1 |
	grep -q \"'struct iso_directory_record' changed\""

begin
drop Documentation/filesystems/9p.rst
patch 'docs: drop a file'
judge 'document that is still named' 1 <<-'END'
	finding 1/1 warning MAINTAINERS - patterns fails:host
	END
scope 'document that is still named' 'documentation'
run respin repro 1/1.1
check 'the reproducer shows the line' sh -c "sh '$out' 2>&1 |
	grep -q '^F:.*Documentation/filesystems/9p.rst'"

begin
drop Documentation/filesystems/9p.rst
filter MAINTAINERS grep -v 'Documentation/filesystems/9p.rst'
patch 'docs: drop a file and its name'
judge 'document that nobody names' 0 </dev/null

begin
filter mm/mlock.c sed '1a/* see Documentation/mm/respin.rst */'
patch 'mm: a comment'
judge 'document that never was' 1 <<-'END'
	finding 1/1 warning mm/mlock.c - file-ref fails:host
	END

begin
filter mm/mlock.c sed '1a/* see Documentation/mm/index.rst */'
patch 'mm: a comment'
judge 'document that is there' 0 </dev/null

begin
printf '\n.. kernel-doc:: mm/respin.c\n' | append Documentation/mm/index.rst
patch 'docs: take text from a file'
judge 'kernel-doc of no file' 1 <<-'END'
	finding 1/1 warning Documentation/mm/index.rst - kernel-doc fails:host
	END

begin
printf '\n.. kernel-doc:: mm/mlock.c\n' | append Documentation/mm/index.rst
patch 'docs: take text from a file'
judge 'kernel-doc of a file' 0 </dev/null

begin
echo 'int rust_helper_respin(void) { return respin_nowhere(); }' |
	append rust/helpers/err.c
patch 'rust: a helper'
judge 'helper that does not compile' 1 <<-'END'
	finding 1/1 error rust/helpers/err.c rust_helper_respin -Wimplicit-function-declaration fails:x86_64
	END

begin
echo 'int rust_helper_respin(void) { return 0; }' | append rust/helpers/err.c
patch 'rust: a helper'
judge 'helper that compiles' 0 </dev/null

begin
echo '/* a comment */' | append tools/perf/perf.c
patch 'perf: a comment'
judge 'program beside' 0 </dev/null
scope 'program beside' 'tools/perf'

begin
echo '/* a comment */' | append tools/objtool/elf.c
patch 'objtool: a comment'
judge 'program of the build' 0 </dev/null

finish
