// SPDX-License-Identifier: GPL-2.0
int fires_read(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map(pmd, addr);

	return pte_none(ptep_get(pte));
}

int fires_condition(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte;

	pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	if (pte_none(ptep_get(pte)))
		return 0;
	return 1;
}

int fires_chain(pmd_t *pmd, unsigned long addr)
{
	pte_t *start_pte, *pte;

	start_pte = pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	do {
		use(ptep_get(pte));
	} while (pte++, addr += PAGE_SIZE, addr != end);
	pte_unmap_unlock(start_pte, ptl);
	return 0;
}

int silent(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map(pmd, addr);

	if (!pte)
		return 0;
	return pte_none(ptep_get(pte));
}

int silent_chain(pmd_t *pmd, unsigned long addr)
{
	pte_t *start_pte, *pte;

	start_pte = pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	if (!start_pte)
		return -EAGAIN;
	use(ptep_get(pte));
	pte_unmap_unlock(start_pte, ptl);
	return 0;
}

int silent_same_condition(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map(pmd, addr);

	if (!pte || pte_none(ptep_get(pte)))
		return 0;
	return 1;
}

int silent_unlikely(pmd_t *pmd, unsigned long addr)
{
	vmf->pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	if (unlikely(!vmf->pte || !pte_same(ptep_get(vmf->pte), vmf->orig_pte)))
		return 0;
	return pte_young(ptep_get(vmf->pte));
}

int silent_assigned_in_the_test(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte;

	if (!(pte = pte_offset_map(pmd, addr)))
		return 0;
	return pte_none(ptep_get(pte));
}

int fires_alias(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	pte_t *first = pte;

	set_pte_at(mm, addr, pte, ptent);
	pte_unmap_unlock(first, ptl);
	return 0;
}

int silent_positive(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte = pte_offset_map(pmd, addr);
	int none = 0;

	if (pte) {
		none = pte_none(ptep_get(pte));
		pte_unmap(pte);
	}
	return none;
}

int silent_copy_tested(pmd_t *pmd, unsigned long addr)
{
	pte_t *start_pte, *pte;

	pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	start_pte = pte;
	if (!start_pte)
		return 0;
	set_pte_at(mm, addr, pte, ptent);
	return 0;
}
