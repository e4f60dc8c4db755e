// SPDX-License-Identifier: GPL-2.0
void fires_return(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	pte_t old = ptep_modify_prot_start(vma, addr, ptep);

	if (pte_none(old))
		return;
	ptep_modify_prot_commit(vma, addr, ptep, old, pte_mkold(old));
}

void fires_continue(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	for (; addr < end; ptep += nr, addr += nr * PAGE_SIZE) {
		old = modify_prot_start_ptes(vma, addr, ptep, nr);
		if (pte_protnone(old))
			continue;
		modify_prot_commit_ptes(vma, addr, ptep, old, pte, nr);
	}
}

void fires_mixed(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	pte_t old = modify_prot_start_ptes(vma, addr, ptep, nr);

	ptep_modify_prot_commit(vma, addr, ptep, old, pte_mkold(old));
}

void fires_mixed_huge(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	pte_t old = huge_ptep_modify_prot_start(vma, addr, ptep);

	ptep_modify_prot_commit(vma, addr, ptep, old, pte_mkold(old));
}

void silent(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	pte_t old = ptep_modify_prot_start(vma, addr, ptep);

	if (pte_young(old))
		ptep_modify_prot_commit(vma, addr, ptep, old, pte_mkold(old));
	else
		ptep_modify_prot_commit(vma, addr, ptep, old, old);
}

void silent_batch(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	pte_t old;

	if (!pte_present(ptep_get(ptep)))
		return;
	old = modify_prot_start_ptes(vma, addr, ptep, nr);
	modify_prot_commit_ptes(vma, addr, ptep, old, pte_mkold(old), nr);
}

/* The generic version of a start is no user of one. */
static inline pte_t modify_prot_start_ptes(struct vm_area_struct *vma,
		unsigned long addr, pte_t *ptep, unsigned int nr)
{
	return ptep_modify_prot_start(vma, addr, ptep);
}
