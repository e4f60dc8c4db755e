// Rule: pte-null
// Confidence: likely
// Summary: the result of pte_offset_map() is used before it is tested
// Explain: pte_offset_map(), pte_offset_map_lock() and their like return NULL
// Explain: when the page table was freed or replaced by a huge entry meanwhile.
// Explain: Test it first, and retry or skip.

@initialize:python@ @@
def pte_null(m, x, p, q):
    x = c(x)
    test = r'(!\s*%s\b|\b%s\s*(&&|\?|[!=]=\s*NULL))' % (re.escape(x), re.escape(x))
    if not re.search(test, around(q, 1, 0)):
        hit('pte-null', p, "'%s' of %s() is used before it is tested for NULL"
            % (x, m), q)

@pte_null exists@
identifier m =~ "^(pte_offset_map(_lock|_nolock|_ro_nolock|_rw_nolock)?|pte_alloc_map(_lock)?|get_locked_pte)$";
identifier f !~ "^(un)?likely$|^WARN|^VM_|^BUG|^pte_unmap|^IS_ERR";
expression x, E;
position p, q;
@@
 x = m@p(...)
 ... when != !x
     when != x != NULL
     when != x = E
(
 f@q(...,x,...)
|
 *x@q
|
 x@q++
|
 x@q += E
)

@script:python@
m << pte_null.m;
x << pte_null.x;
p << pte_null.p;
q << pte_null.q;
@@
# Not 'if (!(pte = ...', not one of two that get the pointer, and not where a
# copy of it is tested next.
tested = re.search(r'(\w+) = %s;\s*if \((unlikely\()?!\1\b' % re.escape(c(x)),
                   around(p, 0, 4))
if not tested and not re.search(r'[=(]\s*%s\s*=[^=]|\b%s\s*=[^=;]*=[^=]'
                 % ((re.escape(c(x)),) * 2), around(p, 1, 0)):
    pte_null(m, x, p, q)

@pte_null_two exists@
identifier m =~ "^(pte_offset_map(_lock|_nolock|_ro_nolock|_rw_nolock)?|pte_alloc_map(_lock)?|get_locked_pte)$";
identifier f !~ "^(un)?likely$|^WARN|^VM_|^BUG|^pte_unmap|^IS_ERR";
expression x, y, E;
position p, q;
@@
 \( x = y = m@p(...) \| y = x = m@p(...) \)
 ... when != !x
     when != x != NULL
     when != !y
     when != y != NULL
     when != x = E
(
 f@q(...,x,...)
|
 *x@q
|
 x@q++
|
 x@q += E
)

@script:python@
m << pte_null_two.m;
x << pte_null_two.x;
p << pte_null_two.p;
q << pte_null_two.q;
@@
pte_null(m, x, p, q)

