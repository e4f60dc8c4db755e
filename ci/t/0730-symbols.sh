#!/bin/sh
# Symbols without a link, on the real kernel: a module that uses what is not
# exported, an export or a definition that goes while others use it, a stub
# that is missing, a namespace that is not imported; and what is right.
. "$(dirname "$0")/lib.sh"
. "$root/ci/t/series.sh"

mark=net/netfilter/xt_mark.c
vars=fs/efivarfs/vars.c
in_mark='s/(\tskb->mark = \(skb->mark)/'
seq_buf='s/(#include <linux.module.h>\n)/$1#include <linux\/seq_buf.h>\n/;'"
	${in_mark}\tseq_buf_path(NULL, NULL, \"\");\n\$1/"
export='s/\z/EXPORT_SYMBOL(seq_buf_path);\n/'
size='int efivar_entry_size\(.*?\n\}\n'

begin
edit $mark "$seq_buf"
patch 'a module uses what is not exported'
edit net/netfilter/nf_log.c 's/EXPORT_SYMBOL_GPL\(nf_log_buf_add\);\n//'
patch 'an export goes that a module uses'
edit lib/uuid.c 's/(#include <linux.random.h>\n)/$1#include <linux\/crc7.h>\n/;
	s/(\tget_random_bytes\(uuid, 16\);)/$1\n\tuuid[0] = crc7_be(0, uuid, 16);/'
patch 'built-in code uses what is not built'
edit $vars "s/($size)/#if 0\n\$1#endif\n/s"
patch 'a definition goes that the module uses'
edit $mark 's/(#include <linux.module.h>\n)/$1#include <linux\/dma-buf.h>\n/;'"
	${in_mark}\tdma_buf_get(1);\n\$1/"
patch 'a namespace that is not imported'
edit lib/seq_buf.c "$export"
patch 'now it is exported'
edit arch/x86/entry/vdso/vgetcpu.c 's/(\tvdso_read_cpunode)/\t_printk("x");\n$1/'
patch 'the vDSO is linked by itself'
judge wrong 1 <<-'END'
	finding 1/7 error net/netfilter/xt_mark.c mark_tg undefined-symbol fails:x86_64
	finding 2/7 error net/netfilter/nf_log_syslog.c nf_log_dump_vlan undefined-symbol fails:x86_64
	finding 3/7 error lib/uuid.c generate_random_uuid undefined-symbol fails:x86_64
	finding 4/7 error fs/efivarfs/file.c efivarfs_file_read undefined-symbol fails:x86_64
	finding 5/7 error net/netfilter/xt_mark.c mark_tg missing-import fails:x86_64
	finding 7/7 error arch/x86/entry/vdso/vgetcpu.c __vdso_getcpu undefined-symbol fails:x86_64
	hazard 1/7 gone 6/7
	END
says 'wrong: not exported' "undefined symbol 'seq_buf_path' in a module: defined in lib/seq_buf.c, not exported"
says 'wrong: export gone' "undefined symbol 'nf_log_buf_add' in a module: defined in net/netfilter/nf_log.c, not exported"
says 'wrong: not built' "undefined symbol 'crc7_be' in vmlinux: defined only in lib/crc7.c, which is not built"
says 'wrong: under #if' "undefined symbol 'efivar_entry_size' in a module: defined in fs/efivarfs/vars.c, but only where 0"
says 'wrong: vDSO' "undefined symbol '_printk' in the vDSO: it is linked by itself, without kernel/printk/printk.c"
says 'wrong: 32-bit vDSO' "undefined symbol '_printk' in the 32-bit vDSO: it is"
says 'wrong: not imported' "'dma_buf_get' is exported in namespace DMA_BUF, which the module does not import"

begin
edit lib/seq_buf.c "$export"
patch 'it is exported first'
edit $mark "$seq_buf"
patch 'a module uses it'
edit net/netfilter/nf_log.c 's/EXPORT_SYMBOL\(nf_log_trace\);\n//'
patch 'an export goes that no module uses here'
edit lib/uuid.c 's/(#include <linux.random.h>\n)/$1#include <linux\/crc16.h>\n/;
	s/(\tget_random_bytes\(uuid, 16\);)/$1\n\tuuid[0] = crc16(0, uuid, 16);/'
patch 'built-in code uses what is built'
edit $vars "s/$size//s"
edit fs/efivarfs/inode.c 's/\z/\nint efivar_entry_size(struct efivar_entry *entry, unsigned long *size)\n{\n\t*size = 0;\n\treturn 0;\n}\n/'
patch 'a definition moves within the module'
edit $mark 's/(#include <linux.module.h>\n)/$1#include <linux\/dma-buf.h>\n/;
	s/(MODULE_LICENSE)/MODULE_IMPORT_NS(DMA_BUF);\n$1/;'"
	${in_mark}\tdma_buf_get(1);\n\$1/"
patch 'a namespace that is imported'
judge right 0 </dev/null

finish
