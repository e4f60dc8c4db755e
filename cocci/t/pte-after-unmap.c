// SPDX-License-Identifier: GPL-2.0
int fires(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map(pmd, addr);

	if (!pte)
		return 0;
	pte_unmap(pte);
	return pte_present(ptep_get(pte));
}

void fires_deref(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	if (!pte)
		return;
	pte_unmap_unlock(pte, ptl);
	if (cond)
		use(*pte);
}

int silent(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map(pmd, addr);
	pte_t ptent;

	if (!pte)
		return 0;
	ptent = ptep_get(pte);
	pte_unmap(pte);
	return pte_present(ptent);
}

int silent_mapped_again(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	pte_unmap_unlock(pte, ptl);
	cond_resched();
	pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	if (pte)
		use(ptep_get(pte));
	return 0;
}

void silent_reset(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map(pmd, addr);

	pte_unmap(pte);
	pte = NULL;
	use(pte);
}
