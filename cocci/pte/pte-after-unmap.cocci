// Rule: pte-after-unmap
// Confidence: likely
// Summary: a page table entry is used after it was unmapped
// Explain: after pte_unmap() the page table may be freed, with CONFIG_HIGHPTE it
// Explain: is not even mapped. Read what is needed before.

@pte_after_unmap exists@
identifier u =~ "^pte_unmap(_unlock)?$";
identifier f !~ "^(un)?likely$|^WARN|^VM_WARN|^pte_unmap";
local idexpression x;
expression E;
position p, q;
@@
 \( u@p(x, ...) \| u@p(x) \| u@p(x - 1, ...) \)
 ... when != x = E
     when != &x
(
 f@q(...,x,...)
|
 *x@q
)

@script:python@
u << pte_after_unmap.u;
x << pte_after_unmap.x;
p << pte_after_unmap.p;
q << pte_after_unmap.q;
@@
hit('pte-after-unmap', q, "'%s' is used after %s()" % (x, u), p)

