// SPDX-License-Identifier: GPL-2.0
int fires(pte_t *pte, unsigned long addr)
{
	arch_enter_lazy_mmu_mode();
	do {
		if (WARN_ON(!pte_none(ptep_get(pte))))
			return -EBUSY;
		set_pte_at(mm, addr, pte, ptent);
	} while (pte++, addr += PAGE_SIZE, addr != end);
	arch_leave_lazy_mmu_mode();
	return 0;
}

int silent(pte_t *pte, unsigned long addr)
{
	int err = 0;

	arch_enter_lazy_mmu_mode();
	do {
		if (WARN_ON(!pte_none(ptep_get(pte)))) {
			err = -EBUSY;
			break;
		}
		set_pte_at(mm, addr, pte, ptent);
	} while (pte++, addr += PAGE_SIZE, addr != end);
	arch_leave_lazy_mmu_mode();
	return err;
}

/* Entered exactly when there is a pte. */
void silent_left_under_a_condition(pte_t *pte, unsigned long addr)
{
	arch_enter_lazy_mmu_mode();
	for (; addr != end; pte++, addr += PAGE_SIZE) {
		if (need_resched()) {
			pte = NULL;
			break;
		}
		use(pte, addr);
	}
	if (pte) {
		arch_leave_lazy_mmu_mode();
		pte_unmap_unlock(pte, ptl);
	}
}

void fires_entered_again(pte_t *pte, unsigned long addr)
{
again:
	arch_enter_lazy_mmu_mode();
	for (; addr != end; pte++, addr += PAGE_SIZE) {
		if (need_resched())
			goto again;
	}
	arch_leave_lazy_mmu_mode();
}

int fires_left_where_it_ends_early(pte_t *pte, unsigned long addr)
{
	int ret;

	arch_enter_lazy_mmu_mode();
	ret = huge(pte);
	if (ret) {
		arch_leave_lazy_mmu_mode();
		return ret;
	}
	if (signal_pending(current))
		return -EINTR;
	arch_leave_lazy_mmu_mode();
	return 0;
}
