// Rule: lazy-mmu
// Confidence: likely
// Summary: lazy MMU mode is entered and not left on some path
// Explain: the updates of the page table may stay queued, and on powerpc and sparc
// Explain: preemption stays off. Leave it on every way out.

@lazy_mmu exists@
identifier fn !~ "lazy_mmu";
typedef pte_t;
pte_t *E;
position p;
@@
 fn(...) { ... when any
 arch_enter_lazy_mmu_mode@p();
 ... when != arch_leave_lazy_mmu_mode()
     when != if (E) { arch_leave_lazy_mmu_mode(); ... }
 }

@script:python@
p << lazy_mmu.p;
@@
hit('lazy-mmu', p, "lazy MMU mode is not left on some path")

@lazy_mmu_twice exists@
position p, q;
@@
 arch_enter_lazy_mmu_mode@p();
 ... when != arch_leave_lazy_mmu_mode()
 arch_enter_lazy_mmu_mode@q();

@script:python@
p << lazy_mmu_twice.p;
q << lazy_mmu_twice.q;
@@
hit('lazy-mmu', q, "lazy MMU mode is entered again before it is left", p)

