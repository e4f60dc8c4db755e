// SPDX-License-Identifier: GPL-2.0
void fires(pte_t pte, pmd_t pmd)
{
	pte_mkdirty(pte);
	if (cond)
		pmd_wrprotect(pmd);
	pte_swp_mkuffd_wp(pte);
	maybe_mkwrite(pte, vma);
}

pte_t silent(pte_t pte, pmd_t pmd)
{
	pte = pte_mkdirty(pte);
	set_pte_at(mm, addr, ptep, pte_mkold(pte));
	pmd_clear(pmdp);
	pte_clear(mm, addr, ptep);
	return pte_wrprotect(pte);
}
