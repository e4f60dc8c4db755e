// Rule: pte-unmap-first
// Confidence: likely
// Summary: pte - 1 is unmapped though pte may still be the first entry
// Explain: a loop that is left before its first step leaves the pointer where it was
// Explain: mapped, so pte - 1 can lie in the page before. Keep what
// Explain: pte_offset_map_lock() returned in a variable and unmap that.

// A loop is left, or skipped, before the pointer has moved ...
@pte_unmap_first_out exists@
expression E;
identifier x, y, l;
identifier m =~ "^(pte_offset_map|pte_alloc_map|get_locked_pte)";
position q;
@@
 \( x = m@q(...) \| y = x = m@q(...) \| x = y = m@q(...) \)
 ... when != x++
     when != ++x
     when != x += E
     when != x = E
 \( break; \| goto l; \)

// ... and on a path where it did not, the entry before it is unmapped.
@pte_unmap_first exists@
identifier pte_unmap_first_out.x, y;
identifier pte_unmap_first_out.m;
position pte_unmap_first_out.q;
identifier u =~ "^pte_unmap(_unlock)?$";
expression E;
position p;
@@
 \( x = m@q(...) \| y = x = m@q(...) \| x = y = m@q(...) \)
 ... when != x++
     when != ++x
     when != x += E
     when != x = E
 u@p(x - 1, ...)

@script:python@
x << pte_unmap_first_out.x;
u << pte_unmap_first.u;
p << pte_unmap_first.p;
q << pte_unmap_first_out.q;
@@
hit('pte-unmap-first', p, "%s(%s - 1) on a path where '%s' did not advance"
    % (u, x, x), q)

