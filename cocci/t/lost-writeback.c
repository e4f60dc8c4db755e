// SPDX-License-Identifier: GPL-2.0
void fires(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	pte_t pte = ptep_get_and_clear(mm, addr, ptep);

	pte = pte_wrprotect(pte);
}

void fires_on_a_path(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	pte_t old, pte;

	old = ptep_get_and_clear(mm, addr, ptep);
	pte = pte_mkold(old);
	if (skip(pte))
		return;
	set_pte_at(mm, addr, ptep, pte);
}

void fires_batch(struct mm_struct *mm, unsigned long addr, pte_t *ptep, int nr)
{
	pte_t pte = get_and_clear_full_ptes(mm, addr, ptep, nr, 0);

	pte = pte_mkclean(pte_mkold(pte));
	tlb_remove_tlb_entries(tlb, ptep, nr, addr);
}

void silent(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	pte_t pte = ptep_get_and_clear(mm, addr, ptep);

	pte = pte_wrprotect(pte);
	set_pte_at(mm, addr, ptep, pte);
}

void silent_nested(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	pte_t pte = ptep_get_and_clear(mm, addr, ptep);

	pte = pte_mkold(pte);
	set_pte_at(mm, addr, ptep, pte_mkclean(pte));
}

void silent_commit(struct vm_area_struct *vma, unsigned long addr, pte_t *ptep)
{
	pte_t old = ptep_modify_prot_start(vma, addr, ptep);
	pte_t pte = pte_modify(old, prot);

	ptep_modify_prot_commit(vma, addr, ptep, old, pte);
}

pte_t silent_returned(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	pte_t pte = ptep_get_and_clear(mm, addr, ptep);

	pte = pte_mkdirty(pte);
	return pte;
}

/* A page is zapped: nothing is changed. */
void silent_zap(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	pte_t pte = ptep_get_and_clear(mm, addr, ptep);

	if (pte_dirty(pte))
		folio_mark_dirty(folio);
}

pte_t silent_returned_in_parentheses(struct mm_struct *mm, unsigned long addr, pte_t *ptep)
{
	pte_t pte = ptep_get_and_clear(mm, addr, ptep);

	pte = pte_mkdirty(pte);
	return (pte);
}
