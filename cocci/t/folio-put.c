// SPDX-License-Identifier: GPL-2.0
void fires_continue(unsigned long addr)
{
	for (; addr < end; addr += PAGE_SIZE) {
		struct folio *folio = damon_get_folio(PHYS_PFN(addr));

		if (!folio)
			continue;
		if (!folio_evictable(folio))
			continue;
		folio_mark_accessed(folio);
		folio_put(folio);
	}
}

int fires_return(struct address_space *mapping, pgoff_t index)
{
	struct folio *folio = filemap_get_folio(mapping, index);

	if (IS_ERR(folio))
		return 0;
	if (folio_test_dirty(folio)) {
		count(1);
		return 1;
	}
	folio_put(folio);
	return 0;
}

int silent(struct address_space *mapping, pgoff_t index)
{
	struct folio *folio = filemap_get_folio(mapping, index);

	if (IS_ERR(folio))
		return 0;
	if (folio_test_dirty(folio)) {
		folio_put(folio);
		return 1;
	}
	folio_put(folio);
	return 0;
}

struct folio *silent_returned(struct address_space *mapping, pgoff_t index)
{
	struct folio *folio = filemap_get_folio(mapping, index);

	if (folio_test_uptodate(folio))
		return folio;
	folio_put(folio);
	return NULL;
}
