// SPDX-License-Identifier: GPL-2.0
void fires_entry(pte_t *pte, unsigned long addr, int nr)
{
	for (; nr; nr--, pte++)
		set_pte_at(mm, addr, pte, ptent);
}

void fires_entry_first(pte_t *ptep, unsigned long addr, int nr)
{
	do {
		use(ptep, addr);
		ptep++;
	} while (--nr);
}

void fires_address(pte_t *pte, unsigned long addr, unsigned long end)
{
	for (; addr != end; addr += PAGE_SIZE)
		set_pte_at(mm, addr, pte, ptent);
}

void silent(pte_t *pte, unsigned long addr, unsigned long end)
{
	for (; addr != end; pte++, addr += PAGE_SIZE)
		set_pte_at(mm, addr, pte, ptent);
}

void silent_comma(pte_t *pte, unsigned long addr, unsigned long end)
{
	do {
		use(pte, addr);
	} while (pte++, addr += PAGE_SIZE, addr != end);
}

void silent_two_statements(pte_t *pte, unsigned long addr, int nr)
{
	for (;;) {
		set_pte_at(mm, addr, pte, ptent);
		if (--nr == 0)
			break;
		pte++;
		addr += PAGE_SIZE;
	}
}

/* Its own address, made from an index. */
void silent_index(pte_t *ptep, unsigned long addr, int nr)
{
	int i;

	for (i = 0; i < nr; i++)
		set_pte_at(mm, addr + i * PAGE_SIZE, ptep + i, ptent);
}

/* One step of the address is a whole table of entries. */
void silent_tables(pte_t *pte, unsigned long vaddr, unsigned long end)
{
	for (; vaddr != end; vaddr += PMD_SIZE)
		pte = check(pmd, vaddr, pte);
}

void fires_stuck(pte_t *pte, unsigned long addr, unsigned long end)
{
	for (; addr != end; addr += PAGE_SIZE) {
		pte_t ptent = ptep_get(pte);

		if (vm_normal_page(vma, addr, ptent))
			use(ptent);
	}
}

void fires_stuck_address(pte_t *pte, unsigned long addr, int nr)
{
	for (; nr--; pte++) {
		pte_t ptent = ptep_get(pte);

		if (vm_normal_page(vma, addr, ptent))
			use(ptent);
	}
}
