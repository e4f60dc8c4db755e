// SPDX-License-Identifier: GPL-2.0
#include <linux/pgtable.h>

void change(u64 *vma, pte_t *p)
{
	int page;

	*p = modify_prot_start_ptes(vma, 0, p, 2);
	modify_prot_commit_ptes(vma, 0, p, *p);
}
