// SPDX-License-Identifier: GPL-2.0
int fires_two(struct folio *folio)
{
	if (folio_mapcount(folio) != folio_nr_pages(folio))
		return 0;
	if (folio_test_dirty(folio)) {
		if (!folio_trylock(folio))
			return 0;
		if (folio_mapcount(folio) != folio_nr_pages(folio)) {
			folio_unlock(folio);
			return 0;
		}
		folio_unlock(folio);
	}
	return 1;
}

int fires_one(struct folio *folio)
{
	if (folio_mapcount(folio) != 1)
		return 0;
	folio_lock(folio);
	if (folio_mapcount(folio) != 1)
		goto out;
	use(folio);
out:
	folio_unlock(folio);
	return 1;
}

int silent_once(struct folio *folio)
{
	if (!folio_trylock(folio))
		return 0;
	if (folio_mapcount(folio) != folio_nr_pages(folio))
		return 0;
	return 1;
}

int silent_another_folio(struct folio *folio)
{
	if (folio_mapcount(folio) != 1)
		return 0;
	folio = next(folio);
	if (folio_mapcount(folio) != 1)
		return 0;
	return 1;
}

/* A loop comes by the same test again. */
int silent_loop(struct folio *folio)
{
	while ((folio = next(folio))) {
		if (folio_likely_mapped_shared(folio))
			continue;
		use(folio);
	}
	return 1;
}

int silent_other_property(struct folio *folio)
{
	if (folio_mapcount(folio) != folio_nr_pages(folio))
		return 0;
	if (folio_mapcount(folio) != 1)
		return 0;
	return 1;
}

int fires_sum(struct folio *folio)
{
	if (folio_ref_count(folio) != 2 + folio_nr_pages(folio))
		return 0;
	if (folio_ref_count(folio) != 2 + folio_nr_pages(folio))
		return 1;
	return 2;
}
