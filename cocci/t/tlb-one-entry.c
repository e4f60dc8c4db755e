// SPDX-License-Identifier: GPL-2.0
void fires(struct mmu_gather *tlb, unsigned long addr, pte_t *pte, int nr)
{
	clear_young_dirty_ptes(vma, addr, pte, nr, flags);
	tlb_remove_tlb_entry(tlb, pte, addr);
}

void silent(struct mmu_gather *tlb, unsigned long addr, pte_t *pte, int nr)
{
	clear_young_dirty_ptes(vma, addr, pte, nr, flags);
	tlb_remove_tlb_entries(tlb, pte, nr, addr);
}

void silent_single(struct mmu_gather *tlb, unsigned long addr, pte_t *pte, int nr)
{
	ptep_get_and_clear_full(mm, addr, pte, full);
	tlb_remove_tlb_entry(tlb, pte, addr);
}

void silent_next_entry(struct mmu_gather *tlb, unsigned long addr, pte_t *pte, int nr)
{
	clear_full_ptes(mm, addr, pte, nr, full);
	tlb_remove_tlb_entries(tlb, pte, nr, addr);
	pte += nr;
	ptep_get_and_clear(mm, addr, pte);
	tlb_remove_tlb_entry(tlb, pte, addr);
}
