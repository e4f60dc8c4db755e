// Rule: unmap-order
// Confidence: likely
// Summary: two local mappings are taken down in the order they were made in
// Explain: kmap_local_page() and, with CONFIG_HIGHPTE, pte_offset_map() are a
// Explain: stack: what was mapped last is unmapped first.

@unmap_order exists@
identifier a, b;
identifier m1 =~ "^(kmap_local_(page|folio)|kmap_atomic|pte_offset_map(_ro_nolock|_rw_nolock|_nolock)?)$";
identifier m2 =~ "^(kmap_local_(page|folio)|kmap_atomic|pte_offset_map(_ro_nolock|_rw_nolock|_nolock)?)$";
identifier u1 =~ "^(kunmap_local|kunmap_atomic|pte_unmap)$";
identifier u2 =~ "^(kunmap_local|kunmap_atomic|pte_unmap)$";
expression E;
position p, q;
@@
 a = m1(...)
 ... when != u1(a)
     when != a = E
 b = m2(...)
 ... when != u1(a)
     when != u2(b)
     when != a = E
     when != b = E
 u1@p(a)
 ... when != u2(b)
     when != b = E
     when != a = E
 u2@q(b)

@script:python@
a << unmap_order.a;
b << unmap_order.b;
u1 << unmap_order.u1;
p << unmap_order.p;
q << unmap_order.q;
@@
if a != b:
    hit('unmap-order', p, "%s('%s') comes before '%s', which was mapped later"
        % (u1, a, b), q)

