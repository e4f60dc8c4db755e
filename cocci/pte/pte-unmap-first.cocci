// Rule: pte-unmap-first
// Confidence: likely
// Summary: pte - 1 is unmapped though pte may still be the first entry
// Explain: a loop that ends before its first step leaves the pointer where it was
// Explain: mapped, so pte - 1 can lie in the page before. Keep what
// Explain: pte_offset_map_lock() returned in a variable and unmap that.

@pte_unmap_first exists@
expression E;
identifier x, y;
identifier m =~ "^(pte_offset_map|pte_alloc_map|get_locked_pte)";
identifier u =~ "^pte_unmap(_unlock)?$";
position p, q;
@@
 \( x = m@q(...) \| y = x = m@q(...) \| x = y = m@q(...) \)
 ... when != x++
     when != ++x
     when != x += E
     when != x = E
 u@p(x - 1, ...)

@script:python@
x << pte_unmap_first.x;
u << pte_unmap_first.u;
p << pte_unmap_first.p;
q << pte_unmap_first.q;
@@
hit('pte-unmap-first', p, "%s(%s - 1) on a path where '%s' did not advance"
    % (u, x, x), q)

