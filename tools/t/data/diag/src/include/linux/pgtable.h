/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LINUX_PGTABLE_H
#define _LINUX_PGTABLE_H

#include <linux/kernel.h>

static inline pte_t modify_prot_start_ptes(u64 *vma, unsigned long addr,
					   pte_t *ptep, unsigned int nr)
{
	pte_t pte, tmp_pte;

	pte = ptep_modify_prot_start(vma, addr, ptep);
	while (--nr) {
		ptep++;
		tmp_pte = ptep_modify_prot_start(vma, addr, ptep);
		if (tmp_pte.pte)
			pte.pte |= tmp_pte.pte;
	}
	return pte;
}

static inline void modify_prot_commit_ptes(u64 *vma, unsigned long addr,
					   pte_t *ptep, pte_t pte)
{
	ptep_modify_prot_commit(vma, addr, ptep, pte);
}

static inline pte_t ptep_modify_prot_start(u64 *vma, unsigned long addr,
					   pte_t *ptep)
{
	return *ptep;
}

static inline void ptep_modify_prot_commit(u64 *vma, unsigned long addr,
					   pte_t *ptep, pte_t pte)
{
	*ptep = pte;
}

#endif
