// SPDX-License-Identifier: GPL-2.0
void fires(struct folio *folio, unsigned long addr, pte_t *pte)
{
	int nr = 0;

	if (folio_test_large(folio))
		nr = folio_pte_batch(folio, addr, pte, ptent, max_nr, flags);
	clear_young_dirty_ptes(vma, addr, pte, nr, flags);
}

void fires_assigned(struct folio *folio, unsigned long addr, pte_t *pte)
{
	unsigned int nr_ptes;

	nr_ptes = 0;
	if (cond)
		nr_ptes++;
	set_ptes(mm, addr, pte, ptent, nr_ptes);
}

void silent_one(struct folio *folio, unsigned long addr, pte_t *pte)
{
	int nr = 1;

	if (folio_test_large(folio))
		nr = folio_pte_batch(folio, addr, pte, ptent, max_nr, flags);
	clear_young_dirty_ptes(vma, addr, pte, nr, flags);
}

void silent_tested(struct folio *folio, unsigned long addr, pte_t *pte)
{
	int nr = 0;

	if (folio_test_large(folio))
		nr = folio_pte_batch(folio, addr, pte, ptent, max_nr, flags);
	if (!nr)
		return;
	clear_young_dirty_ptes(vma, addr, pte, nr, flags);
}

/* The loops of the helpers themselves are no callers. */
void silent_idioms(pte_t *pte, unsigned int nr)
{
	while (--nr)
		use(pte++);
	for (;;) {
		use(pte);
		if (--nr == 0)
			break;
	}
}
