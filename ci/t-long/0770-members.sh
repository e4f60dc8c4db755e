#!/bin/sh
# Patches that change members, layouts and enumerators of types in headers that
# thousands reach, on the real kernel: who is affected is compiled and nobody
# else; what is too much is said.
. "$(dirname "$0")/../t/lib.sh"
. "$root/ci/t/series.sh"

facts_of() { sed 's/\b[0-9][0-9]* \(of\|files\|TUs\)/N \1/g'; }
# edit_all PERL PATH...
edit_all() {
	code=$1
	shift
	for path in "$@"; do
		edit "$path" "$code"
	done
}
# Of the first variant and patch: compiles, or reachable.
number() {
	perl -MJSON::PP -0ne 'print decode_json($_)->{variants}[0]{patches}[0]{'"$1"'}' \
		"$tmp/report.json"
}
# few N: at most N compiles, of five times as many that can reach the header.
few() {
	[ "$(number compiles)" -gt 0 ] && [ "$(number compiles)" -le "$1" ] &&
		[ "$(number reachable)" -gt $((5 * $(number compiles))) ]
}

rename='s/\bs_inode_wblist_lock\b/s_wblist_lock/g'

begin
edit_all "$rename" include/linux/fs.h fs/fs-writeback.c fs/super.c
patch 'fs: rename a member'
judge 'member renamed, all users too' 0 </dev/null
check "few compiles: $(number compiles) of $(number reachable)" few 60

begin
edit_all "$rename" include/linux/fs.h fs/fs-writeback.c
patch 'fs: rename a member, forget one user'
judge 'member renamed, one user not' 1 <<-'END'
	finding 1/1 error fs/super.c alloc_super - fails:x86_64
	END
check "few compiles: $(number compiles) of $(number reachable)" few 60

# tcp_skb_cb embeds it, and tcp_init() asserts that it fits into the cb.
begin
edit_all 's/(struct inet_skb_parm \{\n)/$1\tu64 respin_grow[6];\n/' include/net/ip.h
patch 'ip: grow what is in every cb'
judge 'layout' 1 <<-'END'
	finding 1/1 error include/linux/compiler_types.h __skb_complete_tx_timestamp - fails:x86_64
	finding 1/1 error include/linux/compiler_types.h fragrun_create - fails:x86_64
	finding 1/1 error include/linux/compiler_types.h inet_init - fails:x86_64
	finding 1/1 error include/linux/compiler_types.h ip_finish_output_gso - fails:x86_64
	finding 1/1 error include/linux/compiler_types.h tcp_init - fails:x86_64
	finding 1/1 error include/linux/compiler_types.h udp_queue_rcv_skb - fails:x86_64
	finding 1/1 error include/linux/compiler_types.h xfrm_output_gso - fails:x86_64
	finding 1/1 error include/linux/compiler_types.h xfrm_trans_queue_net - fails:x86_64
	END
check "few compiles: $(number compiles) of $(number reachable)" few 60

begin
edit_all 's/(\tFS_CONTEXT_FOR_RECONFIGURE\b[^\n]*\n)/$1\tFS_CONTEXT_RESPIN,\n/' \
	include/linux/fs_context.h
patch 'fs: one more purpose'
judge 'enumerator added' 1 <<-'END'
	finding 1/1 warning fs/fs_context.c alloc_fs_context -Wswitch fails:x86_64
	END

# The same type in other words, so that nothing breaks.
begin
edit_all 's/\bunsigned long flags;/long unsigned flags;/' include/linux/mm_types.h
patch 'mm: a member with a common name'
judge 'flags' 2 --budget 5s <<-'END'
	not-verified 1 N of N TUs: not compiled: the budget of 5 s is spent
	not-verified 1 include/linux/mm_types.h: 'flags' is mentioned in N files: no more than N of N TUs that can reach it are compiled
	not-verified 1 include/linux/mm_types.h: the layout of 'struct page' may change, which many hold or measure: no more than N of N TUs that can reach it are compiled
	END
check "some were compiled: $(number compiles)" [ "$(number compiles)" -gt 0 ]

run respin check --budget soon "$tmp/series.mbox"
is "no time: status" "$status" 2
is "no time: message" "$(cat "$err")" "respin check: 'soon' is no time for a budget; say it as 90s, 10m or 2h"

finish
