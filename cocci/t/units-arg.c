// SPDX-License-Identifier: GPL-2.0
void fires_call(unsigned long addr, unsigned long end, pte_t *ptep)
{
	unsigned long start = ALIGN_DOWN(addr, CONT_PTE_SIZE);

	end = ALIGN(end, CONT_PTE_SIZE);
	__clear_young_dirty_ptes(vma, start, ptep, end - start, flags);
}

void fires_assignment(unsigned long addr, unsigned long end)
{
	unsigned int nr = pmd_addr_end(addr, end) - addr;
	unsigned int max_nr;

	max_nr = end - addr;
	nr_pages = vma->vm_end - vma->vm_start;
	use(nr, max_nr);
}

void silent_shifted(unsigned long addr, unsigned long end, pte_t *ptep)
{
	unsigned int nr = (end - addr) >> PAGE_SHIFT;

	wrprotect_ptes(mm, addr, ptep, (end - addr) / PAGE_SIZE);
	use(nr);
}

void silent_page_offsets(pgoff_t start, pgoff_t end)
{
	nr_pages = end - start;
	folio_remove_rmap_ptes(folio, page, end - start, vma);
}

/* Its third parameter is no number of pages. */
void silent_bytes(unsigned long addr, unsigned long end)
{
	flush_range(vma, addr, end - addr);
}

void fires_entry(struct vm_fault *vmf, unsigned long addr, unsigned long address)
{
	pte_t *ptep = vmf->pte - (address - addr);

	use(ptep);
}

void fires_vma(struct vm_area_struct *vma, unsigned long start, unsigned long end)
{
	long nrpages = end - start;

	use(vma, nrpages);
}

void silent_entry(struct vm_fault *vmf, unsigned long addr, unsigned long address)
{
	pte_t *ptep = vmf->pte - ((address - addr) >> PAGE_SHIFT);

	use(ptep);
}
