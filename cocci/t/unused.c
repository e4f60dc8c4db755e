// SPDX-License-Identifier: GPL-2.0
int fires(int x)
{
	struct page *page;

	return x;
}

int fires_initialised(int x)
{
	int nr = 0;

	/* nr is only named here */
	return x;
}

int silent(int x)
{
	struct page *page = get(x);
	int nr;

	nr = use(page);
	return nr;
}

int silent_in_an_if(int x)
{
	int nr;

#ifdef CONFIG_X
	nr = x;
	return nr;
#else
	return x;
#endif
}

int silent_marked(int x)
{
	int nr __maybe_unused;

	return x;
}

#define last_of(x) (nr_hidden[x])

int silent_in_a_macro(int x)
{
	struct vm_area_struct vma = TLB_FLUSH_VMA(mm, 0);
	int *nr_hidden = get(x);

	flush_tlb_range(&vma, x, x);
	return last_of(1);
}
