// SPDX-License-Identifier: GPL-2.0
void fires_nr(unsigned long addr, unsigned int nr)
{
	use(addr + nr);
	addr += nr;
}

/* The name says nothing, the function does. */
void fires_end_of_start(unsigned long addr, unsigned int nr)
{
	unsigned long start = addr;
	unsigned long end = start + nr;

	use(start, end);
}

void fires_folio(struct vm_area_struct *vma, struct folio *folio)
{
	use(vma->vm_start + folio_nr_pages(folio));
}

void fires_index(unsigned long addr, pte_t *ptep, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		set_pte_at(mm, addr + i, ptep + i, pte);
}

void fires_step(unsigned long addr, pte_t *ptep, int nr)
{
	while (nr--) {
		use(addr, ptep);
		ptep++, addr++;
	}
}

void silent_times_page_size(unsigned long addr, pte_t *ptep, unsigned int nr)
{
	unsigned long end = addr + nr * PAGE_SIZE;
	int i;

	for (i = 0; i < nr; i++, ptep++, addr += PAGE_SIZE)
		set_pte_at(mm, addr + i * PAGE_SIZE, ptep + i, pte);
	use(end);
}

void silent_page_offsets(pgoff_t start, unsigned int nr)
{
	pgoff_t end = start + nr;

	use(start, end, end << PAGE_SHIFT);
}

void silent_swap_offsets(swp_entry_t entry, int nr_pages)
{
	unsigned long start = swp_offset(entry);
	unsigned long end = start + nr_pages;

	use(start, end);
}

void fires_page(struct folio *folio, unsigned long addr)
{
	for (i = 0; i < nr; i++)
		clear_user_highpage(folio_page(folio, i), addr + i);
}

void silent_bytes(char *addr, int nr)
{
	for (i = 0; i < nr; i++)
		writeb(buf[i], addr + i);
}
