// SPDX-License-Identifier: GPL-2.0
void fires_kmap(struct page *to, struct page *from)
{
	char *dst = kmap_local_page(to);
	char *src = kmap_local_page(from);

	copy(dst, src);
	kunmap_local(dst);
	kunmap_local(src);
}

void fires_pte(pmd_t *src_pmd, pmd_t *dst_pmd, unsigned long addr)
{
	pte_t *dst = pte_offset_map(dst_pmd, addr);
	pte_t *src = pte_offset_map(src_pmd, addr);

	if (!dst || !src)
		return;
	copy(dst, src);
	pte_unmap(dst);
	pte_unmap(src);
}

void silent(struct page *to, struct page *from)
{
	char *dst = kmap_local_page(to);
	char *src = kmap_local_page(from);

	copy(dst, src);
	kunmap_local(src);
	kunmap_local(dst);
}

void silent_one_after_the_other(struct page *to, struct page *from)
{
	char *dst, *src;

	dst = kmap_local_page(to);
	kunmap_local(dst);
	src = kmap_local_page(from);
	kunmap_local(src);
}

void fires_conditions(pmd_t *src_pmd, pmd_t *dst_pmd, unsigned long addr)
{
	pte_t *dst_pte = pte_offset_map_nolock(mm, dst_pmd, addr, &ptl);
	pte_t *src_pte = pte_offset_map_nolock(mm, src_pmd, addr, &ptl);

	if (dst_pte)
		pte_unmap(dst_pte);
	if (src_pte)
		pte_unmap(src_pte);
}

void silent_mapped_again(struct page *to, struct page *from)
{
	char *dst = kmap_local_page(to);
	char *src = kmap_local_page(from);

	kunmap_local(src);
	kunmap_local(dst);
	src = kmap_local_page(from);
	dst = kmap_local_page(to);
	kunmap_local(dst);
	kunmap_local(src);
}
