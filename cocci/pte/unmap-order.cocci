// Rule: unmap-order
// Confidence: likely
// Summary: two local mappings are taken down in the order they were made in
// Explain: kmap_local_page() and, with CONFIG_HIGHPTE, pte_offset_map() are a
// Explain: stack: what was mapped last is unmapped first.

@initialize:python@ @@
LOCAL_MAP = (r'(kmap_local_(page|folio)|kmap_atomic'
             r'|pte_offset_map(_ro_nolock|_rw_nolock|_nolock)?)\(')

# How far into its function a variable was last mapped, above a position.
def unmap_order_mapped(p, name):
    start = int(p[0].current_element_line) - 1
    text = '\n'.join(source(p[0].file)[start:int(p[0].line) - 1])
    at = [m.start() for m in
          re.finditer(r'\b%s = [^;]*?%s' % (name, LOCAL_MAP), text)]
    return at[-1] if at else None

// Two that stand together: whether one was mapped before the other is read off
// the text, as all paths from the mappings take spatch minutes in some functions.
@unmap_order@
identifier a, b;
identifier u1 =~ "^(kunmap_local|kunmap_atomic|pte_unmap)$";
identifier u2 =~ "^(kunmap_local|kunmap_atomic|pte_unmap)$";
position p, q;
@@
(
 u1@p(a);
 u2@q(b);
|
 if (<+... a ...+>) u1@p(a);
 if (<+... b ...+>) u2@q(b);
)

@script:python@
a << unmap_order.a;
b << unmap_order.b;
u1 << unmap_order.u1;
p << unmap_order.p;
q << unmap_order.q;
@@
first, second = unmap_order_mapped(p, a), unmap_order_mapped(p, b)
if a != b and first is not None and second is not None and first < second:
    hit('unmap-order', p, "%s(%s) comes before '%s', which was mapped later"
        % (u1, a, b), q)

