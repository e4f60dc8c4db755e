#!/bin/sh
# Licences of modules, as modpost judges them: one that has none, one that may
# not use what it uses, an export that is for GPL-compatible modules now.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"

mark=net/netfilter/xt_mark.c
log=net/netfilter/nf_log_syslog.c
licence='s/MODULE_LICENSE\(".*?"\)'

begin
edit $mark "$licence;\\n//"
patch 'a module without a licence'
edit $mark 's/\z/MODULE_LICENSE("Proprietary");\n/'
edit $log "$licence/MODULE_LICENSE(\"Proprietary\")/"
patch 'a licence, and one that does not go with what is used'
edit net/netfilter/x_tables.c 's/EXPORT_SYMBOL\((xt_register_targets)\)/EXPORT_SYMBOL_GPL($1)/'
patch 'an export is restricted'
judge 'wrong' 1 <<'END'
finding 1/3 error net/netfilter/xt_mark.c - missing-license fails:x86_64
finding 2/3 error net/netfilter/nf_log_syslog.c nf_log_arp_packet gpl-only fails:x86_64
finding 2/3 error net/netfilter/nf_log_syslog.c nf_log_dump_vlan gpl-only fails:x86_64
finding 2/3 error net/netfilter/nf_log_syslog.c nf_log_syslog_init gpl-only fails:x86_64
finding 3/3 error net/netfilter/xt_mark.c mark_mt_init gpl-only fails:x86_64
hazard 1/3 gone 2/3
END
says 'wrong: its licence' "'nf_log_buf_add' is exported to GPL-compatible modules only, and the licence of this one is \"Proprietary\""

begin
edit $mark "$licence/MODULE_LICENSE(\"Dual MIT\\/GPL\")/"
patch 'another licence that will do'
edit net/netfilter/x_tables.c 's/EXPORT_SYMBOL\((xt_register_targets)\)/EXPORT_SYMBOL_GPL($1)/'
patch 'an export is restricted'
edit net/netfilter/nf_log.c 's/EXPORT_SYMBOL_GPL\((nf_log_buf_add)\)/EXPORT_SYMBOL($1)/'
edit $log "$licence/MODULE_LICENSE(\"GPL v2\")/"
patch 'one is for all now'
judge 'right' 0 </dev/null

finish
