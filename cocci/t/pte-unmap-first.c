// SPDX-License-Identifier: GPL-2.0
void fires(pmd_t *pmd, unsigned long addr, unsigned long end)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	if (!pte)
		return;
	for (; addr != end; addr += PAGE_SIZE) {
		if (stop(pte))
			break;
		pte++;
	}
	pte_unmap_unlock(pte - 1, ptl);
}

void fires_chain(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte, *mapped;

	mapped = pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	if (!pte)
		return;
	if (pte_none(ptep_get(pte)))
		goto out;
	pte++;
out:
	pte_unmap_unlock(pte - 1, ptl);
}

void silent_what_was_mapped(pmd_t *pmd, unsigned long addr)
{
	pte_t *pte, *mapped;

	mapped = pte = pte_offset_map_lock(mm, pmd, addr, &ptl);
	if (!pte)
		return;
	pte++;
	pte_unmap_unlock(mapped, ptl);
}

void silent_advanced(pmd_t *pmd, unsigned long addr, unsigned long end)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	if (!pte)
		return;
	do {
		use(pte);
	} while (pte++, addr += PAGE_SIZE, addr != end);
	pte_unmap_unlock(pte - 1, ptl);
}

/* Nothing leaves the loop before its first step. */
void silent_no_way_out(pmd_t *pmd, unsigned long addr, unsigned long end)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	if (!pte)
		return;
	for (; addr != end; addr += PAGE_SIZE)
		use(ptep_get(pte++));
	pte_unmap_unlock(pte - 1, ptl);
}

void fires_for(pmd_t *pmd, unsigned long addr, unsigned long end)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	if (!pte)
		return;
	for (; addr != end; pte++, addr += PAGE_SIZE) {
		if (stop(ptep_get(pte)))
			break;
	}
	pte_unmap_unlock(pte - 1, ptl);
}

void silent_for(pmd_t *pmd, unsigned long addr, unsigned long end)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	if (!pte)
		return;
	for (; addr != end; pte++, addr += PAGE_SIZE) {
		if (stop(ptep_get(pte)))
			continue;
	}
	pte_unmap_unlock(pte - 1, ptl);
}

void silent_goto_in_the_loop(pmd_t *pmd, unsigned long addr, unsigned long end)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	if (!pte)
		return;
	for (; addr != end; pte++, addr += PAGE_SIZE) {
		if (stop(ptep_get(pte)))
			goto next;
		use(pte);
next:
		count(1);
	}
	pte_unmap_unlock(pte - 1, ptl);
}

void silent_declaration(pmd_t *pmd, unsigned long addr, unsigned long end)
{
	pte_t *pte = pte_offset_map_lock(mm, pmd, addr, &ptl);

	if (!pte)
		return;
	for (; addr != end; addr += PAGE_SIZE) {
		pte_t ptent = ptep_get(pte++);

		if (stop(ptent))
			break;
	}
	pte_unmap_unlock(pte - 1, ptl);
}
